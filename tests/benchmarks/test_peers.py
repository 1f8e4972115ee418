"""The peers run the same circuits: mqt-core's diagrams have Qiskit's amplitudes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from benchmarks.decision_diagrams import decision_diagram, diagram_of, steps_of
from benchmarks.peers import PEERS, SHOTS, Peer, installed, measure_peer, of_command
from benchmarks.row import Bounds, Job
from qismc.errors import UsageError
from qismc.program import read_program
from qismc.program.statements import Apply, Reset


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
    _, state = diagram_of(4, factors)
    overlap = abs(np.vdot(np.array(state.get_vector()), Statevector(circuit).data))
    assert overlap == pytest.approx(1, abs=1e-9)


BOUNDS = Bounds(repeats=2)


@pytest.mark.parametrize("name", [name for name in PEERS if name != SHOTS])
def test_unitary_cases_take_time(name: str, tmp_path: Path) -> None:
    if name not in installed():
        pytest.skip(f"{name} is not installed")
    seconds = measure_peer(Peer(name), Job("ghz", "case", "ghz", {"n": 6}), BOUNDS)
    assert seconds is not None and seconds > 0
    file = tmp_path / "a.qasm"
    file.write_text('OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2]; h q; measure q -> c;')
    seconds = measure_peer(Peer(name), Job("a", "clean", str(file)), BOUNDS)
    assert seconds is not None and seconds > 0


def test_mqt_core_resets_qubits() -> None:
    """Whatever the outcome: a qubit of a pair is |0> after its reset, the other |0> or |1>."""
    pytest.importorskip("mqt.core.dd")
    pair = QuantumCircuit(2)
    pair.h(0)
    pair.cx(0, 1)
    gates = [step for s in read_program(pair).code if isinstance(s, Apply) for step in steps_of(s)]
    _, state = decision_diagram(2, [*gates, Reset(0)])
    amplitudes = np.abs(np.asarray(state.get_vector()))
    assert any(np.allclose(amplitudes, one) for one in ([1, 0, 0, 0], [0, 0, 1, 0]))
    _, state = decision_diagram(2, [*gates, Reset(0), Reset(1)])
    assert np.allclose(np.abs(np.asarray(state.get_vector())), [1, 0, 0, 0])


@pytest.mark.parametrize("name", [name for name in PEERS if name != SHOTS])
def test_peers_run_resets(name: str, tmp_path: Path) -> None:
    if name not in installed():
        pytest.skip(f"{name} is not installed")
    file = tmp_path / "a.qasm"
    file.write_text(
        'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; h q[0]; cx q[0], q[1]; reset q[0]; h q[1];'
    )
    seconds = measure_peer(Peer(name), Job("a", "clean", str(file)), BOUNDS)
    assert seconds is not None and seconds > 0


@pytest.mark.parametrize("name", PEERS)
def test_what_peers_cannot_do_is_left_out(name: str) -> None:
    assert measure_peer(Peer(name), Job("rus", "case", "repeat_until_success"), BOUNDS) is None
    assert measure_peer(Peer(name), Job("ladder", "graph", "ladder", {"size": 9}), BOUNDS) is None
    t_gates = Job("t", "case", "random_clifford_t", {"n": 3, "gates": 20, "seed": 1})
    if name in ("stim", "aer-stabiliser"):
        assert measure_peer(Peer(name), t_gates, BOUNDS) is None


def test_any_command_can_be_a_peer(tmp_path: Path) -> None:
    job = Job("ghz", "case", "ghz", {"n": 3})
    seen = tmp_path / "seen.qasm"
    copy = of_command(f"copy=cp {{file}} {seen}")
    seconds = measure_peer(copy, job, BOUNDS)
    assert seconds is not None and seconds > 0
    assert Statevector(QuantumCircuit.from_qasm_file(str(seen))).num_qubits == 3
    assert measure_peer(of_command("broken=false {file}"), job, BOUNDS) is None
    assert measure_peer(of_command("absent=/nowhere/tool {file}"), job, BOUNDS) is None
    assert measure_peer(of_command("slow=sleep 9 {file}"), job, Bounds(seconds=0.1)) is None


@pytest.mark.parametrize("text", ["tool", "=tool {file}", "tool=run it", "stim=run {file}"])
def test_commands_need_a_name_and_a_file(text: str) -> None:
    with pytest.raises(UsageError, match="no command for a file"):
        of_command(text)
