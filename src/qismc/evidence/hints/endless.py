"""Loops that no execution leaves, or that go on for ever with positive probability."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from qismc.ctl import Graph, until_on_some_path
from qismc.evidence.hints.hint import Hint
from qismc.fixpoint import Solved
from qismc.language import syntax
from qismc.limits import Budget
from qismc.probability import Chances
from qismc.program import Branch, Program

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
