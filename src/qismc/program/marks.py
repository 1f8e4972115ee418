"""Marks name the location that they stand at: that of the statement which follows them.

They are no statements and no steps. Only where paths that do not pass the mark lead to that statement as well
(the head of a while loop, what follows an `if`), a mark keeps a place of its own: it must not name those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from qismc.program.statements import Branch, Goto, Jump, Mark, Statement, Switch

Item = TypeVar("Item")


class Marked(NamedTuple):
    """Code without the marks that name another statement, and the names of points."""

    code: list[Statement]
    kept: list[int]
    """The former points of the statements that are left."""
    names: dict[int, tuple[str, ...]]

    def select(self, items: Sequence[Item]) -> list[Item]:
        """The items of the points that are left."""
        return list(items) if len(items) == len(self.kept) else [items[point] for point in self.kept]


def attach_marks(code: list[Statement]) -> Marked:
    """Take marks out of the code, and put their names on points."""
    points = [point for point, statement in enumerate(code) if isinstance(statement, Mark)]
    if not points:
        return Marked(code, list(range(len(code))), {})
    targets = {target for statement in code for target in _targets(statement)}
    gone: set[int] = set()
    names: dict[int, tuple[str, ...]] = {}
    for point in reversed(points):  # what follows is known
        following = point + 1
        while following in gone and following not in targets:
            following += 1
        named = following not in targets and not isinstance(code[following], Jump)
        place = following if named else point
        gone |= {point} if named else set()
        names[place] = (_name(code[point]), *names.get(place, ()))
    kept = [point for point in range(len(code)) if point not in gone]
    place_of = _renumbering(len(code), kept)
    return Marked(
        [_moved(code[point], place_of) for point in kept],
        kept,
        {place_of[point]: marks for point, marks in sorted(names.items())},
    )


def _name(statement: Statement) -> str:
    assert isinstance(statement, Mark)
    return statement.name


def _targets(statement: Statement) -> Iterator[int]:
    """The points that a statement names."""
    match statement:
        case Branch(_, then, otherwise):
            yield from (then, otherwise)
        case Switch(_, default, cases):
            yield from (default, *cases.values())
        case Goto(target) | Jump(target):
            yield target


def _renumbering(count: int, kept: list[int]) -> list[int]:
    """The new number of every point; one that is gone gets that of the next one that is left."""
    found, left = [0] * count, len(kept)
    present = set(kept)
    for point in reversed(range(count)):
        left -= point in present
        found[point] = left
    return found


def _moved(statement: Statement, place_of: list[int]) -> Statement:
    match statement:
        case Branch(_, then, otherwise):
            return replace(statement, then=place_of[then], otherwise=place_of[otherwise])
        case Switch(target, default, cases):
            return Switch(
                target, place_of[default], {label: place_of[point] for label, point in cases.items()}
            )
        case Goto(target) | Jump(target):
            return replace(statement, target=place_of[target])
    return statement
