"""What results offer."""

from __future__ import annotations

import warnings

import pytest

import qismc
from qismc import PropertyViolated, QuantumCircuit, Verdict


def result(*specs: str, **options: object) -> qismc.Result:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    return qismc.check(circuit, list(specs), numbers="float", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ([], Verdict.UNKNOWN),
        ([Verdict.HOLDS, Verdict.HOLDS], Verdict.HOLDS),
        ([Verdict.HOLDS, Verdict.UNKNOWN], Verdict.UNKNOWN),
        ([Verdict.UNKNOWN, Verdict.VIOLATED, Verdict.HOLDS], Verdict.VIOLATED),
    ],
)
def test_verdicts_together(verdicts: list[Verdict], together: Verdict) -> None:
    assert Verdict.together(verdicts) is together


def test_exit_statuses() -> None:
    assert [v.exit_status for v in (Verdict.HOLDS, Verdict.VIOLATED, Verdict.UNKNOWN)] == [0, 1, 3]


def test_length_iteration_and_first_counterexample() -> None:
    found = result("EF leaf", "AG (leaf -> |0>)", "AG (leaf -> |1>)")
    assert len(found) == 3
    assert found.counterexample is found["spec2"].counterexample
    assert found["spec1"].counterexample is None
    assert [bool(r) for r in found] == [True, False, False]


def test_reason_belongs_to_unknown() -> None:
    assert result("EF leaf").reason is None
    limited = result("EF leaf", limits=qismc.Limits(locations=1))
    assert limited.verdict is Verdict.UNKNOWN
    assert limited.reason == limited["spec"].reason


def test_unknown_raises_as_well() -> None:
    with pytest.raises(PropertyViolated, match="UNKNOWN"):
        result("EF leaf", limits=qismc.Limits(locations=1)).raise_if_violated()


def test_text_and_json_tell_the_same() -> None:
    found = result("AG (leaf -> |0>)")
    assert found.to_json()["results"][0]["spec"] in str(found)
    assert found.to_json()["verdict"] == "violated"


def test_representations_are_short() -> None:
    found = result("AF leaf", "AG (leaf -> |1>)")
    assert repr(found) == "<Result VIOLATED: spec1 HOLDS, spec2 VIOLATED>"
    assert repr(found["spec2"]) == "<spec2 VIOLATED: AG (leaf -> |1>)>"
    assert repr(found.counterexample).startswith("<Execution (path): ")
    assert len(repr(found.program)) < 80


def test_what_holds_and_says_nothing_is_issued_once_at_the_line_that_asked() -> None:
    circuit = qismc.QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = qismc.assert_holds(circuit, "AG (c == 1 -> |1>)")
        result.raise_if_violated()
        qismc.assert_holds(circuit, "AG (leaf -> |0>)")
    (issued,) = seen
    assert issued.category is qismc.SaysLittle and issued.filename == __file__
    assert "'c == 1' is never true" in str(issued.message)
