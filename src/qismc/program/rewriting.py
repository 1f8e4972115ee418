"""Flat code taken apart and put together again: other statements at some points, all targets renumbered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

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
    """Marks of statements that are gone name what follows; where control joins they keep a place."""
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
