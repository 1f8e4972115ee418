"""Qiskit expressions, converted and evaluated, against a direct evaluation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Qubit
from qiskit.circuit.classical import expr, types

from qismc.errors import UnsupportedError
from qismc.program.qiskit_classical import (
    convert,
    qubit_names,
    read_before_written,
    register_variables,
    width_of,
)

from .interpreter import Block, World

A, B = ClassicalRegister(3, "a"), ClassicalRegister(3, "b")
BITS = {bit: k for k, bit in enumerate([*A, *B])}
FLAG = A[0]

NODES = {
    **{f.__name__: f(A, B) for f in (expr.bit_and, expr.bit_or, expr.bit_xor, expr.equal, expr.not_equal)},
    **{f.__name__: f(A, B) for f in (expr.less, expr.less_equal, expr.greater, expr.greater_equal)},
    **{f.__name__: f(A, B) for f in (expr.add, expr.sub, expr.mul)},
    "logic": expr.logic_or(expr.logic_and(FLAG, B[1]), expr.logic_not(A[2])),
    "bit_not": expr.bit_not(A),
    "bit_not of a bool": expr.bit_not(FLAG),
    "shifts": expr.bit_or(expr.shift_left(A, expr.cast(B, types.Uint(3))), expr.shift_right(A, 1)),
    "wider": expr.add(expr.cast(A, types.Uint(5)), 27),
    "narrower": expr.cast(expr.add(A, B), types.Uint(2)),
    "to bool": expr.cast(A, types.Bool()),
    "from bool": expr.add(expr.cast(FLAG, types.Uint(3)), A),
    "index": expr.index(A, expr.bit_and(B, 1)),
    "divide": expr.div(A, expr.bit_or(B, 1)),
    "value": expr.lift(5, types.Uint(4)),
}  # fmt: skip


def positions(target: object) -> tuple[int, ...]:
    return (BITS[target],) if isinstance(target, Clbit) else tuple(BITS[bit] for bit in target)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NODES)
def test_every_store(name: str) -> None:
    node = NODES[name]
    expression = convert(node, positions, None)
    block = Block(QuantumCircuit(QuantumRegister(1)), {}, BITS)
    for bits in itertools.product((0, 1), repeat=6):
        world = World(np.ones(1), bits, {})
        store = sum(bit << k for k, bit in enumerate(bits))
        assert expression.evaluate(store) == block.evaluate(node, world), bits


def test_reals_are_refused() -> None:
    with pytest.raises(UnsupportedError, match=r"type 'float' are not supported \(use Bool or Uint\)"):
        width_of(types.Float(), None)


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
