"""Branches never taken and statements never reached, against all executions of small programs."""

from __future__ import annotations

import random

import pytest

from qismc import Model, QuantumCircuit
from qismc.demo import repeat_until_success
from qismc.evidence.hints import flow as module
from qismc.evidence.hints.flow import endless, untaken
from qismc.program.statements import Branch

from .programs import densities, random_program


def texts(circuit: QuantumCircuit, paths: str = "feasible") -> list[str]:
    model = Model(circuit, numbers="float", paths=paths)  # type: ignore[arg-type]
    return [hint.text for _, hint in untaken(model.solved())]


@pytest.mark.parametrize("paths", ["feasible", "all"])
def test_random_programs(paths: str) -> None:
    """A condition is remarked on iff exactly one of its ways is reached from it."""
    remarked = 0
    for seed in range(60):
        model = Model(random_program(random.Random(seed), 10), numbers="float", paths=paths)  # type: ignore[arg-type]
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


FOREVER = "with positive probability it goes on for ever"
NO_WAY_OUT = "no execution leaves it: there is no feasible way out"


def texts_of_endless(circuit: QuantumCircuit, engine: str) -> list[str]:
    model = Model(circuit, numbers=engine)
    return [hint.text.split(": ", 1)[1] for _, hint in endless(model.solved(), model.budget)]


def looping(start: str, body: str) -> QuantumCircuit:
    """Measure, then repeat while the outcome is 1; "m" measures, other letters are gates."""
    circuit = QuantumCircuit(1, 1)
    for letter in start:
        getattr(circuit, letter)(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        for letter in body:
            circuit.measure(0, 0) if letter == "m" else getattr(circuit, letter)(0)
    return circuit


@pytest.mark.parametrize(("start", "body", "found"), [
    ("x", "h", [NO_WAY_OUT]),        # the bit is never written again
    ("h", "x", [FOREVER]),           # left at once with probability 1/2, never left otherwise
    ("h", "m", [FOREVER]),           # the outcome repeats itself
    ("h", "hm", []),                 # left with probability 1, though not surely
    ("x", "xm", []),                 # left after one turn
    ("", "x", []),                   # never entered
])  # fmt: skip
def test_loops(start: str, body: str, found: list[str], engine: str) -> None:
    assert texts_of_endless(looping(start, body), engine) == found


def test_repeat_until_success_ends(engine: str) -> None:
    assert texts_of_endless(repeat_until_success(reset_ancilla=True), engine) == []


def test_a_loop_that_ends_inside_one_that_does_not(engine: str) -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.h(1)
        circuit.measure(1, 1)
        with circuit.while_loop((1, 1)):
            circuit.h(1)
            circuit.measure(1, 1)
    assert texts_of_endless(circuit, engine) == [NO_WAY_OUT]


def test_probabilities_are_left_out_of_large_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1)
    assert texts_of_endless(looping("h", "x"), "float") == []
    assert texts_of_endless(looping("x", "h"), "float") == [NO_WAY_OUT]
