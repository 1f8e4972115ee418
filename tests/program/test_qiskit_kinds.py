"""Programs in files need no Qiskit; objects of Qiskit are known where they come from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

import qismc
from qismc.program.qiskit_kinds import is_circuit, is_statevector


def test_objects_of_qiskit_are_recognised() -> None:
    assert is_circuit(QuantumCircuit(1)) and is_circuit(qismc.QuantumCircuit(1))
    assert is_statevector(Statevector([1, 0]))
    assert not is_circuit("q.qasm") and not is_statevector([1, 0])


def test_a_file_is_checked_without_qiskit(tmp_path: Path) -> None:
    (tmp_path / "bell.qasm").write_text(
        'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; h q[0]; cx q[0], q[1];'
    )
    script = (
        "import sys, qismc\n"
        "assert qismc.check('bell.qasm', 'AG (leaf -> |00> + |11>)')\n"
        "assert not qismc.check('bell.qasm', 'AG (leaf -> |00>)')\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('qiskit', 'scipy')])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
