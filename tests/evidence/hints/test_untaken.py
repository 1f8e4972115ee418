"""Branches never taken and statements never reached, against all executions of small programs."""

from __future__ import annotations

import random

import pytest

from qismc import Model, QuantumCircuit
from qismc.evidence.hints.untaken import untaken
from qismc.program.statements import Branch

from .programs import densities, random_program


def texts(circuit: QuantumCircuit, paths: str = "feasible") -> list[str]:
    model = Model(circuit, engine="float", paths=paths)  # type: ignore[arg-type]
    return [hint.text for _, hint in untaken(model.solved())]


@pytest.mark.parametrize("paths", ["feasible", "all"])
def test_random_programs(paths: str) -> None:
    """A condition is remarked on iff exactly one of its ways is reached from it."""
    remarked = 0
    for seed in range(60):
        model = Model(random_program(random.Random(seed), 10), engine="float", paths=paths)  # type: ignore[arg-type]
        program, reached = model.program, densities(model.program)
        found = {point: hint.text for point, hint in untaken(model.solved()) if hint.kind == "branch"}
        for point, statement in enumerate(program.code):
            if not isinstance(statement, Branch) or point not in reached:
                assert point not in found
                continue
            if statement.then not in reached:
                assert found[point].endswith("is never true")
            elif point in found:
                assert found[point].endswith("is always true")
        remarked += len(found)
    assert remarked > 20


def test_sides_and_loops() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((0, 0)):
        circuit.h(0)
    with circuit.if_test((0, 1)) as otherwise:
        circuit.h(0)
    with otherwise:
        circuit.x(0)
    with circuit.while_loop((1, 1)):
        circuit.z(0)
    assert texts(circuit) == [
        "'if (c[0] == 0)' is never true",
        "'if (c[0] == 1)' is always true",
        "'while (c[1] == 1)' never runs its body",
    ]


def test_switch_cases() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.switch(circuit.cregs[0]) as case:
        with case(0, 1):
            circuit.h(0)
        with case(2):
            circuit.x(0)
    assert texts(circuit) == ["'switch (c)' never has the value 2"]


def test_statements_behind_an_endless_loop() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
    circuit.h(0)
    circuit.h(0)
    assert texts(circuit) == ["'h q[0]' and 1 more from there on are never reached"]


def test_an_end_that_is_never_reached() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
    assert texts(circuit) == ["the end of the program is never reached"]
    assert texts(circuit, "all") == ["the end of the program is never reached"]
