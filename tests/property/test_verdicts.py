"""What verdicts promise: violated ones replay, holding ones can be certified, doubt is no guess."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, Verdict

from ..compare import columns, places
from ..reference import Walker, below, image
from ..strategies import toys, vectors
from ..toy import Toy


@st.composite
def assertions(draw: st.DrawFn) -> tuple[Toy, str, str]:
    """A program, a place and a subspace that is claimed to hold there."""
    toy = draw(toys())
    where = draw(st.sampled_from([*toy.marks, "leaf", "leaf"]))
    return toy, where, draw(vectors(toy.num_qubits, least=1, most=4)).text


@given(case=assertions())
def test_violations_replay(engine: str, case: tuple[Toy, str, str]) -> None:
    """The execution starts at l0, has positive probability, and ends in a state that breaks the claim."""
    toy, where, space = case
    result = qismc.check(toy.circuit(), f"AG ({where} -> p)", props={"p": space}, numbers=engine)
    if result.verdict is Verdict.HOLDS:
        return
    found = result.counterexample
    assert found is not None
    assert found.replayed
    assert found.probability is not None
    assert 0 < found.probability <= 1 + 1e-9
    assert found.steps[0].location == "l0"
    assert where in found.steps[-1].labels
    assert _last_state_is_outside(toy, found, space)


def _last_state_is_outside(toy: Toy, found: qismc.Execution, space: str) -> bool:
    """Does an empty program that starts in the last state break the claim as well?"""
    terms, left_out = found.steps[-1].terms, found.steps[-1].terms_left_out
    assert terms is not None
    assert left_out == 0
    state = np.zeros(2**toy.num_qubits, dtype=complex)
    for bits, amplitude in terms:
        state[int(bits, 2)] = amplitude
    reversed_bits = state.reshape((2,) * toy.num_qubits).transpose().reshape(-1)
    last = qismc.check(
        QuantumCircuit(toy.num_qubits),
        "p",
        init=Statevector(reversed_bits),
        props={"p": space},
        numbers="float",
    )
    return last.verdict is Verdict.VIOLATED


@given(case=assertions())
def test_holding_invariants_are_inductive(case: tuple[Toy, str, str]) -> None:
    """Certified edge by edge from the model's sp, by the reference's operators."""
    toy, where, space = case
    if not qismc.check(toy.circuit(), f"AG ({where} -> p)", props={"p": space}, numbers="float"):
        return
    model = Model(toy.circuit(), numbers="float", keep_dead=True)
    claim = columns(Model(QuantumCircuit(toy.num_qubits), numbers="float", init=space).sp(0))
    walker, post = Walker(toy), {p: columns(model.sp(k)) for k, p in enumerate(places(toy, model))}
    assert below(np.eye(2**toy.num_qubits, 1), post[(0,), 0])
    for place, states in post.items():
        for edge in walker.edges(place):
            reached = image(edge.kraus, states)
            assert reached.shape[1] == 0 or below(reached, post[edge.target])
    for node, point in model.system.select(where):
        assert below(columns(model.sp(model.system.first(node) + point - node.start)), claim)


@pytest.mark.parametrize(
    ("exponent", "verdict"),
    [(12, "holds"), (10, "holds"), (8, "unknown"), (7, "unknown"), (5, "violated"), (2, "violated")],
)
def test_perturbed_angles_pass_through_doubt(exponent: int, verdict: str) -> None:
    """rx(pi + 10^-k) |0> against |1> on floats."""
    circuit = QuantumCircuit(1)
    circuit.rx(np.pi + 10.0**-exponent, 0)
    result = qismc.check(circuit, "AG (leaf -> |1>)", numbers="float")
    assert result.verdict is Verdict(verdict)
    assert ("numeric" in (result.reason or "")) == (verdict == "unknown")
