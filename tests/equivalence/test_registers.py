"""Registers that are compared: by name, by `bits`, by their order."""

from __future__ import annotations

from typing import Any

import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit, UsageError, Verdict


def measured(*names: str, flip: bool = False, size: int = 1) -> QuantumCircuit:
    """One coin for each register; the last one is turned."""
    registers = [ClassicalRegister(size, name) for name in names]
    circuit = QuantumCircuit(QuantumRegister(len(names) + 1, "q"), *registers)
    for k, register in enumerate(registers):
        circuit.ry(0.5 + k, k)
        circuit.measure(k, register[0])
    if flip:
        circuit.x(len(names))
        circuit.measure(len(names), registers[-1][0])
    return circuit


def test_other_names_in_the_same_order() -> None:
    result = qismc.equivalent(measured("c"), measured("meas"))
    assert result and result.notes[-1] == "'c' is compared with the reference's 'meas'"
    assert qismc.equivalent(measured("c", flip=True), measured("meas")).verdict is Verdict.VIOLATED
    assert qismc.equivalent(measured("a", "b"), measured("c", "d"))
    assert qismc.equivalent(measured("a", "b"), measured("b", "a")).verdict is Verdict.VIOLATED  # names count


def test_bits_says_which_belong_together() -> None:
    own, other = measured("a", "b"), measured("b", "a")
    assert qismc.equivalent(own, other, bits={"a": "b", "b": "a"})
    assert qismc.equivalent(own, other, bits={own.cregs[0]: other.cregs[0], "b": "a"})
    assert qismc.equivalent(own, measured("b", "c"), bits={"a": "b", "b": "c"})
    assert not qismc.equivalent(own, measured("c", "d"), bits={"a": "d", "b": "c"})


def test_bits_asks_about_bits_of_gates() -> None:
    """A reference of gates says nothing about bits unless somebody asks: then its bits are 0."""
    gates = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(1, "d"))
    program = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(1, "c"))
    program.x(1)
    program.measure(1, 0)
    assert qismc.equivalent(program, gates, on=[0])
    assert qismc.equivalent(program, gates, on=[0], bits={"c": "d"}).verdict is Verdict.VIOLATED


@pytest.mark.parametrize(
    ("bits", "message"),
    [
        ({"x": "a"}, "bits names 'x', which the program does not have"),
        ({"a": "x"}, "bits names 'x', which the reference does not have"),
        ({"a": 3}, "bits names 3, which the reference does not have"),
        ({"a": "a", "b": "a"}, "twice"),
        (["a"], "bits is list"),
        ("a", "bits is str"),
        (True, "bits is bool"),
    ],
)
def test_wrong_bits(bits: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        qismc.equivalent(measured("a", "b"), measured("a", "b"), bits=bits)


def test_sizes_differ() -> None:
    with pytest.raises(UsageError, match="'c' of 2 bits, the program has 1 bit there"):
        qismc.equivalent(measured("c"), measured("c", size=2))
    with pytest.raises(UsageError, match=r"has none of that name .*bits="):
        qismc.equivalent(measured("c"), measured("d", size=2))
    with pytest.raises(UsageError, match="has none of that name"):  # which of the two?
        qismc.equivalent(measured("a", "b"), measured("c"), on=[0])
    assert qismc.equivalent(measured("a", "b"), measured("c"), on=[0], to=(), bits={"a": "c"})


def test_registers_that_share_bits() -> None:
    """Where both measure into the same register, another one that shares its bits tells them apart."""
    own, other = qiskit.QuantumCircuit(1), qiskit.QuantumCircuit(1)
    shared = ClassicalRegister(1, "c")
    own.add_register(shared, ClassicalRegister(name="d", bits=[shared[0]]))
    other.add_register(ClassicalRegister(1, "c"), ClassicalRegister(1, "d"))
    for circuit in (own, other):
        circuit.h(0)
        circuit.measure(0, circuit.cregs[0][0])
    assert qismc.equivalent(own, other).verdict is Verdict.VIOLATED
    assert qismc.equivalent(other, own).verdict is Verdict.VIOLATED


def test_values_that_nobody_changes() -> None:
    text = "OPENQASM 3.0;\nqubit q; bit c; uint[3] n = {}; c = measure q;\n"
    assert qismc.equivalent(text.format(2), text.format(2))
    assert qismc.equivalent(text.format(2), text.format(3)).verdict is Verdict.VIOLATED


def test_a_swap_of_measured_bits() -> None:
    """Bits are compared within registers, whatever the registers are called."""
    own, other = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(2, "c")), qiskit.QuantumCircuit(2)
    own.h(0)
    other.h(0)
    other.measure_all()
    own.measure([0, 1], [0, 1])
    assert qismc.equivalent(own, other)
    crossed = QuantumCircuit(QuantumRegister(2, "q"), ClassicalRegister(2, "c"))
    crossed.h(0)
    crossed.measure([0, 1], [1, 0])
    assert qismc.equivalent(crossed, other).verdict is Verdict.VIOLATED
