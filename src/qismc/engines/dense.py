"""The float engine: one complex128 array of 2^n amplitudes, axis k of the tensor is qubit k."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.common.scalars import COMPLEX
from qismc.engines.core import BlockCompiler, native
from qismc.engines.dense_span import DenseSpan
from qismc.engines.engine import Letters
from qismc.engines.runs import PastRuns
from qismc.errors import NoCompactForm
from qismc.limits import Budget, Limits, Tolerance
from qismc.numbers import NOTHING_ASSUMED, ComplexForm, FloatArithmetic, NumberForm, unit
from qismc.system import Application

Array = npt.NDArray[np.complex128]
MAX_QUBITS = 24


def _kron(left: Array, right: Array) -> Array:
    """The product of two states; NumPy's own takes long to start with."""
    return np.multiply.outer(left, right).reshape(-1)


class DenseBlocks:
    """Compiles and runs operators on arrays whose index has qubit 0 as its most significant digit."""

    def __init__(self, num_qubits: int, budget: Budget, form: NumberForm | None = None) -> None:
        self._num_qubits = num_qubits
        self._budget = budget
        self._form = form or ComplexForm()

    @property
    def limits(self) -> Limits:
        """What was asked for."""
        return self._budget.limits

    @cached_property
    def _space(self) -> _core.Space:
        return _core.Space("complex", self._num_qubits)

    @cached_property
    def _compiler(self) -> BlockCompiler:
        return BlockCompiler(self._space, self._form, range(self._num_qubits))

    @native
    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self._compiler.compile(applications)

    @native
    def run(self, block: _core.Block, state: Array) -> Array:
        """The image of a state."""
        self._budget.spend("applying gates")
        self._space.limits = _core.Limits(
            seconds=self._budget.remaining_seconds, memory_bytes=self.limits.memory_bytes
        )
        image: Array = self._space.run(block, self._space.array(state)).to_numpy()
        return image


class DenseEngine:
    """Dense floating-point vectors; every decision has a margin."""

    name = "float"
    exact = None
    dense = True
    peak_bond = None
    formal = False
    assumed = NOTHING_ASSUMED
    ring = COMPLEX

    def __init__(
        self,
        num_qubits: int,
        budget: Budget,
        tolerance: Tolerance | None = None,
        form: NumberForm | None = None,
    ) -> None:
        if num_qubits > MAX_QUBITS:
            raise NoCompactForm(
                f"{num_qubits} qubits are too many for a dense array", hint=f"at most {MAX_QUBITS}"
            )
        self.num_qubits = num_qubits
        self.runs = PastRuns()
        self.order = range(num_qubits)
        self.tolerance = tolerance or Tolerance()
        self.arithmetic = FloatArithmetic(self.tolerance)
        self._budget = budget
        self._form = form
        self._blocks = DenseBlocks(num_qubits, budget, form)
        self._subs: dict[int, DenseEngine] = {}

    @property
    def numeric(self) -> DenseEngine:
        return self

    def as_dense(self) -> None:
        return None

    def product(self, factors: Sequence[tuple[complex, complex]]) -> Array:
        parts = [np.array(pair, dtype=complex) for pair in factors]
        return reduce(_kron, parts, np.ones(1, dtype=complex))

    def kets(self, letters: Letters, words: Sequence[str]) -> list[Array]:
        return [self.product([letters[name] for name in word]) for word in words]

    def superposition(self, letters: Letters, words: Sequence[str], coefficients: Sequence[complex]) -> Array:
        return self.combine(coefficients, self.kets(letters, words))

    def combine(self, coefficients: Sequence[complex], vectors: Sequence[Array]) -> Array:
        return sum(
            (c * v for c, v in zip(coefficients, vectors, strict=True)),
            np.zeros(2**self.num_qubits, dtype=complex),
        )

    def amplitudes(self, values: Array) -> Array:
        return unit(values)

    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self._blocks.compile(applications)

    def run(self, block: _core.Block, vector: Array) -> Array:
        """The image of the unit vector along `vector`; its length decides whether it is zero."""
        return self._blocks.run(block, unit(vector))

    def bytes_of(self, vector: Array) -> int:
        return vector.nbytes

    def run_all(self, block: _core.Block, vectors: Sequence[Array]) -> list[Array]:
        return [self.run(block, vector) for vector in vectors]

    def fork(
        self, prefix: _core.Block | None, blocks: Sequence[_core.Block], vectors: Sequence[Array]
    ) -> list[list[Array | None]]:
        here = vectors if prefix is None else self.run_all(prefix, vectors)
        return [
            [None if self.is_zero(image) else image for image in self.run_all(block, here)]
            for block in blocks
        ]

    def restart(self) -> None:
        self._budget.restart()

    def is_zero(self, vector: Array) -> bool:
        return self.tolerance.is_zero(float(np.linalg.norm(vector)), "is an outcome impossible")

    def equal(self, left: Array, right: Array) -> bool:
        scale = max(float(np.linalg.norm(left)), float(np.linalg.norm(right)), 1e-300)
        return self.tolerance.is_zero(float(np.linalg.norm(left - right)) / scale, "are two states equal")

    def aligned(self, left: Array, right: Array) -> bool:
        return not self.span().add_all([left, right])[1]

    def inner_is_zero(self, left: Array, right: Array) -> bool:
        overlap = abs(np.vdot(unit(left), unit(right)))
        return self.tolerance.is_zero(float(overlap), "are two states orthogonal")

    def span(self) -> DenseSpan:
        return DenseSpan(self.tolerance, self._budget)

    def sub(self, qubits: Sequence[int]) -> DenseEngine:
        width = len(qubits)
        if width not in self._subs:
            self._subs[width] = DenseEngine(width, self._budget, self.tolerance, self._form)
        return self._subs[width]

    def embedded(self, vector: Array, qubits: Sequence[int]) -> Array:
        found, inside = np.zeros((2,) * self.num_qubits, dtype=complex), set(qubits)
        where = tuple(slice(None) if k in inside else 0 for k in range(self.num_qubits))
        found[where] = vector.reshape((2,) * len(qubits)).transpose(np.argsort(qubits))
        return found.reshape(-1)

    def slices(self, vector: Array, qubits: Sequence[int]) -> list[Array]:
        tensor = unit(vector).reshape((2,) * self.num_qubits)
        rest = [k for k in range(self.num_qubits) if k not in set(qubits)]
        flat = tensor.transpose([*qubits, *rest]).reshape(2 ** len(qubits), -1)
        left, lengths, _ = np.linalg.svd(flat, full_matrices=False)
        question = "does a state have a component on some of its qubits"
        kept = [k for k, length in enumerate(lengths) if not self.tolerance.is_zero(float(length), question)]
        return [left[:, k] for k in kept]

    def complement(self, vectors: Sequence[Array]) -> list[Array]:
        rows = np.array([unit(v) for v in vectors], dtype=complex).reshape(-1, 2**self.num_qubits)
        return list(self.arithmetic.orthogonal(rows))

    def inner(self, left: Array, right: Array) -> complex:
        return complex(np.vdot(left, right))

    def length(self, vector: Array) -> float:
        return float(np.linalg.norm(vector))

    def listed(self, vector: Array) -> Array:
        return vector

    def largest(self, vector: Array, count: int) -> tuple[list[tuple[str, complex]], int]:
        """The `count` largest terms in the order of their bits, and the number of the others."""
        state = unit(vector)
        support = np.flatnonzero(np.abs(state) > self.tolerance.clear)
        chosen = np.sort(support[np.argsort(-np.abs(state[support]), kind="stable")[:count]])
        terms = [(format(k, f"0{self.num_qubits}b"), complex(state[k])) for k in chosen]
        return terms, len(support) - len(chosen)

    def adopted(self, vectors: Sequence[Array], maker: object) -> Sequence[Array] | None:
        if not isinstance(maker, DenseEngine):
            return None
        return vectors if maker.num_qubits == self.num_qubits and maker._form is self._form else None

    def statistics(self) -> dict[str, Any]:
        return {"representation": "dense", "peak_nodes": 2**self.num_qubits}
