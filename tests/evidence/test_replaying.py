"""Replays against the reference's operators."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.circuit.library import HGate

import qismc
from qismc import Model, QuantumCircuit, check
from qismc.evidence.realise import path_through
from qismc.evidence.replaying import Replay, Stage, Visit, length_of, path_of, replay, replayed
from qismc.fixpoint.solving import Starts
from qismc.system.explorer import Node

from ..compare import points
from ..reference import Walker
from ..strategies import toys, vectors
from ..toy import Gate, Measure, Reset, Toy


@given(toy=toys(), data=st.data())
def test_replayed_states_follow_the_program(toy: Toy, data: st.DataObject) -> None:
    """Each step's state is the image of the one before; probabilities multiply."""
    space = data.draw(vectors(toy.num_qubits, least=1, most=2))
    result = qismc.check(toy.circuit(), "AG (leaf -> p)", props={"p": space.text}, numbers="float")
    found = result.counterexample
    if found is None:
        return
    path = points(toy, Model(toy.circuit(), numbers="float"))
    walker = Walker(toy)
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        choices = [
            k @ state(toy, before.terms)
            for edge in walker.edges((path[before.point], before.store["c"]))
            if edge.target == (path[after.point], after.store["c"])
            for k in edge.kraus
        ]
        assert before.probability is not None
        assert after.probability is not None
        ratio = after.probability / before.probability
        arrived = state(toy, after.terms)
        assert any(
            abs(np.vdot(arrived, image)) ** 2 == pytest.approx(np.linalg.norm(image) ** 2, abs=1e-6)
            and np.linalg.norm(image) ** 2 == pytest.approx(ratio, abs=1e-6)
            for image in choices
        )


def state(toy: Toy, terms: tuple[tuple[str, complex], ...] | None) -> np.ndarray:
    assert terms is not None
    vector = np.zeros(2**toy.num_qubits, dtype=complex)
    for bits, amplitude in terms:
        vector[int(bits, 2)] = amplitude
    return vector


def test_a_start_other_than_zero_is_replayed(engine: str) -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    found = qismc.check(circuit, "AG (leaf -> |1>)", init=["|0>", "|1>"], numbers=engine).counterexample
    assert found is not None
    assert [step.state for step in found] == ["|1>", "|0>"]


def test_a_violation_that_starts_at_an_annotation(engine: str) -> None:
    """The state that breaks the claim stems from the annotated mark, not from l0."""
    circuit = QuantumCircuit(1)
    circuit.x(0)
    circuit.mark("here")
    circuit.x(0)
    result = qismc.check(circuit, "AG (leaf -> |0>)", annotations={"here": "full"}, numbers=engine)
    found = result.counterexample
    assert found is not None
    assert found.replayed
    assert "here" in found.steps[0].labels
    assert found.steps[-1].state == "|1>"


def test_states_are_those_of_the_wanted_steps(engine: str) -> None:
    """Whatever is wanted: the same stores, probabilities and states, and an impossible step ends it."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    circuit.t(1)
    circuit.x(1)
    circuit.measure(1, 1)
    circuit.h(1)
    model = Model(circuit, numbers=engine)
    solved = model.solved()
    found = solved.posts.at(*solved.system.select("leaf")[0])[0]
    visits = path_of(found.arrival, found.arrival.station.point).visits
    start, store = Starts(solved, model.simulation.engine)(0)
    every = list(replay(model.program, model.simulation.engine, visits, start, store))
    assert len(every) == len(visits) == 8
    assert [round(stage.probability, 9) for stage in every] == [1, 1, 1] + [0.5] * 5
    for wanted in ({0, 7}, {3}, {2, 5, 6}, set(), set(range(8))):
        engine, is_wanted = model.simulation.engine, wanted.__contains__
        some = Replay(visits, list(replay(model.program, engine, visits, start, store, wanted=is_wanted)))
        assert some.complete
        for k, full in enumerate(every):
            stage = some.stage(k)
            assert (stage.store, stage.probability) == (full.store, full.probability)
            assert (stage.begin == k and stage.state is not None) == (k in wanted)
            if k in wanted:
                cosine = abs(engine.inner(stage.state, full.state))
                assert cosine == pytest.approx(engine.length(full.state) ** 2)
    hop = visits[5].hop
    assert hop is not None
    other = next(h for h in visits[5].node.hops if h is not hop)
    impossible = (*visits[:5], visits[5]._replace(hop=other), *visits[6:])
    stopped = replayed(model.program, model.simulation.engine, impossible, start, store)
    assert len(stopped) == 6 and not stopped.complete


NODE = Node(0, 9, 0)
VISITS = [Visit(NODE, point) for point in range(7)]
STAGES = [
    Stage(0, 2, 0, "first", 1.0),
    Stage(2, 3, 1, None, 1.0),
    Stage(3, 5, 1, "middle", 0.5),
    Stage(5, 6, 0, None, 0.5),
    Stage(6, 7, 0, "last", 0.5),
]


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_every_step_belongs_to_a_stage(count: int) -> None:
    passed = Replay(VISITS, STAGES[:count])
    assert len(passed) == STAGES[count - 1].end and passed.complete == (count == 5)
    assert (passed.first, passed.last) == (STAGES[0], STAGES[count - 1])
    for step in range(len(passed)):
        assert passed.stage(step).begin <= step < passed.stage(step).end


@given(toy=toys())
def test_provenance_paths_follow_edges(toy: Toy) -> None:
    """From l0 to the location where the vector was found, edge by edge."""
    model = Model(toy.circuit(), numbers="float")
    solved, edges = model.solved(), set(model.edges)
    for node, point in solved.system.select("leaf"):
        for found in solved.posts.at(node, point):
            path = path_of(found.arrival, point)
            numbers = [solved.system.first(v.node) + v.point - v.node.start for v in path.visits]
            assert numbers[0] == 0
            assert numbers[-1] == solved.system.first(node) + point - node.start
            assert set(pairwise(numbers)) <= edges
            assert path.seed == 0
            assert length_of(found.arrival, point) == len(path.visits)


def test_choices_on_the_way() -> None:
    toy = Toy(1, 1, (Gate(HGate(), (0,)), Measure(0, 0), Reset(0)))
    solved = Model(toy.circuit(), numbers="float", keep_dead=True).solved()
    ends = solved.system.select("leaf")
    taken = set()
    for node, point in ends:
        (found,) = solved.posts.at(node, point)
        measured, reset = (v for v in path_of(found.arrival, point).visits if v.hop and v.hop.way.families)
        assert measured.hop is not None
        taken.add((measured.hop.way.outcome, reset.choices))
    assert taken == {(0, (0,)), (1, (1,))}


def test_location_paths_list_the_hops_they_may_take() -> None:
    toy = Toy(1, 1, (Measure(0, 0), Gate(HGate(), (0,))))
    system = Model(toy.circuit(), numbers="float").system
    found = path_through(system, [0, 1, 2])
    assert [(point, len(hops)) for _, point, hops in found] == [(0, 1), (1, 1), (2, 0)]


def test_gates_projections_and_flips_in_order() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.reset(0)
    execution = check(circuit, "AG !leaf").counterexample
    assert execution is not None
    assert execution.track is not None
    names = [[a.operator.name for a in move] for move in execution.track.moves()]
    assert names == [["x"], ["project1"], [], ["lower"]]
    start = execution.track.start()
    assert start is not None
    assert [(bits, abs(a)) for bits, a in start] == [("0", 1.0)]
