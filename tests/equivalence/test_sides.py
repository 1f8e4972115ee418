"""Layouts on either side, references on more qubits than the input, and no input at all."""

from __future__ import annotations

import random
from math import pi
from typing import Any

import numpy as np
import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister, transpile
from qiskit.circuit import Qubit
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Operator, random_clifford
from qiskit.transpiler import CouplingMap

import qismc
from qismc import QismcError, UsageError, Verdict
from tests.equivalence.test_equivalent import teleport
from tests.equivalence.transpiled import distance

BASES = [["u", "cz"], ["u", "cx"], ["rz", "sx", "x", "cx"], ["rz", "rx", "cz"]]


def rotated(count: int, seed: int) -> qiskit.QuantumCircuit:
    """Rotations about random axes, some by multiples of pi, between random pairs."""
    draw = random.Random(seed)
    circuit = qiskit.QuantumCircuit(count)
    for _ in range(4 * count):
        angle = draw.choice([draw.uniform(-3, 3), round(draw.uniform(-3, 3), 1), draw.randint(1, 7) * pi / 4])
        getattr(circuit, draw.choice(["rx", "ry", "rz", "p"]))(angle, draw.randrange(count))
        circuit.cx(*draw.sample(range(count), 2))
    return circuit


def routed(original: qiskit.QuantumCircuit, seed: int, extra: int = 1) -> qiskit.QuantumCircuit:
    """Transpiled for a line, with a layout that permutes."""
    places = random.Random(seed).sample(range(original.num_qubits + extra), original.num_qubits)
    return transpile(
        original,
        basis_gates=BASES[seed % len(BASES)],
        coupling_map=CouplingMap.from_line(original.num_qubits + extra),
        initial_layout=places,
        optimization_level=seed % 4,
        seed_transpiler=seed,
    )


@pytest.mark.parametrize("seed", range(12))
def test_layouts_of_either_side(seed: int) -> None:
    original = rotated(2 + seed % 3, seed)
    made, again = routed(original, seed), routed(original, seed + 1, extra=seed % 2)
    for left, right in ((made, original), (original, made), (made, again), (again, made)):
        assert distance(left, right) < 1e-12
        assert qismc.equivalent(left, right).verdict is Verdict.HOLDS


@pytest.mark.parametrize("seed", range(12))
def test_seeded_faults(seed: int) -> None:
    """One angle, one gate less, or exchanged qubits: different on every side, whatever the layout."""
    original = rotated(3, seed)
    faulty, draw = routed(original, seed), random.Random(seed)
    pairs = [k for k, step in enumerate(faulty.data) if step.operation.num_qubits == 2]
    turned = [k for k, step in enumerate(faulty.data) if step.operation.params]
    kind = seed % 3
    if kind == 0:
        del faulty.data[draw.choice(pairs)]
    elif kind == 1:
        k = draw.choice(turned)
        step = faulty.data[k]
        operation = step.operation.to_mutable()
        operation.params = [float(operation.params[0]) + 1e-3, *operation.params[1:]]
        faulty.data[k] = step.replace(operation=operation)
    else:
        faulty.swap(*draw.sample(faulty.layout.final_index_layout(), 2))
    same = distance(faulty, original) < 1e-12
    for left, right in ((faulty, original), (original, faulty)):
        verdict = qismc.equivalent(left, right).verdict
        assert verdict is (Verdict.HOLDS if same else Verdict.VIOLATED)


def test_the_layout_is_told() -> None:
    original = rotated(2, 5)
    made = transpile(original, coupling_map=CouplingMap.from_line(3), initial_layout=[2, 1])
    assert qismc.equivalent(original, made).notes[-1].startswith("by the layout of the reference, its qubits")
    assert not any("layout" in note for note in qismc.equivalent(original, original).notes)


def test_a_layout_that_does_not_fit_is_left_aside() -> None:
    """A file has no layout: its qubits are the physical ones of the circuit that it was written from."""
    made = transpile(rotated(3, 7), coupling_map=CouplingMap.from_line(5), initial_layout=[4, 2, 0])
    written = qiskit.QuantumCircuit(5)
    written.compose(made, range(5), inplace=True)
    assert written.layout is None
    for left, right, whose in ((made, written, "program"), (written, made, "reference")):
        result = qismc.equivalent(left, right)
        assert result and f"the layout of the {whose} was left aside" in result.notes[-1]
    with pytest.raises(UsageError, match=r"3 qubits \(5 with those that its layout adds\), the reference 4"):
        qismc.equivalent(made, qiskit.QuantumCircuit(4))


@pytest.mark.parametrize("count", [5, 7])
def test_many_permuted_qubits(count: int) -> None:
    """As many physical as virtual qubits: the start is one vector, whatever the order of its qubits."""
    original = random_clifford(count, seed=count).to_circuit()
    places = [1, 0, *range(2, count)]
    made = transpile(original, initial_layout=places, coupling_map=CouplingMap.from_full(count))
    assert qismc.equivalent(made, original).verdict is Verdict.HOLDS
    assert qismc.equivalent(original, made).verdict is Verdict.HOLDS
    made.s(0)
    assert qismc.equivalent(made, original).verdict is Verdict.VIOLATED


# --- references on more qubits than the input ---------------------------------------------------------------


def test_gates_say_nothing_about_bits() -> None:
    """With or without other qubits and registers the reference is the same."""
    program = qiskit.QuantumCircuit(2, 1)
    program.h(1)
    program.measure(1, 0)
    references = [qiskit.QuantumCircuit(*size) for size in ((1,), (1, 1), (2,), (2, 1))]
    assert all(qismc.equivalent(program, reference, on=[0]) for reference in references)
    program.z(0)
    assert not any(qismc.equivalent(program, reference, on=[0]) for reference in references)


def test_a_reset_says_nothing_about_bits() -> None:
    program, plain, declared = (qiskit.QuantumCircuit(1, n) for n in (1, 0, 1))
    program.measure(0, 0)
    with program.if_test((0, 1)):
        program.x(0)
    plain.reset(0)
    declared.reset(0)
    assert qismc.equivalent(program, plain) and qismc.equivalent(program, declared)
    assert qismc.equivalent(program, declared, to=()).verdict is Verdict.VIOLATED  # bits alone were asked for


@pytest.mark.parametrize("correct", [True, False])
def test_teleportation_against_a_swap(correct: bool) -> None:
    message, alice, bob = (QuantumRegister(1, name) for name in ("message", "alice", "bob"))
    for registers in ((), (ClassicalRegister(2, "seen"),)):
        swap = qiskit.QuantumCircuit(message, alice, bob, *registers)
        swap.swap(0, 2)
        for on, to in (("message", "bob"), ([0], [2])):
            assert bool(qismc.equivalent(teleport(correct=correct), swap, on=on, to=to)) == correct


@pytest.mark.parametrize("seed", range(6))
def test_some_qubits_of_gates_on_both_sides(seed: int) -> None:
    """Isometries: the others start in |0> and are traced out. Compared with partial traces of numpy."""
    left, right = rotated(3, seed), rotated(3, seed)
    getattr(right, ["z", "x", "s"][seed % 3])(seed // 3)
    on, to = [0], [seed % 3]
    same = np.allclose(_choi(left, to[0]), _choi(right, to[0]))
    assert bool(qismc.equivalent(left, right, on=on, to=to)) == same


def _choi(circuit: qiskit.QuantumCircuit, output: int) -> np.ndarray:
    """The operator on the output and the input 0 of a circuit of three qubits."""
    columns = Operator(circuit).data[:, :2].reshape(2, 2, 2, 2)  # qubits 2, 1, 0; input
    kept = np.moveaxis(columns, 2 - output, 0).reshape(2, 4, 2)
    return np.einsum("ari,brj->aibj", kept, kept.conj())


@pytest.mark.parametrize("seed", range(4))
def test_the_same_qubits_beside_a_layout(seed: int) -> None:
    """`on` names qubits of the program; a reference that is larger holds the same ones of the original."""
    original = rotated(3, seed)
    made = routed(original, seed)
    first, last = (places() for places in (made.layout.initial_index_layout, made.layout.final_index_layout))
    for k in range(3):
        assert qismc.equivalent(original, made, on=[k], to=[(k + 1) % 3])
        assert qismc.equivalent(made, original, on=[first[k]], to=[last[(k + 1) % 3]])
        assert qismc.equivalent(made, original, on=original.qubits[k : k + 1])
    free = next(q for q in range(4) if q not in first[:3])
    with pytest.raises(UsageError, match="holds no qubit of the original at the start"):
        qismc.equivalent(made, original, on=[free])


# --- no input -----------------------------------------------------------------------------------------------


def test_states_without_input() -> None:
    """`on=()`: everything starts in |0>."""
    left, right = qiskit.QuantumCircuit(2), qiskit.QuantumCircuit(2)
    left.h(0)
    left.cx(0, 1)
    right.h(1)
    right.cx(1, 0)
    assert not qismc.equivalent(left, right)
    assert qismc.equivalent(left, right, on=(), to=[0, 1])
    assert qismc.equivalent(left, right, on=[], to=[0])  # half of a pair: the reference has these names, too
    right.z(0)
    differs = qismc.equivalent(left, right, on=(), to="q")
    assert differs.verdict is Verdict.VIOLATED and differs.notes[0] == f"differs from {right.name}"


def test_outcomes_without_input() -> None:
    fair, fixed = qiskit.QuantumCircuit(1, 1), qiskit.QuantumCircuit(1, 1)
    fair.h(0)
    for circuit in (fair, fixed):
        circuit.measure(0, 0)
    for on in ([], ()):
        assert qismc.equivalent(fair, fair.copy(), on=on, to=())
        assert qismc.equivalent(fair, fixed, on=on, to=()).verdict is Verdict.VIOLATED
    gates = qiskit.QuantumCircuit(1, 1)
    assert qismc.equivalent(fixed, gates, on=[], to=())
    assert qismc.equivalent(fair, gates, on=[], to=()).verdict is Verdict.VIOLATED
    with pytest.raises(UsageError, match="nothing to compare"):
        qismc.equivalent(fair, qiskit.QuantumCircuit(1), on=[], to=())


# --- measurements at the end --------------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [0, 2])
def test_many_qubits_that_are_measured(extra: int) -> None:
    original = random_circuit(3, 3, max_operands=2, seed=extra)
    wide = qiskit.QuantumCircuit(12, 12)
    for k in range(0, 12, 3):
        wide.compose(original, range(k, k + 3), inplace=True)
    wide.cx(0, 11)
    wide.h(range(12))
    wide.measure(range(12), range(12))
    made = transpile(wide, coupling_map=CouplingMap.from_line(12 + extra), seed_transpiler=1)
    for left, right in ((made, wide), (wide, made)):
        assert qismc.equivalent(left, right).verdict is Verdict.HOLDS


DATA, HELPER, SEEN = QuantumRegister(2, "data"), QuantumRegister(1, "helper"), ClassicalRegister(1, "seen")


def program() -> qiskit.QuantumCircuit:
    """Two qubits of data that are exchanged, beside a helper that is measured."""
    circuit = qiskit.QuantumCircuit(DATA, HELPER, SEEN)
    circuit.h(2)
    circuit.measure(2, 0)
    circuit.swap(0, 1)
    return circuit


def reference() -> qiskit.QuantumCircuit:
    circuit = qiskit.QuantumCircuit(2)
    circuit.swap(0, 1)
    return circuit


@pytest.mark.parametrize(
    "on",
    [
        "data",
        "data[0], data[1]",
        [0, 1],
        (0, 1),
        range(2),
        np.array([0, 1]),
        [np.int64(0), np.int32(1)],
        DATA,
        list(DATA),
        ["data[0]", 1],
        [[0], [DATA[1]]],
    ],
)
def test_ways_of_naming_qubits(on: Any) -> None:
    assert qismc.equivalent(program(), reference(), on=on)
    assert qismc.equivalent(program(), program(), on=on)  # a larger reference, too
    assert not qismc.equivalent(program(), qiskit.QuantumCircuit(2), on=on)


@pytest.mark.parametrize(
    ("on", "message"),
    [
        ([0, 0], "twice"),
        ("data, data[1]", "twice"),
        ([0, DATA[0]], "twice"),
        (-1, "there is no qubit -1"),
        ([0, 3], "there is no qubit 3"),
        (10**30, "there is no qubit"),
        ("data[2]", "out of range"),
        ("date", "did you mean 'data'"),
        ("", "names no qubits"),
        ("|0>", "names no qubits"),
        ("data) \\/ (data", "names no qubits"),
        (True, "names no qubits"),
        (2.0, "names no qubits"),
        ([None], "names no qubits"),
        ({0, 1}, "names no qubits"),
        (b"data", "names no qubits"),
        (np.array([0.5]), "names no qubits"),
        (SEEN, "names no qubits"),
        (Qubit(), "is no qubit of"),
        (QuantumRegister(3, "data"), "has 3 qubits"),
        (QuantumRegister(2, "other"), "unknown quantum register 'other'"),
    ],
)
def test_what_names_no_qubits(on: Any, message: str) -> None:
    for other in (reference(), program()):
        with pytest.raises(QismcError, match=message.replace("[", r"\[")):
            qismc.equivalent(program(), other, on=on)
        with pytest.raises(QismcError, match=message.replace("[", r"\[")):
            qismc.equivalent(program(), other, on=[0, 1], to=on)


def test_a_list_in_itself() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(UsageError, match="names no qubits"):
        qismc.equivalent(program(), reference(), on=endless)


def test_qubits_of_a_file_have_no_objects() -> None:
    text = "OPENQASM 3.0;\nqubit[2] data;\n"
    with pytest.raises(UsageError, match="belongs to a circuit"):
        qismc.equivalent(text, qiskit.QuantumCircuit(1), on=DATA[0])
    assert qismc.equivalent(text, qiskit.QuantumCircuit(2), on=DATA)


def test_names_of_other_sizes_in_the_reference() -> None:
    larger = qiskit.QuantumCircuit(QuantumRegister(3, "data"))
    with pytest.raises(UsageError, match="2 qubits of the program, 3 of the reference"):
        qismc.equivalent(program(), larger, on="data")


def test_qubits_of_the_original() -> None:
    """A qubit of the original is where the layout puts it at the start, and where it leaves it."""
    wires = QuantumRegister(3, "wires")
    original = qiskit.QuantumCircuit(wires)
    original.h(0)
    original.cx(0, 2)
    original.cx(0, 1)
    made = transpile(
        original, coupling_map=CouplingMap.from_line(4), seed_transpiler=3, initial_layout=[3, 0, 1]
    )
    for on in ([wires[2]], "wires[2]", [wires[2], wires[0]], wires):
        assert qismc.equivalent(made, original, on=on).verdict is Verdict.HOLDS
