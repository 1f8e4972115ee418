"""What acted along an execution: enough to make a straight-line circuit of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qismc.evidence.kets import Term
from qismc.evidence.path import Visit
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.system.edges import Application, families

TERMS_KEPT = 4096


@dataclass(frozen=True)
class Track:
    """`moves[k]` acts between steps k and k+1; `start` is None where the first state has too many terms."""

    program: Program
    start: tuple[Term, ...] | None
    moves: tuple[tuple[Application, ...], ...]


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
