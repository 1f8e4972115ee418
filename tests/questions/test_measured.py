"""Formulas about measured qubits say the same when they are asked of bits."""

from __future__ import annotations

import random

import pytest
from qiskit import ClassicalRegister, QuantumCircuit

import qismc
from qismc.deciders import pipeline
from qismc.language import parse_formula, to_text
from qismc.model import Model
from qismc.questions import read_off
from qismc.system import records_at_the_end

QUBITS, BITS = 3, 4
ATOMS = (
    "|0> on q[0]",
    "|1> on q[1]",
    "|01> on q[2], q[0]",
    "(|00> \\/ |11>) on q[0], q[1]",
    "~(|10> on q[1], q[2])",
    "(|1> on q[0]) /\\ (|0> on q[2])",
    "|+> on q[1]",
    "stab(ZZ) on q[0], q[2]",
    "stab(-ZIZ) on q[0], q[1], q[2]",
    "stab(XX) on q[0], q[1]",
    "(|+> \\/ |->) on q[0]",
)
FORMS = (
    "EF (leaf & ({0}))",
    "EF (leaf & !({0}))",
    "AG (leaf -> ({0}) | ({1}))",
    "EF (leaf & (({0}) <-> ({1})))",
    "P=? [F (leaf & ({0}))]",
    "P>0 [F (leaf & !({0}) & ({1}))]",
    "AF (leaf & (c == 0 | ({0})))",
)


def program(choose: random.Random) -> QuantumCircuit:
    """Gates, measurements into few bits, resets, assignments and branches, then some final measurements."""
    circuit = QuantumCircuit(QUBITS)
    circuit.add_register(ClassicalRegister(BITS, "c"))
    for _ in range(choose.randrange(3, 9)):
        _statement(circuit, choose)
    for qubit in range(QUBITS):
        if choose.random() < 0.8:
            circuit.measure(qubit, choose.randrange(BITS))
    for _ in range(choose.randrange(3)):
        _late(circuit, choose)
    return circuit


def _statement(circuit: QuantumCircuit, choose: random.Random) -> None:
    first, second = choose.sample(range(QUBITS), 2)
    match choose.randrange(6):
        case 0 | 1:
            circuit.h(first)
        case 2:
            circuit.cx(first, second)
        case 3:
            circuit.measure(first, choose.randrange(BITS))
        case 4:
            with circuit.if_test((circuit.clbits[choose.randrange(BITS)], 1)):
                circuit.x(first)
                circuit.measure(second, choose.randrange(BITS))
        case 5:
            with circuit.while_loop((circuit.clbits[0], 1)):
                circuit.h(first)
                circuit.measure(first, 0)


def _late(circuit: QuantumCircuit, choose: random.Random) -> None:
    """What keeps records, and what does not."""
    first, second = choose.sample(range(QUBITS), 2)
    match choose.randrange(6):
        case 0:
            circuit.t(first)
        case 1:
            circuit.cz(first, second)
        case 2:
            circuit.cx(first, second)
        case 3:
            circuit.reset(first)
        case 4:
            with circuit.if_test((circuit.clbits[choose.randrange(BITS)], 1)):
                circuit.x(first)
        case 5:
            circuit.y(first)


def _answer(circuit: QuantumCircuit, formula: str) -> tuple[qismc.Verdict | None, float | None]:
    result = qismc.check(circuit, formula, seed=1)
    chance = result.results[0].probability
    return result.results[0].verdict, None if chance is None else round(float(chance), 6)


@pytest.mark.parametrize("seed", range(4))
def test_bits_say_what_states_do(seed: int) -> None:
    choose = random.Random(seed)
    changed = 0
    for _ in range(25):
        circuit = program(choose)
        text = choose.choice(FORMS).format(*choose.sample(ATOMS, 2))
        names = Model.of(circuit).names
        read = to_text(read_off(parse_formula(text), names))
        changed += read != to_text(parse_formula(text))
        assert _answer(circuit, text) == _answer(circuit, read), f"{text}\n{read}\n{circuit}"
    assert changed > 5


def _measured() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    return circuit


def test_records() -> None:
    circuit = _measured()
    assert records_at_the_end(Model.of(circuit).program) == {0: 0, 1: 1}
    circuit.cx(0, 1)  # its control is kept
    assert records_at_the_end(Model.of(circuit).program) == {0: 0}
    circuit.measure(1, 0)  # overwritten
    assert records_at_the_end(Model.of(circuit).program) == {1: 0}
    circuit.reset(1)
    assert records_at_the_end(Model.of(circuit).program) == {}


def test_only_what_is_asked_at_the_end_is_read_off() -> None:
    names = Model.of(_measured()).names
    same = parse_formula("AG (|0> on q[0] | c == 1)")
    assert read_off(same, names) == same
    assert to_text(read_off(parse_formula("EF (leaf & |0> on q[0])"), names)) == "EF (leaf & !c[0])"


def test_many_outcomes_are_no_locations(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = QuantumCircuit(40, 40)
    for qubit in range(40):
        circuit.ry(0.1 + qubit / 100, qubit)
        if qubit:
            circuit.cx(qubit - 1, qubit)
    circuit.measure(range(40), range(40))
    result = qismc.check(circuit, "EF (leaf & |01> on q[3], q[4])", timeout=60)
    assert result
    assert any("was asked of the bits" in note for note in result.notes)
    monkeypatch.setattr(pipeline, "FEW_BITS", 40)
    limits = qismc.Limits(locations=2_000)
    unknown = qismc.check(circuit, "EF (leaf & |01> on q[3], q[4])", limits=limits)
    assert unknown.verdict is qismc.Verdict.UNKNOWN
