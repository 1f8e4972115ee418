"""Fingerprints depend on what a program does, not on where it was written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from qiskit.circuit.library import Initialize

from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.fingerprints import fingerprint


def start() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2, name="one")
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.ry(0.3, 1)
    circuit.measure(0, 0)
    return circuit


def conditional(circuit: QuantumCircuit, value: int) -> None:
    with circuit.if_test((circuit.clbits[0], value)):
        circuit.x(1)


CHANGES: list[Callable[[QuantumCircuit], object]] = [
    lambda _: None,
    lambda c: c.x(0),
    lambda c: c.x(1),
    lambda c: c.ry(0.3, 1),
    lambda c: c.ry(0.3000000001, 1),
    lambda c: c.mark("here"),
    lambda c: c.mark("there"),
    lambda c: c.measure(0, 1),
    lambda c: c.measure(1, 1),
    lambda c: c.reset(0),
    lambda c: c.append(Initialize([0.6, 0.8]), [0]),
    lambda c: c.append(Initialize([0.8, 0.6]), [0]),
    lambda c: conditional(c, 1),
    lambda c: conditional(c, 0),
]


def made(change: Callable[[QuantumCircuit], object], name: str = "one") -> str:
    circuit = start()
    circuit.name = name
    change(circuit)
    return fingerprint(read_program(circuit))


def test_every_change_shows() -> None:
    assert len({made(change) for change in CHANGES}) == len(CHANGES)


@pytest.mark.parametrize("change", CHANGES)
def test_names_and_lines_do_not(change: Callable[[QuantumCircuit], object]) -> None:
    assert made(change) == made(change, "two")
