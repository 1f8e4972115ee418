"""Programs with literal angles that depend on each other and on pi, as written and transpiled: verdicts and
evidence against executions of the Qiskit circuit itself. QISMC_PROGRAMS=1000 looks at more of them."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable

import numpy as np
import pytest
from qiskit import transpile
from qiskit.quantum_info import Statevector

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.evidence.execution import Execution, Step

from .walk import Formula, Matrix, Place, Walk, embed, inside, perp, span

PROGRAMS = int(os.environ.get("QISMC_PROGRAMS", "60"))
FORMULAS = 6
PI = math.pi
BASES = (["u", "cx"], ["rz", "sx", "x", "cx"], ["rx", "rz", "cz"], ["ry", "rx", "cz"])
LITERALS = (0.3, 0.7, 17, 0.1 + 0.2, 1 / 3, 0.12345678, 1.234567890123456, 2 * math.acos(math.sqrt(1 / 3)))
KETS = {"0": (1, 0), "1": (0, 1), "+": (0.5**0.5, 0.5**0.5), "-": (0.5**0.5, -(0.5**0.5))}


# --- programs ----------------------------------------------------------------------------------------------


def angles(rng: random.Random) -> list[float]:
    t = rng.choice((*LITERALS, rng.uniform(0, 3)))
    s = rng.choice((0.4, 2 / 7, math.e, rng.uniform(0, 3)))
    related = [t, -t, PI - t, t + PI, t / 2 + PI / 4, 2 * t - PI / 2, -t / 2, 3 * t, 2 * PI - t]
    return rng.sample([*related, s, -s, t + s, t - s, s - t, t * s, -t * s, PI / 2, PI / 4, PI / 3, PI], 4)


def add_gate(circuit: QuantumCircuit, rng: random.Random, known: list[float]) -> None:
    qubits = rng.sample(range(circuit.num_qubits), min(2, circuit.num_qubits))
    name = rng.choice(["rx", "ry", "ry", "rz", "undone", "h", "x", "t", "cx", "crx"])
    match name:
        case "cx" | "crx" if len(qubits) < 2:
            circuit.h(0)
        case "cx":
            circuit.cx(*qubits)
        case "crx":
            circuit.crx(rng.choice(known), *qubits)
        case "undone":
            angle = rng.choice(known)
            circuit.ry(angle, qubits[0])
            circuit.ry(rng.choice([0, PI, -PI, PI / 2]) - angle, qubits[0])
        case "rx" | "ry" | "rz":
            getattr(circuit, name)(rng.choice(known), qubits[0])
        case _:
            getattr(circuit, name)(qubits[0])


def fill(
    circuit: QuantumCircuit, rng: random.Random, known: list[float], length: int, depth: int = 0
) -> None:
    """Few bits, which are overwritten; few qubits, which are reset while entangled."""
    qubit, bit = (lambda: rng.randrange(circuit.num_qubits)), (lambda: rng.randrange(circuit.num_clbits))
    for _ in range(length):
        kind = rng.choice(["gate"] * 5 + ["measure"] * 2 + ["reset", "if", "while", "mark"])
        if kind == "measure":
            circuit.measure(qubit(), bit())
        elif kind == "reset":
            circuit.reset(qubit())
        elif kind == "if" and depth < 2:
            with circuit.if_test((circuit.clbits[bit()], rng.randrange(2))):
                fill(circuit, rng, known, rng.randint(1, 2), depth + 1)
        elif kind == "while" and not depth:
            with circuit.while_loop((circuit.clbits[bit()], rng.randrange(2))):
                fill(circuit, rng, known, rng.randint(0, 2), 2)
                circuit.measure(qubit(), bit())
        else:
            if kind == "mark" and not depth:
                circuit.mark(f"m{len(circuit.data)}")
            add_gate(circuit, rng, known)


def program(rng: random.Random) -> QuantumCircuit:
    circuit = QuantumCircuit(rng.choice([1, 1, 2, 2, 3]), rng.choice([1, 1, 2]))
    fill(circuit, rng, angles(rng), rng.randint(2, 7))
    if rng.random() < 0.4:
        basis = [*rng.choice(BASES), "if_else", "while_loop"]
        return transpile(circuit, basis_gates=basis, optimization_level=rng.randrange(4), seed_transpiler=1)
    return circuit


def hidden(rng: random.Random, width: int) -> QuantumCircuit:
    """Often a simple state, made with angles whose dependence no linear relation shows."""
    circuit, known = QuantumCircuit(width), angles(rng)
    for _ in range(2):
        qubit = rng.randrange(width)
        circuit.rx(rng.choice(known), qubit)
        circuit.ry(rng.choice(known), qubit)
    merged = transpile(circuit, basis_gates=rng.choice(BASES), optimization_level=1, seed_transpiler=1)
    if rng.random() < 0.8:
        circuit.compose(merged.inverse(), inplace=True)
    if rng.random() < 0.2:
        add_gate(circuit, rng, known)
    return circuit


# --- formulas ----------------------------------------------------------------------------------------------

Said = tuple[str, Formula]


def ket(letters: str) -> Matrix:
    found = np.ones(1, dtype=complex)
    for letter in letters:
        found = np.kron(np.array(KETS[letter]), found)
    return found.reshape(-1, 1)


def atom(rng: random.Random, walk: Walk, bits: int) -> Said:
    code = walk.code
    kind = rng.choice(["leaf", "value", "value", "bit", "mark", "ket", "part"])
    if kind == "value":
        value = rng.randrange(2**bits)
        return f"c == {value}", ("atom", lambda place: place[1] == value)
    if kind == "bit":
        bit = rng.randrange(bits)
        return f"c[{bit}]", ("atom", lambda place: bool(place[1] >> bit & 1))
    if kind == "mark" and code.marks:
        name = rng.choice(sorted(code.marks))
        return name, ("atom", lambda place: place[0] in code.marks[name])
    if kind == "ket":
        letters = "".join(rng.choice("01+-") for _ in range(code.width))
        return f"|{letters}>", ("atom", lambda place: inside(walk.sp[place], ket(letters)))
    if kind == "part":
        letter, qubit = rng.choice("01+-"), rng.randrange(code.width)
        space = span(embed(ket(letter) @ ket(letter).conj().T, [qubit], code.width))
        return f"(|{letter}> on q[{qubit}])", ("atom", lambda place: inside(walk.sp[place], space))
    return "leaf", ("atom", lambda place: place[0] == code.end)


def formula(rng: random.Random, walk: Walk, bits: int, depth: int = 0) -> Said:
    def operand() -> Said:
        if depth == 0 and rng.random() < 0.25:
            return formula(rng, walk, bits, 1)
        (first, p), (second, q) = atom(rng, walk, bits), atom(rng, walk, bits)
        return rng.choice(
            [
                (first, p),
                (f"!({first})", ("not", p)),
                (f"({first}) & ({second})", ("and", p, q)),
                (f"({first}) | ({second})", ("or", p, q)),
            ]
        )

    if rng.random() < 0.25:
        bound, op, (text, goal) = rng.choice(["P=1", "P>0"]), rng.choice("FG"), atom(rng, walk, bits)
        return f"{bound} [{op} ({text})]", (bound, op, goal)
    quantifier, op = rng.choice("AE"), rng.choice("XFFGGUUWR")
    text, p = operand()
    if op in "XFG":
        return f"{quantifier}{op} ({text})", (quantifier, op, p)
    other, q = operand()
    return f"{quantifier}[({text}) {op} ({other})]", (quantifier, op, p, q)


# --- evidence ----------------------------------------------------------------------------------------------


def state_of(step: Step, width: int) -> Matrix:
    assert step.terms is not None
    found = np.zeros(2**width, dtype=complex)
    for digits, amplitude in step.terms:
        found[int(digits[::-1], 2)] = amplitude
    assert abs(np.linalg.norm(found) - 1) < 1e-6
    return found


def follow(walk: Walk, execution: Execution, start: Callable[[Place, Matrix], bool]) -> None:
    """Some operators of the circuit lead from step to step, with the states and probabilities shown."""
    first = execution.steps[0]
    shown = state_of(first, walk.code.width)
    here = [(place, 1.0) for place in walk.sp if place[1] == first.store["c"] and start(place, shown)]
    for step in execution.steps[1:]:
        before, shown = shown, state_of(step, walk.code.width)
        images = [
            (target, chance, kraus @ before)
            for place, chance in here
            for target, family in walk.code.edges(place)
            for kraus in family
            if target[1] == step.store["c"]
        ]
        here = [
            (target, chance * float(np.linalg.norm(image) ** 2))
            for target, chance, image in images
            if np.linalg.norm(image) > 1e-6
            and abs(np.vdot(shown, image)) > (1 - 1e-6) * np.linalg.norm(image)
        ]
        assert any(abs(chance * first.probability - step.probability) < 1e-6 for _, chance in here), step
    for position, child in execution.children:
        there = execution.steps[position].store["c"]
        follow(walk, child, lambda place, state, c=there: place[1] == c and inside(state, walk.sp[place]))


def audit(walk: Walk, result: qismc.FormulaResult) -> None:
    shown = result.counterexample or result.witness
    if shown is not None and shown.steps and shown.replayed:
        follow(walk, shown, lambda place, state: place == walk.start and inside(state, walk.init))


def verdict(truth: bool) -> Verdict:
    return Verdict.HOLDS if truth else Verdict.VIOLATED


# --- tests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(PROGRAMS // 2))
def test_verdicts_are_those_of_executions(seed: int) -> None:
    rng = random.Random(seed)
    circuit = program(rng)
    walk = Walk(circuit)
    said = dict(formula(rng, walk, circuit.num_clbits) for _ in range(FORMULAS))
    engine = rng.choice(["auto", "auto", "float"])
    result = qismc.check(circuit, {text: text for text in said}, numbers=engine, keep_dead=True)
    for text, meant in said.items():
        truth, found = walk.decide(meant), result[text]
        grey = "A residual of" in (found.reason or "")
        assert found.verdict is not Verdict.UNKNOWN or truth is None or grey, (text, found.reason)
        assert truth is None or found.verdict in (verdict(truth), Verdict.UNKNOWN), text
        audit(walk, found)


def subspace(
    rng: random.Random, props: dict[str, QuantumCircuit], width: int, depth: int = 0
) -> tuple[str, Matrix]:
    kind = rng.choice(["ket", "named", "named", "~", "\\/", "\\/", "/\\"] if depth < 3 else ["ket", "named"])
    if kind == "ket":
        letters = "".join(rng.choice("000+1") for _ in range(width))
        return f"|{letters}>", ket(letters)
    if kind == "named":
        name = rng.choice(sorted(props))
        return name, Statevector(props[name]).data.reshape(-1, 1)
    left, a = subspace(rng, props, width, depth + 1)
    if kind == "~":
        return f"~({left})", perp(a)
    right, b = subspace(rng, props, width, depth + 1)
    if kind == "\\/":
        return f"({left} \\/ {right})", span(np.hstack([a, b]))
    return f"({left} /\\ {right})", perp(span(np.hstack([perp(a), perp(b)])))


@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_subspaces_are_those_of_the_angles_of_the_program(seed: int) -> None:
    """Joins may have fewer dimensions than for generic angles, meets more; in propositions, as the start."""
    rng = random.Random(seed)
    width = rng.choice([1, 1, 1, 2])
    circuit = QuantumCircuit(width, 1)
    if rng.random() < 0.5:
        circuit.compose(hidden(rng, width), inplace=True)
    fill(circuit, rng, angles(rng), rng.randint(0, 2))
    props = {name: hidden(rng, width) for name in ("P", "Q")}
    init, start = subspace(rng, props, width, rng.randrange(4))
    if not start.shape[1]:
        init, start = "full", np.eye(2**width, dtype=complex)
    walk = Walk(circuit, start)
    wanted = dict(subspace(rng, props, width, 1) for _ in range(3))
    ends = [space for place, space in walk.sp.items() if place[0] == walk.code.end]
    specs = {f"AG (leaf -> {text})": all(inside(e, s) for e in ends) for text, s in wanted.items()}
    specs |= {f"AG (leaf -> !({text}))": not any(inside(e, s) for e in ends) for text, s in wanted.items()}
    for text, truth in specs.items():  # one by one: a formula that needs floating point takes others along
        result = qismc.check(circuit, text, props=props, init=init, keep_dead=True)
        assert result.verdict is verdict(truth), (text, init, result.notes)
        audit(walk, result["spec"])
