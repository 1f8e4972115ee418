"""What `on` and `to` may be: qubits in every way of naming them, and typed errors for all else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister, transpile
from qiskit.circuit import Qubit
from qiskit.transpiler import CouplingMap

import qismc
from qismc import QismcError, UsageError, Verdict

DATA, HELPER, SEEN = QuantumRegister(2, "data"), QuantumRegister(1, "helper"), ClassicalRegister(1, "seen")


def program() -> qiskit.QuantumCircuit:
    """Two qubits of data that are exchanged, beside a helper that is measured."""
    circuit = qiskit.QuantumCircuit(DATA, HELPER, SEEN)
    circuit.h(2)
    circuit.measure(2, 0)
    circuit.swap(0, 1)
    return circuit


def reference() -> qiskit.QuantumCircuit:
    circuit = qiskit.QuantumCircuit(2)
    circuit.swap(0, 1)
    return circuit


@pytest.mark.parametrize(
    "on",
    [
        "data",
        "data[0], data[1]",
        [0, 1],
        (0, 1),
        range(2),
        np.array([0, 1]),
        [np.int64(0), np.int32(1)],
        DATA,
        list(DATA),
        ["data[0]", 1],
        [[0], [DATA[1]]],
    ],
)
def test_ways_of_naming_qubits(on: Any) -> None:
    assert qismc.equivalent(program(), reference(), on=on)
    assert qismc.equivalent(program(), program(), on=on)  # a larger reference, too
    assert not qismc.equivalent(program(), qiskit.QuantumCircuit(2), on=on)


@pytest.mark.parametrize(
    ("on", "message"),
    [
        ([0, 0], "twice"),
        ("data, data[1]", "twice"),
        ([0, DATA[0]], "twice"),
        (-1, "there is no qubit -1"),
        ([0, 3], "there is no qubit 3"),
        (10**30, "there is no qubit"),
        ("data[2]", "out of range"),
        ("date", "did you mean 'data'"),
        ("", "names no qubits"),
        ("|0>", "names no qubits"),
        ("data) \\/ (data", "names no qubits"),
        (True, "names no qubits"),
        (2.0, "names no qubits"),
        ([None], "names no qubits"),
        ({0, 1}, "names no qubits"),
        (b"data", "names no qubits"),
        (np.array([0.5]), "names no qubits"),
        (SEEN, "names no qubits"),
        (Qubit(), "is no qubit of"),
        (QuantumRegister(3, "data"), "has 3 qubits"),
        (QuantumRegister(2, "other"), "unknown quantum register 'other'"),
    ],
)
def test_what_names_no_qubits(on: Any, message: str) -> None:
    for other in (reference(), program()):
        with pytest.raises(QismcError, match=message.replace("[", r"\[")):
            qismc.equivalent(program(), other, on=on)
        with pytest.raises(QismcError, match=message.replace("[", r"\[")):
            qismc.equivalent(program(), other, on=[0, 1], to=on)


def test_a_list_in_itself() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(UsageError, match="names no qubits"):
        qismc.equivalent(program(), reference(), on=endless)


def test_qubits_of_a_file_have_no_objects() -> None:
    text = "OPENQASM 3.0;\nqubit[2] data;\n"
    with pytest.raises(UsageError, match="belongs to a circuit"):
        qismc.equivalent(text, qiskit.QuantumCircuit(1), on=DATA[0])
    assert qismc.equivalent(text, qiskit.QuantumCircuit(2), on=DATA)


def test_names_of_other_sizes_in_the_reference() -> None:
    larger = qiskit.QuantumCircuit(QuantumRegister(3, "data"))
    with pytest.raises(UsageError, match="2 qubits of the program, 3 of the reference"):
        qismc.equivalent(program(), larger, on="data")


def test_qubits_of_the_original() -> None:
    """A qubit of the original is where the layout puts it at the start, and where it leaves it."""
    wires = QuantumRegister(3, "wires")
    original = qiskit.QuantumCircuit(wires)
    original.h(0)
    original.cx(0, 2)
    original.cx(0, 1)
    made = transpile(
        original, coupling_map=CouplingMap.from_line(4), seed_transpiler=3, initial_layout=[3, 0, 1]
    )
    for on in ([wires[2]], "wires[2]", [wires[2], wires[0]], wires):
        assert qismc.equivalent(made, original, on=on).verdict is Verdict.HOLDS
