"""What is written and never read, or read and never written: outcomes, conditions, qubits."""

from __future__ import annotations

from collections.abc import Iterator

from qismc.evidence.hints.hint import Hint
from qismc.program import Branch, Leaf, Measure, Program, Switch
from qismc.system import reads_and_kills, successors

MOST_STEPS = 200_000
"""Points that are looked at for all outcomes together."""


def lost_outcomes(program: Program) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for measurements whose outcome no path reads before it is overwritten.

    What stands in a register at the end counts as read.
    """
    steps = 0
    for point, statement in enumerate(program.code):
        if not isinstance(statement, Measure):
            continue
        read, seen = _is_read(program, point, 1 << statement.bit)
        steps += seen
        if not read:
            text = f"the outcome of '{program.text(point)}' is overwritten before anything reads it"
            yield point, Hint("lost", text, program.sources[point])
        if steps > MOST_STEPS:
            return


def _is_read(program: Program, point: int, bit: int) -> tuple[bool, int]:
    """Does some path read the bit, or end with it? And how many points were looked at."""
    pending, seen = list(successors(program, point)), set[int]()
    while pending:
        here = pending.pop()
        if here in seen:
            continue
        seen.add(here)
        statement = program.code[here]
        reads, kills = reads_and_kills(statement)
        if isinstance(statement, Leaf) or reads & bit:
            return True, len(seen)
        if not kills & bit:
            pending += successors(program, here)
        if len(seen) > MOST_STEPS:
            return True, len(seen)  # nobody knows
    return False, len(seen)


def unset_conditions(program: Program) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for conditions that read bits which no statement sets."""
    written = 0
    for statement in program.code:
        written |= _may_set(statement)
    for point, statement in enumerate(program.code):
        if isinstance(statement, Branch | Switch):
            reads = statement.condition.reads if isinstance(statement, Branch) else statement.target.reads
            if reads and not reads & written:
                text = f"'{program.text(point)}' reads what nothing sets"
                yield point, Hint("unset", text, program.sources[point])


def _may_set(statement: object) -> int:
    bits = getattr(statement, "bits", ())
    return 1 << statement.bit if isinstance(statement, Measure) else sum({1 << bit for bit in bits})


def idle_qubits(program: Program) -> Hint | None:
    """Qubits that no statement acts on."""
    used: set[int] = set()
    for statement in program.code:
        used.update(getattr(statement, "qubits", ()))
        qubit = getattr(statement, "qubit", None)
        used.update(() if qubit is None else (qubit,))
    idle = [program.qubits[q] for q in program.own_qubits if q not in used]
    if not idle:
        return None
    shown = ", ".join(idle[:NAMES_SHOWN]) + (
        f" and {len(idle) - NAMES_SHOWN} more" if len(idle) > NAMES_SHOWN else ""
    )
    return Hint("idle", f"nothing acts on {shown}")


NAMES_SHOWN = 6
