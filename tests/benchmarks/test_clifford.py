"""The Clifford suite: expected verdicts on other engines, and stim's samples of the same circuits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest

import qismc
from benchmarks import clifford, simulators
from benchmarks.case import Case
from benchmarks.clifford import moved
from benchmarks.suites import suite
from qismc.common.choices import method_and_numbers

SMALL: list[tuple[Callable[..., Case], dict[str, int], str]] = [
    (clifford.cluster_wire, {"n": 5}, "correction"),
    (clifford.cluster_wire, {"n": 6}, "correction"),
    (clifford.cluster_grid, {"side": 3}, "cz"),
    (clifford.teleported_plus, {"hops": 2}, "correction"),
    (clifford.random_dynamic, {"n": 4, "coins": 4}, "undo"),
]


@pytest.mark.parametrize(("make", "arguments", "part"), SMALL)
@pytest.mark.parametrize("engine", ["exact", "stabiliser"])
def test_verdicts(make: Callable[..., Case], arguments: dict[str, int], part: str, engine: str) -> None:
    for broken in (None, part):
        case = make(**arguments, broken=broken)
        result = qismc.check(
            case.circuit, dict(case.formulas), props=case.props, **method_and_numbers(engine, "auto")
        )
        assert result.verdict.value == case.expected and result.engine == engine


@pytest.mark.parametrize("broken", [None, "flips"])
def test_tables(broken: Literal["flips"] | None) -> None:
    case = clifford.repetition_table(5, broken)
    found = {
        engine: qismc.check(
            case.circuit, dict(case.formulas), faults=case.faults, **method_and_numbers(engine, "auto")
        )
        for engine in ("exact", "stabiliser")
    }
    assert all(result.verdict.value == case.expected for result in found.values())
    assert found["stabiliser"].engine == "stabiliser"


def test_large_cases() -> None:
    for broken in (None, "undo"):
        case = clifford.random_dynamic(120, 100, broken=broken)  # type: ignore[arg-type]
        result = qismc.check(case.circuit, dict(case.formulas), props=case.props)
        assert result.verdict.value == case.expected and result.engine == "stabiliser"
        assert broken is None or result.counterexample.replayed  # type: ignore[union-attr]


@pytest.mark.parametrize(("make", "arguments", "part"), SMALL)
def test_stim_samples_them(make: Callable[..., Case], arguments: dict[str, int], part: str) -> None:
    run = simulators.stim_shots(make(**arguments, broken=part).circuit)
    assert run is not None and run()


def test_paulis_move_as_they_should() -> None:
    assert moved({0: "Y", 1: "Z"}, ("cx", (0, 1))) == {0: "X", 1: "Y"}
    assert moved({1: "Y"}, ("h", (1,))) == {1: "Y"} and moved({2: "X"}, ("cx", (0, 1))) == {2: "X"}
    assert moved({0: "X", 1: "X"}, ("cx", (0, 1))) == {0: "X"}


def test_the_suite_runs_on_stabilisers() -> None:
    jobs = suite("clifford")
    assert jobs and all(job.kind == "clifford" for job in jobs)
