"""The program that the rest of the pipeline sees: flat code with source positions and a classical layout."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from qismc.common.lazily import cached_property
from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.classical import Store, Variable
from qismc.program.operators import Operator
from qismc.program.rendering import render
from qismc.program.statements import Apply, Channel, Goto, Initialize, Jump, Leaf, Measure, Reset, Statement
from qismc.program.virtual import PHYSICAL, Virtual

T = TypeVar("T")


@dataclass(frozen=True)
class Annotation:
    """A line such as `//@ spec safe: AG (leaf -> ok)` in the program's own text."""

    kind: str
    name: str | None
    text: str
    source: Source | None = None


@dataclass(frozen=True)
class Program:
    """Flat code. Point p is code[p]; `sources[p]` and `texts[p]` say what the user wrote there."""

    name: str
    qubits: tuple[str, ...]
    quantum_registers: Mapping[str, tuple[int, ...]]
    variables: Mapping[str, Variable]
    store_width: int
    code: Sequence[Statement]
    sources: Sequence[Source | None]
    texts: Sequence[str | None]
    initial_store: Store = 0
    annotations: tuple[Annotation, ...] = ()
    warnings: tuple[str, ...] = ()
    lines: Mapping[str, Sequence[str]] = field(default_factory=dict)
    include: tuple[str, ...] = ()
    """Folders of files that the text may include, besides its own."""
    marked: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The marks that name each point."""
    glue: frozenset[int] = frozenset()
    """Points that no text stands for and that do nothing to the qubits: reports leave steps there out."""
    absent_marks: frozenset[str] = frozenset()
    """Marks of the text that no point has: those of a `for` without turns, of a subroutine without calls."""
    ancillas: frozenset[int] = frozenset()
    """Qubits that the program declares as ancillas."""
    inputs: tuple[int, ...] = ()
    """Qubits that stand for all their states (`any on q`): the last qubits are their partners, in order."""
    virtual: Virtual | None = None
    """The qubits of the circuit that this one was transpiled from."""

    _known: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, key: Hashable, find: Callable[[Program], T]) -> T:
        """What `find` finds out about the program, found once; a changed program starts anew."""
        if key not in self._known:
            self._known[key] = find(self)
        found: T = self._known[key]
        return found

    def __getstate__(self) -> dict[str, Any]:
        """What can be found out again does not travel."""
        return {**vars(self), "_known": {}}

    def __repr__(self) -> str:
        return f"<Program {self.name}: {len(self.qubits)} qubits, {self.num_statements} statements>"

    @property
    def own_qubits(self) -> tuple[int, ...]:
        """The qubits of the text, without partners."""
        return tuple(range(self.num_qubits - len(self.inputs)))

    @property
    def partners(self) -> dict[int, int]:
        """The partner of each input."""
        return {q: self.num_qubits - len(self.inputs) + k for k, q in enumerate(self.inputs)}

    @property
    def num_qubits(self) -> int:
        return len(self.qubits)

    @cached_property
    def named_registers(self) -> Mapping[str, tuple[int, ...]]:
        """The quantum registers by name; those of a transpiled circuit also as `physical_q`."""
        if self.virtual is None:
            return self.quantum_registers
        said = {f"{PHYSICAL}{name}": qubits for name, qubits in self.quantum_registers.items()}
        return {**said, **self.quantum_registers}

    @cached_property
    def entry(self) -> int:
        return self.settle(0)

    def settle(self, point: int) -> int:
        """The point where control really arrives: jumps are followed."""
        statement = self.code[point]
        while type(statement) is Jump:
            point = statement.target
            statement = self.code[point]
        return point

    @property
    def joined(self) -> frozenset[int]:
        """The points that some statement names as its successor."""
        return self.once("joined", lambda p: frozenset(target for s in p.code for target in s.targets))

    @property
    def goes_forwards(self) -> bool:
        """Does control never go back to an earlier point? Then there are no loops."""
        return all(target > point for point, s in enumerate(self.code) for target in s.targets)

    @cached_property
    def marks(self) -> frozenset[str]:
        return self.absent_marks.union(name for names in self.marked.values() for name in names)

    @cached_property
    def num_statements(self) -> int:
        """How many statements the user sees (jumps and the end are not)."""
        return sum(not isinstance(s, Jump | Leaf) for s in self.code)

    def text(self, point: int) -> str:
        """The statement at `point` as the user would write it."""
        text = self.texts[point]
        return text if text is not None else render(self, self.code[point])


@dataclass(frozen=True, eq=False, repr=False)
class Values(Mapping[str, int]):
    """name -> value; long executions of programs with many variables share nothing but the store."""

    program: Program
    store: Store

    def __getitem__(self, name: str) -> int:
        variable = self.program.variables[name]
        if variable.hidden:
            raise KeyError(name)
        return variable.value(self.store)

    def __iter__(self) -> Iterator[str]:
        return (name for name, variable in self.program.variables.items() if not variable.hidden)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Values) and other.program is self.program and other.store == self.store:
            return True
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(self.store)

    def __repr__(self) -> str:
        return repr(dict(self))


class Copies:
    """The points whose statements have the same source position and the same text.

    Such statements come from loops that were unrolled, and from lines of Python that ran again.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self.by_source: dict[Source | None, list[int]] = defaultdict(list)
        """The points that were made from each source position."""
        for point, source in enumerate(program.sources):
            self.by_source[source].append(point)
        self._alike: dict[Source | None, dict[object, list[int]]] = {}

    def of(self, point: int) -> Sequence[int]:
        """The copies of a statement, itself among them."""
        source = self._program.sources[point]
        if len(self.by_source[source]) == 1:
            return (point,)
        if source not in self._alike:
            alike = self._alike[source] = defaultdict(list)
            for other in self.by_source[source]:
                alike[self._look(other)].append(other)
        return self._alike[source][self._look(point)]

    def is_turn(self, point: int) -> bool:
        """Does a turn of an unrolled loop begin here?"""
        statement = self._program.code[point]
        return isinstance(statement, Goto) and statement.loop

    def _look(self, point: int) -> object:
        """Equal for statements that are written alike. Targets of copies differ, so texts are compared."""
        statement = self._program.code[point]
        if self.is_turn(point):
            return Goto  # the turns of a loop stand once in the text, whatever their values
        if self._program.texts[point] is None and isinstance(statement, Apply | Measure | Reset):
            return statement
        return self._program.text(point)


def copies_of(program: Program) -> Copies:
    """The copies in a program, found once."""
    return program.once("copies", Copies)


def fingerprint(program: Program) -> str:
    """A hash of what the program does: programs with one fingerprint have the same transition system.

    It covers code, registers, variables and start; file names and source positions are left out.
    """
    return program.once("fingerprint", _fingerprint)


def _fingerprint(program: Program) -> str:
    digest = hashlib.blake2b(digest_size=16)
    layout = (program.qubits, dict(program.quantum_registers), dict(program.variables), program.store_width)
    digest.update(repr((layout, program.initial_store)).encode())
    marks = sorted(program.marked.items())
    digest.update(f"([{', '.join(_texts(program))}], {marks!r})".encode())
    return digest.hexdigest()


def _texts(program: Program) -> list[str]:
    """What each statement does, as text."""
    operators: dict[int, int] = {}
    places: dict[tuple[int, ...], str] = {}
    found: list[str] = []
    for statement in program.code:
        if type(statement) is Apply:  # by far the most
            operator, qubits = statement
            number = operators.get(id(operator))
            if number is None:
                number = _number(operator, operators, found)
            place = places.get(qubits)
            if place is None:
                place = places[qubits] = repr(qubits)
            found.append(f"({number}, {place})")
            continue
        match statement:
            case Initialize(qubits, preparation):
                found.append(repr(("initialize", _number(preparation, operators, found), qubits)))
            case Channel(qubits, kraus):
                found.append(repr(("channel", [_number(k, operators, found) for k in kraus], qubits)))
            case _:
                found.append(repr(statement))
    return found


def _number(operator: Operator, known: dict[int, int], found: list[str]) -> int:
    """The number of an operator. Its factors are written to `found` where it first occurs."""
    if id(operator) not in known:
        known[id(operator)] = len(known)
        found.append(repr((operator.width, operator.factors)))
    return known[id(operator)]


BUILT_IN = ("leaf", "loop", "init", "reached", "true", "false", "full", "zero")
"""Names that mean something in every specification. Marks and propositions cannot have them.

Registers and variables can, because the program chooses their names for other reasons: in a formula such a
name in quotes is the user's own."""
LOCATION = re.compile(r"[l@](\d+)\Z", re.ASCII)
"""Locations by number: l7 or @7."""


def is_reserved(name: str) -> bool:
    """Does the name mean a built-in or a location?"""
    return name in BUILT_IN or LOCATION.match(name) is not None


def reserved_meaning(name: str) -> str:
    """What a reserved name stands for, in words."""
    located = LOCATION.match(name)
    return f"location {located[1]}" if located else f"the built-in '{name}'"


def check_mark(name: str, source: Source | None) -> None:
    """Refuse a mark that formulas could not tell from a built-in."""
    if is_reserved(name):
        message = f"a mark cannot be called '{name}': in formulas that is {reserved_meaning(name)}"
        raise ProgramError(message, source=source, hint="choose another name")
