"""Rows of single jobs, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.measure import measure
from benchmarks.row import STAGES, Bounds, Job

BOUNDS = Bounds(60, 4000)
GHZ = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
creg c[3];
h q[0];
cx q[0],q[1];
cx q[1],q[2];
measure q -> c;
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ghz.qasm"
    path.write_text(GHZ, encoding="utf-8")
    return path


@pytest.mark.parametrize("broken", [None, "oracle"])
def test_cases(broken: str | None) -> None:
    row = measure(Job("x", "case", "ghz", {"n": 5, "broken": broken}), BOUNDS)
    assert row.name == ("ghz-5-broken-oracle" if broken else "ghz-5")
    assert row.verdict == row.expected == ("violated" if broken else "holds")
    assert not row.wrong
    assert (row.qubits, row.gates, row.engine) == (5, 14 - 1 * bool(broken), "exact")
    assert row.locations == row.gates + 1
    assert set(row.seconds) == {"load", *STAGES, *(["look"] if broken else [])}
    assert row.total == sum(row.seconds[stage] for stage in STAGES)
    assert row.peak_mb is not None and row.peak_mb > 1
    assert row.peak_nodes is not None and row.peak_nodes >= 1


@pytest.mark.parametrize("broken", [None, "oracle"])
def test_large_clifford_circuits_are_measured_on_what_auto_takes(broken: str | None) -> None:
    row = measure(Job("x", "case", "ghz", {"n": 20, "broken": broken}), BOUNDS)
    assert row.verdict == row.expected == ("violated" if broken else "holds")
    assert row.engine == "stabiliser"


def test_texts_tell_the_time_of_qiskit() -> None:
    row = measure(Job("x", "text", "many_ifs", {"count": 3}), BOUNDS)
    assert row.verdict == row.expected == "holds"
    assert set(row.seconds) == {"load", "qiskit", *STAGES}


@pytest.mark.parametrize("broken", [False, True])
def test_graphs(broken: bool) -> None:
    row = measure(Job("x", "graph", "ladder", {"size": 50, "broken": broken}), BOUNDS)
    assert row.verdict == row.expected == ("violated" if broken else "holds")
    assert (row.locations, row.edges, row.engine) == (50, 100, "ctl")


def test_clean_files_hold(file: Path) -> None:
    row = measure(Job("ghz", "clean", str(file), {"seed": 0}), BOUNDS)
    assert (row.name, row.verdict, row.expected, row.gates) == ("ghz", "holds", "holds", 3)
    assert "record" in row.seconds


def test_faulty_files_agree_with_the_simulation(file: Path) -> None:
    rows = [measure(Job("ghz", "faulty", str(file), {"seed": seed}), BOUNDS) for seed in range(40)]
    assert {row.gates for row in rows} == {4}
    assert all(row.verdict == row.expected for row in rows)
    assert {row.verdict for row in rows} == {"holds", "violated"}


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "bad.qasm"
    file.write_text("OPENQASM 2.0;\nqreg q[0];\n", encoding="utf-8")
    row = measure(Job("bad", "clean", str(file), {"seed": 0}), BOUNDS)
    assert row.verdict == "error"
    assert row.reason is not None and "bad.qasm:2" in row.reason


def test_limits_make_rows_unknown() -> None:
    row = measure(Job("x", "case", "ghz", {"n": 50}), Bounds(1e-9, 4000))
    assert row.verdict == "unknown"
    assert row.reason is not None and "limit" in row.reason
    assert not row.wrong
