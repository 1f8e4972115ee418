"""Loops that cannot end, or that go on for ever with positive probability."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit
from qismc.demo import repeat_until_success
from qismc.evidence.hints import endless as module
from qismc.evidence.hints.endless import endless

FOREVER = "with positive probability it goes on for ever"
NO_WAY_OUT = "no execution leaves it: there is no feasible way out"


def texts(circuit: QuantumCircuit, engine: str) -> list[str]:
    model = Model(circuit, engine=engine)
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
    assert texts(looping(start, body), engine) == found


def test_repeat_until_success_ends(engine: str) -> None:
    assert texts(repeat_until_success(reset_ancilla=True), engine) == []


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
    assert texts(circuit, engine) == [NO_WAY_OUT]


def test_probabilities_are_left_out_of_large_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WORK", 1)
    assert texts(looping("h", "x"), "float") == []
    assert texts(looping("x", "h"), "float") == [NO_WAY_OUT]
