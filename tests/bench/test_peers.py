"""The peers run the same circuits: mqt-core's diagrams have Qiskit's amplitudes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from qismc.bench.peers import PEERS, decision_diagram, installed, measure_peer
from qismc.bench.row import Job
from qismc.program import read_program
from qismc.program.statements import Apply


def some_circuit() -> QuantumCircuit:
    qc = QuantumCircuit(4)
    qc.h(range(4))
    qc.t(1)
    qc.ccx(0, 1, 2)
    qc.rxx(0.3, 3, 1)
    qc.ecr(2, 0)
    qc.mcx([0, 3], 1, ctrl_state="01")
    qc.cswap(1, 0, 3)
    return qc


def test_mqt_core_agrees_with_qiskit() -> None:
    pytest.importorskip("mqt.core.dd")
    circuit = some_circuit()
    code = read_program(circuit).code
    factors = [f.on(s.qubits) for s in code if isinstance(s, Apply) for f in s.operator.factors]
    _, state = decision_diagram(4, factors)
    overlap = abs(np.vdot(np.array(state.get_vector()), Statevector(circuit).data))
    assert overlap == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", PEERS)
def test_unitary_cases_take_time(name: str, tmp_path: Path) -> None:
    if name not in installed():
        pytest.skip(f"{name} is not installed")
    seconds = measure_peer(name, Job("ghz", "case", "ghz", {"n": 6}))
    assert seconds is not None and seconds > 0
    file = tmp_path / "a.qasm"
    file.write_text('OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2]; h q; measure q -> c;')
    seconds = measure_peer(name, Job("a", "clean", str(file)))
    assert seconds is not None and seconds > 0


@pytest.mark.parametrize("name", PEERS)
def test_what_peers_cannot_do_is_left_out(name: str) -> None:
    assert measure_peer(name, Job("rus", "case", "repeat_until_success")) is None
    assert measure_peer(name, Job("ladder", "graph", "ladder", {"size": 9})) is None
