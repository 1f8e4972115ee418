"""Identities depend on what a program does, not on where it was written or how it is stored."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import pytest

from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.statements import Apply
from qismc.system.identities import identity
from tests.program.test_fingerprints import CHANGES, start


def made(change: Callable[[QuantumCircuit], object], name: str = "one") -> str:
    circuit = start()
    circuit.name = name
    change(circuit)
    return identity(read_program(circuit))


MORE: list[Callable[[QuantumCircuit], object]] = [
    *CHANGES,
    lambda c: c.cx(1, 0),
    lambda c: c.cx(0, 1),
    lambda c: c.cx(0, 1, ctrl_state=0),
    lambda c: (c.x(0), c.x(1)),
    lambda c: (c.x(1), c.x(0)),
    lambda c: (c.x(0), c.measure(0, 0), c.x(1)),
    lambda c: (c.measure(0, 0), c.x(0), c.x(1)),
]


def test_every_change_shows() -> None:
    assert len({made(change) for change in MORE}) == len(MORE)


@pytest.mark.parametrize("change", MORE)
def test_names_and_lines_do_not(change: Callable[[QuantumCircuit], object]) -> None:
    assert made(change) == made(change, "two")


def test_what_is_shared_does_not() -> None:
    """Whether equal gates are one object is an accident of who made them."""
    circuit = start()
    circuit.ry(0.3, 0)
    program = read_program(circuit)
    fresh = [
        Apply(deepcopy(s.operator), s.qubits) if isinstance(s, Apply) else deepcopy(s) for s in program.code
    ]
    assert identity(replace(program, code=fresh)) == identity(program)
