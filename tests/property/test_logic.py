"""Laws of the logic, on random programs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict

from ..strategies import toys, unitaries, vectors
from ..toy import Gate, Mark, Toy
from .test_posts import rewrite

DUALS = {
    "AG (leaf -> p)": "!EF (leaf & !p)",
    "AF (p | leaf)": "!EG !(p | leaf)",
    "AX p": "!EX !p",
    "A[q U p]": "!E[!p W (!q & !p)]",
    "A[q W p]": "!E[!p U (!q & !p)]",
    "A[q R p]": "!E[!q U !p]",
    "EF p": "E[true U p]",
    "AF p": "A[true U p]",
    "AG p": "p & AX AG p",
    "EG p": "p & EX EG p",
}


@st.composite
def specified(draw: st.DrawFn) -> tuple[Toy, dict[str, str]]:
    toy = draw(toys(size=4))
    return toy, {name: draw(vectors(toy.num_qubits, least=1, most=4)).text for name in ("p", "q")}


@given(case=specified())
def test_dualities_and_expansions(engine: str, case: tuple[Toy, dict[str, str]]) -> None:
    toy, props = case
    result = qismc.check(
        toy.circuit(), [*DUALS, *DUALS.values()], props=props, numbers=engine, keep_dead=True
    )
    verdicts = [r.verdict for r in result]
    assert verdicts[: len(DUALS)] == verdicts[len(DUALS) :]
    assert Verdict.UNKNOWN not in verdicts


NEXT_FREE = ["AG (leaf -> p)", "EF (loop & p)", "A[!leaf U p]", "EG !p", "AF (c == 1)", "E[p R q]"]


@given(case=specified(), data=st.data())
def test_identities_preserve_next_free_formulas(
    engine: str, case: tuple[Toy, dict[str, str]], data: st.DataObject
) -> None:
    """Steps that leave the state alone: a mark in front of every gate."""
    toy, props = case
    idle = replace(toy, body=rewrite(toy.body, lambda s: (Mark("idle"), s) if isinstance(s, Gate) else (s,)))
    options = {"props": props, "numbers": engine, "keep_dead": True}
    plain, padded = (qismc.check(t.circuit(), NEXT_FREE, **options) for t in (toy, idle))
    assert [r.verdict for r in plain] == [r.verdict for r in padded]


@given(case=specified())
def test_renaming_marks_renames_results(engine: str, case: tuple[Toy, dict[str, str]]) -> None:
    toy, props = case
    body = rewrite(toy.body, lambda s: (Mark(f"{s.name}_new"),) if isinstance(s, Mark) else (s,))
    formulas = [f"EF ({m} & p)" for m in toy.marks] + [f"AG ({m} -> q)" for m in toy.marks] + ["EF p"]
    renamed = [re.sub(r"\b(m\d+)\b", r"\1_new", formula) for formula in formulas]
    old = qismc.check(toy.circuit(), formulas, props=props, numbers=engine)
    new = qismc.check(replace(toy, body=body).circuit(), renamed, props=props, numbers=engine)
    assert [r.verdict for r in old] == [r.verdict for r in new]


@given(gate=unitaries(1))
def test_negation_and_complement_agree_on_basis_states_only(engine: str, gate: Gate) -> None:
    """~p implies !p where a state arrives; the converse fails exactly for superpositions."""
    toy = Toy(1, 1, (gate,))
    specs = {"not": "AG (leaf -> !p)", "perp": "AG (leaf -> ~p)"}
    result = qismc.check(toy.circuit(), specs, props={"p": "|0>"}, numbers=engine)
    assert not (result["perp"] and not result["not"])


def test_negation_is_not_the_complement(engine: str) -> None:
    """|+> is not in |0>, but it is not orthogonal to it either."""
    circuit = QuantumCircuit(1)
    circuit.h(0)
    result = qismc.check(circuit, {"not": "AG (leaf -> !|0>)", "perp": "AG (leaf -> ~|0>)"}, numbers=engine)
    assert result["not"].verdict is Verdict.HOLDS
    assert result["perp"].verdict is Verdict.VIOLATED


def test_complements_stay_inside_the_quantum_layer(engine: str) -> None:
    with pytest.raises(qismc.SpecError):
        qismc.check(QuantumCircuit(1), "~(EF |0>)", numbers=engine)
