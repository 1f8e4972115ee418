from __future__ import annotations

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Qubit
from qiskit.circuit.classical import expr, types

from qismc.program.layout import qubit_names, read_before_written, register_variables


def test_the_first_register_names_a_shared_qubit() -> None:
    first = QuantumRegister(2, "a")
    second = QuantumRegister(name="b", bits=[first[1], Qubit()])
    circuit = QuantumCircuit(first, second, [Qubit()])
    numbers = {q: k for k, q in enumerate(circuit.qubits)}
    registers = {r.name: tuple(numbers[q] for q in r) for r in circuit.qregs}
    assert qubit_names(circuit, registers) == ["a[0]", "a[1]", "b[1]", "qubit3"]


def test_registers_come_before_loose_bits() -> None:
    circuit = QuantumCircuit([Clbit()], ClassicalRegister(2, "c"))
    variables = register_variables(circuit, {c: k for k, c in enumerate(circuit.clbits)})
    assert {name: v.bits for name, v in variables.items()} == {"c": (1, 2), "clbit0": (0,)}
    assert variables["clbit0"].is_bit and not variables["c"].is_bit


def test_loose_bits_leave_the_names_of_registers_alone() -> None:
    circuit = QuantumCircuit(
        [Clbit()], ClassicalRegister(2, "clbit0"), [Qubit()], QuantumRegister(1, "qubit0")
    )
    variables = register_variables(circuit, {c: k for k, c in enumerate(circuit.clbits)})
    assert {name: v.bits for name, v in variables.items()} == {"clbit0": (1, 2), "clbit0_": (0,)}
    assert qubit_names(circuit, {"qubit0": (1,)}) == ["qubit0_", "qubit0[0]"]


def declared(*names: str) -> tuple[QuantumCircuit, list[expr.Var]]:
    circuit = QuantumCircuit(1, 1)
    variables = [expr.Var.new(name, types.Bool()) for name in names]
    for variable in variables:
        circuit.add_uninitialized_var(variable)
    return circuit, variables


def test_reads_before_writes() -> None:
    circuit, (a, b, c, d, e) = declared("a", "b", "c", "d", "e")
    circuit.store(a, True)
    circuit.store(c, expr.logic_not(b))
    with circuit.if_test(expr.logic_and(a, c)):
        circuit.store(e, d)
    assert set(read_before_written(circuit)) == {b, d, e}
