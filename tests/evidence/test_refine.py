"""Paths whose measurements contradict each other decide nothing."""

from __future__ import annotations

import pytest

import qismc
from qismc import Verdict
from qismc.evidence import refine

CONTRADICTION = """OPENQASM 3.0;
include "stdgates.inc";
qubit[1] q;
bit[1] c;
h q[0];
c[0] = measure q[0];
if (c[0]) {
  //@ mark A
  z q[0];
}
c[0] = 0;
//@ mark M
c[0] = measure q[0];
if (c[0]) {
  //@ mark B
  z q[0];
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("programs") / "contradiction.qasm"
    path.write_text(CONTRADICTION)
    return str(path)


@pytest.mark.parametrize(
    ("formula", "executions", "graph"),
    [
        ("E[!A U B]", False, True),
        ("A[!B W A]", True, False),
        ("AG (B -> AX true)", True, True),
        ("EF (A & EF B)", True, True),
        ("EF (c == 0 & M & EF B)", True, True),
        ("EF (!A & M & !EF B)", True, False),
        ("AG (M -> EF B)", False, True),
        ("AG EF leaf", True, True),
        ("A[!B U A] | !E[!A U B]", True, False),
    ],
)
def test_executions_decide(engine: str, program: str, formula: str, executions: bool, graph: bool) -> None:
    found = qismc.check(program, formula, numbers=engine)["spec"]
    assert found.verdict is (Verdict.HOLDS if executions else Verdict.VIOLATED)
    theirs = qismc.check(program, formula, numbers=engine, paths="all")["spec"]
    assert theirs.verdict is (Verdict.HOLDS if graph else Verdict.VIOLATED)
    shown = found.witness or found.counterexample
    assert shown is None or not shown.steps or shown.replayed


def test_what_stays_undecided_says_so(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refine, "STATES", (0,))
    result = qismc.check(program, "E[!A U B]")["spec"]
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith("path: ")
    assert "paths='all'" in result.reason


def test_time_ends_the_telling_apart(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refine, "SECONDS", 1e-9)
    result = qismc.check(program, "E[!A U B]")["spec"]
    assert result.reason.startswith("path: ") and "passed" in result.reason


def test_probability_needs_no_paths(program: str) -> None:
    assert not qismc.check(program, "P>0 [!A U B]")
    assert qismc.check(program, "P=1 [F leaf]")
