"""Marks name the location that they stand at: that of the statement which follows them.

They are no statements and no steps. Only where paths that do not pass the mark lead to that statement as well
(the head of a while loop, what follows an `if`), a mark keeps a place of its own: it must not name those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from qismc.program.statements import Jump, Mark, Statement

Item = TypeVar("Item")


class Marked(NamedTuple):
    """Code without the marks that name another statement, and the names of points."""

    code: list[Statement]
    kept: Sequence[int]
    """The former points of the statements that are left."""
    names: dict[int, tuple[str, ...]]

    def select(self, items: Sequence[Item]) -> list[Item]:
        """The items of the points that are left."""
        return list(items) if len(items) == len(self.kept) else [items[point] for point in self.kept]


def attach_marks(code: list[Statement]) -> Marked:
    """Take marks out of the code, and put their names on points."""
    if Mark not in set(map(type, code)):  # as in most programs
        return Marked(code, range(len(code)), {})
    points = [point for point, statement in enumerate(code) if isinstance(statement, Mark)]
    joined = {target for statement in code for target in statement.targets}
    gone: set[int] = set()
    names: dict[int, tuple[str, ...]] = {}
    for point in reversed(points):  # what follows is known
        following = point + 1
        while following in gone and following not in joined:
            following += 1
        named = following not in joined and not isinstance(code[following], Jump)
        place = following if named else point
        gone |= {point} if named else set()
        names[place] = (_name(code[point]), *names.get(place, ()))
    kept = [point for point in range(len(code)) if point not in gone]
    place_of = _renumbering(len(code), kept)
    return Marked(
        [code[point].retargeted(place_of.__getitem__) for point in kept],
        kept,
        {place_of[point]: marks for point, marks in sorted(names.items())},
    )


def _name(statement: Statement) -> str:
    assert isinstance(statement, Mark)
    return statement.name


def _renumbering(count: int, kept: list[int]) -> list[int]:
    """The new number of every point; one that is gone gets that of the next one that is left."""
    found, left = [0] * count, len(kept)
    present = set(kept)
    for point in reversed(range(count)):
        left -= point in present
        found[point] = left
    return found
