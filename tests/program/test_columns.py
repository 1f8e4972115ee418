"""Columns say what the code says."""

from __future__ import annotations

from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.columns import Columns, columns
from qismc.program.operators import Operator
from qismc.program.statements import Apply


def gates_of(table: Columns) -> list[tuple[int, Operator, tuple[int, ...]]]:
    ends = table.starts.tolist()
    return [
        (point, table.operators[number], tuple(table.qubits[ends[k] : ends[k + 1]].tolist()))
        for k, (point, number) in enumerate(zip(table.points.tolist(), table.numbers.tolist(), strict=True))
    ]


def test_every_gate_is_there() -> None:
    circuit = QuantumCircuit(3, 2)
    circuit.h(0)
    circuit.ccx(2, 0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(2)
        circuit.rz(0.5, 1)
    circuit.cx(1, 2)
    program = read_program(circuit)
    table = columns(program)
    expected = [(p, s.operator, s.qubits) for p, s in enumerate(program.code) if isinstance(s, Apply)]
    assert gates_of(table) == expected and len(expected) == 5
    assert len(table.operators) == len({id(operator) for _, operator, _ in expected})
    assert table.between(expected[1][0], expected[3][0]) == slice(1, 3)
    assert columns(program) is table


def test_no_gates() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    table = columns(read_program(circuit))
    assert gates_of(table) == [] and table.operators == () and table.between(0, 1) == slice(0, 0)
