"""Flat code taken apart and put together again: other statements at some points, all targets renumbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from typing_extensions import assert_never

from qismc.common.source import Source
from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Statement,
    Switch,
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


def targets(statement: Statement) -> Iterator[int]:
    """The points that a statement names as its successors."""
    match statement:
        case Branch(_, then, otherwise):
            yield from (then, otherwise)
        case Switch(_, default, cases):
            yield from (default, *cases.values())
        case Goto(target) | Jump(target):
            yield target
        case Apply() | Measure() | Reset() | Initialize() | Channel() | Assign() | AssignAt() | Havoc():
            pass
        case Mark() | Leaf():
            pass
        case _:
            assert_never(statement)


def goes_forwards(program: Program) -> bool:
    """Does control never go back to an earlier point? Then there are no loops."""
    return all(target > point for point, s in enumerate(program.code) for target in targets(s))


def retarget(statement: Statement, new: Callable[[int], int]) -> Statement:
    """The statement with every successor that it names renumbered."""
    match statement:
        case Branch(_, then, otherwise):
            return replace(statement, then=new(then), otherwise=new(otherwise))
        case Switch(target, default, cases):
            return Switch(target, new(default), {value: new(point) for value, point in cases.items()})
        case Goto(target) | Jump(target):
            return replace(statement, target=new(target))
        case Apply() | Measure() | Reset() | Initialize() | Channel() | Assign() | AssignAt() | Havoc():
            return statement
        case Mark() | Leaf():
            return statement
    assert_never(statement)


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
            code.append(retarget(statement, _renumbering(first, start, point, ahead or {})))
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
    joined = {target for statement in program.code for target in targets(statement)}
    return {
        point: [Piece(Mark(program.marked[point][0]), program.sources[point])]
        for point in gone
        if point + 1 in joined or isinstance(program.code[point + 1], Jump)
    }


def _renumbering(
    first: Sequence[int], start: int, point: int, ahead: Mapping[int, int]
) -> Callable[[int], int]:
    def new(target: int) -> int:
        if target < 0:
            return start + ~target
        return first[target] + (ahead.get(target, 0) if target < point else 0)

    return new
