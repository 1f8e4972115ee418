"""Which faults may happen: kinds, how many, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from qismc.common import arguments
from qismc.common.arguments import shown, whole
from qismc.errors import UsageError, suggestion
from qismc.program import Program

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
