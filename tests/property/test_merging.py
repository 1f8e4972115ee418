"""Locations that differ in unread bits only are merged: that must not change a verdict.

By definition a location is a point with a store, and l |= psi speaks of the states at that location alone.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict

from ..strategies import toys, vectors
from ..toy import Toy

INVARIANTS = ["AG (leaf -> p)", "AG (loop -> p)", "AG (reached & !leaf -> p)", "AG !loop"]
REACHING = ["EF leaf", "EF loop", "P=1 [F leaf]", "P>0 [F loop]", "P>0 [G !leaf]"]


@given(toy=toys(), data=st.data(), formula=st.sampled_from(INVARIANTS + REACHING))
def test_invariants_and_reachability(engine: str, toy: Toy, data: st.DataObject, formula: str) -> None:
    space = data.draw(vectors(toy.num_qubits, least=1, most=4))
    options = {"props": {"p": space.text}, "numbers": engine}
    merged = qismc.check(toy.circuit(), formula, **options)
    assert merged.verdict is qismc.check(toy.circuit(), formula, keep_dead=True, **options).verdict


def coin() -> QuantumCircuit:
    """One end with |0> and c = 0, one end with |1> and c = 1; nobody reads c."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(
    ("formula", "verdict"),
    [
        ("AG (leaf -> |0> | |1>)", Verdict.HOLDS),
        ("EF (leaf & |0>)", Verdict.HOLDS),
        ("AG (leaf -> !|0>)", Verdict.VIOLATED),
    ],
)
def test_choices_and_negations_speak_of_single_locations(engine: str, formula: str, verdict: Verdict) -> None:
    assert qismc.check(coin(), formula, numbers=engine).verdict is verdict


def test_other_formulas_of_the_same_check_change_nothing(engine: str) -> None:
    alone = qismc.check(coin(), "EF (leaf & |0>)", numbers=engine)
    together = qismc.check(coin(), ["EF (leaf & |0>)", "EF c == 1"], numbers=engine)
    assert alone.verdict is together["spec1"].verdict
