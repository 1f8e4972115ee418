"""A computed subspace, as the user gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from qismc.common.wording import counted
from qismc.engines import Engine, Vector
from qismc.errors import QismcError, Undecided
from qismc.propositions.basis import basis
from qismc.propositions.kets import ket_text
from qismc.propositions.propositions import Nothing, Proposition, SpanOf, perp
from qismc.propositions.states import State

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
