"""What acts along a path is what its statements say."""

from __future__ import annotations

from qismc import QuantumCircuit, check


def test_gates_projections_and_flips_in_order() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.reset(0)
    execution = check(circuit, "AG !leaf").counterexample
    assert execution is not None
    assert execution.track is not None
    names = [[a.operator.name for a in move] for move in execution.track.moves]
    assert names == [["x"], ["project1"], [], ["lower"]]
    assert execution.track.start is not None
    assert [(bits, abs(a)) for bits, a in execution.track.start] == [("0", 1.0)]
