"""What acted along an execution: enough to make a straight-line circuit of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qismc.evidence.later import Later
from qismc.evidence.path import Visit
from qismc.program import Apply, Program
from qismc.propositions import Term
from qismc.system import Application, families

TERMS_KEPT = 4096


@dataclass(frozen=True)
class Track:
    """What acted in a program, and on what; worked out for those who make a circuit of it."""

    program: Program
    first: Later[tuple[Term, ...] | None]
    acted: Later[tuple[tuple[Application, ...], ...]]

    @property
    def start(self) -> tuple[Term, ...] | None:
        """The first state; None where it has too many terms."""
        return self.first()

    @property
    def moves(self) -> tuple[tuple[Application, ...], ...]:
        """`moves[k]` acts between steps k and k+1."""
        return self.acted()


def moves(program: Program, visits: Sequence[Visit]) -> tuple[tuple[Application, ...], ...]:
    """The operators that act when a path leaves each of its visits but the last."""
    return tuple(acting(program, visit) for visit in visits[:-1])


def acting(program: Program, visit: Visit) -> tuple[Application, ...]:
    """The operators that act when a path goes on from a visit."""
    statement = program.code[visit.point]
    if isinstance(statement, Apply):
        return (Application(*statement),)
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    steps = zip(families(statement, outcome), visit.choices, strict=False)
    return tuple(family[choice] for family, choice in steps)
