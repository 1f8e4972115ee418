"""A tampered solution is refuted, an honest one is not."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit
from qismc.certify.edges import EdgeChecker, Labelled, Refuted
from qismc.solve import Solved
from qismc.spec.parser import parse_formula
from qismc.subspace.field import FieldScalars
from qismc.subspace.forms import FieldForm
from qismc.subspace.propositions import Proposition
from qismc.subspace.trains import TrainEngine

TARGET = "1/sqrt(3) |001> + i sqrt(2)/sqrt(3) |011>"


def attempts() -> QuantumCircuit:
    """A repeat-until-success loop without the reset: its exit is reached in two dimensions."""
    circuit = QuantumCircuit(3, 1)
    circuit.x(2)
    circuit.measure(2, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        for gate in (circuit.h, circuit.t):
            gate(0)
        circuit.cx(0, 1)
        circuit.h(0)
        circuit.cx(0, 1)
        for gate in (circuit.t, circuit.h):
            gate(0)
        circuit.measure(0, 0)
    return circuit


@pytest.fixture
def solved() -> Solved:
    model = Model(attempts(), props={"target": TARGET}, engine="exact")
    model.observe([parse_formula("AG (leaf -> target)")])
    return model.solved()


def other_engine(solved: Solved, seed: int = 77) -> TrainEngine:
    engine = solved.engine
    assert isinstance(engine, TrainEngine) and isinstance(engine.form, FieldForm)
    ring = engine.form.ring
    return engine.with_ring(FieldScalars(ring.needs, seed, conjugating=ring.conjugating))


def recheck(solved: Solved, labelled: Labelled | None = None) -> None:
    EdgeChecker(solved, other_engine(solved)).check(labelled or {})


def leaf(solved: Solved) -> int:
    return next(k for k in range(solved.system.num_locations) if solved.system.location(k).text == "end")


def target() -> Proposition:
    return Model(attempts(), props={"target": TARGET}).scope.prop("target")


def test_an_honest_solution_stands(solved: Solved) -> None:
    recheck(solved, {(target(), leaf(solved)): False})


def test_a_flipped_label_is_refuted(solved: Solved) -> None:
    with pytest.raises(Refuted, match=f"fails at l{leaf(solved)}"):
        recheck(solved, {(target(), leaf(solved)): True})


def test_a_label_that_hides_a_truth_is_refuted(solved: Solved) -> None:
    start = Model(attempts(), props={"start": "|000>"}).scope.prop("start")
    recheck(solved, {(start, 0): True})
    with pytest.raises(Refuted, match="holds at l0"):
        recheck(solved, {(start, 0): False})


def test_every_arrival_is_needed(solved: Solved) -> None:
    """Whatever last vector of a location is forgotten, some edge or start leads outside."""
    places = [place for place in solved.posts.spread.places.values() if place.arrivals]
    assert len(places) > 3
    for place in places:
        forgotten = place.arrivals.pop()
        with pytest.raises(Refuted, match="outside the span"):
            recheck(solved)
        place.arrivals.append(forgotten)
    recheck(solved)


def test_a_vector_kept_twice_is_refuted(solved: Solved) -> None:
    place = next(place for place in solved.posts.spread.places.values() if place.arrivals)
    place.arrivals.append(place.arrivals[0])
    with pytest.raises(Refuted, match="dependent"):
        recheck(solved)


def test_a_hidden_edge_is_refuted(solved: Solved) -> None:
    """A possible outcome that is declared impossible has an image that is not zero."""
    hop = next(hop for node in solved.system.nodes if len(node.hops) > 1 for hop in node.hops if hop.taken)
    hop.taken = False
    with pytest.raises(Refuted, match="should be impossible"):
        recheck(solved)
