"""Executions along location paths: possible ones are simulated, others are shown as they are."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit
from qismc.evidence.build import ExecutionBuilder


def twice() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    return circuit


def builder(model: Model) -> ExecutionBuilder:
    solved, simulator = model.solved(), model.replayer
    return ExecutionBuilder(
        solved.system, lambda index: [f"label{index}"], simulator, lambda k: solved.seeds[k].vector(simulator)
    )


def route(model: Model, *values: int) -> list[int]:
    """The straight path whose locations have the given values of c."""
    found = [0]
    for value in values:
        found.append(
            next(b for a, b in model.edges if a == found[-1] and model.locations[b].values["c"] == value)
        )
    return found


def test_a_possible_path_is_simulated() -> None:
    model = Model(twice(), engine="float", keep_dead=True)
    execution = builder(model).from_locations("path", route(model, 0, 1, 3), None, "two ones")
    assert execution.replayed
    assert execution.probability == pytest.approx(0.5)
    assert [step.outcome for step in execution] == [None, 1, 1, None]
    assert [step.state for step in execution] == ["|0>", "sqrt(1/2)|0> + sqrt(1/2)|1>", "|1>", "|1>"]
    assert execution.steps[0].labels == ("label0",)
    assert execution.claim == "two ones"


def test_an_impossible_path_is_shown_without_states() -> None:
    model = Model(twice(), engine="float", paths="all", keep_dead=True)
    execution = builder(model).from_locations("path", route(model, 0, 1, 1), None, "a contradiction")
    assert not execution.replayed
    assert execution.probability is None
    assert len(execution) == 4
    assert all(step.state is None for step in execution)


def test_a_path_from_elsewhere_is_not_simulated() -> None:
    model = Model(twice(), engine="float", keep_dead=True)
    execution = builder(model).from_locations("path", [1, 2], None, "")
    assert not execution.replayed


def test_a_lasso_at_the_end() -> None:
    model = Model(QuantumCircuit(1), engine="float")
    execution = builder(model).from_locations("lasso", [0], 0, "stays")
    assert (execution.kind, execution.loop_start, len(execution)) == ("lasso", 0, 1)
    assert execution.replayed
    assert execution.probability == pytest.approx(1)
