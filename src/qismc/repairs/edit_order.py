"""The order in which edits are tried: what is near to the evidence of a violation and likely comes first.

There are few statements to remove or to replace by a similar one, and many to insert, so each of the few is
likelier, and comes first. What one piece of text became (the body of a `for` loop) is changed as a whole
before one of its copies is. Points that the violating executions do not pass need no change.

What acts on some qubits only can change places with a statement that touches none of them. So there are not
many places to insert a gate, however long the program is: for each qubit as many as statements touch it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice, permutations, product
from typing import NamedTuple

from qismc.common.lazily import cached_property
from qismc.edits import GATES, KINDS, PAULIS, STEPS, Edit, Insert, Replace, Room, gate
from qismc.evidence import Execution, Step
from qismc.program import Apply, Operator, Program, Reset, Statement

CLEARED = "cone"
"""The kind of hint that names steps which cannot matter."""


def near_first(program: Program, executions: Sequence[Execution], *, by_line: bool = False) -> list[int]:
    """All points: those near to the evidence first, then the others in the order of the program.

    Executions of a program with faults are near to what stands at the same lines (`by_line`).
    """
    steps = _near_steps(executions)
    if by_line:
        lines = dict.fromkeys(step.source for step in steps)
        near = [point for line in lines for point, source in enumerate(program.sources) if source == line]
    else:
        near = [step.point for step in steps]
    return list(dict.fromkeys([*near, *range(len(program.code))]))


def _near_steps(executions: Sequence[Execution]) -> Iterator[Step]:
    """The steps that hints name, then those that can matter, the last step first."""
    for execution in executions:
        for hint in execution.hints:
            if hint.kind != CLEARED:
                yield from (execution.steps[step] for step in hint.steps)
    for execution in executions:
        yield from (step for step in reversed(execution.steps) if step.relevant)


class InsertPlace(NamedTuple):
    """Before the statement at a point, or after it on the way that falls through."""

    point: int
    after: bool = False


class InsertPlaces:
    """The places beside some points of a program; what is beside the first points comes first."""

    def __init__(self, room: Room, points: Sequence[int]) -> None:
        self._room = room
        self._rank = {point: number for number, point in enumerate(points)}
        self._all = [InsertPlace(point, after) for point in sorted(points) for after in room.places(point)]
        self._groups: dict[frozenset[int], list[list[InsertPlace]]] = {}

    def groups(self, qubits: Iterable[int]) -> list[list[InsertPlace]]:
        """The places, those together at which it is the same to act on the qubits."""
        touched = frozenset(qubits)
        if touched not in self._groups:
            found: list[list[InsertPlace]] = []
            for place in self._all:
                if found and self._is_same(found[-1][-1], place, touched):
                    found[-1].append(place)
                else:
                    found.append([place])
            nearest = [min(self._rank[place.point] for place in group) for group in found]
            self._groups[touched] = [group for _, group in sorted(zip(nearest, found, strict=True))]
        return self._groups[touched]

    def _is_same(self, first: InsertPlace, second: InsertPlace, qubits: frozenset[int]) -> bool:
        """Is there nothing between the two but one step that touches none of the qubits?"""
        program, (point, after) = self._room.program, first
        if after or not isinstance(program.code[point], STEPS):
            return False
        after_it = second == (point, True)
        if not after_it and second != (point + 1, False):
            return False
        joins = second.point != point and (second.point in program.joined or second.point in program.marked)
        return not joins and qubits.isdisjoint(program.code[point].qubits)

    def same_as(self, place: InsertPlace, statement: Statement) -> list[InsertPlace]:
        """All places at which the statement acts as at this one; those in a row of its like come first.

        Where gates of one kind follow one another, often one of them is missing.
        """
        group = next((g for g in self.groups(statement.qubits) if place in g), [place])
        return sorted(group, key=lambda p: (not self._in_row(p, statement), self._rank.get(p.point, 0)))

    def _in_row(self, place: InsertPlace, statement: Statement) -> bool:
        code, point = self._room.program.code, place.point
        beside = (point,) if place.after else (point - 1, point)
        return any(0 <= p < len(code) and _are_alike(code[p], statement) for p in beside)


def _are_alike(first: Statement, second: Statement) -> bool:
    if isinstance(first, Apply) and isinstance(second, Apply):
        return first.operator == second.operator
    return type(first) is type(second)


Texts = Sequence[tuple[int, ...]]
"""Pieces of text, each as the points of the statements that it became."""
REMOVED = ("remove",)
REPLACED = ("sign", "inverse", "control", "swap", "axis", "move")
CLASSICAL = ("condition", "bit", "swap-bits")
MOVED = ("operand",)
INSERTED = ("insert-reset", "insert-hadamard", "insert-pauli", "insert-gate")
FEW_CHANGES = 12
"""Maximum number of edits of one kind at one point in the first rounds; further ones come later."""
FEW_QUBITS = 8
"""Programs of more qubits get a gate on two or three qubits only before a gate of the same name, unless
everything is to be tried."""


@dataclass
class EditOrder:
    """All changes of a program, each once."""

    _program: Program
    _points: Sequence[int]
    """Those that matter, nearest first."""
    _first: int
    """Changes before this point may change what is claimed rather than what is done."""
    _find_corrections: Callable[[], Sequence[Edit]]
    """Finds gates at the end by other means."""
    everything: bool = False

    def __post_init__(self) -> None:
        self._room = Room(self._program)
        self._places = InsertPlaces(self._room, self._points)

    def edits(self) -> Iterator[Edit]:
        """Every change once; where an insertion has the same effect at many places, at one of them."""
        seen: set[Edit] = set()
        last: list[Edit] = []
        behind = [point for point in self._points if point >= self._first]
        before = [point for point in self._points if point < self._first]
        for edit in chain(self._rounds(behind), self._rounds(before)):
            if edit in seen:
                continue
            seen.add(edit)
            if edit.kind == "remove" and edit.point in self._room.measurements:
                last.append(edit)  # few bugs are measurements too many
            else:
                yield edit
        yield from last
        yield from (edit for edit in self._corrections if len(edit.actions) > 1)

    @cached_property
    def _corrections(self) -> Sequence[Edit]:
        return self._find_corrections()

    def _rounds(self, points: Sequence[int]) -> Iterator[Edit]:
        if not points:
            return
        copied = {point for copies in self._room.copies.values() for point in copies}
        single = [point for point in points if point not in copied]
        several = [point for point in points if point in copied]
        texts, places = self._texts(points), InsertPlaces(self._room, points)
        for kinds in (REMOVED, REPLACED):
            yield from self._few(single, kinds)
            yield from self._of_texts(texts, kinds)
        yield from self._into_texts(texts, (Reset,))
        for kinds in (REMOVED, REPLACED):
            yield from self._few(several, kinds)
        yield from self._few(single, CLASSICAL)
        yield from self._of_texts(texts, CLASSICAL)
        yield from self._few(several, CLASSICAL)
        yield from (edit for edit in self._corrections if len(edit.actions) == 1)
        yield from self._room.edits(single, (*REPLACED, *CLASSICAL, *MOVED))
        yield from self._of_texts(texts, MOVED)
        yield from self._insertions(places, self._single())
        yield from self._into_texts(texts, [partial(gate, name) for name in ("h", *PAULIS)])
        yield from self._room.edits(several, (*REPLACED, *CLASSICAL, *MOVED))
        yield from self._wide(points, places)
        if self.everything:
            for copies in texts:
                yield from self._room.everywhere(copies[0], INSERTED)

    def _few(self, points: Iterable[int], kinds: Sequence[str]) -> Iterator[Edit]:
        """The first changes of each kind: each of many, as of a gate with dozens of controls, is unlikely."""
        for point in points:
            for kind in kinds:
                yield from islice(KINDS[kind](self._room, point), FEW_CHANGES)

    # --- pieces of text that became several statements ----------------------------------------------------

    def _texts(self, points: Sequence[int]) -> list[tuple[int, ...]]:
        near = set(points)
        return [copies for copies in self._room.copies.values() if not near.isdisjoint(copies)]

    def _of_texts(self, texts: Texts, kinds: Sequence[str]) -> Iterator[Edit]:
        """The same change of all statements."""
        for copies in texts:
            for kind in kinds:
                yield from islice(self._room.everywhere(copies[0], (kind,)), FEW_CHANGES)

    def _into_texts(self, texts: Texts, makers: Sequence[Callable[[int], Statement]]) -> Iterator[Edit]:
        """One more statement before or after each, on a qubit of it."""
        for copies in texts:
            touched = [self._program.code[copy].qubits for copy in copies]
            ways = product(zip(*touched, strict=False), makers, (False, True))
            for qubits, make, after in islice(ways, FEW_CHANGES):
                inserted = zip(copies, qubits, strict=True)
                yield Edit("insert", tuple(Insert(p, make(q), after=after) for p, q in inserted))

    # --- insertions --------------------------------------------------------------------------------------

    def _insertions(self, places: InsertPlaces, statements: Iterable[Statement]) -> Iterator[Edit]:
        for statement in statements:
            for group in places.groups(statement.qubits):
                yield _insertion(group[0], statement)

    def _single(self) -> Iterator[Statement]:
        """What may be missing on one qubit: a reset, a usual gate, or one that stands elsewhere."""
        qubits = range(self._program.num_qubits)
        yield from (Apply(operator, (q,)) for operator in self._own(1) for q in qubits)
        yield from map(Reset, qubits)
        yield from (gate(name, q) for name in ("h", *PAULIS, *GATES) for q in qubits)

    def _wide(self, points: Sequence[int], places: InsertPlaces) -> Iterator[Edit]:
        """The same on two or three."""
        wide = [operator for width in (2, 3) for operator in self._own(width)]
        for operator in dict.fromkeys([*wide, *(gate(name, 0, 1).operator for name in ("cx", "cz"))]):
            if self._program.num_qubits > FEW_QUBITS and not self.everything:
                yield from self._beside(points, operator)
            else:
                choices = permutations(range(self._program.num_qubits), operator.width)
                yield from self._insertions(places, (Apply(operator, qubits) for qubits in choices))

    def _beside(self, points: Sequence[int], operator: Operator) -> Iterator[Edit]:
        """A gate before one of its like, with one operand changed."""
        for point in points:
            statement = self._program.code[point]
            if isinstance(statement, Apply) and statement.operator == operator:
                for edit in KINDS["operand"](self._room, point):
                    (action,) = edit.actions
                    if isinstance(action, Replace):
                        yield _insertion(InsertPlace(point), action.statement)

    def _own(self, width: int) -> list[Operator]:
        """The gates of the program on so many qubits."""
        return list(dict.fromkeys(s.operator for s in self._gates() if len(s.qubits) == width))

    def _gates(self) -> Iterator[Apply]:
        return (s for s in self._program.code if isinstance(s, Apply))

    def elsewhere(self, edit: Edit) -> list[Edit]:
        """The same insertion at all places where it has the same effect, likely ones first."""
        action = edit.actions[0]
        if not isinstance(action, Insert) or action.condition is not None or len(edit.actions) > 1:
            return [edit]
        places = self._places.same_as(InsertPlace(action.point, action.after), action.statement)
        return [_insertion(place, action.statement) for place in places]


def _insertion(place: InsertPlace, statement: Statement) -> Edit:
    return Edit("insert", (Insert(place.point, statement, after=place.after),))
