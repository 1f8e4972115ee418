"""Verdicts and executions with the store on levels, one construct at a time."""

from __future__ import annotations

import pytest
from qiskit.circuit.classical import expr, types

import qismc
from qismc import QuantumCircuit, Result, Verdict


def check(circuit: QuantumCircuit, spec: str | dict[str, str], **options: object) -> Result:
    result = qismc.check(circuit, spec, method="levels", **options)  # type: ignore[arg-type]
    assert result.statistics.store == "levels", result.notes
    return result


def test_a_measured_qubit_is_no_superposition() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    assert not check(circuit, "AG (leaf -> |+>)")
    assert check(circuit, "AG (leaf -> (c[0] -> |1>) & (!c[0] -> |0>))")
    assert check(circuit, "AG (leaf -> full)")


def test_the_counterexample_is_an_ordinary_execution() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(0)
    result = check(circuit, "AG (leaf & c == 2 -> |01>)")
    shown = result.counterexample
    assert (
        shown is not None
        and shown.kind == "path"
        and shown.replayed
        and shown.probability == pytest.approx(0.25)
    )
    assert [step.outcome for step in shown if step.outcome is not None] == [0, 1]
    assert dict(shown.steps[-1].store) == {"c": 2}
    assert shown.steps[-1].state == "|11>" and shown.to_circuit().num_qubits == 2
    assert any("orthogonal" in hint.text for hint in shown.hints)


def test_witnesses_of_reachability() -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.h(range(3))
    circuit.measure(range(3), range(3))
    result = check(circuit, "EF (leaf & c == 5)")
    shown = result["spec"].witness
    assert result and shown is not None and shown.replayed and dict(shown.steps[-1].store) == {"c": 5}
    assert shown.claim == "EF (leaf & c == 5) holds on it" and not shown.hints


def test_unreachable_stores_have_no_execution() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(0, 1)
    result = check(circuit, {"differ": "EF (leaf & c == 1)", "agree": "AG (leaf -> c[0] == c[1])"})
    assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.HOLDS]
    assert result["differ"].counterexample is not None and result["differ"].counterexample.kind == "none"


def test_combinations_are_explained_by_the_part_that_decides() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    result = check(circuit, "AG (leaf -> full) & !EF (leaf & c[0])")
    assert result.counterexample is not None and dict(result.counterexample.steps[-1].store) == {"c": 1}


def test_ends_without_loops() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    assert check(circuit, {"ends": "AF leaf", "one": "P=1 [F (leaf & c == 1)]", "start": "c == 0"})
    assert not check(circuit, "AF (leaf & c == 0)")


def test_wide_inputs() -> None:
    circuit = QuantumCircuit(1, 1)
    chosen = circuit.add_input("i", types.Uint(40))
    with circuit.if_test(expr.less(chosen, 2**39)):
        circuit.x(0)
    circuit.measure(0, 0)
    result = check(
        circuit, {"low": "AG (leaf & c[0] -> i < 549755813888)", "some": "EF (leaf & i == 77 & c[0])"}
    )
    assert result and result.statistics.level_bits == 41
    shown = result["some"].witness
    assert shown is not None and shown.steps[-1].store["i"] == 77


def test_overwritten_bits_and_resets_of_entangled_qubits() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.measure(1, 0)
    assert check(circuit, "AG (leaf & c[0] -> q1)", props={"q1": "span(|1>) on q[1]"})
    assert not check(circuit, "AG (leaf -> q1)", props={"q1": "span(|1>) on q[1]"})
    assert not check(circuit, "AG (leaf & c[0] -> q0)", props={"q0": "span(|0>) on q[0]"})


def test_loops_among_live_bits() -> None:
    from benchmarks.measured import loop_among_live_bits

    for broken in (None, "correction"):
        case = loop_among_live_bits(30, broken)  # type: ignore[arg-type]
        result = check(case.circuit, dict(case.formulas), props=case.props)
        assert result.verdict.value == case.expected


def test_formal_angles() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(0.7, 0)
    circuit.ry(-0.7, 0)
    circuit.measure(0, 0)
    assert check(circuit, {"never": "AG (leaf -> c == 0)"})
    circuit.ry(0.3, 0)
    circuit.measure(0, 0)
    result = check(circuit, {"possible": "EF (leaf & c == 1)"})
    assert result and result["possible"].witness is not None and result["possible"].witness.replayed


def test_angles_that_nearly_cancel_are_not_decided() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.rx(3.14159265, 0)
    circuit.measure(0, 0)
    result = check(circuit, "AG (leaf -> c == 1)")
    assert result.verdict is Verdict.UNKNOWN and (result.reason or "").startswith("numeric")


def test_propositions_without_a_compact_form() -> None:
    circuit = QuantumCircuit(12, 1)
    circuit.h(range(12))
    circuit.measure(0, 0)
    odd = "span(|0000000000>) on q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9]"
    result = check(
        circuit,
        {"odd": "AG (leaf -> odd)", "fine": "AG (leaf -> full)"},
        props={"odd": f"{odd} \\/ stab(XX) on q[10], q[11]"},
    )
    assert [r.verdict for r in result] == [Verdict.UNKNOWN, Verdict.HOLDS]


def test_marks_name_locations_inside_branches() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
        circuit.mark("flipped")
        circuit.z(1)
    formulas = {
        "first": "AG (flipped -> |0> on q[0])",
        "second": "AG (flipped & c == 3 -> |01>)",
        "not": "AG (flipped -> |0> on q[1])",
        "never": "EF (flipped & c == 2)",
    }
    assert [r.verdict.value for r in check(circuit, formulas)] == ["holds", "holds", "violated", "violated"]


def test_one_execution_may_break_several_formulas() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    result = check(
        circuit,
        {"two": "AG (leaf -> c != 2)", "high": "AG (leaf -> c[1] == 0)", "one": "AG (leaf -> c != 1)"},
    )
    ends = {name: result[name].counterexample.steps[-1].store["c"] for name in ("two", "high", "one")}
    assert ends == {"two": 2, "high": 2, "one": 1}
    assert all(result[name].counterexample.replayed for name in ends)


def test_paths_of_many_outcomes() -> None:
    """Of 40 coins, thrown one after the other: can all show 1 so far? Is there ever one that does?"""
    circuit = QuantumCircuit(40, 40)
    circuit.h(range(40))
    for k in range(40):
        circuit.measure(k, k)
    formulas = {
        "zero": "P>0 [G c == 0]",
        "some": "P=1 [F c != 0]",
        "until": "E [!c[39] U c[20]]",
        "late": "A [!c[39] W c[0]]",
    }
    result = check(circuit, formulas)
    assert [r.verdict.value for r in result] == ["holds", "violated", "holds", "violated"]
    shown = result["some"].counterexample
    assert shown is not None and shown.replayed and not any(step.outcome for step in shown)
    assert shown.claim == "AF c != 0 fails on it"
    last = result["late"].counterexample
    assert last is not None and last.replayed
    end = last.steps[-1].store["c"]
    assert end >> 39 == 1 and end % 2 == 0
