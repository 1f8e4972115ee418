"""The pipeline as users call it."""

from __future__ import annotations

import pytest

import qismc
from qismc import PropertyViolated, QuantumCircuit, SpecError, Verdict


def bell() -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    return circuit


def test_names_of_formulas(engine: str) -> None:
    one = qismc.check(bell(), "EF leaf", engine=engine)
    many = qismc.check(bell(), ["EF leaf", "AG !leaf"], engine=engine)
    named = qismc.check(bell(), {"a": "EF leaf", "b": "AG !leaf"}, engine=engine)
    assert [r.name for r in one] == ["spec"]
    assert [r.name for r in many] == ["spec1", "spec2"]
    assert (named["a"].verdict, named["b"].verdict) == (Verdict.HOLDS, Verdict.VIOLATED)
    assert named.verdict is Verdict.VIOLATED
    with pytest.raises(KeyError, match="'c'"):
        named["c"]


def test_truthiness(engine: str) -> None:
    assert qismc.check(bell(), "AG (leaf -> span(|00> + |11>))", engine=engine)
    assert not qismc.check(bell(), "AG (leaf -> |00>)", engine=engine)


def test_assert_holds_shows_the_execution(engine: str) -> None:
    qismc.assert_holds(bell(), "AF leaf", engine=engine)
    with pytest.raises(PropertyViolated) as raised:
        qismc.assert_holds(bell(), "AG (leaf -> |00>)", engine=engine)
    assert "VIOLATED" in str(raised.value)
    assert "sqrt(1/2) (|00> + |11>)" in str(raised.value)
    assert isinstance(raised.value, AssertionError)


@pytest.mark.parametrize(
    "spec", ["", "AG (leaf ->", "AG leaf) ", "EF leaf; EF leaf", [], "~(EF |00>)", "AG |0>"]
)
def test_malformed_specifications(spec: str | list[str]) -> None:
    with pytest.raises(SpecError):
        qismc.check(bell(), spec)


@pytest.mark.parametrize(
    ("spec", "suggestion"),
    [("AG (lef -> |00>)", "did you mean 'leaf'"), ("EF (targt)", "did you mean 'target'")],
)
def test_unknown_atoms_are_errors_with_suggestions(spec: str, suggestion: str) -> None:
    with pytest.raises(SpecError, match=suggestion):
        qismc.check(bell(), spec, props={"target": "|00>"})


@pytest.mark.parametrize("name", ["leaf", "loop", "init", "reached", "l3", "true"])
def test_reserved_words_name_no_proposition(name: str) -> None:
    with pytest.raises(SpecError, match="reserved"):
        qismc.check(bell(), "EF leaf", props={name: "|00>"})


def test_engines_are_named_in_the_result(engine: str) -> None:
    result = qismc.check(bell(), "EF leaf", engine=engine, seed=5)
    assert (result.engine, result.seed) == (engine, 5)
    assert (result.locations, result.edges, result.gates) == (3, 3, 2)
