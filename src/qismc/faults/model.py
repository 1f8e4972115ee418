"""Which faults may happen: kinds, how many, and where.

A program with faults: at every site the environment may spend a fault, while there is one left.

The store gets a counter of the faults that are left and the current choice, which is forgotten at once. So
there are at most (at_most + 1) times the locations of the program, and some for each site: all combinations
of faults are covered by one check, and an execution shows which ones were chosen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from typing_extensions import assert_never

from qismc.common import arguments
from qismc.common.arguments import shown, whole
from qismc.common.source import Source
from qismc.errors import UsageError, suggestion
from qismc.program import (
    Apply,
    Assign,
    Binary,
    Branch,
    Channel,
    Classical,
    Const,
    Control,
    Havoc,
    Initialize,
    Jump,
    Measure,
    Piece,
    Program,
    Read,
    Reset,
    Statement,
    Switch,
    Unary,
    Variable,
    inside,
    named_gate,
    original,
    rewritten,
    write_bits,
)

PAULIS = ("X", "Y", "Z")
READOUT = "readout"
KINDS = (*PAULIS, READOUT)
SITES = ("gates", "resets", "measurements")
"""After gates, after resets and initialisations, before measurements (and readouts after them)."""
RANGE = re.compile(r"(?P<first>[^.]*)\.\.(?P<last>[^.]*)")
MOST = 16
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
class Places:
    """What `where` means in a program; None stands for "everywhere"."""

    qubits: frozenset[int] | None = None
    sites: frozenset[str] | None = None
    marks: frozenset[int] | None = None
    """Points of marks: the only places where faults happen, if there are some."""
    points: frozenset[int] | None = None
    """Points between marks."""


def places(faults: Faults, program: Program) -> Places:
    """Look the names of `where` up; raises UsageError."""
    qubits: set[int] = set()
    sites: set[str] = set()
    marks: set[int] = set()
    points: set[int] = set()
    for name in faults.where or ():
        between = RANGE.fullmatch(name)
        if between is not None:
            points.update(_between(program, between["first"], between["last"]))
        elif name in SITES:
            sites.add(name)
        elif name in program.quantum_registers:
            qubits.update(program.quantum_registers[name])
        elif name in program.qubits:
            qubits.add(program.qubits.index(name))
        else:
            marks.update(_points(program, name))
    return Places(
        frozenset(qubits) or None,
        frozenset(sites) or None,
        frozenset(marks) or None,
        frozenset(points) or None,
    )


def _points(program: Program, mark: str) -> list[int]:
    found = [point for point, names in program.marked.items() if mark in names]
    if not found:
        known = [*program.quantum_registers, *program.qubits, *SITES, *program.marks]
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


@dataclass(frozen=True)
class _Choice:
    """One fault: what it does, and its name."""

    statement: Statement
    text: str


@dataclass(frozen=True)
class _Site:
    """The faults that may happen at one place."""

    choices: tuple[_Choice, ...]
    text: str


def with_faults(program: Program, faults: Faults) -> Program:
    """The program in which at most so many faults happen."""
    room = _Room(program, faults)
    pieces = {}
    for point in range(len(program.code)):
        ahead, behind = room.sites(point)
        if ahead or behind:
            pieces[point] = room.pieces(point, ahead, behind)
    if not pieces:
        raise UsageError("there is no place for a fault", hint="kinds and where leave none")
    changed = rewritten(room.program, pieces)
    glue, start = set[int](), 0
    for point in range(len(program.code)):
        found = pieces.get(point, ())
        glue.update(start + k for k, piece in enumerate(found) if _is_glue(piece, program, point))
        start += len(found) or 1
    return replace(changed, glue=frozenset(glue))


def _is_glue(piece: Piece, program: Program, point: int) -> bool:
    """Is it there for the choice alone: neither the user's statement nor a fault?"""
    return piece.statement is not program.code[point] and not (piece.text or "").startswith(FAULT)


def _kind_of_site(statement: Statement) -> str | None:
    """What `where` calls a place with such a statement; None where no fault happens."""
    match statement:
        case Apply() | Channel():
            return "gates"
        case Initialize() | Reset():
            return "resets"
        case Measure():
            return "measurements"
    if isinstance(statement, Classical | Control):
        return None
    assert_never(statement)


class _Room:
    """The program with its further variables, and the sites at its points."""

    def __init__(self, program: Program, faults: Faults) -> None:
        self._faults = faults
        self._places = places(faults, program)
        self._paulis = [kind for kind in PAULIS if kind in faults.kinds]
        self.program = program
        found = (site for p in range(len(program.code)) for sites in self.sites(p) for site in sites)
        most = max((len(site.choices) for site in found), default=0)
        width = program.store_width
        self._left = tuple(range(width, width + faults.at_most.bit_length()))
        self._choice = tuple(range(self._left[-1] + 1, self._left[-1] + 1 + most.bit_length()))
        hidden = [
            Variable("faults left", self._left, hidden=True),
            Variable("fault", self._choice, hidden=True),
        ]
        self.program = replace(
            program,
            variables={**program.variables, **{variable.name: variable for variable in hidden}},
            store_width=width + len(self._left) + len(self._choice),
            initial_store=write_bits(program.initial_store, self._left, faults.at_most),
        )

    def sites(self, point: int) -> tuple[tuple[_Site, ...], tuple[_Site, ...]]:
        """The sites before and after a statement."""
        where = self._places
        if where.marks is not None:
            everything = tuple(range(self.program.num_qubits))
            at_mark = (
                self._site(everything, f"before '{self.program.text(point)}'") if point in where.marks else ()
            )
            return at_mark, ()
        if where.points is not None and point not in where.points:
            return (), ()
        text = self.program.text(point)
        statement = self.program.code[point]
        if not self._allows(_kind_of_site(statement)):
            return (), ()
        if isinstance(statement, Measure):
            before = self._site(statement.qubits, f"before '{text}'")
            return before, self._readout(statement.qubit, statement.bit, text)
        return (), self._site(statement.qubits, f"after '{text}'")

    def _allows(self, site: str | None) -> bool:
        return site is not None and (self._places.sites is None or site in self._places.sites)

    def _site(self, qubits: tuple[int, ...], where: str) -> tuple[_Site, ...]:
        """One site per qubit; while one fault is allowed, one for all of them says the same with less."""
        chosen = [q for q in qubits if self._places.qubits is None or q in self._places.qubits]
        if self._faults.at_most == 1:
            return self._shared(chosen, where)
        return tuple(site for qubit in chosen for site in self._shared([qubit], where))

    def _shared(self, qubits: list[int], where: str) -> tuple[_Site, ...]:
        names = self.program.qubits
        found = tuple(
            _Choice(Apply(named_gate(kind.lower(), (), 1), (qubit,)), f"{kind} on {names[qubit]}")
            for qubit in qubits
            for kind in self._paulis
        )
        return (_Site(found, where),) if found else ()

    def _readout(self, qubit: int, bit: int, text: str) -> tuple[_Site, ...]:
        outside = self._places.qubits is not None and qubit not in self._places.qubits
        if READOUT not in self._faults.kinds or outside:
            return ()
        flip = Assign((bit,), Unary("not", Read((bit,))))
        return (_Site((_Choice(flip, "wrong readout"),), f"of '{text}'"),)

    def pieces(self, point: int, ahead: tuple[_Site, ...], behind: tuple[_Site, ...]) -> list[Piece]:
        """The statement between its sites."""
        source = self.program.sources[point]
        found: list[Piece] = []
        for site in ahead:
            found += self._written(site, source, len(found))
        found.append(original(self.program, point))
        for site in behind:
            found += self._written(site, source, len(found))
        return found

    def _written(self, site: _Site, source: Source | None, place: int) -> Iterator[Piece]:
        """`if (left) { choose; switch (choice) { case 1: fault; … } }`, its first piece at a place of a list.

        A fault takes one away from those that are left, and every way forgets the choice.
        """
        count = len(site.choices)
        end = place + 4 + 3 * count
        cases = {k + 1: inside(place + 3 + 3 * k) for k in range(count)}
        yield Piece(Branch(Read(self._left), inside(place + 1), inside(end)), source, f"a fault {site.text}?")
        yield Piece(Havoc(self._choice), source, f"which fault {site.text}?")
        switch = Switch(Read(self._choice), inside(end - 1), {0: inside(end), **cases})
        yield Piece(switch, source, f"the fault {site.text}")
        spent = Assign(self._left + self._choice, Binary("-", Read(self._left), Const(1)))
        for choice in site.choices:
            yield Piece(choice.statement, source, f"{FAULT}{choice.text} {site.text}")
            yield Piece(spent, source, "a fault less is left")
            yield Piece(Jump(inside(end)), source)
        yield Piece(Assign(self._choice, Const(0)), source, "no fault")


def is_fault(program: Program, point: int) -> bool:
    """Is the statement at a point a fault that the environment chose?"""
    return point not in program.glue and (program.texts[point] or "").startswith(FAULT)
