"""Control flow as executions take it: constant conditions, unreached statements, loops that may not end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from qismc.ctl import Graph, until_on_some_path
from qismc.evidence.execution import Hint
from qismc.fixpoint import Solved
from qismc.language import syntax
from qismc.limits import Budget
from qismc.probability import Chances
from qismc.program import Branch, Jump, Leaf, Program, Switch, copies_of


def untaken(solved: Solved) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for conditions that always choose one way, and for what is never reached."""
    program = solved.system.program
    taken = _taken(solved)
    explained: set[int] = set()
    for point, targets in sorted(taken.items()):
        for text, missing in _one_sided(program, point, targets):
            explained.add(missing)
            kind = "loop" if _is_loop(program, point) else "branch"
            yield point, Hint(kind, f"'{program.text(point)}' {text}", program.sources[point])
    reached = reached_points(solved)
    missed, copies = set(range(len(program.code))) - reached, copies_of(program)
    elsewhere = {point for point in missed if not reached.isdisjoint(copies.of(point))}
    yield from _unreached(program, reached | elsewhere, explained)


def _is_loop(program: Program, point: int) -> bool:
    statement = program.code[point]
    return isinstance(statement, Branch) and statement.loop


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
