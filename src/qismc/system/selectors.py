"""Names for program points: marks, `leaf`, `loop`."""

from __future__ import annotations

from qismc.program import Leaf, Program
from qismc.system.column_arrays import crossings


def selects(where: str, program: Program, point: int) -> bool:
    """Does a name mean this point?"""
    return where in names_of(program, point)


def names_of(program: Program, point: int) -> list[str]:
    """The names that mean this point."""
    found = list(program.marked.get(point, ()))
    statement = program.code[point]
    if isinstance(statement, Leaf):
        found.append("leaf")
    elif statement.loop:
        found.append("loop")
    return found


def points_of(where: str, program: Program) -> list[int]:
    """The points that a name means, in order."""
    if where in program.marks:
        return sorted(point for point, names in program.marked.items() if where in names)
    return list(program.once("points by name", _points).get(where, ()))


def _points(program: Program) -> dict[str, list[int]]:
    """All names that mean points, with the points in order."""
    found: dict[str, list[int]] = {}
    for point in sorted({*crossings(program), *program.marked}):  # gates have no names but marks
        for name in names_of(program, point):
            found.setdefault(name, []).append(point)
    return found
