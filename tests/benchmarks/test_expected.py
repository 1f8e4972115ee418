"""The expected verdicts against full simulations of the clean and the faulty circuit."""

from __future__ import annotations

import random
from math import pi
from pathlib import Path

import pytest
from qiskit import QuantumCircuit, qasm2
from qiskit.quantum_info import Statevector

from benchmarks import expected
from benchmarks.expected import expected_verdict, load_with_qiskit
from benchmarks.fault import Fault
from qismc.edits.sampling import without_final_measurements
from qismc.program import load


def random_circuit(seed: int, n: int = 4, gates: int = 14, names: str = "hstx") -> QuantumCircuit:
    rng = random.Random(seed)
    qc = QuantumCircuit(n)
    for _ in range(gates):
        if rng.random() < 0.4:
            qc.cx(*rng.sample(range(n), 2))
        else:
            getattr(qc, rng.choice(names))(rng.randrange(n))
    return qc


def ask(circuit: QuantumCircuit, fault: Fault, place: Path) -> str | None:
    file = place / "c.qasm"
    file.write_text(qasm2.dumps(circuit), encoding="utf-8")
    return expected_verdict(file, without_final_measurements(load(file)), fault)


def faulty(circuit: QuantumCircuit, fault: Fault) -> QuantumCircuit:
    result = circuit.copy_empty_like()
    for k, step in enumerate([*circuit.data, None]):
        if k == fault.point:
            getattr(result, fault.pauli.lower())(fault.qubit)
        if step is not None:
            result.append(step)
    return result


def faults(circuit: QuantumCircuit, seed: int) -> list[Fault]:
    rng = random.Random(seed)
    size, n = len(circuit.data), circuit.num_qubits
    return [Fault(rng.choice("XYZ"), rng.randrange(n), rng.randrange(size + 1)) for _ in range(8)]


@pytest.mark.parametrize("dense", [True, False], ids=["statevector", "stim"])
def test_agrees_with_the_overlap_of_both_ends(
    dense: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not dense:
        pytest.importorskip("stim")
        monkeypatch.setattr(expected, "STATEVECTOR_QUBITS", 0)
    seen = set()
    for seed in range(8):
        circuit = random_circuit(seed, names="hstx" if dense else "hsx")
        for fault in faults(circuit, seed):
            overlap = abs(Statevector(circuit).inner(Statevector(faulty(circuit, fault))))
            truth = "holds" if overlap > 1 - 1e-9 else "violated"
            assert ask(circuit, fault, tmp_path) == truth
            seen.add(truth)
    assert seen == {"holds", "violated"}


def test_hundreds_of_qubits_with_a_small_past(tmp_path: Path) -> None:
    circuit = QuantumCircuit(300)
    circuit.h(range(300))
    circuit.t(range(300))
    circuit.cx(0, 299)
    assert ask(circuit, Fault("X", 150, 300), tmp_path) == "holds"
    assert ask(circuit, Fault("X", 150, 600), tmp_path) == "violated"


def test_no_guess_where_no_simulator_fits(tmp_path: Path) -> None:
    wide = QuantumCircuit(30)
    wide.h(range(30))
    wide.t(range(30))
    for k in range(29):
        wide.cx(k, k + 1)
    assert ask(wide, Fault("Z", 29, 89), tmp_path) is None


@pytest.mark.parametrize("angle", [0.1, 0.5, 1.4, pi / 2 - 1e-6])
def test_rotations_near_to_clifford_gates_are_none(angle: float, tmp_path: Path) -> None:
    """stim takes many of them for the gate that is nearest."""
    pytest.importorskip("stim")
    wide = QuantumCircuit(30)
    wide.ry(angle, range(30))
    for k in range(29):
        wide.cx(k, k + 1)
    assert ask(wide, Fault("X", 29, 59), tmp_path) is None
    assert ask(wide, Fault("X", 29, 0), tmp_path) == "violated"


def test_behind_a_measurement_nothing_is_claimed(tmp_path: Path) -> None:
    qc = QuantumCircuit(2, 1)
    qc.h(0)
    qc.measure(0, 0)
    qc.h(1)
    assert ask(qc, Fault("X", 1, 3), tmp_path) is None


def test_before_a_measurement_only_unchanged_states_are_certain(tmp_path: Path) -> None:
    qc = QuantumCircuit(2, 1)
    qc.h(0)
    qc.measure(0, 0)
    qc.h(1)
    assert ask(qc, Fault("Z", 1, 1), tmp_path) == "holds"
    assert ask(qc, Fault("Z", 0, 1), tmp_path) is None


def test_files_that_qiskit_does_not_read(tmp_path: Path) -> None:
    file = tmp_path / "bad.qasm"
    file.write_text("OPENQASM 2.0; qreg q[", encoding="utf-8")
    assert load_with_qiskit(file) is None
    assert load_with_qiskit(tmp_path / "missing.qasm") is None
