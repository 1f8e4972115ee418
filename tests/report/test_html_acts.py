"""What statements do to wires."""

from __future__ import annotations

from qismc import QuantumCircuit
from qismc.program.load import read_program
from qismc.report.html_acts import acts


def test_gates_measurements_and_resets() -> None:
    circuit = QuantumCircuit(3, 1)
    circuit.h(2)
    circuit.cx(2, 0)
    circuit.ccx(0, 1, 2, ctrl_state="01")
    circuit.reset(1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.swap(0, 1)
    program = read_program(circuit)
    found = [acts(statement) for statement in program.code]
    assert found[0] == {"name": "h", "targets": [2], "controls": []}
    assert found[1] == {"name": "x", "targets": [0], "controls": [[2, 1]]}
    assert found[2] is not None and sorted(found[2]["controls"]) == [[0, 1], [1, 0]]
    assert found[3] == {"name": "|0>", "targets": [1], "controls": []}
    assert found[4] == {"name": "M", "targets": [0], "controls": []}
    assert found[5] is None
    assert found[6] is not None and sorted(found[6]["targets"]) == [0, 1]
