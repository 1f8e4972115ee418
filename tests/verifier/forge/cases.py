"""Random small programs with formulas, and the certificates that are really written for them."""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import qismc
from qismc import QuantumCircuit
from qismc.errors import QismcError
from qismc.program import read_program
from qismc.program.program import Annotation, Program

Data = dict[str, Any]
QUBITS, BITS = 2, 2
KETS = ("|00>", "|10>", "|+0>", "|0+>", "|11>", "|r1>", "|00> + |11>", "|01> - i |10>", "sqrt(3) |00> + |01>")
SMALL = ("|0>", "|1>", "|+>", "|->", "|0> + i |1>", "stab(Z)", "~|1>", "zero", "full")
NAMES = ("leaf", "A", "B", "loop", "init", "reached")


@dataclass
class Case:
    """A program, what was asked of it, and the certificate."""

    circuit: QuantumCircuit
    program: Program
    data: Data
    truths: dict[tuple[object, ...], object] = field(default_factory=dict)
    """Answers of the oracle, kept."""


def circuit(random: Random) -> QuantumCircuit:
    """Outcomes are overwritten often: then paths of the graph need not be executions."""
    made = QuantumCircuit(QUBITS, BITS)
    if random.random() < 0.5:
        _statements(made, random, random.randint(2, 6), 2)
    else:
        _forgetful(made, random)
    return made


def _forgetful(made: QuantumCircuit, random: Random) -> None:
    """The same qubit decides twice, its first outcome being forgotten in between."""
    qubit, bit = random.randrange(QUBITS), made.clbits[random.randrange(BITS)]
    made.h(qubit)
    for mark in "AB":
        made.measure(qubit, bit)
        with made.if_test((bit, random.randrange(2))):
            made.mark(mark)
            made.z(qubit)
            _statements(made, random, 1, 0)
        made.measure(1 - qubit, bit)
        _statements(made, random, random.randrange(2), 1)


def _statements(made: QuantumCircuit, random: Random, count: int, depth: int) -> None:
    for _ in range(count):
        kinds = ["gate"] * 3 + ["measure"] * 3 + ["mark", "reset"] + ["if", "while"] * (depth > 0)
        qubit, bit = random.randrange(QUBITS), made.clbits[random.randrange(BITS)]
        match random.choice(kinds):
            case "gate":
                _gate(made, random, qubit)
            case "measure":
                made.measure(qubit, bit)
            case "mark":
                made.mark(random.choice("AB"))
                made.z(qubit)  # so that all agree on the location that is named
            case "reset":
                made.reset(qubit)
            case "if":
                with made.if_test((bit, random.randrange(2))):
                    _statements(made, random, random.randint(1, 3), depth - 1)
            case _:
                with made.while_loop((bit, 1)):
                    _statements(made, random, random.randint(1, 2), depth - 1)
                    made.measure(random.randrange(QUBITS), bit)


def _gate(made: QuantumCircuit, random: Random, qubit: int) -> None:
    match random.choice(["h", "h", "x", "z", "s", "t", "cx", "ry"]):
        case "cx":
            made.cx(qubit, 1 - qubit)
        case "ry":
            made.ry(random.choice([math.pi / 3, math.pi / 2, 2 * math.pi / 3]), qubit)
        case name:
            getattr(made, name)(qubit)


# --- questions ---------------------------------------------------------------------------------------------


def subspace(random: Random, names: tuple[str, ...] = (), depth: int = 2) -> str:
    """The text of a random subspace."""
    one = f"({random.choice(SMALL)}) on q[{random.randrange(QUBITS)}]"
    simple = [random.choice(KETS), one, "stab(ZZ)", f"span({random.choice(KETS)}, {random.choice(KETS)})"]
    if depth == 0 or random.random() < 0.6:
        return random.choice([*simple, *names, "sp(A)" if random.random() < 0.2 else "|00>"])
    left, right = (subspace(random, names, depth - 1) for _ in range(2))
    return random.choice([f"~({left})", f"(({left}) /\\ ({right}))", f"(({left}) \\/ ({right}))"])


def formula(random: Random, names: tuple[str, ...] = (), depth: int = 3) -> str:
    """The text of a random formula."""
    if depth == 0 or random.random() < 0.15:
        return _atom(random, names)
    p, q = (formula(random, names, depth - 1) for _ in range(2))
    return random.choice(
        [
            *(f"{quantifier}{op} ({p})" for quantifier in "AE" for op in "GFX"),
            f"{random.choice('AE')}[{p} {random.choice('UWR')} {q}]",
            f"AG ({_atom(random, names)} -> {q})",
            f"EF ({_atom(random, names)} & {q})",
            f"AG ({random.choice(NAMES)} -> {random.choice(['AF', 'EF', 'EG'])} {random.choice(NAMES)})",
            f"{random.choice('AE')}[!{random.choice(NAMES)} U {random.choice(NAMES)}]",
            f"P{random.choice(['=1', '>0'])} [{random.choice('FG')} {_atom(random, names)}]",
            f"P{random.choice(['=1', '>0'])} [{p} {random.choice('UWR')} {q}]",
            f"!({p})",
            f"(({p}) {random.choice(['&', '|', '->', '<->'])} ({q}))",
        ]
    )


def _atom(random: Random, names: tuple[str, ...]) -> str:
    value, bit = random.randrange(4), random.randrange(BITS)
    simple = [random.choice(NAMES), f"c == {value}", f"c[{bit}]", f"c != {value}"]
    return random.choice([*simple, f"({subspace(random, names, 1)})"])


# --- certificates ------------------------------------------------------------------------------------------


def case(random: Random) -> Case | None:
    """A program with a certificate; None if none could be written."""
    made = circuit(random)
    props = {name: subspace(random, depth=1) for name in ("p", "r")[: random.randrange(3)]}
    names = tuple(props)
    specs = {f"f{k}": formula(random, names, random.randint(1, 3)) for k in range(random.randint(1, 3))}
    init = random.choice([None, None, random.choice(KETS), f"span({KETS[0]}, {random.choice(KETS[1:])})"])
    own = {"specs": specs, "init": init, "props": props} if random.random() < 0.5 else {}
    kept = dict(specs)
    while kept:
        data = _certificate(made, kept, props, init, random)
        if data is not None:
            return Case(made, _with_own_text(read_program(made), own), data)
        kept.popitem()
    return None


def _with_own_text(program: Program, own: Data) -> Program:
    """The program as if its text had `//@` lines."""
    lines = [Annotation("spec", name, text) for name, text in own.get("specs", {}).items()]
    lines += [Annotation("prop", name, text) for name, text in own.get("props", {}).items()]
    lines += [Annotation("init", None, own["init"])] if own.get("init") else []
    return replace(program, annotations=tuple(lines))


def _certificate(
    made: QuantumCircuit, specs: dict[str, str], props: dict[str, str], init: str | None, random: Random
) -> Data | None:
    options = {"paths": random.choice(["feasible"] * 4 + ["all"]), "keep_dead": random.random() < 0.5}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        try:
            qismc.check(made, specs, props=props, init=init, certificate=path, **options)
        except QismcError:
            return None
        return dict(json.loads(path.read_text(encoding="utf-8")))


def example_cases(folder: Path) -> list[Case]:
    """The certificates of the examples that have formulas and a certificate."""
    found = []
    for file in sorted(folder.rglob("*.qasm")):
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "certificate.json"
            try:
                qismc.check(str(file), certificate=path)
            except QismcError:
                continue
            data = json.loads(path.read_text(encoding="utf-8"))
            found.append(Case(QuantumCircuit(), read_program(str(file)), data))
    return found
