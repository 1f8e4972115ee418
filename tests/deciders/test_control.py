"""What needs no states, against the way by states; and programs whose states nobody could compute."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import qismc
from qismc import Limits, Model, QuantumCircuit, Verdict
from qismc.deciders.control import AGAIN, on_control
from qismc.language.printer import to_text
from qismc.language.specification import read_specification
from qismc.language.syntax import Formula

from ..strategies import formulas, toys
from ..toy import Toy


def wide(seed: int = 1) -> QuantumCircuit:
    """Thirty qubits, entangled by generic angles: no engine follows their states for long."""
    random, circuit = Random(seed), QuantumCircuit(30, 30)
    for turn in range(6):
        for q in range(30):
            circuit.rx(random.uniform(0, 6), q)
            circuit.rzz(random.uniform(0, 6), q, (q + 7) % 30)
        if turn == 3:
            circuit.mark("turn")
    circuit.measure(range(30), range(30))
    return circuit


@pytest.mark.parametrize(
    "formula",
    [
        "AF leaf",
        "EF leaf",
        "AG (turn -> AF leaf)",
        "AG (turn -> EX !turn)",
        "E[!leaf U turn]",
        "P=1 [F leaf]",
        "P>=1/2 [F turn]",
        "P=1 [F AG leaf]",
    ],
)
def test_questions_about_points_need_no_states(formula: str) -> None:
    result = qismc.check(wide(), formula, limits=Limits(seconds=60))
    assert result.verdict is Verdict.HOLDS and result.engine == "none"
    assert result.soundness is not None and result.soundness.certified
    assert result.locations == 1 + len([i for i in wide().data if i.operation.name != "barrier"])


def test_the_answer_is_exactly_zero_or_one() -> None:
    for formula, expected in (("P=? [F leaf]", 1), ("P=? [G !leaf]", 0)):
        (result,) = qismc.check(wide(), formula)
        assert result.asks and result.probability is not None and result.probability.exact == expected


def test_the_witness_is_replayed_for_those_who_look() -> None:
    circuit = QuantumCircuit(8, 8)
    circuit.h(range(8))
    circuit.mark("here")
    circuit.measure(range(8), range(8))
    result = qismc.check(circuit, "EF leaf")
    assert result.engine == "none" and result["spec"].witness is not None
    witness = result["spec"].witness
    assert witness.replayed and len(witness) == 17 and abs(witness.probability - 2.0**-8) < 1e-12
    assert "leaf" in witness.steps[-1].labels and "of the control graph" in str(result)
    assert result.to_json()["engine"] == "none" and result.to_html()


def test_branches_that_outcomes_decide_are_left_to_states() -> None:
    """Eight qubits, |0> all of them: the branch is in the text and in no execution."""
    circuit = QuantumCircuit(8, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("never")
        circuit.x(0)
    specs = {"ends": "AF leaf", "never": "AG !never", "premise": "AG (never -> AF leaf)", "some": "EF never"}
    result = qismc.check(circuit, specs)
    verdicts = {name: result[name].verdict for name in specs}
    assert verdicts.pop("some") is Verdict.VIOLATED
    assert set(verdicts.values()) == {Verdict.HOLDS}
    assert any("never true" in text for text in result["premise"].warnings)
    assert result.soundness is not None and not result.soundness.certified


def test_starts_that_are_no_states_are_errors() -> None:
    with pytest.raises(qismc.SpecError, match="zero space"):
        qismc.check(QuantumCircuit(8), "AF leaf", init="(|0> on q[0]) /\\ (|1> on q[0])")
    with pytest.raises(qismc.SpecError, match="zero vector"):
        qismc.check(QuantumCircuit(8), "AF leaf", init="|0> - |0> on q[0]")


def test_what_states_cannot_decide_in_time_is_decided_at_last() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    specs = {"ends": "AF leaf", "never": "EG !leaf", "state": "AG |0>", "open": "EF (leaf & c == 1)"}
    result = qismc.check(circuit, specs, limits=Limits(seconds=1e-9))
    found = [one.verdict for one in result]
    assert found == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.UNKNOWN]


@settings(max_examples=20)
@given(data=st.data(), toy=toys(size=5), paths=st.sampled_from(["feasible", "all"]))
def test_random_formulas_agree_with_states(data: st.DataObject, toy: Toy, paths: str) -> None:
    formula: Formula = data.draw(formulas(["leaf", "loop", *toy.marks], toy.num_bits))
    text = to_text(formula)
    model = Model(toy.circuit(), paths=paths)
    shapes = [text, f"P=1 [F {text}]", f"P>0 [G {text}]", f"P<1/2 [F {text}]"]
    for number, wanted in enumerate(read_specification(shapes, model.program)):
        graph = on_control(model, wanted, AGAIN)
        known = None if graph is None else graph.result()
        event(f"{number}: {None if known is None else known.verdict}")
        if graph is None or known is None:
            continue
        expected = qismc.check(toy.circuit(), wanted.text, paths=paths, numbers="exact", method="graph")
        if expected.verdict is not Verdict.UNKNOWN:
            assert known.verdict is expected.verdict
            assert (known.probability is None) or known.probability.exact == expected[
                "spec"
            ].probability.exact
            if graph.knows_premises:
                assert set(known.warnings) <= set(expected["spec"].warnings)
        evidence = known.evidence
        assert evidence is None or evidence.kind == "none" or evidence.replayed or evidence.note
