"""A computed subspace, as the user gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qismc.subspace.engine import Engine, Vector
from qismc.subspace.propositions import Nothing, Proposition, SpanOf, perp
from qismc.subspace.states import State
from qismc.wording import counted


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

    def __repr__(self) -> str:
        return f"<Subspace of dimension {self.dimension} over {counted(self.num_qubits, 'qubit')}>"
