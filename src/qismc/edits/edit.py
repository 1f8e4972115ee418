"""An edit: one small change of a program, said in terms of its points.

Edits are plain data. Applied to a program they give a program with source positions, so that everything that
can be done with a program (checks, replays, reports) can be done with an edited one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.common.source import Source
from qismc.common.wording import ordinal
from qismc.program import (
    Branch,
    Expression,
    Jump,
    Leaf,
    Piece,
    Program,
    Statement,
    Switch,
    copies_of,
    expression_text,
    inside,
    original,
    render,
    rewritten,
)

PLACED_WITH_PREVIOUS = (Jump, Leaf)
"""Statements that the user does not see: what stands before them says where they are."""
ACTIONS_SHOWN = 4


@dataclass(frozen=True)
class Insert:
    """A statement before the one at `point` (or `after` it, on the way that falls through).

    Before a `while` means before the loop, not before each of its tests. With a condition it acts only where
    that is not 0.
    """

    point: int
    statement: Statement
    condition: Expression | None = None
    after: bool = False


@dataclass(frozen=True)
class Remove:
    """Nothing in the place of a statement."""

    point: int


@dataclass(frozen=True)
class Replace:
    """Another statement in the place of one."""

    point: int
    statement: Statement


@dataclass(frozen=True)
class Exchange:
    """The statement at `point` and the one that follows it, the other way round."""

    point: int


Action = Insert | Remove | Replace | Exchange


@dataclass(frozen=True)
class Edit:
    """Actions that make one change of a `kind`; their points are those of the program before any of them."""

    kind: str
    actions: tuple[Action, ...]

    @property
    def point(self) -> int:
        """Where the edit begins."""
        return min(action.point for action in self.actions)

    def apply(self, program: Program) -> Program:
        """The edited program."""
        return apply(program, self.actions)

    def which(self, program: Program, action: Action) -> str:
        """Which of the times that a statement runs is meant, if the edit changes some of them and not all."""
        point = _anchor(program, action)
        copies = copies_of(program).of(point)
        everywhere = {_anchor(program, action) for action in self.actions}.issuperset(copies)
        if len(copies) == 1 or everywhere or _is_before_loop(program, action):
            return ""
        return f", {ordinal(copies.index(point) + 1)} of its {len(copies)} times"

    def is_of_some_copies(self, program: Program) -> bool:
        """Is there no change of the text that it is?"""
        return any(
            program.sources[_anchor(program, action)] is not None and self.which(program, action)
            for action in self.actions
        )

    def text(self, program: Program) -> str:
        """`rus.qasm:24: insert reset q[0] before 'h q[0]'`."""
        parts: dict[str, None] = {}
        for action in sorted(self.actions, key=lambda action: action.point):
            source = source_of(program, action.point)
            where = "" if source is None else f"{source.file}:{source.line}: "
            parts[f"{where}{action_text(program, action)}{self.which(program, action)}"] = None
        shown = list(parts)[:ACTIONS_SHOWN]
        more = [f"and {len(parts) - len(shown)} more like these"] if len(parts) > len(shown) else []
        return "; ".join([*shown, *more])


def _is_before_loop(program: Program, action: Action) -> bool:
    """Is something inserted before the first turn of an unrolled loop? That place is in the text."""
    copies, point = copies_of(program), action.point
    before = isinstance(action, Insert) and not action.after
    return before and copies.is_turn(point) and copies.of(point)[0] == point


def apply(program: Program, actions: Iterable[Action]) -> Program:
    """The program after the actions; insertions at one point keep their order."""
    pieces: dict[int, list[Piece]] = {}
    before: dict[int, list[Piece]] = {}
    after: dict[int, list[Piece]] = {}
    for action in actions:
        point = action.point
        match action:
            case Insert():
                place = after if action.after else before
                known = place.setdefault(point, [])
                known += _inserted(program, action, len(known))
            case Remove():
                pieces[point] = []
            case Replace(_, statement):
                pieces[point] = [Piece(statement, program.sources[point])]
            case Exchange():
                pieces[point], pieces[point + 1] = [original(program, point + 1)], [original(program, point)]
            case _:
                assert_never(action)
    found = {}
    for point in {*pieces, *before, *after}:
        core = pieces.get(point, [original(program, point)])
        ahead = before.get(point, [])
        behind = [_moved(piece, len(ahead) + len(core)) for piece in after.get(point, [])]
        found[point] = [*ahead, *core, *behind]
    loops = {point: len(known) for point, known in before.items() if heads_loop(program.code[point])}
    return rewritten(program, found, loops)


def heads_loop(statement: Statement) -> bool:
    """Is it a `while`? What is inserted before it acts once, not before each test."""
    return isinstance(statement, Branch) and statement.loop


def _inserted(program: Program, action: Insert, place: int) -> list[Piece]:
    """The pieces of an insertion whose first one is number `place` of its list."""
    source = source_of(program, action.point)
    piece = Piece(action.statement, source)
    if action.condition is None:
        return [piece]
    branch = Branch(action.condition, inside(place + 1), inside(place + 2))
    return [Piece(branch, source), piece]


def _moved(piece: Piece, places: int) -> Piece:
    """The piece further down in its list; a branch of an insertion names places of that list only."""
    statement = piece.statement
    if isinstance(statement, Branch):
        moved = Branch(statement.condition, statement.then - places, statement.otherwise - places)
        return piece._replace(statement=moved)
    return piece


def source_of(program: Program, point: int) -> Source | None:
    """Where the statement at a point stands; what the user does not see stands where its predecessor does."""
    return program.sources[_seen(program, point)]


def _seen(program: Program, point: int) -> int:
    while point > 0 and isinstance(program.code[point], PLACED_WITH_PREVIOUS):
        point -= 1
    return point


def _anchor(program: Program, action: Action) -> int:
    """The statement that says where the change is: of two that change places, the one that runs again."""
    point = action.point
    if isinstance(action, Exchange) and len(copies_of(program).of(point)) == 1:
        return point + 1
    if isinstance(action, Insert) and not action.after and not isinstance(program.code[point], Leaf):
        return _seen(program, point)
    return point


def action_text(program: Program, action: Action) -> str:
    """What to do, without where."""
    point = action.point
    match action:
        case Insert(statement=statement):
            return f"insert {inserted_text(program, action)} {_beside(program, action)}"
        case Remove():
            return f"remove '{program.text(point)}'"
        case Replace(_, statement):
            old = program.code[point]
            if isinstance(old, Switch) and isinstance(statement, Switch) and old.target == statement.target:
                return f"in '{program.text(point)}' {_cases_text(old, statement)}"
            return f"replace '{program.text(point)}' by '{render(program, statement)}'"
        case Exchange():
            return f"move '{program.text(point)}' after '{program.text(point + 1)}'"
        case _:
            assert_never(action)


def _cases_text(old: Switch, new: Switch) -> str:
    """Which body now belongs to which value."""
    label_of = {target: label for label, target in old.cases.items()}
    moved = {label: label_of[target] for label, target in new.cases.items() if old.cases.get(label) != target}
    if len(moved) == 2 and all(moved.get(old_label) == label for label, old_label in moved.items()):
        first, second = sorted(moved)
        return f"exchange the cases {first} and {second}"
    return ", ".join(f"make case {old_label} case {label}" for label, old_label in moved.items())


def inserted_text(program: Program, action: Insert) -> str:
    """`z q[2]`, or `if (c == 1) z q[2]`."""
    text = render(program, action.statement)
    if action.condition is None:
        return text
    return f"if ({expression_text(program, action.condition)}) {text}"


def _beside(program: Program, action: Insert) -> str:
    point = action.point
    if action.after:
        return f"after '{program.text(point)}'"
    if not isinstance(program.code[point], PLACED_WITH_PREVIOUS):
        return f"before '{program.text(point)}'"
    if isinstance(program.code[point], Leaf):
        return "at the end"
    return f"after '{program.text(_seen(program, point))}'"
