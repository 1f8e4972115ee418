"""Engines over the native core: tensor trains (or dense arrays) over a finite field or over complex128."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.engines.core import NATIVE, BlockCompiler, NativeSpan, native, translated
from qismc.engines.dense import DenseEngine
from qismc.engines.engine import UNCOUNTED, Amplitudes, Letters
from qismc.engines.runs import PastRuns
from qismc.errors import NoCompactForm
from qismc.limits import LOOK_SECONDS, Budget, Limits, Tolerance
from qismc.numbers import FieldForm, FloatArithmetic, Matrix, NumberForm, unit
from qismc.program import PROJECT
from qismc.system import Application, Layout

LARGEST_ARRAY = 20
"""Most qubits of a state that is given as a list of amplitudes."""
MOST_COUNTED = 50
"""Most qubits of a product state whose terms are counted."""
FORMS = {"dense": "dense_switches", "terms": "term_switches"}
"""Forms that a train may switch to, each with the statistic that counts the switches."""
DENSE_MATRIX_LIMIT = 6
"""Most qubits on which Schmidt vectors of a complex train are computed."""


class NativeEngine:
    """Vectors of the native core; qubit q of the program is level `level_of[q]` of the train.

    Over a finite field it keeps no account, so that only `ExactEngine` uses it.
    """

    exact = None
    dense = False

    def __init__(
        self,
        form: NumberForm,
        order: Sequence[int],
        budget: Budget,
        *,
        seed: int = 0,
        tolerance: Tolerance | None = None,
        operations: int | None = None,
    ) -> None:
        self._is_field = form.kind != "complex"
        self.formal = form.formal
        self.assumed = form.assumed
        self.name = "exact" if self._is_field else "float"
        self.num_qubits = len(order)
        self.order = tuple(order)
        self.tolerance = tolerance or Tolerance()
        self.form, self.ring = form, form.ring
        self.arithmetic = form.arithmetic(self.tolerance)
        self.runs = PastRuns()
        self._budget = budget
        self._seed = seed
        self._operations = operations
        self._qubit_at = np.array(order, dtype=np.int32)
        self._level_of = [0] * len(order)
        for level, qubit in enumerate(order):
            self._level_of[qubit] = level
        prime, second_prime = form.prime_words
        self._space = _core.Space(
            form.kind,
            len(order),
            prime=prime,
            second_prime=second_prime,
            seed=seed,
            zero=self.tolerance.squared_zero,
            clear=self.tolerance.squared_clear,
            measured=self.tolerance.measured,
            truncation=self.tolerance.cut,
        )
        self._space.threads = budget.threads
        self._set_limits()
        self._compiler = BlockCompiler(self._space, form, self._level_of)
        self._subs: dict[tuple[int, ...], NativeEngine] = {}
        """By their order: all single qubits share one."""

    @property
    def numeric(self) -> NativeEngine | None:
        return None if self._is_field else self

    def as_dense(self) -> DenseEngine:
        return DenseEngine(self.num_qubits, self._budget, self.tolerance, self.form)

    @property
    def limits(self) -> Limits:
        """What was asked for."""
        return self._budget.limits

    def _set_limits(self) -> None:
        self._told = self._budget.elapsed
        self._space.limits = _core.Limits(
            seconds=self._budget.remaining_seconds,
            memory_bytes=self.limits.memory_bytes,
            operations=self._operations,
        )

    @contextmanager
    def hurried(self, operations: int) -> Iterator[None]:
        """Within it the engine raises TooManyOperations after so many further scalar operations."""
        self._operations = int(self._space.statistics["work"]) + operations
        self._set_limits()
        try:
            yield
        finally:
            self.unhurried()

    def unhurried(self) -> None:
        """Let the engine go on without counting its operations."""
        self._operations = None
        self._set_limits()

    def restart(self) -> None:
        self._budget.restart()
        self._set_limits()

    # --- making vectors ----------------------------------------------------------------------------------

    @native
    def product(self, factors: Sequence[tuple[Any, Any]]) -> _core.Vector:
        numbers = [number for qubit in self.order for number in factors[qubit]]
        return self._space.product(self.form.pack(numbers, (self.num_qubits, 2)))

    @native
    def kets(self, letters: Letters, words: Sequence[str]) -> list[_core.Vector]:
        return self._space.kets(*self._spelled(letters, words))

    @native
    def superposition(
        self, letters: Letters, words: Sequence[str], coefficients: Sequence[Any]
    ) -> _core.Vector:
        weights = self.form.pack(coefficients, (len(coefficients),))
        return self._space.superposition(*self._spelled(letters, words), weights)

    def _spelled(
        self, letters: Letters, words: Sequence[str]
    ) -> tuple[str, npt.NDArray[Any], str, npt.NDArray[np.int32]]:
        """Few letters make many long words: each is packed once."""
        numbers = [number for factor in letters.values() for number in factor]
        return "".join(letters), self.form.pack(numbers, (len(letters), 2)), "".join(words), self._qubit_at

    @native
    def combine(self, coefficients: Sequence[Any], vectors: Sequence[_core.Vector]) -> _core.Vector:
        return self._space.combine(self.form.pack(coefficients, (len(coefficients),)), list(vectors))

    @native
    def amplitudes(self, values: Amplitudes) -> _core.Vector:
        if self.num_qubits > LARGEST_ARRAY:
            raise NoCompactForm(
                f"a list of amplitudes over {self.num_qubits} qubits", hint=f"at most {LARGEST_ARRAY} qubits"
            )
        scaled = values if self._is_field else unit(values)
        ordered = scaled.reshape((2,) * self.num_qubits).transpose(self.order).reshape(-1)
        numbers = [self.ring.number(complex(z)) for z in ordered]
        return self._space.from_amplitudes(self.form.pack(numbers, (len(numbers),)))

    # --- maps --------------------------------------------------------------------------------------------

    @native
    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self._compiler.compile(applications)

    @native
    def placed(self, layout: Layout) -> _core.Block:
        """The block of operators whose places are known."""
        return self._compiler.placed(layout)

    def run(self, block: _core.Block, vector: _core.Vector) -> _core.Vector:
        self._spend()
        try:  # without the decorator, which costs time, as in `is_zero`
            return self._space.run(block, vector if self._is_field else self._unit(vector))
        except NATIVE as error:
            raise translated(error, self.limits) from None

    @native
    def run_all(self, block: _core.Block, vectors: Sequence[_core.Vector]) -> list[_core.Vector]:
        self._spend()
        return self._images(block, vectors)

    def fork(
        self, prefix: _core.Block | None, blocks: Sequence[_core.Block], vectors: Sequence[_core.Vector]
    ) -> list[list[_core.Vector | None]]:
        self._spend()
        found: list[list[_core.Vector | None]] = []
        try:  # without the decorator, as in `run`
            here = vectors if prefix is None else self._images(prefix, vectors)
            for block in blocks:
                images: list[_core.Vector | None] = []
                for image in self._images(block, here):
                    images.append(None if self._space.is_zero(image) else image)
                found.append(images)
        except NATIVE as error:
            raise translated(error, self.limits) from None
        return found

    def _images(self, block: _core.Block, vectors: Sequence[_core.Vector]) -> list[_core.Vector]:
        if not self._is_field:
            vectors = [self._unit(vector) for vector in vectors]
        if len(vectors) == 1:  # as at most stations
            return [self._space.run(block, vectors[0])]
        return self._space.run_all(block, vectors)

    def _spend(self) -> None:
        """Check the time limit; tell the native core how much is left, if that has changed noticeably."""
        if abs(self._budget.spend("applying gates") - self._told) >= LOOK_SECONDS:
            self._set_limits()

    def _unit(self, vector: _core.Vector) -> _core.Vector:
        """The unit vector along a vector; the zero vector itself."""
        return self._space.normalise(vector) if self._space.norm(vector) else vector

    def bytes_of(self, vector: _core.Vector) -> int:
        return vector.bytes

    # --- tests -------------------------------------------------------------------------------------------

    def is_zero(self, vector: _core.Vector) -> bool:
        try:
            return self._space.is_zero(vector)
        except NATIVE as error:
            raise translated(error, self.limits) from None

    @native
    def first(self, vector: _core.Vector) -> list[int] | None:
        """The bits of some basis state whose amplitude is not zero: of all, the first in the order of levels.

        None for the zero vector; exact numbers only.
        """
        bits = self._space.first(vector)
        return [bits[level] for level in self._level_of] if bits else None

    @native
    def equal(self, left: _core.Vector, right: _core.Vector) -> bool:
        return self._space.difference_is_zero(left, right)

    def aligned(self, left: _core.Vector, right: _core.Vector) -> bool:
        try:
            return not self._space.span().add_all([left, right])[1]
        except NATIVE as error:
            raise translated(error, self.limits) from None

    @native
    def inner_is_zero(self, left: _core.Vector, right: _core.Vector) -> bool:
        if self._is_field:
            return not np.any(self._space.inner(left, right))
        overlap = abs(self._space.inner(self._unit(left), self._unit(right)))
        return self.tolerance.is_zero(float(overlap), "are two states orthogonal")

    def span(self) -> NativeSpan:
        return NativeSpan(self._space.span(), self.form, self._budget)

    # --- parts -------------------------------------------------------------------------------------------

    def sub(self, qubits: Sequence[int]) -> NativeEngine:
        levels = [self._level_of[q] for q in qubits]
        local = tuple(sorted(range(len(levels)), key=levels.__getitem__))
        if local not in self._subs:
            self._subs[local] = NativeEngine(
                self.form, local, self._budget, seed=self._seed, tolerance=self.tolerance
            )
        return self._subs[local]

    @native
    def slices(self, vector: _core.Vector, qubits: Sequence[int]) -> list[_core.Vector]:
        target = self.sub(qubits)
        kept = sorted(self._level_of[q] for q in qubits)
        if self._is_field:
            seeds = (self._seed * 2 + 1, self._seed * 2 + 2)
            return self._space.parts(vector, kept, target._space, seeds)
        if self.num_qubits - len(kept) <= min(len(kept), DENSE_MATRIX_LIMIT):
            return self._schmidt_sums(vector, qubits)
        return self._schmidt_vectors(vector, kept, target)

    @native
    def basis_slices(self, vector: _core.Vector, qubits: Sequence[int]) -> list[_core.Vector]:
        """One vector of `sub(qubits)` for each basis state of the other qubits, zero or not."""
        target, kept = self.sub(qubits), {self._level_of[q] for q in qubits}
        others = [level for level in range(self.num_qubits) if level not in kept]
        if not others:
            return [vector]
        rest = self.sub([self.order[level] for level in others])
        zero, one = self.ring.rational(0), self.ring.rational(1)
        bras = (
            rest.product([(zero, one) if digit else (one, zero) for digit in digits])
            for digits in product((0, 1), repeat=len(others))
        )
        return [self._space.contract(vector, others, bra, target._space) for bra in bras]

    def _schmidt_vectors(
        self, vector: _core.Vector, kept: list[int], target: NativeEngine
    ) -> list[_core.Vector]:
        """The eigenvectors of the reduced density matrix on few levels."""
        if len(kept) > DENSE_MATRIX_LIMIT:
            raise NoCompactForm(
                f"a floating-point test on {len(kept)} of {self.num_qubits} qubits",
                hint=f"at most {DENSE_MATRIX_LIMIT}; exact numbers have no such bound",
            )
        rest = _core.Space("complex", self.num_qubits - len(kept))
        start = self._unit(vector)
        kets = product(((1, 0), (0, 1)), repeat=len(kept))  # products stay trains where arrays have no room
        bras = [target._space.product(np.array(ket, dtype=complex)) for ket in kets]
        parts = [self._space.contract(start, kept, bra, rest) for bra in bras]
        density = np.array([[rest.inner(b, a) for b in parts] for a in parts])
        weights, vectors = np.linalg.eigh(density)
        question = "does a state have a component on some of its qubits"
        found = []
        for weight, column in zip(weights, vectors.T, strict=True):
            if self.tolerance.squared.is_zero(float(weight), question):
                if self.tolerance.measured:  # in doubt if that is no rounding
                    component = rest.norm(rest.combine(column.conj(), parts))
                    Tolerance(self.tolerance.measured).is_zero(component, question)
            else:
                found.append(target._space.from_amplitudes(np.ascontiguousarray(column)))
        return found

    def _schmidt_sums(self, vector: _core.Vector, qubits: Sequence[int]) -> list[_core.Vector]:
        """Schmidt vectors on all but few qubits: orthogonal sums of parts beside basis states of these."""
        space, parts = self.sub(qubits)._space, self.basis_slices(self._unit(vector), qubits)
        gram = np.array([[space.inner(a, b) for b in parts] for a in parts])
        sums = [space.combine(np.ascontiguousarray(column), parts) for column in np.linalg.eigh(gram)[1].T]
        question = "does a state have a component on some of its qubits"
        return [space.normalise(v) for v in sums if not self.tolerance.is_zero(space.norm(v), question)]

    @native
    def embedded(self, vector: _core.Vector, qubits: Sequence[int]) -> _core.Vector:
        kept = sorted(self._level_of[q] for q in qubits)
        return self._space.embed(vector, kept)

    @native
    def disjoint(self, left: _core.Vector, right: _core.Vector, qubits: Sequence[int]) -> bool:
        """Is there no basis state of these qubits on which both vectors have a component? Exact kinds only.

        The pointwise product of two functions of the basis state, each a random functional of what the vector
        has there, is evaluated at a random point.
        """
        target = self.sub(qubits)
        kept = sorted(self._level_of[q] for q in qubits)
        seeds = (self._seed * 2 + 3, self._seed * 2 + 4)
        a, b = (
            self._space.partial(vector, kept, target._space, seed)
            for vector, seed in zip((left, right), seeds, strict=True)
        )
        return not np.any(target._space.bilinear(target.weighted(a), b))

    def weighted(self, vector: _core.Vector) -> _core.Vector:
        """Every qubit's |1> times a random number."""
        draw = random.Random(f"weights {self._seed}")
        form, count = self.form, self.num_qubits
        zero, one = self.ring.rational(0), self.ring.rational(1)
        entries = [x for _ in range(count) for x in (one, zero, zero, form.random(draw))]
        none, each = np.zeros(count + 1, dtype=np.int32), np.arange(count + 1, dtype=np.int32)
        block = self._space.compile(
            none,
            np.zeros(0, dtype=np.int32),
            np.zeros(0, dtype=np.uint8),
            each,
            each[:-1],
            each[:-1],
            each.astype(np.int64) * 4,
            form.pack(entries, (4 * count,)),
        )
        return self._space.run(block, vector)

    @native
    def complement(self, vectors: Sequence[_core.Vector]) -> list[_core.Vector]:
        if not self._is_field:
            units = [self.listed(self._unit(v)) for v in vectors]
            rows = np.array(units, dtype=complex).reshape(-1, 2**self.num_qubits)
            return [self._from_listed(row) for row in FloatArithmetic(self.tolerance).orthogonal(rows)]
        assert isinstance(self.form, FieldForm), "the other kind is complex"
        assert self.form.ring.conjugating, "complements are made of conjugates"
        algebra = self.form.algebra
        listed = np.array([self.listed(v) for v in vectors], dtype=np.uint64)
        conjugates = algebra.conjugate(listed.reshape(-1, 2**self.num_qubits, algebra.words))
        return [self._from_listed(row) for row in algebra.null_space(conjugates)]

    def listed(self, vector: _core.Vector) -> npt.NDArray[Any]:
        """All amplitudes, in the order of the program's qubits."""
        numbers = vector.to_numpy()
        tensor = numbers.reshape((2,) * self.num_qubits + numbers.shape[1:])
        rest = range(self.num_qubits, tensor.ndim)
        return np.asarray(tensor.transpose(*self._level_of, *rest).reshape(numbers.shape))

    def _from_listed(self, numbers: npt.NDArray[Any]) -> _core.Vector:
        """The vector with the given amplitudes, in the order of the program's qubits."""
        tensor = numbers.reshape((2,) * self.num_qubits + numbers.shape[1:])
        rest = range(self.num_qubits, tensor.ndim)
        ordered = tensor.transpose(*self.order, *rest).reshape(numbers.shape)
        return self._space.from_amplitudes(np.ascontiguousarray(ordered))

    # --- looking at float vectors ------------------------------------------------------------------------

    @native
    def inner(self, left: _core.Vector, right: _core.Vector) -> complex:
        return complex(self._space.inner(left, right))

    @native
    def gram(self, vectors: Sequence[_core.Vector]) -> Matrix:
        """All <left, right>; exact numbers with conjugates only."""
        entries = [self._space.inner(left, right) for left in vectors for right in vectors]
        return np.array(entries, dtype=np.uint64).reshape(len(vectors), len(vectors), -1)

    @native
    def length(self, vector: _core.Vector) -> float:
        return self._space.norm(vector)

    @native
    def adopted(self, vectors: Sequence[_core.Vector], maker: object) -> Sequence[_core.Vector] | None:
        if not isinstance(maker, NativeEngine) or maker.order != self.order:
            return None
        if maker.form.fingerprint != self.form.fingerprint:
            return None
        return [self._space.adopt(vector) for vector in vectors]

    @native
    def largest(self, vector: _core.Vector, count: int) -> tuple[list[tuple[str, complex]], int]:
        """About the `count` largest terms.

        The others are UNCOUNTED, but for products of few qubits: counting them may be hopeless.
        """
        one = self._unit(vector)
        digits, amplitudes = self._space.largest(one, count)
        clear = self.tolerance.clear
        smallest = clear * float(np.max(np.abs(amplitudes), initial=0.0))
        terms = [
            ("".join(str(row[level]) for level in self._level_of), complex(amplitude))
            for row, amplitude in zip(digits.tolist(), amplitudes.tolist(), strict=True)
            if abs(amplitude) > smallest
        ]
        missing = 1.0 - sum(abs(amplitude) ** 2 for _, amplitude in terms)
        return sorted(terms), self._others(one, len(terms)) if missing > clear else 0

    def _others(self, vector: _core.Vector, known: int) -> int:
        """How many terms there are besides those that are known; a product has 1 or 2 for each qubit."""
        if vector.dense or max(vector.bonds) > 1 or self.num_qubits > MOST_COUNTED:
            return UNCOUNTED
        kept = [
            self.length(self.run(self.compile([Application(PROJECT[value], (qubit,))]), vector))
            for qubit in range(self.num_qubits)
            for value in (0, 1)
        ]
        open_ = sum(min(pair) > self.tolerance.clear for pair in zip(kept[::2], kept[1::2], strict=True))
        return (1 << open_) - known

    @property
    def peak_bond(self) -> int:
        return int(self._space.statistics["peak_bond"])

    def statistics(self) -> dict[str, Any]:
        numbers = self._space.statistics
        return {
            "representation": "+".join(["train", *(form for form, key in FORMS.items() if numbers[key])]),
            "primes": list(self.form.primes),
            **numbers,
        }
