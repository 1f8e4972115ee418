"""Observations about a program, whatever the formulas say: exact, from sp or from the text alone.

Control flow as executions take it: constant conditions, unreached statements, loops that may not end.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from qismc.ctl import Graph, until_on_some_path
from qismc.errors import Undecided
from qismc.evidence.execution import Hint
from qismc.evidence.fixed_qubits import FixedValues, fixed_values, unclean
from qismc.evidence.later import Later, already
from qismc.fixpoint import Solved
from qismc.language import syntax
from qismc.limits import Budget, Effort
from qismc.probability import Chances
from qismc.program import Branch, Jump, Leaf, Measure, Program, Switch, copies_of
from qismc.system import successors


def untaken(solved: Solved) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for conditions that always choose one way, and for what is never reached."""
    program = solved.system.program
    taken = _taken(solved)
    explained: set[int] = set()
    for point, targets in sorted(taken.items()):
        for text, missing in _one_sided(program, point, targets):
            explained.add(missing)
            kind = "loop" if program.code[point].loop else "branch"
            yield point, Hint(kind, f"'{program.text(point)}' {text}", program.sources[point])
    reached = reached_points(solved)
    missed, copies = set(range(len(program.code))) - reached, copies_of(program)
    elsewhere = {point for point in missed if not reached.isdisjoint(copies.of(point))}
    yield from _unreached(program, reached | elsewhere, explained)


def _taken(solved: Solved) -> dict[int, set[int]]:
    """For each reached branch or switch the points that it leads to at some visit."""
    taken: dict[int, set[int]] = {}
    for node in solved.system.nodes:
        last = solved.system.program.code[node.last]
        if isinstance(last, Branch | Switch) and solved.posts.dimension(node, node.last):
            taken.setdefault(node.last, set()).update(hop.way.point for hop in node.hops)
    return taken


def _one_sided(program: Program, point: int, targets: set[int]) -> Iterator[tuple[str, int]]:
    """(what is never the case, the first point of what is never run)."""
    statement = program.code[point]
    if isinstance(statement, Switch):
        for value, target in statement.cases.items():
            if program.settle(target) not in targets:
                yield f"never has the value {value}", target
        return
    assert isinstance(statement, Branch)
    if program.settle(statement.then) == program.settle(statement.otherwise):
        return
    if program.settle(statement.then) not in targets:
        yield ("never runs its body" if statement.loop else "is never true"), statement.then
    elif program.settle(statement.otherwise) not in targets and not statement.loop:
        yield "is always true", statement.otherwise


def reached_points(solved: Solved) -> set[int]:
    """The points that some execution comes to."""
    system = solved.system
    return {
        point
        for node in system.nodes
        if solved.posts.dimension(node, node.start)
        for point in range(node.start, node.end)
    }


def _unreached(program: Program, reached: set[int], explained: set[int]) -> Iterator[tuple[int, Hint]]:
    """Maximal runs of unreached statements; the bodies of conditions that were remarked on are left out."""
    start: int | None = None
    for point, statement in enumerate([*program.code, None]):
        dead = statement is not None and point not in reached and not isinstance(statement, Jump)
        if dead and start is None:
            start = point
        elif start is not None and not dead and not isinstance(statement, Jump):
            if start not in explained:
                yield start, _never(program, start, point)
            start = None


def _never(program: Program, start: int, end: int) -> Hint:
    dead = [p for p in range(start, end) if not isinstance(program.code[p], Jump | Leaf)]
    if isinstance(program.code[start], Leaf):
        return Hint("unreachable", "the end of the program is never reached", program.sources[start])
    rest = f" and {len(dead) - 1} more from there on are" if len(dead) > 1 else " is"
    return Hint("unreachable", f"'{program.text(start)}'{rest} never reached", program.sources[start])


Mask = npt.NDArray[np.bool_]
MOST_WORK = 50_000
"""Probabilities are looked at where locations times dimension times qubits is at most this."""
MOST_LOOPS = 4

SURELY = syntax.Probability("=1", "F", (syntax.Constant(True),))


def endless(solved: Solved, budget: Budget) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for each `while` loop that is entered and may not end."""
    system, program = solved.system, solved.system.program
    graph = Graph(*system.successor_arrays)
    loops = [p for p, s in enumerate(program.code) if isinstance(s, Branch) and s.loop]
    looked_at = loops[:MOST_LOOPS] if _affordable(solved) else []
    for point in loops:
        statement = program.code[point]
        assert isinstance(statement, Branch)
        outside: Mask = (system.points < point) | (system.points >= statement.otherwise)
        heads = [
            int(k)
            for k in np.flatnonzero(system.points == point)
            if solved.posts.dimension(*system.node_of(int(k)))
        ]
        if not heads:
            continue
        leaving = until_on_some_path(graph, graph.everywhere, outside)
        if not any(leaving[k] for k in heads):
            yield point, _remark(program, point, "no execution leaves it: there is no feasible way out")
        elif point in looked_at and not _certain(solved, budget, outside, heads):
            yield point, _remark(program, point, "with positive probability it goes on for ever")


def _affordable(solved: Solved) -> bool:
    dimension = solved.posts.spread.max_dimension
    return solved.system.num_locations * dimension * solved.engine.num_qubits <= MOST_WORK


def _certain(solved: Solved, budget: Budget, outside: Mask, heads: list[int]) -> bool:
    """Is the loop left with probability 1, from every state at its head?"""
    where = np.zeros(len(outside), dtype=bool)
    where[heads] = True
    found = Chances(solved, budget, lambda _: outside)(SURELY, where)
    return bool(np.all(found[heads]))


def _remark(program: Program, point: int, text: str) -> Hint:
    return Hint("loop", f"'{program.text(point)}': {text}", program.sources[point])


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
