"""Replays against the reference's operators."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qismc
from qismc import Model, QuantumCircuit

from ..compare import points
from ..reference import Walker
from ..strategies import toys, vectors
from ..toy import Toy


@given(toy=toys(), data=st.data())
def test_replayed_states_follow_the_program(toy: Toy, data: st.DataObject) -> None:
    """Each step's state is the image of the one before; probabilities multiply."""
    space = data.draw(vectors(toy.num_qubits, least=1, most=2))
    result = qismc.check(toy.circuit(), "AG (leaf -> p)", props={"p": space.text}, engine="float")
    found = result.counterexample
    if found is None:
        return
    path = points(toy, Model(toy.circuit(), engine="float"))
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
    found = qismc.check(circuit, "AG (leaf -> |1>)", init=["|0>", "|1>"], engine=engine).counterexample
    assert found is not None
    assert [step.state for step in found] == ["|1>", "|0>"]


def test_a_violation_that_starts_at_an_annotation(engine: str) -> None:
    """The state that breaks the claim stems from the annotated mark, not from l0."""
    circuit = QuantumCircuit(1)
    circuit.x(0)
    circuit.mark("here")
    circuit.x(0)
    result = qismc.check(circuit, "AG (leaf -> |0>)", annotations={"here": "full"}, engine=engine)
    found = result.counterexample
    assert found is not None
    assert found.replayed
    assert "here" in found.steps[0].labels
    assert found.steps[-1].state == "|1>"
