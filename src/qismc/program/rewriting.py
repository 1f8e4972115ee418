"""Flat code taken apart and put together again: other statements at some points, all targets renumbered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from qismc.common.source import Source
from qismc.program.program import Program
from qismc.program.statements import (
    Jump,
    Mark,
    Statement,
)


class Piece(NamedTuple):
    """A statement with what the user sees of it.

    Its targets are points of the old code, or places in its own list of pieces: see `inside`.
    """

    statement: Statement
    source: Source | None = None
    text: str | None = None


def inside(place: int) -> int:
    """The target "piece number `place` of this list", told apart from points of the old code by its sign."""
    return ~place


def original(program: Program, point: int) -> Piece:
    """What stands at a point."""
    return Piece(program.code[point], program.sources[point], program.texts[point])


def rewritten(
    program: Program, pieces: Mapping[int, Sequence[Piece]], ahead: Mapping[int, int] | None = None
) -> Program:
    """The program with `pieces[p]` in the place of point p, for all p given.

    Whatever led to p leads to the first of its pieces; where there are none, to what follows. Ways back to
    the head of a loop leave out its first `ahead[p]` pieces: those stand before the loop.
    """
    pieces = {**pieces, **_named_places(program, pieces)}
    first: list[int] = []
    count = 0
    for point in range(len(program.code)):
        first.append(count)
        count += len(pieces[point]) if point in pieces else 1
    code: list[Statement] = []
    sources: list[Source | None] = []
    texts: list[str | None] = []
    for point, start in enumerate(first):
        for statement, source, text in pieces.get(point, (original(program, point),)):
            code.append(statement.retargeted(_renumbering(first, start, point, ahead or {})))
            sources.append(source)
            texts.append(text)
    marked: dict[int, tuple[str, ...]] = {}
    for point, names in sorted(program.marked.items()):
        marked[first[point]] = (*marked.get(first[point], ()), *names)
    return replace(program, code=tuple(code), sources=tuple(sources), texts=tuple(texts), marked=marked)


def _named_places(program: Program, pieces: Mapping[int, Sequence[Piece]]) -> dict[int, list[Piece]]:
    """Points for marks of removed statements that must not name what follows: other paths join there."""
    gone = [point for point in program.marked if point in pieces and not pieces[point]]
    if not gone:
        return {}
    return {
        point: [Piece(Mark(program.marked[point][0]), program.sources[point])]
        for point in gone
        if point + 1 in program.joined or isinstance(program.code[point + 1], Jump)
    }


def _renumbering(
    first: Sequence[int], start: int, point: int, ahead: Mapping[int, int]
) -> Callable[[int], int]:
    def new(target: int) -> int:
        if target < 0:
            return start + ~target
        return first[target] + (ahead.get(target, 0) if target < point else 0)

    return new


Item = TypeVar("Item")


class Marked(NamedTuple):
    """Code without the marks that name another statement, and the names of points."""

    code: list[Statement]
    kept: Sequence[int]
    """The former points of the statements that stay."""
    names: dict[int, tuple[str, ...]]

    def select(self, items: Sequence[Item]) -> list[Item]:
        """The items of the points that stay."""
        return list(items) if len(items) == len(self.kept) else [items[point] for point in self.kept]


def attach_marks(code: list[Statement]) -> Marked:
    """Take marks out of the code, and put their names on points.

    A mark names the location of the statement that follows it: it is no statement and no step itself. Only
    where paths that do not pass the mark lead to that statement as well (the head of a while loop, what
    follows an `if`), the mark keeps a point of its own.
    """
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
    place_of = _numbers_left(len(code), kept)
    return Marked(
        [code[point].retargeted(place_of.__getitem__) for point in kept],
        kept,
        {place_of[point]: marks for point, marks in sorted(names.items())},
    )


def _name(statement: Statement) -> str:
    assert isinstance(statement, Mark)
    return statement.name


def _numbers_left(count: int, kept: list[int]) -> list[int]:
    """The new number of every point; a removed point gets the number of the next kept one."""
    found, left = [0] * count, len(kept)
    present = set(kept)
    for point in reversed(range(count)):
        left -= point in present
        found[point] = left
    return found
