"""What the rest of the pipeline needs of an engine, and nothing else.

A vector is an opaque value of its engine; it stands for a state up to a non-zero scalar, over the program's
qubits in program order (an engine may use another order inside). What only some engines can do is asked of
`Engine.exact` and `Engine.numeric`, never of their classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.common.scalars import Scalars
from qismc.engines.runs import Block, Runner, Vector
from qismc.limits import Tolerance
from qismc.numbers import (
    Assumptions,
    CoordinateRow,
    FieldForm,
    FieldScalars,
    Ledger,
    Matrix,
    RowArithmetic,
    SizedField,
)

UNCOUNTED = -1
"""The number of further terms where some are missing and nobody counted them."""
Amplitudes = npt.NDArray[np.complex128]
Letters = Mapping[str, tuple[Any, Any]]
"""The amplitudes of one-qubit states, elements of an engine's ring, by one letter each."""


class Span(Protocol):
    """A growing subspace, kept as the span of the vectors that enlarged it."""

    @property
    def dimension(self) -> int: ...

    def add(self, vector: Vector) -> bool:
        """Join the line of `vector`; True if that enlarged the span."""

    def add_all(self, vectors: Sequence[Vector]) -> list[bool]:
        """The same for one after the other, at once."""

    def contains(self, vector: Vector) -> bool:
        """Is the vector in the span?"""

    def coordinates(self, vector: Vector) -> CoordinateRow | None:
        """The coefficients of a vector on the vectors that enlarged the span; None if it is outside."""


class Engine(Runner, Protocol):
    """Vectors over `num_qubits` qubits, the maps that programs apply to them, and tests on them."""

    name: str
    num_qubits: int
    formal: bool
    """Were some angles replaced by formal unknowns, so that only membership is certain?"""
    assumed: Assumptions
    """What is taken for granted about the numbers of the check."""

    # --- what only some engines can do -------------------------------------------------------------------

    @property
    def exact(self) -> Exact | None:
        """This engine if its numbers are exact; None for floating point."""

    @property
    def numeric(self) -> Numeric | None:
        """This engine if it computes in floating point; None for exact numbers."""

    @property
    def order(self) -> Sequence[int]:
        """order[k] is the qubit that the engine keeps at level k."""

    @property
    def peak_bond(self) -> int | None:
        """The largest bond of a tensor train so far; None if vectors are never trains."""

    def statistics(self) -> dict[str, Any]:
        """Peak sizes and settings, for the report."""

    # --- making vectors ----------------------------------------------------------------------------------

    @property
    def ring(self) -> Scalars[Any]: ...

    def product(self, factors: Sequence[tuple[Any, Any]]) -> Vector:
        """The product state whose qubit k has the amplitudes factors[k], elements of `ring`."""

    def kets(self, letters: Letters, words: Sequence[str]) -> list[Vector]:
        """The product states whose qubit k has the amplitudes letters[word[k]], for every word."""

    def superposition(self, letters: Letters, words: Sequence[str], coefficients: Sequence[Any]) -> Vector:
        """The linear combination of such product states."""

    def combine(self, coefficients: Sequence[Any], vectors: Sequence[Vector]) -> Vector:
        """The linear combination."""

    def amplitudes(self, values: Amplitudes) -> Vector:
        """The vector with the given 2^n amplitudes; qubit 0 is the most significant digit of the index."""

    def adopted(self, vectors: Sequence[Vector], maker: Engine) -> Sequence[Vector] | None:
        """Vectors that another engine made, as this one's own; None if they may mean something else here."""

    # --- maps (besides those of `Runner`) ----------------------------------------------------------------

    def fork(
        self, prefix: Block | None, blocks: Sequence[Block], vectors: Sequence[Vector]
    ) -> Sequence[Sequence[Vector | None]]:
        """For each block the images of the vectors behind the prefix, None where they are zero."""

    # --- tests -------------------------------------------------------------------------------------------

    def is_zero(self, vector: Vector) -> bool: ...

    def equal(self, left: Vector, right: Vector) -> bool:
        """Are the two vectors, as they were computed by the same steps, the same (not up to a scalar)?"""

    def aligned(self, left: Vector, right: Vector) -> bool:
        """Do two vectors, neither of which is zero, span one line?"""

    def inner_is_zero(self, left: Vector, right: Vector) -> bool:
        """Is <left, right> = 0?"""

    def span(self) -> Span: ...

    @property
    def arithmetic(self) -> RowArithmetic:
        """Linear algebra on the coordinates that spans give."""

    # --- parts -------------------------------------------------------------------------------------------

    def sub(self, qubits: Sequence[int]) -> Engine:
        """The engine of the same kind for some qubits, renamed 0, 1, ...; it may serve others as well."""

    def embedded(self, vector: Vector, qubits: Sequence[int]) -> Vector:
        """A vector of `sub(qubits)` with |0> on all other qubits."""

    def slices(self, vector: Vector, qubits: Sequence[int]) -> list[Vector]:
        """Vectors w_j of `sub(qubits)` such that, for every subspace X of these qubits,

        the vector lies in X (x) everything iff all w_j lie in X, and likewise for orthogonality: the Schmidt
        vectors on the qubits, or generic combinations of them.
        """

    def complement(self, vectors: Sequence[Vector]) -> list[Vector]:
        """The basis of the orthocomplement of their span that is reduced from the last amplitude on.

        For few qubits only. The subspace alone determines it, so number k is the same state on every engine.
        """


class Exact(Engine, Protocol):
    """An engine over finite fields: its decisions err with a probability that its account bounds."""

    form: FieldForm
    field: FieldScalars
    ledger: Ledger
    """The account: how large the numbers are that were found to be zero, or not."""

    @property
    def ring(self) -> SizedField: ...

    @property
    def primes(self) -> tuple[int, ...]: ...

    def sub(self, qubits: Sequence[int]) -> Exact: ...

    def hurried(self, operations: int) -> AbstractContextManager[None]:
        """Within it the engine raises TooManyOperations after so many further scalar operations."""

    def unhurried(self) -> None:
        """Let the engine go on without counting its operations."""

    def first(self, vector: Vector) -> list[int] | None:
        """The bits of some basis state that the vector has a component on; None for the zero vector."""

    def possible(self, vector: Vector) -> npt.NDArray[np.bool_]:
        """For every basis state, qubit 0 the most significant digit: is the amplitude not zero?"""

    def disjoint(self, left: Vector, right: Vector, qubits: Sequence[int]) -> bool:
        """Is there no basis state of these qubits on which both vectors have a component?"""

    def gram(self, vectors: Sequence[Vector]) -> Matrix:
        """All <left|right>; only where `field.conjugating`."""


class Numeric(Engine, Protocol):
    """A floating-point engine: lengths and amplitudes of its vectors can be read."""

    tolerance: Tolerance

    @property
    def dense(self) -> bool:
        """Is a vector a NumPy array of all amplitudes? If not, it may drop what is small beside the state."""

    def as_dense(self) -> Numeric | None:
        """An engine on arrays with the same numbers and limits; None if this one is dense already."""

    def sub(self, qubits: Sequence[int]) -> Numeric: ...

    def length(self, vector: Vector) -> float:
        """The 2-norm."""

    def inner(self, left: Vector, right: Vector) -> complex:
        """<left, right>, the left one conjugated."""

    def restart(self) -> None:
        """Start the clock of the time that the engine may take anew."""

    def listed(self, vector: Vector) -> Amplitudes:
        """All 2^n amplitudes; qubit 0 is the most significant digit of the index."""

    def largest(self, vector: Vector, count: int) -> tuple[list[tuple[str, complex]], int]:
        """The largest terms of a unit state in the order of their bits; how many others, or UNCOUNTED."""


def ledger_of(engine: Engine) -> Ledger:
    """The account of an engine; for floating point one that nobody reads."""
    return Ledger() if engine.exact is None else engine.exact.ledger
