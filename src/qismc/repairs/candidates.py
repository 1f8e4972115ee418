"""Edits that may be repairs: nearest to the evidence first, smallest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from qismc.edits import Edit, Room
from qismc.program import Program
from qismc.repairs.nearness import nearest_points
from qismc.results import Result

ROUNDS = (
    ("sign", "inverse", "control", "swap", "axis", "condition", "bit", "swap-bits", "insert-reset"),
    ("insert-hadamard", "operand", "insert-pauli", "move", "remove"),
    ("insert-gate",),
)
"""Kinds of edits; what people get wrong most, and what has few variants, comes first."""
PAIRED = 150
"""Pairs are made of so many edits, the nearest ones."""


def candidates(program: Program, result: Result, *, pairs: bool = False) -> Iterator[Edit]:
    """Single edits of all kinds at all points, each once; then pairs of the nearest, if asked for."""
    seen: set[Edit] = set()
    for edit in _singles(program, result):
        if edit not in seen:
            seen.add(edit)
            yield edit
    if pairs:
        near = list(islice(_singles(program, result), PAIRED))
        for first, second in combinations(near, 2):
            if {a.point for a in first.actions}.isdisjoint(a.point for a in second.actions):
                yield Edit("pair", first.actions + second.actions)


def _singles(program: Program, result: Result) -> Iterator[Edit]:
    room = Room(program)
    near, far = nearest_points(program, result)
    for points in (near, far):
        for kinds in ROUNDS:
            for point in points:
                yield from room.edits([point], kinds)
                yield from room.everywhere(point, kinds)
