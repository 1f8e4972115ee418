"""What the rest of the pipeline needs of an engine, and nothing else.

A vector is an opaque value of its engine; it stands for a state up to a non-zero scalar, over the program's
qubits in program order (an engine may use another order inside).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from qismc.common.scalars import Scalars
from qismc.engines.runs import Runs
from qismc.numbers import Arithmetic, Assumptions, Row
from qismc.system import Application

Vector = Any
UNCOUNTED = -1
"""The number of further terms where some are missing and nobody counted them."""
Block = Any
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

    def coordinates(self, vector: Vector) -> Row | None:
        """The coefficients of a vector on the vectors that enlarged the span; None if it is outside."""


class Engine(Protocol):
    """Vectors over `num_qubits` qubits, the maps that programs apply to them, and tests on them."""

    name: str
    num_qubits: int
    formal: bool
    """Were some angles replaced by formal unknowns, so that only membership is certain?"""
    assumed: Assumptions
    """What is taken for granted about the numbers of the check."""

    runs: Runs
    """What was run before, to go on from."""

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

    def compile(self, applications: Sequence[Application]) -> Block:
        """Operators, first one first, prepared for `run`."""

    def run(self, block: Block, vector: Vector) -> Vector:
        """The image of the vector; the vector itself stays as it is."""

    def bytes_of(self, vector: Vector) -> int:
        """The memory that a vector takes."""

    def run_all(self, block: Block, vectors: Sequence[Vector]) -> list[Vector]:
        """The images of several vectors, on as many threads as the check may use."""

    def fork(
        self, prefix: Block | None, blocks: Sequence[Block], vectors: Sequence[Vector]
    ) -> Sequence[Sequence[Vector | None]]:
        """For each block the images of the vectors behind the prefix, None where they are zero."""

    def is_zero(self, vector: Vector) -> bool: ...

    def equal(self, left: Vector, right: Vector) -> bool:
        """Are the two vectors, as they were computed by the same steps, the same (not up to a scalar)?"""

    def aligned(self, left: Vector, right: Vector) -> bool:
        """Do two vectors, neither of which is zero, span one line?"""

    def inner_is_zero(self, left: Vector, right: Vector) -> bool:
        """Is <left, right> = 0?"""

    def span(self) -> Span: ...

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

    def meet(self, left: Sequence[Vector], right: Sequence[Vector]) -> list[Vector]:
        """A basis of span(left) /\\ span(right); each list is independent."""

    def adopted(self, vectors: Sequence[Vector], maker: Engine) -> Sequence[Vector] | None:
        """Vectors that another engine made, as this one's own; None if they may mean something else here."""

    @property
    def arithmetic(self) -> Arithmetic:
        """Linear algebra on the coordinates that spans give."""

    def statistics(self) -> dict[str, Any]:
        """Peak sizes and settings, for the report."""
