"""The order in which edits are tried: what is near to the evidence of a violation and likely comes first.

Repairs try every edit of all kinds, the nearest first. Hints at causes try fewer: there are few statements
to remove or to replace by a similar one, and many to insert, so each of the few is likelier, and comes
first. What one piece of text became (the body of a `for` loop) is changed as a whole before one of its
copies is. Points that the violating executions do not pass need no change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, permutations, product

from qismc.edits import GATES, KINDS, PAULIS, Edit, Insert, InsertPlace, InsertPlaces, Replace, Room, gate
from qismc.evidence import Execution
from qismc.program import Apply, Operator, Program, Reset, Statement
from qismc.results import Result

CLEARED = "cone"
"""The kind of hint that names steps which cannot matter."""
NEAR = 40
"""Maximum number of points that count as near to the evidence."""


def near_first(program: Program, executions: Sequence[Execution]) -> list[int]:
    """All points: those near to the evidence first, then the others in the order of the program."""
    return list(_ranked(executions) | dict.fromkeys(range(len(program.code))))


def _ranked(executions: Sequence[Execution]) -> dict[int, None]:
    """The points that hints name, then those of steps that can matter, the last step first."""
    found: dict[int, None] = {}
    for execution in executions:
        found |= dict.fromkeys(_hinted(execution))
    for execution in executions:
        found |= dict.fromkeys(step.point for step in reversed(execution.steps) if step.relevant)
    return found


def nearest_points(program: Program, result: Result) -> tuple[list[int], list[int]]:
    """(near, far): what hints point at, then the steps of counterexamples, last one first; all the others."""
    executions = [r.counterexample for r in result.results if r.counterexample is not None]
    ranked = _ranked(executions)
    if result.program is not program:  # that has faults: what stands at the same lines
        lines = dict.fromkeys(result.program.sources[point] for point in ranked)
        ranked = {p: None for line in lines for p, source in enumerate(program.sources) if source == line}
    near = list(ranked)[:NEAR]
    chosen = set(near)
    rest = [*ranked, *range(len(program.code))]
    return near, [point for point in dict.fromkeys(rest) if point not in chosen]


def _hinted(execution: Execution) -> Iterator[int]:
    for hint in execution.hints:
        if hint.kind != CLEARED:
            yield from (execution.steps[step].point for step in hint.steps)


ROUNDS = (
    ("sign", "inverse", "control", "swap", "axis", "condition", "bit", "swap-bits", "insert-reset"),
    ("insert-hadamard", "operand", "insert-pauli", "move", "remove"),
    ("insert-gate",),
)
"""Kinds of edits as repairs try them: common mistakes and kinds with few variants come first."""
PAIRED = 150
"""Number of single edits, the nearest ones, that pairs are made of."""


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


Texts = Sequence[tuple[int, ...]]
"""Pieces of text, each as the points of the statements that it became."""
REMOVED = ("remove",)
REPLACED = ("sign", "inverse", "control", "swap", "axis", "move")
CLASSICAL = ("condition", "bit", "swap-bits")
MOVED = ("operand",)
FEW_CHANGES = 12
"""Maximum number of edits of one kind at one point in the first rounds; further ones come later."""
FEW_QUBITS = 8
"""Programs of more qubits get a gate on two or three qubits only before a gate of the same name."""


class EditOrder:
    """All changes of a program, each once."""

    def __init__(
        self, program: Program, points: Sequence[int], first: int, corrections: Callable[[], Iterator[Edit]]
    ) -> None:
        """Points that matter, nearest first; `corrections` are gates at the end, found otherwise.

        Changes before the point `first` may change what is claimed rather than what is done.
        """
        self._program = program
        self._room = Room(program)
        self._first = first
        self._points = points
        self._places = InsertPlaces(self._room, points)
        self._corrections = corrections

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
        yield from self._corrections()
        yield from self._room.edits(single, (*REPLACED, *CLASSICAL, *MOVED))
        yield from self._of_texts(texts, MOVED)
        yield from self._insertions(places, self._single())
        yield from self._into_texts(texts, [partial(gate, name) for name in ("h", *PAULIS)])
        yield from self._room.edits(several, (*REPLACED, *CLASSICAL, *MOVED))
        yield from self._wide(points, places)

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
            if self._program.num_qubits <= FEW_QUBITS:
                choices = permutations(range(self._program.num_qubits), operator.width)
                yield from self._insertions(places, (Apply(operator, qubits) for qubits in choices))
            else:
                yield from self._beside(points, operator)

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
