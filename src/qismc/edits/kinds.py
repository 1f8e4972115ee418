"""All edits of a kind that a program has room for at one of its points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from qismc.common.lazily import cached_property
from qismc.edits.edit import Edit, Exchange, Insert, Remove, Replace
from qismc.edits.similar import (
    inverse,
    other_axes,
    other_conditions,
    other_controls,
    other_signs,
    renamed_bits,
    single_bits,
    swapped_operands,
    visible_bits,
)
from qismc.program import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Initialize,
    Jump,
    Measure,
    Program,
    Reset,
    Statement,
    Switch,
    copies_of,
    named_gate,
)

Edits = Iterator[Edit]
PAULIS = ("x", "y", "z")
GATES = ("s", "sdg", "t", "tdg")
STEPS = (Apply, Measure, Reset, Initialize, Channel, Assign, AssignAt)
"""Statements that do something and then go on to the next one."""


class Room:
    """A program with what edits ask about it."""

    def __init__(self, program: Program) -> None:
        self.program = program

    @cached_property
    def bits(self) -> list[int]:
        """The classical bits that the user sees."""
        return visible_bits(self.program)

    @cached_property
    def measurable(self) -> list[int]:
        """The bits that outcomes can go to: no inputs, and no digits of numbers."""
        return single_bits(self.program)

    @cached_property
    def readers(self) -> dict[int, Branch | Switch]:
        """The statements that decide by the store."""
        return {p: s for p, s in enumerate(self.program.code) if isinstance(s, Branch | Switch)}

    @cached_property
    def measurements(self) -> dict[int, Measure]:
        return {p: s for p, s in enumerate(self.program.code) if isinstance(s, Measure)}

    def places(self, point: int) -> Iterator[bool]:
        """The places beside a point, each between two statements and each once: before (False), after (True).

        "After" is a place of its own where control from elsewhere joins, as at the end of an `if`.
        """
        statement, following = self.program.code[point], point + 1
        if not isinstance(statement, Jump):
            yield False
        if isinstance(statement, STEPS) and (
            following in self.program.joined or isinstance(self.program.code[following], Jump)
        ):
            yield True

    @cached_property
    def copies(self) -> dict[int, tuple[int, ...]]:
        """first point -> all points that one piece of source text became, as in the body of a `for` loop."""
        code, texts = self.program.code, copies_of(self.program).by_source
        found = [
            tuple(point for point in points if not isinstance(code[point], Jump))
            for source, points in texts.items()
            if source is not None and len(points) > 1
        ]
        return {points[0]: points for points in found if len(points) > 1}

    def everywhere(self, point: int, kinds: Iterable[str]) -> Edits:
        """Edits of a piece of source text: the same change at all points that it became."""
        copies = self.copies.get(point, ())
        if len({type(self.program.code[copy]) for copy in copies}) == 1:
            for kind in kinds:
                for same in zip(*(KINDS[kind](self, copy) for copy in copies), strict=False):
                    yield Edit(kind, tuple(action for edit in same for action in edit.actions))

    def edits(self, points: Iterable[int], kinds: Iterable[str]) -> Edits:
        """All edits of some kinds at some points, in that order."""
        chosen = [KINDS[kind] for kind in kinds]
        for point in points:
            for kind in chosen:
                yield from kind(self, point)


def gate(name: str, *qubits: int) -> Apply:
    """A gate without angles."""
    return Apply(named_gate(name, (), len(qubits)), qubits)


def remove(room: Room, point: int) -> Edits:
    """A step less."""
    if isinstance(room.program.code[point], STEPS):
        yield Edit("remove", (Remove(point),))


def _insertions(kind: str, made: Callable[[range], Iterable[Statement]], room: Room, point: int) -> Edits:
    """Each of the statements that are made of the program's qubits, at each place beside a point."""
    places = list(room.places(point))
    for statement in made(range(room.program.num_qubits)):
        for after in places:
            yield Edit(kind, (Insert(point, statement, after=after),))


def _gates(qubits: range) -> Iterator[Apply]:
    """S, T and their inverses on any qubit, CX and CZ on any two."""
    yield from (gate(name, q) for q in qubits for name in GATES)
    yield from (gate("cx", a, b) for a in qubits for b in qubits if a != b)
    yield from (gate("cz", a, b) for a in qubits for b in qubits if a < b)


INSERTED: dict[str, Callable[[range], Iterable[Statement]]] = {
    "insert-reset": partial(map, Reset),
    "insert-pauli": lambda qubits: (gate(name, q) for q in qubits for name in PAULIS),
    "insert-hadamard": lambda qubits: (gate("h", q) for q in qubits),
    "insert-gate": _gates,
}


Others = Callable[[Program, Statement], Iterable[Statement]]


def _replacements(kind: str, others: Others, room: Room, point: int) -> Edits:
    for other in others(room.program, room.program.code[point]):
        yield Edit(kind, (Replace(point, other),))


def _of_gates(others: Callable[[Apply], Iterable[Apply]]) -> Others:
    """What a gate may be taken for; nothing for other statements."""
    return lambda _, statement: others(statement) if isinstance(statement, Apply) else ()


def _other_operands(program: Program, statement: Statement) -> Iterator[Statement]:
    """Another qubit in the place of one operand of a gate, measurement or reset."""
    count = program.num_qubits
    match statement:
        case Apply(operator, qubits):
            for k in range(len(qubits)):
                for other in sorted(set(range(count)).difference(qubits)):
                    yield Apply(operator, (*qubits[:k], other, *qubits[k + 1 :]))
        case Measure(qubit, bit):
            yield from (Measure(other, bit) for other in range(count) if other != qubit)
        case Reset(qubit):
            yield from (Reset(other) for other in range(count) if other != qubit)


REPLACED: dict[str, Others] = {
    "inverse": _of_gates(inverse),
    "axis": _of_gates(other_axes),
    "sign": _of_gates(other_signs),
    "operand": _other_operands,
    "swap": _of_gates(swapped_operands),
    "control": _of_gates(other_controls),
    "condition": other_conditions,
}


def swap_bits(room: Room, point: int) -> Edits:
    """Two bits exchanged in every condition that reads one of them, this being the first such."""
    if point not in room.readers:
        return
    for first in room.bits:
        for second in room.bits[room.bits.index(first) + 1 :]:
            changed = {p: _exchanged(s, first, second) for p, s in room.readers.items()}
            actions = tuple(Replace(p, s) for p, s in changed.items() if s != room.readers[p])
            if len(actions) > 1 and actions[0].point == point:  # one alone is an edit of that condition
                yield Edit("swap-bits", actions)


def _exchanged(statement: Branch | Switch, first: int, second: int) -> Statement:
    new = {first: second, second: first}
    if isinstance(statement, Branch):
        return replace(statement, condition=renamed_bits(statement.condition, new))
    return replace(statement, target=renamed_bits(statement.target, new))


def bit(room: Room, point: int) -> Edits:
    """A measurement into another bit, or two measurements each into the other's."""
    statement = room.measurements.get(point)
    if statement is None:
        return
    for other in room.measurable:
        if other != statement.bit:
            yield Edit("bit", (Replace(point, Measure(statement.qubit, other)),))
    for further, second in room.measurements.items():
        if further > point and statement.bit != second.bit and statement.qubit != second.qubit:
            changed = Measure(statement.qubit, second.bit), Measure(second.qubit, statement.bit)
            yield Edit("bit", (Replace(point, changed[0]), Replace(further, changed[1])))


def move(room: Room, point: int) -> Edits:
    """A step and the next one, the other way round, where they share something."""
    code = room.program.code
    if not isinstance(code[point], STEPS) or point + 1 in room.program.joined:
        return
    if isinstance(code[point + 1], STEPS) and _share(code[point], code[point + 1]):
        yield Edit("move", (Exchange(point),))


def _share(first: Statement, second: Statement) -> bool:
    """Do the two touch a common qubit or bit, and differ?"""
    qubits = not set(first.qubits).isdisjoint(second.qubits)
    return first != second and (qubits or bool(_bits(first) & _bits(second)))


def _bits(statement: Statement) -> int:
    """The positions of the store that a statement reads or may change."""
    return statement.reads | sum(1 << bit for bit in set(statement.bits))


KINDS: dict[str, Callable[[Room, int], Edits]] = {
    "remove": remove,
    **{kind: partial(_insertions, kind, made) for kind, made in INSERTED.items()},
    **{kind: partial(_replacements, kind, others) for kind, others in REPLACED.items()},
    "swap-bits": swap_bits,
    "bit": bit,
    "move": move,
}
"""Every kind of edit by its name."""
