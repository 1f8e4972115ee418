"""Equivalence on every input, against Qiskit's operators."""

from __future__ import annotations

from math import pi
from pathlib import Path

import numpy as np
import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister, qasm2, transpile
from qiskit.circuit.library import QFTGate, SwapGate
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Clifford, Operator, Statevector, random_clifford
from qiskit.transpiler import CouplingMap

import qismc
from qismc import QuantumCircuit, UsageError, Verdict

LETTERS = {"0": [1, 0], "1": [0, 1], "+": [1, 1], "r": [1, 1j]}


def input_of(result: qismc.Result) -> str:
    """The letters in 'differs from … on the input |…> of …'."""
    return result.notes[0].partition("|")[2].partition(">")[0]


def differ_on(letters: str, left: Operator, right: Operator) -> bool:
    """Do two unitaries send a product of letters to different lines? (Qubit 0 is Qiskit's last factor.)"""
    state = np.ones(1)
    for letter in letters:
        state = np.kron(np.array(LETTERS[letter]) / np.linalg.norm(LETTERS[letter]), state)
    return abs(np.vdot(left.data @ state, right.data @ state)) < 1 - 1e-9


@pytest.mark.parametrize("seed", range(12))
def test_random_circuits_agree_with_operators(seed: int) -> None:
    left = random_circuit(3, 3, max_operands=2, seed=seed)
    right = random_circuit(3, 3, max_operands=2, seed=seed if seed % 2 else seed + 1)
    if seed % 4 == 1:
        right.cz(0, 2)
    result = qismc.equivalent(left, right)
    same = Operator(left).equiv(Operator(right))
    assert result.verdict is (Verdict.HOLDS if same else Verdict.VIOLATED)
    if not same:
        assert differ_on(input_of(result), Operator(left), Operator(right))
        assert result.counterexample is not None and result.counterexample.replayed


@pytest.mark.parametrize("level", range(4))
def test_transpiled_circuits_with_their_layout(level: int) -> None:
    original = qiskit.QuantumCircuit(4)
    original.h(0)
    original.cx(0, 3)
    original.t(3)
    original.ccx(0, 3, 1)
    original.rz(0.3, 2)
    original.cx(2, 0)
    made = transpile(
        original,
        basis_gates=["rz", "sx", "x", "cx"],
        coupling_map=CouplingMap.from_line(6),
        optimization_level=level,
        seed_transpiler=level,
    )
    assert qismc.equivalent(made, original)
    made.sx(made.layout.final_index_layout()[2])
    assert qismc.equivalent(made, original).verdict is Verdict.VIOLATED


def test_a_transpiled_circuit_in_a_file_has_its_layout(tmp_path: Path) -> None:
    file = tmp_path / "both.py"
    file.write_text(
        "from qiskit import QuantumCircuit, transpile\n"
        "from qiskit.transpiler import CouplingMap\n"
        "def original():\n"
        "    circuit = QuantumCircuit(3)\n"
        "    circuit.h(0)\n"
        "    circuit.cx(0, 2)\n"
        "    return circuit\n"
        "def made():\n"
        "    line = CouplingMap.from_line(4)\n"
        "    return transpile(original(), coupling_map=line, initial_layout=[3, 1, 0], seed_transpiler=1)\n"
    )
    result = qismc.equivalent(f"{file}:made", f"{file}:original")
    assert result.verdict is Verdict.HOLDS and "compared with original" in result.notes[0]


def test_differences_are_judged_on_every_input() -> None:
    """With the input that is shown a control is always 1; that is no observation about the program."""
    plain, wrong = QuantumCircuit(2), QuantumCircuit(2)
    wrong.cx(0, 1)
    result = qismc.equivalent(wrong, plain)
    assert input_of(result)[0] == "1" and not result.findings
    assert any("without 'cx q[0], q[1]'" in hint.text for hint in result["same"].hints)


def test_a_phase_that_few_inputs_see() -> None:
    """Only |1111> gets a sign: basis states do not tell."""
    plain = QuantumCircuit(4)
    signed = QuantumCircuit(4)
    signed.mcp(pi, [0, 1, 2], 3)
    result = qismc.equivalent(signed, plain)
    assert result.verdict is Verdict.VIOLATED
    assert differ_on(input_of(result), Operator(signed), Operator(plain))


def test_two_basis_states_exchanged() -> None:
    """Equal letters on all qubits do not tell: one qubit after the other is fixed."""
    plain = QuantumCircuit(3)
    moved = QuantumCircuit(3)
    moved.x(0)
    moved.append(SwapGate().control(1), [0, 1, 2])
    moved.x(0)
    result = qismc.equivalent(moved, plain)
    assert differ_on(input_of(result), Operator(moved), Operator(plain))


def test_global_phases_do_not_matter() -> None:
    left = QuantumCircuit(1, global_phase=0.3)
    left.rz(pi, 0)
    right = QuantumCircuit(1)
    right.z(0)
    assert qismc.equivalent(left, right)
    assert not qismc.equivalent(left.control(1).decompose(reps=2), right.control(1).decompose(reps=2))


@pytest.mark.parametrize("kind", ["clifford", "operator", "gate", "function", "file", "path"])
def test_kinds_of_references(kind: str, tmp_path: Path) -> None:
    clifford = random_clifford(3, seed=4)
    circuit = clifford.to_circuit()
    file = tmp_path / "it.qasm"
    file.write_text(qasm2.dumps(circuit))
    references = {
        "clifford": clifford,
        "operator": Operator(circuit),
        "gate": circuit.to_gate(),
        "function": lambda: circuit,
        "file": str(file),
        "path": file,
    }
    assert qismc.equivalent(transpile(circuit, basis_gates=["u", "cx"]), references[kind])
    assert not qismc.equivalent(Clifford(random_clifford(3, seed=5)).to_circuit(), references[kind])


def teleport(*, correct: bool = True) -> QuantumCircuit:
    message, alice, bob = (QuantumRegister(1, name) for name in ("message", "alice", "bob"))
    seen = ClassicalRegister(2, "seen")
    circuit = QuantumCircuit(message, alice, bob, seen)
    circuit.h(alice)
    circuit.cx(alice, bob)
    circuit.cx(message, alice)
    circuit.h(message)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((seen[1], 1)):
        circuit.x(bob)
    if correct:
        with circuit.if_test((seen[0], 1)):
            circuit.z(bob)
    return circuit


def test_teleportation_is_a_wire() -> None:
    wire = QuantumCircuit(1)
    assert qismc.equivalent(teleport(), wire, on="message", to="bob")
    broken = qismc.equivalent(teleport(correct=False), wire, on=[0], to=QuantumRegister(1, "bob"))
    assert broken.verdict is Verdict.VIOLATED and input_of(broken) in "+r"
    assert broken.counterexample.steps[-1].store["seen"] & 1


def repeated(*, clean: bool) -> QuantumCircuit:
    """Repeat until success: the ancilla is found in |0>, then the data has been turned by S."""
    data, helper, seen = (
        QuantumRegister(1, "data"),
        QuantumRegister(1, "helper"),
        ClassicalRegister(1, "seen"),
    )
    circuit = QuantumCircuit(data, helper, seen)
    circuit.x(helper)
    circuit.measure(helper, seen)
    with circuit.while_loop((seen, 1)):
        if clean:
            circuit.reset(helper)
        circuit.h(helper)
        circuit.measure(helper, seen)
    circuit.s(data)
    return circuit


def test_loops_that_end_almost_surely() -> None:
    turned = QuantumCircuit(1)
    turned.s(0)
    result = qismc.equivalent(repeated(clean=True), turned, on="data")
    assert result and [answer.name for answer in result] == ["same", "ends"]
    turned.s(0)
    assert not qismc.equivalent(repeated(clean=True), turned, on="data")


def test_an_execution_that_never_ends_is_not_the_same() -> None:
    endless = QuantumCircuit(1, 1)
    endless.measure(0, 0)
    with endless.while_loop((endless.clbits[0], 1)):
        endless.measure(0, 0)
    reset = QuantumCircuit(1)
    result = qismc.equivalent(endless, reset)
    assert result["ends"].verdict is Verdict.VIOLATED


def test_ancillas_must_not_keep_anything() -> None:
    data, helper = QuantumRegister(2, "data"), QuantumRegister(1, "helper")
    dirty = QuantumCircuit(data, helper)
    dirty.cx(0, 2)
    clean = dirty.copy()
    clean.cx(0, 2)
    nothing = QuantumCircuit(2)
    assert qismc.equivalent(clean, nothing, on="data")
    assert not qismc.equivalent(dirty, nothing, on="data")


def test_many_qubits() -> None:
    """Sixty qubits: a ladder up and down, and one gate too many."""
    ladder = QuantumCircuit(60)
    for k in [*range(59), *reversed(range(59))]:
        ladder.cx(k, k + 1)
    nothing = QuantumCircuit(60)
    assert qismc.equivalent(ladder, nothing)
    ladder.z(41)
    assert qismc.equivalent(ladder, nothing).verdict is Verdict.VIOLATED


# --- references that measure -------------------------------------------------------------------------------


def fourier(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(count, count)
    circuit.append(QFTGate(count), range(count))
    circuit.measure(range(count), range(count))
    return circuit


def semiclassical(count: int, *, sign: int = 1) -> QuantumCircuit:
    circuit = QuantumCircuit(count, count)
    for k in reversed(range(count)):
        for j in range(k + 1, count):
            with circuit.if_test((circuit.clbits[count - 1 - j], 1)):
                circuit.p(sign * pi / 2 ** (j - k), k)
        circuit.h(k)
        circuit.measure(k, count - 1 - k)
    return circuit


def test_the_semiclassical_fourier_transform() -> None:
    assert qismc.equivalent(semiclassical(3), fourier(3), to=())
    wrong = qismc.equivalent(semiclassical(3, sign=-1), fourier(3), to=())
    assert wrong.verdict is Verdict.VIOLATED
    letters = input_of(wrong)
    own, other = (
        Statevector(input_circuit(letters)).evolve(QFTGate(3).to_matrix() if k else inverse_order())
        for k in (0, 1)
    )
    assert not np.allclose(own.probabilities(), other.probabilities())
    assert not qismc.equivalent(semiclassical(3), fourier(3))  # the qubits themselves end otherwise


def input_circuit(letters: str) -> qiskit.QuantumCircuit:
    circuit = qiskit.QuantumCircuit(len(letters))
    for k, letter in enumerate(letters):
        for name in {"0": "", "1": "x", "+": "h", "r": "hs"}[letter]:
            getattr(circuit, name)(k)
    return circuit


def inverse_order() -> Operator:
    """The transform with the signs of its phases exchanged: the conjugate of that of Qiskit."""
    return Operator(QFTGate(3).to_matrix().conj())


def test_the_same_states_with_other_probabilities() -> None:
    fair, biased = QuantumCircuit(1, 1), QuantumCircuit(1, 1)
    fair.h(0)
    biased.ry(2 * np.arccos(np.sqrt(1 / 3)), 0)
    for circuit in (fair, biased):
        circuit.measure(0, 0)
    result = qismc.equivalent(fair, biased)
    assert result.verdict is Verdict.VIOLATED
    assert "probability of c = " in result.counterexample.claim


def test_loops_on_both_sides() -> None:
    """A fair coin from a biased one, and a coin."""
    neumann = QuantumCircuit(2, 2)
    neumann.ry(0.8, [0, 1])
    neumann.measure([0, 1], [0, 1])
    with neumann.while_loop((neumann.cregs[0], 0)):
        neumann.reset([0, 1])
        neumann.ry(0.8, [0, 1])
        neumann.measure([0, 1], [0, 1])
    result = qismc.equivalent(neumann, neumann.copy(), to=())
    assert result.verdict is Verdict.HOLDS


def test_measured_circuits_against_channels() -> None:
    """Compared with Choi matrices of Qiskit's own simulation of each outcome."""
    for seed in range(4):
        first = random_circuit(2, 2, max_operands=2, seed=seed)
        pair = []
        for k in range(2):
            circuit = QuantumCircuit(2, 1)
            circuit.compose(first, inplace=True)
            if k and seed % 2:
                circuit.rz(0.5, 0)
            circuit.measure(0, 0)
            if k and seed == 2:
                circuit.z(1)
            pair.append(circuit)
        kraus = [_kraus(first, extra) for extra in (None, seed)]
        same = all(np.allclose(_choi(a), _choi(b)) for a, b in zip(*kraus, strict=True))
        assert bool(qismc.equivalent(*pair)) == same


def _kraus(first: qiskit.QuantumCircuit, seed: int | None) -> list[np.ndarray]:
    """The operator of each outcome; Qiskit's order, so qubit 0 is the last factor."""
    matrix = Operator(first).data
    if seed is not None and seed % 2:
        matrix = np.kron(np.eye(2), np.diag(np.exp([-0.25j, 0.25j]))) @ matrix
    projected = [np.kron(np.eye(2), np.diag(v)) @ matrix for v in ([1, 0], [0, 1])]
    after = np.kron(np.diag([1, -1]), np.eye(2)) if seed == 2 else np.eye(4)
    return [after @ k for k in projected]


def _choi(kraus: np.ndarray) -> np.ndarray:
    vector = kraus.reshape(-1)
    return np.outer(vector, vector.conj())


def test_the_same_measurements_at_the_end() -> None:
    """Large circuits that measure everything: their gates are compared, exactly."""
    original = qiskit.QuantumCircuit(12, 12)
    original.h(0)
    for k in range(11):
        original.cx(k, k + 1)
        original.t(k + 1)
    original.h(range(12))  # else transpilers drop what is diagonal
    original.measure(range(12), range(12))
    made = transpile(
        original,
        basis_gates=["rz", "sx", "x", "cx"],
        coupling_map=CouplingMap.from_line(14),
        optimization_level=2,
        seed_transpiler=1,
    )
    result = qismc.equivalent(made, original)
    assert result.verdict is Verdict.HOLDS and result.engine == "exact"


def test_measurements_into_other_bits() -> None:
    straight, crossed = QuantumCircuit(3, 3), QuantumCircuit(3, 3)
    for circuit, bits in ((straight, [0, 1, 2]), (crossed, [1, 0, 2])):
        circuit.h(0)
        circuit.cx(0, 2)
        circuit.measure(range(3), bits)
    assert qismc.equivalent(crossed, straight).verdict is Verdict.VIOLATED


def test_phases_before_a_measurement_do_not_matter() -> None:
    """The gates differ, what is measured does not."""
    plain, turned = QuantumCircuit(1, 1), QuantumCircuit(1, 1)
    turned.s(0)
    for circuit in (plain, turned):
        circuit.measure(0, 0)
    assert qismc.equivalent(turned, plain)


# --- what is refused ---------------------------------------------------------------------------------------


def test_errors() -> None:
    small, large, measured = QuantumCircuit(1), QuantumCircuit(2), QuantumCircuit(2, 1)
    measured.measure(0, 0)
    with pytest.raises(UsageError, match="say with on="):
        qismc.equivalent(large, small)
    with pytest.raises(TypeError, match="no option 'init'"):
        qismc.equivalent(large, large, init="|00>")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="has none of that name"):
        qismc.equivalent(large, measured)
    with pytest.raises(UsageError, match="names no qubits"):
        qismc.equivalent(large, large, on=2.5)
    with pytest.raises(UsageError, match="there is no qubit 7"):
        qismc.equivalent(large, small, on=7)
    with pytest.raises(UsageError, match="twice"):
        qismc.equivalent(large, large, on=[0, 0])
    with pytest.raises(UsageError, match="unitary"):
        qismc.equivalent(small, Operator(np.diag([1, 2])))
    with pytest.raises(UsageError, match="nothing to compare"):
        qismc.equivalent(small, small, to=())


@pytest.mark.parametrize(("count", "verdict"), [(8, Verdict.HOLDS), (14, Verdict.UNKNOWN)])
def test_wide_programs_that_measure_in_floating_point(count: int, verdict: Verdict) -> None:
    wide = QuantumCircuit(count, 2)
    wide.measure(range(2), range(2))
    wide.x(0)
    assert qismc.equivalent(wide, wide.copy())
    result = qismc.equivalent(wide, wide.copy(), numbers="float")
    assert result.verdict is verdict and "too large to compare" in (result.reason or "too large to compare")


def test_for_tests() -> None:
    plain, turned = QuantumCircuit(1), QuantumCircuit(1)
    turned.s(0)
    assert qismc.assert_equivalent(plain, plain)
    with pytest.raises(qismc.PropertyViolated, match="differs from"):
        qismc.assert_equivalent(turned, plain)


def test_what_differs_can_be_repaired() -> None:
    broken = teleport(correct=True)
    with broken.if_test((broken.cregs[0][0], 1)):
        broken.s(2)
    result = qismc.equivalent(broken, QuantumCircuit(1), on="message", to="bob")
    repairs = list(result.repairs(3))
    assert repairs
    for repair in repairs:
        assert qismc.equivalent(repair.program, QuantumCircuit(1), on="message", to="bob")
