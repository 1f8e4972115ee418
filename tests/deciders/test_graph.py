"""Deciding formulas: a second CTL engine, notes, and what limits leave of the evidence."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import qismc
from qismc import Verdict
from qismc.demo import TARGET, repeat_until_success
from qismc.limits import Budget, Limits

from ..ctl.test_nusmv import POSIX, stand_in

SAFE = "AG (leaf -> target)"


def answer(folder: Path, *, holds: bool) -> str:
    verdict = "true" if holds else "false"
    return stand_in(folder, f"print('-- specification AG x  is {verdict}')")


@POSIX
def test_nusmv_agrees_and_the_evidence_is_a_real_execution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QISMC_NUSMV", answer(tmp_path, holds=False))
    circuit = repeat_until_success(reset_ancilla=False)
    result = qismc.check(circuit, SAFE, props={"target": TARGET}, ctl="nusmv")
    assert result.verdict is Verdict.VIOLATED
    assert result.counterexample is not None
    assert math.isclose(result.counterexample.probability or 0, 1 / 16)


@POSIX
def test_engines_that_disagree_leave_the_question_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QISMC_NUSMV", answer(tmp_path, holds=True))
    circuit = repeat_until_success(reset_ancilla=False)
    result = qismc.check(circuit, SAFE, props={"target": TARGET}, ctl="nusmv")
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason == "ctl: NuSMV says True, the built-in CTL engine says False"


@POSIX
@pytest.mark.parametrize("qubits", [1, 7])
def test_the_control_graph_does_not_overrule_another_engine(
    qubits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`AF leaf` needs no states, but NuSMV was asked and says otherwise."""
    monkeypatch.setenv("QISMC_NUSMV", answer(tmp_path, holds=False))
    result = qismc.check(qismc.QuantumCircuit(qubits), "AF leaf", ctl="nusmv")
    assert result.reason == "ctl: NuSMV says False, the built-in CTL engine says True"


def test_rounded_angles_are_doubted() -> None:
    circuit = qismc.QuantumCircuit(1)
    circuit.h(0)
    circuit.rz(0.785398, 0)
    circuit.rz(-math.pi / 4, 0)
    circuit.h(0)
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert result.verdict is Verdict.UNKNOWN
    assert (result.reason or "").startswith("numeric: ")


def test_outcomes_that_only_rounding_makes_possible_are_doubted() -> None:
    circuit = qismc.QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.rz(0.785398, 0)
    circuit.rz(-math.pi / 4, 0)
    circuit.h(0)
    circuit.measure(0, 0)
    result = qismc.check(circuit, "AG !c[0]")
    assert result.verdict is Verdict.UNKNOWN
    assert (result.reason or "").startswith("numeric: ") and "is near 1/4 pi" in (result.reason or "")


def test_literal_angles_stand_where_confirmation_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """exp(1.5708 i) is transcendental, so that the exact verdict needs no confirmation."""
    circuit = qismc.QuantumCircuit(1)
    circuit.rx(1.5708, 0)
    monkeypatch.setattr("qismc.model.model.ReplayBudget", lambda _: Budget(Limits(seconds=1e-9)))
    result = qismc.check(circuit, "AG (leaf -> |0>)")
    assert result.verdict is Verdict.VIOLATED
    assert result.notes == ("angles were taken literally: a confirmation in floating point took too long",)
    assert result.counterexample is not None
    assert not result.counterexample.replayed
    assert [step.location for step in result.counterexample] == ["l0", "l1"]


def test_the_failing_half_of_a_conjunction_is_named() -> None:
    circuit = qismc.QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    result = qismc.check(circuit, "EF (leaf & c == 1) & EF (leaf & !leaf)")
    assert result.counterexample is not None
    assert result.counterexample.claim == "no execution satisfies EF (leaf & !leaf)"


def test_terms_of_trains_that_nobody_counted_have_no_number() -> None:
    circuit = qismc.QuantumCircuit(20)
    circuit.h(range(20))
    for k in range(19):
        circuit.cp(math.pi / 8, k, k + 1)
    result = qismc.check(circuit, "AG (leaf -> |0^20>)", numbers="exact")
    assert result.counterexample is not None
    assert (result.counterexample.steps[-1].state or "").endswith(" + more terms")


@pytest.mark.parametrize(
    "formula",
    [
        "P>0 [F EG !c]",
        "P>0 [F EG !c] & true",
        "!P=1 [G !EG !c]",
        "EX P>0 [F EG !c]",
        "AG !P>0 [F EG !c]",
        "!!P=1 [G AF c]",
        "AG (c -> P=1 [G AF c])",
    ],
)
def test_paths_inside_of_probabilities_are_not_left_to_the_graph(formula: str, tmp_path: Path) -> None:
    """Outcomes alternate on the only execution; the graph has a loop in which c stays 0."""
    file = tmp_path / "turns.qasm"
    file.write_text(
        'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q; bit c;\nwhile (true) { c = measure q; x q; }\n'
    )
    assert not qismc.check(file, "EF EG !c") and qismc.check(file, "AG AF c")
    assert qismc.check(file, formula).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("formula", "verdict", "probability"),
    [
        ("P=1 [F AG leaf]", "holds", None),
        ("P=1 [G AF leaf]", "holds", None),
        ("P>0 [F AG !leaf]", "violated", None),
        ("P>=2/3 [F AG c == 1]", "violated", 0.5),
        ("P=? [F EG c == 1]", "holds", 0.5),
        ("AG P>0 [F AG c == 1]", "violated", None),
        ("EF P=1 [G AF c == 1]", "holds", None),
    ],
)
def test_labels_that_no_state_changes_are_those_of_executions(
    engine: str, formula: str, verdict: str, probability: float | None
) -> None:
    """One measurement of |+>: nothing is forgotten."""
    circuit = qismc.QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    (result,) = qismc.check(circuit, formula, numbers=engine)
    assert result.verdict is Verdict(verdict)
    assert (result.probability is None) == (probability is None)
    assert probability is None or abs(float(result.probability) - probability) < 1e-9  # type: ignore[arg-type]
