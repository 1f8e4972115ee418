"""Executions from simulations of visited points, and paths of the graph as they are."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit
from qismc.errors import LimitReached
from qismc.evidence import build, replaying
from qismc.evidence.build import Arrived, ExecutionBuilder
from qismc.evidence.realise import choose, path_through
from qismc.evidence.replaying import LargestTerms, Pictures, Stage, Visit
from qismc.fixpoint.solving import Starts


def twice() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    return circuit


def builder(model: Model) -> ExecutionBuilder:
    solved, simulator = model.solved(), model.simulation.engine
    return ExecutionBuilder(
        solved.system, lambda index: [f"label{index}"], simulator, Starts(solved, simulator)
    )


def route(model: Model, *values: int) -> list[int]:
    """The straight path whose locations have the given values of c."""
    found = [0]
    for value in values:
        found.append(
            next(b for a, b in model.edges if a == found[-1] and model.locations[b].values["c"] == value)
        )
    return found


def visits(model: Model, locations: list[int]) -> tuple[Visit, ...] | None:
    start = Starts(model.solved(), model.simulation.engine).vector(0)
    path = path_through(model.system, locations)
    return next(choose(model.program, model.simulation.engine, path, start), None)


def test_a_possible_path_is_simulated() -> None:
    model = Model(twice(), numbers="float", keep_dead=True)
    taken = visits(model, route(model, 0, 1, 3))
    assert taken is not None
    maker = builder(model)
    passed = maker.follow(taken, *Starts(model.solved(), model.simulation.engine)(0))
    execution = maker.along(passed, "two ones")
    assert execution.replayed
    assert execution.probability == pytest.approx(0.5)
    assert [step.outcome for step in execution] == [None, 1, 1, None]
    assert [step.state for step in execution] == ["|0>", "sqrt(1/2)|0> + sqrt(1/2)|1>", "|1>", "|1>"]
    assert execution.steps[0].labels == ("label0",)
    assert execution.claim == "two ones"


def test_an_impossible_path_is_shown_without_states() -> None:
    model = Model(twice(), numbers="float", paths="all", keep_dead=True)
    contradiction = route(model, 0, 1, 1)
    assert visits(model, contradiction) is None
    execution = builder(model).located(contradiction, None, "a contradiction")
    assert not execution.replayed
    assert execution.note
    assert execution.probability is None
    assert len(execution) == 4
    assert all(step.state is None for step in execution)


def test_a_lasso_has_the_probability_of_one_turn() -> None:
    """The way into the loop is no part of the turn."""
    circuit = QuantumCircuit(1, 1)
    circuit.ry(1.2, 0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    model = Model(circuit, numbers="float")
    found = model.check("AF leaf").counterexample
    assert found is not None and found.loop_start is not None
    assert found.probability == pytest.approx(0.5)
    assert found.steps[found.loop_start].probability == pytest.approx(0.3188, abs=1e-4)


def test_of_large_states_only_those_near_the_ends_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "BYTES_LOOKED_AT", 64)
    circuit = QuantumCircuit(2)
    for _ in range(20):
        circuit.h(0)
    execution = qismc.check(circuit, "AG (leaf -> |11>)").counterexample
    assert execution is not None and len(execution) == 21
    seen = [k for k, step in enumerate(execution.steps) if step.terms is not None]
    half = replaying.FEWEST_STATES // 2
    assert seen == [*range(half), *range(21 - half, 21)]
    assert [execution.steps[k].state for k in (0, 20)] == ["|00>", "|00>"]
    assert all(step.statement == "h q[0]" for step in execution.steps[:20])


def superposed() -> QuantumCircuit:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    return circuit


def test_without_time_for_them_there_are_no_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is possible was found before; its states are left out."""
    found = qismc.check(superposed(), "EF (leaf & |+>)")["spec"].witness

    def stop(*_: object) -> None:
        raise LimitReached("a test")

    monkeypatch.setattr(Pictures, "take", stop)
    assert found is not None and found.replayed and [step.state for step in found] == [None, None]


def test_states_are_looked_at_once_and_when_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    take = Pictures.take

    def counted(self: Pictures, stage: Stage) -> None:
        looks.append(stage.begin)
        take(self, stage)

    monkeypatch.setattr(Pictures, "take", counted)
    result = qismc.check(superposed(), "AG (leaf -> |0> on q[0])")
    assert not looks
    execution = result["spec"].counterexample
    assert execution is not None and len(execution) == 2
    assert [step.state for step in execution] == ["|0>", "sqrt(1/2)|0> + sqrt(1/2)|1>"]
    assert execution.steps[0].state == "|0>" and looks == [0, 1]


def amplitudes(ket: LargestTerms, width: int) -> np.ndarray:
    """The vector that a ket writes down; qubit 0 is the leftmost letter, Qiskit's least significant digit."""
    vector = np.zeros(2**width, dtype=complex)
    for bits, amplitude in ket.terms or ():
        vector[int(bits[::-1], 2)] = amplitude
    return vector


def line() -> QuantumCircuit:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.s(1)
    circuit.ry(0.4, 2)
    return circuit


def test_states_along_gates_are_those_of_qiskit() -> None:
    circuit = line()
    result = qismc.check(circuit, "AF leaf", method="graph")
    for count in range(len(circuit.data) + 1):
        before = circuit.copy_empty_like()
        for step in circuit.data[:count]:
            before.append(step)
        found = result._arrived.at(count)
        assert found is not None and found[0] == 1
        (ket,) = found[1]
        assert ket.left_out == 0
        overlap = np.vdot(Statevector(before).data, amplitudes(ket, 3))
        assert abs(overlap) == pytest.approx(1)


def test_several_states_span_what_arrives() -> None:
    """Both outcomes of a forgotten measurement."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    found = qismc.check(circuit, "AG (leaf -> full)", method="graph")._arrived
    last = [found.at(k) for k in range(2, 4)]
    states = [amplitudes(ket, 1) for here in last if here is not None for ket in here[1]]
    assert np.linalg.matrix_rank(np.array(states)) == 2


def test_only_some_states_and_some_terms_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "TERMS_SHOWN", 3)
    monkeypatch.setattr(build, "STATES_SHOWN", 2)
    circuit = QuantumCircuit(2)
    circuit.h([0, 1])
    found = qismc.check(circuit, "AF leaf", method="graph")._arrived.at(2)
    assert found is not None and len(found[1][0].terms or ()) == 3 and found[1][0].left_out == 1
    everything = qismc.check(circuit, "AF leaf", init="full", method="graph")._arrived.at(2)
    assert everything is not None and everything[0] == 4 and len(everything[1]) == 2


def test_nothing_is_known_without_a_solved_system() -> None:
    assert Arrived().at(0) is None
    travelled = pickle.loads(pickle.dumps(qismc.check(line(), "AF leaf", method="graph")._arrived))
    assert travelled.at(0) is None
