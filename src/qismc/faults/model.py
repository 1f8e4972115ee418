"""Which faults may happen: kinds, how many, and where.

A program with faults: at every site the environment may spend a fault, while there is one left.

The store gets a counter of the faults that are left and the current choice, which is forgotten at once. So
there are at most (at_most + 1) times the locations of the program, and some for each site: all combinations
of faults are covered by one check, and an execution shows which ones were chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from qismc.common import arguments
from qismc.common.arguments import shown, whole
from qismc.common.source import Source
from qismc.errors import UsageError, suggestion
from qismc.program import (
    Piece,
    Program,
    Variable,
    classical,
    inside,
    named_gate,
    original,
    rewritten,
    statements,
)

PAULIS = ("X", "Y", "Z")
READOUT = "readout"
KINDS = (*PAULIS, READOUT)
SITES = {
    statements.Apply: "gates",
    statements.Channel: "gates",
    statements.Initialize: "resets",
    statements.Reset: "resets",
    statements.Measure: "measurements",
}
"""What `where` calls the place after a gate or reset, and before a measurement (and a readout after it)."""
RANGE = re.compile(r"(?P<first>[^.]*)\.\.(?P<last>[^.]*)")
MOST = 16
"""Largest `at_most`."""
MANY = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class Faults:
    """At most `at_most` faults of some `kinds`, anywhere or `where` names say.

    A name is a quantum register or a qubit (`data`, `q[3]`: faults on these), a kind of site (`gates`,
    `resets`, `measurements`), a mark (faults at its location, before the statement that follows), or a range
    of marks (`encoded..decoded`, `encoded..`: sites between them). Names of one sort widen, names of several
    sorts narrow.
    """

    kinds: tuple[str, ...] = KINDS
    at_most: int = 1
    where: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", _words("kinds", self.kinds))
        if self.where is not None:
            object.__setattr__(self, "where", _words("where", self.where))
        for kind in self.kinds:
            if kind not in KINDS:
                hint = suggestion(kind, KINDS) or f"kinds are {', '.join(KINDS)}"
                raise UsageError(f"unknown kind of fault '{kind}'", hint=hint)
        if not self.kinds:
            raise UsageError("no kind of fault is given", hint=f"kinds are {', '.join(KINDS)}")
        object.__setattr__(self, "at_most", whole("at_most", self.at_most, 1, MOST))

    @staticmethod
    def parse(text: str) -> Faults:
        """`at-most=1,kinds=XZ,where=data+encoded..`, as on the command line."""
        arguments.text("faults", text)
        found: dict[str, str] = {}
        for part in text.split(","):
            name, _, value = part.partition("=")
            name = name.strip().replace("-", "_")
            if name not in ("at_most", "kinds", "where") or not value.strip():
                hint = "write at-most=1,kinds=XYZ+readout,where=data+encoded.."
                raise UsageError(f"'{part.strip()}' is no setting of faults", hint=hint)
            found[name] = value.strip()
        if not MANY.fullmatch(found.get("at_most", "1")):
            raise UsageError(f"at-most={found['at_most']:.20} is no number from 1 to {MOST}")
        kinds = KINDS if "kinds" not in found else _kinds(found["kinds"])
        where = tuple(found["where"].split("+")) if "where" in found else None
        return Faults(kinds, int(found.get("at_most", "1")), where)


def _kinds(text: str) -> tuple[str, ...]:
    """`XZ+readout`."""
    kinds: list[str] = []
    for word in text.split("+"):
        kinds += [word] if word == READOUT else list(word.strip().upper())
    return tuple(kinds)


def _words(name: str, given: str | Iterable[str]) -> tuple[str, ...]:
    words = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else None
    if words is None or not all(isinstance(word, str) for word in words):
        raise UsageError(f"{name} of faults is {shown(given)}; it must be a word or a list of words")
    return words


@dataclass(frozen=True)
class _Where:
    """What `where` means in a program; where nothing is said, everything is meant."""

    qubits: set[int] = field(default_factory=set)
    sites: set[str] = field(default_factory=set)
    marks: set[int] = field(default_factory=set)
    """Points of marks: if there are some, faults happen only before what stands there."""
    points: set[int] = field(default_factory=set)
    """Points between marks."""

    @classmethod
    def of(cls, faults: Faults, program: Program) -> _Where:
        """Look the names up; raises UsageError."""
        found = cls()
        for name in faults.where or ():
            between = RANGE.fullmatch(name)
            if between is not None:
                found.points.update(_between(program, between["first"], between["last"]))
            elif name in SITES.values():
                found.sites.add(name)
            elif name in program.quantum_registers:
                found.qubits.update(program.quantum_registers[name])
            elif name in program.qubits:
                found.qubits.add(program.qubits.index(name))
            else:
                found.marks.update(_points(program, name))
        return found


def _points(program: Program, mark: str) -> list[int]:
    found = [point for point, names in program.marked.items() if mark in names]
    if not found:
        known = [*program.quantum_registers, *program.qubits, *SITES.values(), *program.marks]
        raise UsageError(f"faults at '{mark}': no such qubit, register or mark", hint=suggestion(mark, known))
    return found


def _between(program: Program, first: str, last: str) -> range:
    start = min(_points(program, first)) if first else 0
    end = max(_points(program, last)) if last else len(program.code)
    if start >= end:
        raise UsageError(f"nothing stands between the marks '{first}' and '{last}'")
    return range(start, end)


FAULT = "fault: "
"""How the text of a statement that is a fault begins."""


class _Choice(NamedTuple):
    """One fault: what it does, and its name."""

    statement: statements.Statement
    text: str


class _Site(NamedTuple):
    """The faults that may happen at one place."""

    choices: list[_Choice]
    text: str


class _Sites:
    """The places of a program where faults may happen."""

    def __init__(self, program: Program, faults: Faults) -> None:
        self._program = program
        self._faults = faults
        self._where = _Where.of(faults, program)
        self._paulis = [kind for kind in PAULIS if kind in faults.kinds]

    def at(self, point: int) -> tuple[list[_Site], list[_Site]]:
        """The sites before and after a statement."""
        where, text = self._where, self._program.text(point)
        if where.marks:
            everything = tuple(range(self._program.num_qubits))
            return (self._on(everything, f"before '{text}'") if point in where.marks else []), []
        statement = self._program.code[point]
        site = SITES.get(type(statement))
        outside = where.points and point not in where.points
        if outside or site is None or (where.sites and site not in where.sites):
            return [], []
        if isinstance(statement, statements.Measure):
            return self._on(statement.qubits, f"before '{text}'"), self._readout(statement, text)
        return [], self._on(statement.qubits, f"after '{text}'")

    def _on(self, qubits: tuple[int, ...], where: str) -> list[_Site]:
        """One site per qubit; while one fault is allowed, one for all of them says the same with less."""
        chosen = [q for q in qubits if not self._where.qubits or q in self._where.qubits]
        groups = [chosen] if self._faults.at_most == 1 else [[q] for q in chosen]
        sites = [
            _Site([self._pauli(kind, q) for q in group for kind in self._paulis], where) for group in groups
        ]
        return [site for site in sites if site.choices]

    def _pauli(self, kind: str, qubit: int) -> _Choice:
        gate = statements.Apply(named_gate(kind.lower(), (), 1), (qubit,))
        return _Choice(gate, f"{kind} on {self._program.qubits[qubit]}")

    def _readout(self, measure: statements.Measure, text: str) -> list[_Site]:
        outside = self._where.qubits and measure.qubit not in self._where.qubits
        if READOUT not in self._faults.kinds or outside:
            return []
        flip = statements.Assign(measure.bits, classical.Unary("not", classical.Read(measure.bits)))
        return [_Site([_Choice(flip, "wrong readout")], f"of '{text}'")]


def with_faults(program: Program, faults: Faults) -> Program:
    """The program in which at most so many faults happen."""
    finder = _Sites(program, faults)
    sites = {point: finder.at(point) for point in range(len(program.code))}
    sites = {point: around for point, around in sites.items() if any(around)}
    if not sites:
        raise UsageError("there is no place for a fault", hint="kinds and where leave none")
    most = max(len(site.choices) for around in sites.values() for some in around for site in some)
    first, second = program.store_width, program.store_width + faults.at_most.bit_length()
    width = second + most.bit_length()
    left = Variable("faults left", tuple(range(first, second)), hidden=True)
    choice = Variable("fault", tuple(range(second, width)), hidden=True)
    wider = replace(
        program,
        variables={**program.variables, left.name: left, choice.name: choice},
        store_width=width,
        initial_store=classical.write_bits(program.initial_store, left.bits, faults.at_most),
    )
    pieces = {}
    for point, (ahead, behind) in sites.items():
        source, found = program.sources[point], list[Piece]()
        for site in ahead:
            found += _written(site, left.bits, choice.bits, source, len(found))
        found.append(original(program, point))
        for site in behind:
            found += _written(site, left.bits, choice.bits, source, len(found))
        pieces[point] = found
    return rewritten(wider, pieces)


def _written(
    site: _Site, left: tuple[int, ...], choice: tuple[int, ...], source: Source | None, place: int
) -> Iterator[Piece]:
    """`if (left) { choose; switch (choice) { case 1: fault; … } }`, its first piece at a place of a list.

    A fault takes one away from those that are left, and every way forgets the choice.
    """
    count = len(site.choices)
    end = place + 4 + 3 * count
    remaining, number = classical.Read(left), classical.Read(choice)
    cases = {0: inside(end), **{k + 1: inside(place + 3 + 3 * k) for k in range(count)}}
    spent = statements.Assign(left + choice, classical.Binary("-", remaining, classical.Const(1)))

    def glue(statement: statements.Statement, text: str | None = None) -> Piece:
        return Piece(statement, source, text, glue=True)

    yield glue(statements.Branch(remaining, inside(place + 1), inside(end)), f"a fault {site.text}?")
    yield glue(statements.Havoc(choice), f"which fault {site.text}?")
    yield glue(statements.Switch(number, inside(end - 1), cases), f"the fault {site.text}")
    for fault in site.choices:
        yield Piece(fault.statement, source, f"{FAULT}{fault.text} {site.text}")
        yield glue(spent, "a fault less is left")
        yield glue(statements.Jump(inside(end)))
    yield glue(statements.Assign(choice, classical.Const(0)), "no fault")


def is_fault(program: Program, point: int) -> bool:
    """Is the statement at a point a fault that the environment chose?"""
    return point not in program.glue and (program.texts[point] or "").startswith(FAULT)
