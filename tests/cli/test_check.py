"""`qismc check` on many programs, through pipes, in several processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from qismc.cli import main

HEAD = 'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[1];\n'
RIGHT = HEAD + "x q[0];\n//@ spec AG (leaf -> |1>)\n"
WRONG = HEAD + "h q[0];\n//@ spec one: AG (leaf -> |1>)\n//@ spec ends: AF leaf\n"
BROKEN = HEAD + "foo q[0];\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    below = tmp_path / "programs" / "deep"
    below.mkdir(parents=True)
    (below.parent / "right.qasm").write_text(RIGHT)
    (below.parent / "wrong.qasm").write_text(WRONG)
    (below / "again.qasm").write_text(RIGHT)
    return below.parent


def run(*arguments: object, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)], input=given)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_gives_one_summary(folder: Path, jobs: int) -> None:
    result = run(folder, "--jobs", jobs)
    assert result.exit_code == 1
    assert "VIOLATED  one: AG (leaf -> |1>)" in result.stdout
    assert "2 formulas, 1 violated" in result.stdout
    assert "3 programs: 2 HOLDS, 1 VIOLATED" in result.stdout
    assert "HOLDS  spec" not in result.stdout, "reports of what holds are left out"


def test_threads_change_no_report(folder: Path) -> None:
    wrong = folder / "wrong.qasm"
    reports = [json.loads(run(wrong, "--threads", n, "--json").stdout) for n in (1, 2)]
    for report in reports:
        report["stats"].pop("seconds")
        report["stats"].pop("peak_mb")
    assert reports[0] == reports[1] and reports[0]["verdict"] == "violated"
    assert run(wrong, "--threads", 0).exit_code == 2


def test_patterns_choose_files(folder: Path) -> None:
    assert run(folder / "**" / "*a*.qasm").exit_code == 0
    assert "2 programs" not in run(folder / "r*.qasm").stdout
    nothing = run(folder / "z*.qasm")
    assert nothing.exit_code == 2 and "no file is like" in nothing.stderr


def test_an_unreadable_program_does_not_hide_the_others(folder: Path) -> None:
    bad = folder / "broken.qasm"
    bad.write_text(BROKEN)
    result = run(folder / "right.qasm", bad, folder / "wrong.qasm")
    assert result.exit_code == 2
    assert "broken.qasm:4:1: error: unknown gate 'foo'" in result.stderr
    assert "3 programs: 1 ERROR, 1 HOLDS, 1 VIOLATED" in result.stdout


def test_json_and_sarif_of_many(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "all.sarif"
    result = run(folder / "right.qasm", folder / "wrong.qasm", "--json", "--sarif", log)
    data = json.loads(result.stdout)
    assert [p["verdict"] for p in data["programs"]] == ["holds", "violated"]
    runs = json.loads(log.read_text())["runs"]
    assert [len(found["results"]) for found in runs] == [0, 1]


def test_files_of_many_programs_have_names_of_their_own(folder: Path, tmp_path: Path) -> None:
    one = run(folder, "--html", tmp_path / "page.html")
    assert one.exit_code == 2 and "{program}" in one.stderr
    run(folder, "--html", tmp_path / "{program}.html")
    assert {file.name for file in tmp_path.glob("*.html")} == {
        "right-qasm.html", "wrong-qasm.html", "again-qasm.html",
    }  # fmt: skip


def test_standard_input(folder: Path) -> None:
    result = run("-", given=WRONG)
    assert result.exit_code == 1
    assert "<stdin>: 1 qubit" in result.stdout
    both = run("-", folder / "right.qasm", "--jobs", 2, given=RIGHT)
    assert both.exit_code == 0 and "2 programs: 2 HOLDS" in both.stdout
    assert "<stdin>:4:1" in run("-", given=BROKEN).stderr


def test_files_that_cannot_be_written_are_refused_before_the_work(folder: Path) -> None:
    for option in ("--html", "--sarif", "--smv", "--certificate"):
        result = run(folder / "wrong.qasm", option, "/nowhere/file")
        assert result.exit_code == 2 and result.stdout == ""
        assert "cannot be written" in result.stderr
    kept = folder / "kept.html"
    kept.write_text("before")
    assert run(folder / "nowhere.qasm", "--html", kept).exit_code == 2
    assert kept.read_text() == "before"


def test_empty_names_are_refused(folder: Path) -> None:
    nothing = run("")
    assert nothing.exit_code == 2 and "the name of a program is empty" in nothing.stderr
    page = run(folder / "right.qasm", "--html", "")
    assert page.exit_code == 2 and "'' cannot be written" in page.stderr
