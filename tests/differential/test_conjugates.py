"""Whatever takes orthocomplements gets a field with conjugation: exact verdicts equal those in numbers."""

from __future__ import annotations

from typing import Any

import pytest

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.propositions.propositions import Join, Meet, Nothing, Perp, Proposition, Whole, has_complement

CASES: list[tuple[dict[str, Any], bool]] = [
    ({"init": "~span(|01>, |10>)", "props": {"p": "span(|++>, |-->, |+->, |-+>)"}}, True),
    ({"init": "~span(|01>, |10>)", "props": {"p": "span(|++>, |-->)"}}, True),
    ({"init": "span(|00>, |11>) /\\ span(|00> + |11>, |10>)", "props": {"p": "|++> + |-->"}}, True),
    ({"props": {"p": "(span(|00>, |11>) /\\ span(|00>, |01>)) \\/ (stab(X) on q[1])"}}, True),
    ({"props": {"p": "(span(|00>, |11>) /\\ span(|00>, |01>)) \\/ (stab(Z) on q[1])"}}, False),
    ({"props": {"p": "~sp(start)"}}, False),
    ({"props": {"p": "~~sp(leaf)"}}, True),
    ({"props": {"p": "(sp(leaf) /\\ |++>) \\/ |11>"}}, True),
    ({"props": {"a": "sp(leaf)", "p": "~a"}}, False),
    ({"props": {"p": ["sp(leaf)", "~full"]}}, True),
]


def pair() -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.mark("start")
    circuit.h([0, 1])
    return circuit


@pytest.mark.parametrize(("options", "holds"), CASES)
def test_complements_of_every_origin(engine: str, options: dict[str, Any], holds: bool) -> None:
    result = qismc.check(pair(), "AG (leaf -> p)", numbers=engine, **options)
    assert result.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)


@pytest.mark.parametrize(
    ("proposition", "expanded", "wanted"),
    [
        (Perp(Nothing()), False, True),
        (Meet(Whole(), Nothing()), False, False),
        (Meet(Whole(), Nothing()), True, True),
        (Join(Whole(), Meet(Whole(), Nothing())), False, True),
        (Meet(Join(Whole(), Nothing()), Whole()), False, False),
        (Meet(Whole(), Perp(Nothing())), False, True),
    ],
)
def test_expanded_meets_are_made_of_complements(
    proposition: Proposition, expanded: bool, wanted: bool
) -> None:
    assert has_complement(proposition, expanded=expanded) is wanted
