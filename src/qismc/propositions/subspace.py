"""A computed subspace, as the user gets it, and how it is shown: by a reduced basis of sums of kets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from qismc.common.wording import counted
from qismc.engines import DenseEngine, Engine, NativeEngine, Vector
from qismc.errors import QismcError, Undecided
from qismc.limits import Budget, Limits
from qismc.numbers import ComplexForm
from qismc.propositions.kets import ket_text
from qismc.propositions.propositions import Nothing, Proposition, SpanOf, perp
from qismc.propositions.states import State, make

KETS_SHOWN = 16
TERMS_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Subspace:
    """The span of independent states (or its orthocomplement) of a program's qubits.

    It can be used as a proposition of another program with as many qubits.
    """

    engine: Engine
    vectors: Sequence[Vector]
    states: tuple[State, ...]
    complemented: bool = False

    @property
    def num_qubits(self) -> int:
        return self.engine.num_qubits

    @property
    def dimension(self) -> int:
        count = len(self.vectors)
        return 2**self.num_qubits - count if self.complemented else count

    @property
    def proposition(self) -> Proposition:
        span: Proposition = SpanOf(self.states) if self.states else Nothing()
        return perp(span) if self.complemented else span

    def __str__(self) -> str:
        """The dimension and a basis: of its complement, where that is what was computed."""
        size = f"dimension {self.dimension} over {counted(self.num_qubits, 'qubit')}"
        if not self.vectors:
            return f"{size}: {'all states' if self.complemented else 'no states'}"
        try:
            found = list(basis(self.states, self.num_qubits, KETS_SHOWN, TERMS_SHOWN))
        except (Undecided, QismcError):
            return f"{size} (too large to be written out)"
        lines = [ket_text(terms, left_out) for terms, left_out in found]
        more = len(self.vectors) - len(lines)
        lines += [f"and {more} more"] if more > 0 else []
        how = "orthogonal to" if self.complemented else "spanned by"
        return "\n  ".join([f"{size}, {how} (qubit 0 first)", *lines])

    def _repr_html_(self) -> str:
        return f"<pre style='text-align:left'>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<Subspace of dimension {self.dimension} over {counted(self.num_qubits, 'qubit')}>"


Array = npt.NDArray[np.complex128]
Terms = tuple[list[tuple[str, complex]], int]
"""The largest terms of a state, and how many others there are."""
SMALL = 10
"""Most qubits of states whose basis is reduced; those of more qubits are shown as they were found."""
SECONDS = 5.0
"""Time limit for one text."""
ZERO = 1e-9
"""Largest entry of a unit row that is taken for zero."""


def basis(states: Sequence[State], num_qubits: int, most: int, terms: int) -> Iterator[Terms]:
    """At most so many states with the same span, each by its largest terms; raises Undecided."""
    budget = Budget(Limits(seconds=SECONDS))
    if num_qubits > SMALL:
        trains = NativeEngine(ComplexForm(), list(range(num_qubits)), budget)
        span = trains.span()
        found = (vector for vector in (make(trains, state) for state in states) if span.add(vector))
        yield from (trains.largest(vector, terms) for vector, _ in zip(found, range(most), strict=False))
        return
    engine = DenseEngine(num_qubits, budget)
    rows = echelon(np.array([make(engine, state) for state in states]).reshape(-1, 2**num_qubits))
    for row in rows[:most]:
        yield engine.largest(row, terms)


def echelon(rows: Array) -> Array:
    """The rows of the reduced echelon form, without zero rows, each of length 1.

    >>> echelon(np.array([[1, 1], [1, -1]], dtype=complex)).real.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    left = np.array(rows, dtype=complex)
    lengths = np.linalg.norm(left, axis=1, keepdims=True)
    left = left / np.where(lengths > ZERO, lengths, 1)
    done = 0
    for column in range(left.shape[1]):
        if done == len(left):
            break
        pivot = done + int(np.argmax(np.abs(left[done:, column])))
        if abs(left[pivot, column]) <= ZERO:
            continue
        left[[done, pivot]] = left[[pivot, done]]
        left[done] /= left[done, column]
        others = np.arange(len(left)) != done
        left[others] -= np.outer(left[others, column], left[done])
        done += 1
    found = left[:done]
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True) + 0.0)
