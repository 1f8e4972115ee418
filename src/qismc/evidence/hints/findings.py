"""Observations about a program, whatever the formulas say: exact, from sp or from the text alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from qismc.errors import Undecided
from qismc.evidence.execution import Hint
from qismc.evidence.hints.flow import endless, reached_points, untaken
from qismc.evidence.hints.qubits import FixedValues, fixed_values, unclean
from qismc.evidence.later import Later, already
from qismc.fixpoint import Solved
from qismc.limits import Budget, Effort
from qismc.program import Branch, Leaf, Measure, Program, Switch, copies_of
from qismc.system import successors

PLAIN_EFFORT = 6e6
SHARE_OF_WORK = 0.1
THOROUGH_EFFORT = 3e8
"""Scalar operations of observations: some, and this share of those of the check; or, where nothing else was
asked, so many. They are counted: about 3e7 take a second."""
NOT_WORTH_IT = "more effort than observations are worth"


NOTHING = "nothing stands out: every branch is taken, no outcome is certain, no reset is idle"
NOTHING_LASTING = "nothing stands out that is so in every turn of the loops"


def findings(
    solved: Solved | None, budget: Budget, *, thorough: bool = False, program: Program | None = None
) -> Later[tuple[Hint, ...]]:
    """The observations about a solved system, in the order of the program, made when somebody asks for them.

    `thorough` is a search for everything, where nothing else was asked. Without a system the text of the
    program is looked at alone. A pickled copy holds what is known: none that were not asked for.
    """
    if solved is None:
        told = [] if program is None else true_of_all(program, static(program))
        return already(tuple(hint for _, hint in sorted(told, key=lambda pair: pair[0])))

    def look() -> tuple[Hint, ...]:
        budget.restart()
        return find(solved, budget, thorough=thorough)

    return Later(look, unmade=())


def _allowed(solved: Solved, *, thorough: bool) -> Effort:
    work = float(solved.engine.statistics().get("work", 0))
    return Effort(THOROUGH_EFFORT if thorough else PLAIN_EFFORT + SHARE_OF_WORK * work, NOT_WORTH_IT)


def static(program: Program) -> Iterator[tuple[int, Hint]]:
    """What the text alone tells."""
    idle = idle_qubits(program)
    if idle is not None:
        yield -1, idle
    yield from unset_conditions(program)
    yield from lost_outcomes(program)


def find(solved: Solved, budget: Budget, *, thorough: bool = False) -> tuple[Hint, ...]:
    """Observations by program point; where a limit stopped the search, a last one says so."""
    found, reached = list(untaken(solved)), reached_points(solved)
    if thorough:
        found += static(solved.system.program)
    stopped: str | None = None
    try:
        found += endless(solved, budget)
        effort = _allowed(solved, thorough=thorough)
        fixed = FixedValues(solved, effort)
        stopped = fixed.ask()
        found += fixed_values(solved.system.program, fixed.values)
        if thorough:
            found += unclean(solved, effort)
    except Undecided as doubt:
        stopped = doubt.reason
    glue = solved.system.program.glue
    told = sorted(true_of_all(solved.system.program, found, reached), key=lambda pair: pair[0])
    hints = [hint for point, hint in told if point not in glue]
    if thorough and not hints and stopped is None:
        hints.append(Hint("nothing", NOTHING if not found else NOTHING_LASTING))
    if stopped is not None:
        hints.append(Hint("limit", f"not everything was looked for: {stopped}"))
    return tuple(hints)


def true_of_all(
    program: Program, found: Iterable[tuple[int, Hint]], reached: Container[int] | None = None
) -> list[tuple[int, Hint]]:
    """The remarks that are made of every copy of a statement that is reached; all are, if nobody knows which.

    A remark names a line and a statement, so it must be true of all that this stands for.
    """
    remarks, copies = list(found), copies_of(program)
    made = {(point, hint.text) for point, hint in remarks}
    return [
        (point, hint)
        for point, hint in remarks
        if point < 0
        or all(
            (other, hint.text) in made for other in copies.of(point) if reached is None or other in reached
        )
    ]


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
        if isinstance(statement, Leaf) or statement.reads & bit:
            return True, len(seen)
        if not statement.sets & bit:
            pending += successors(program, here)
        if len(seen) > MOST_STEPS:
            return True, len(seen)  # nobody knows
    return False, len(seen)


def unset_conditions(program: Program) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for conditions that read bits which no statement sets."""
    bits = {bit for statement in program.code for bit in statement.bits}
    written = sum(1 << bit for bit in bits)
    for point, statement in enumerate(program.code):
        if isinstance(statement, Branch | Switch) and statement.reads and not statement.reads & written:
            text = f"'{program.text(point)}' reads what nothing sets"
            yield point, Hint("unset", text, program.sources[point])


def idle_qubits(program: Program) -> Hint | None:
    """Qubits that no statement acts on."""
    used = {qubit for statement in program.code for qubit in statement.qubits}
    idle = [program.qubits[q] for q in program.own_qubits if q not in used]
    if not idle:
        return None
    shown = ", ".join(idle[:NAMES_SHOWN]) + (
        f" and {len(idle) - NAMES_SHOWN} more" if len(idle) > NAMES_SHOWN else ""
    )
    return Hint("idle", f"nothing acts on {shown}")


NAMES_SHOWN = 6
