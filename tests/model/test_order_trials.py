"""Orders of the qubits that rehearse: better ones are found, and nothing but time depends on them."""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest

import qismc
from benchmarks.codes import plaquettes
from qismc import Model, QuantumCircuit
from qismc.engines.exact import ExactEngine
from qismc.limits import Budget, Limits
from qismc.model import order_trials as rehearsal
from qismc.model.order_trials import Progress, best_order, is_plain
from qismc.program import read_program


def checks(distance: int, seed: int) -> QuantumCircuit:
    """A round of the surface code's checks with a qubit for each of them, all numbered at random."""
    found = plaquettes(distance)
    circuit = QuantumCircuit(distance**2 + len(found))
    number = list(range(circuit.num_qubits))
    Random(seed).shuffle(number)
    for k, check in enumerate(found):
        helper = number[distance**2 + k]
        circuit.h(helper)
        for data, letter in enumerate(check):
            if letter != "I":
                (circuit.cx if letter == "X" else circuit.cz)(helper, number[data])
        circuit.h(helper)
    return circuit


def form_of(model: Model) -> object:
    assert isinstance(model.engine, ExactEngine)
    return model.engine.native.form


def test_a_bad_guess_loses() -> None:
    circuit = checks(5, seed=1)
    model, program = Model(circuit), read_program(circuit)
    natural = list(range(circuit.num_qubits))
    found = best_order(program, form_of(model), Budget(Limits()), natural, seed=0)  # type: ignore[arg-type]
    assert list(found) != natural and sorted(found) == natural
    again = best_order(program, form_of(model), Budget(Limits()), found, seed=0)  # type: ignore[arg-type]
    assert list(again) == list(found)


def test_progress() -> None:
    assert Progress(20, -9).beats(Progress(10, -9)) and not Progress(11, -9).beats(Progress(10, -9))
    assert Progress(10, -5).beats(Progress(10, -9)) and not Progress(10, -8).beats(Progress(10, -9))


def test_plain_circuits() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    assert is_plain(read_program(circuit))
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    assert not is_plain(read_program(circuit))


@pytest.mark.parametrize("order", ["auto", "natural"])
def test_verdicts_do_not_depend_on_it(
    monkeypatch: pytest.MonkeyPatch, order: Literal["auto", "natural"]
) -> None:
    """Guesses are given up at once, that of the search as well. Z checks are satisfied, X checks are not."""
    rehearsed: list[int] = []

    def noted(*args: object) -> object:
        rehearsed.append(1)
        return best_order(*args)  # type: ignore[arg-type]

    monkeypatch.setattr("qismc.model.engines.UNREHEARSED", 1000)
    monkeypatch.setattr("qismc.model.engines.HASTY", 0)
    monkeypatch.setattr("qismc.model.engines.best_order", noted)
    circuit = checks(5, seed=2)
    number = list(range(circuit.num_qubits))
    Random(2).shuffle(number)
    kinds = ["X" if "X" in check else "Z" for check in plaquettes(5)]
    quiet = number[25 + kinds.index("Z")]
    noisy = number[25 + kinds.index("X")]
    formulas = {"quiet": f"AG (leaf -> |0> on q[{quiet}])", "noisy": f"AG (leaf -> |0> on q[{noisy}])"}
    if order == "natural":
        circuit = checks(3, seed=2)
        formulas = {"zero": "AG (init -> |0> on q[0])"}
    result = qismc.check(circuit, formulas, numbers="exact", order=order)
    assert bool(rehearsed) == (order == "auto")
    if order == "auto":
        assert result["quiet"] and not result["noisy"] and rehearsal.UNREHEARSED > 1000
        shown = result["noisy"].counterexample
        assert shown is not None and shown.replayed and shown.probability == pytest.approx(1.0)
