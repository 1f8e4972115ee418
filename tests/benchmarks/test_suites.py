"""Suites name constructions that exist; folders are walked."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from benchmarks import circuits, graphs, texts
from benchmarks.suites import SUITES, folder, suite
from qismc.errors import UsageError

MODULES = {"case": circuits, "quantity": circuits, "clifford": circuits, "text": texts, "graph": graphs}


@pytest.mark.parametrize("name", SUITES)
def test_every_job_can_be_made(name: str) -> None:
    for job in suite(name):
        construction = getattr(MODULES[job.kind], job.construction)
        inspect.signature(construction).bind(**job.arguments)


def test_all_is_everything() -> None:
    assert len(suite("all")) == sum(len(suite(name)) for name in SUITES)


def test_suites_that_are_asked_for_by_name(tmp_path: Path) -> None:
    assert all(job.family and job.size for job in suite("scaling"))
    with pytest.raises(UsageError, match="add --folder DIR"):
        suite("large")
    (tmp_path / "a.qasm").write_text("", encoding="utf-8")
    assert [job.kind for job in folder(tmp_path, 0, faults=False)] == ["clean"]


def test_broken_variants_are_there() -> None:
    broken = [job for job in suite("qai") if "broken" in job.arguments]
    assert len(broken) > 20


def test_unknown_suites_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match=r"unknown suite 'qia' \(did you mean 'qai'\?\)"):
        suite("qia")


def test_a_folder_is_walked_in_order(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in ("b.qasm", "a.qasm", "inner/c.qasm", "note.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    jobs = folder(tmp_path, 3)
    assert [job.name for job in jobs] == ["a", "a+pauli", "b", "b+pauli", "inner/c", "inner/c+pauli"]
    assert {job.arguments["seed"] for job in jobs} == {3}


def test_folders_without_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no \.qasm file"):
        folder(tmp_path, 0)
    with pytest.raises(UsageError, match="no such folder"):
        folder(tmp_path / "missing", 0)
