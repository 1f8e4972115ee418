"""`python -m benchmarks` as a user calls it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from benchmarks import command, runner
from benchmarks.row import Row

BELL = (
    'OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[2];\ncreg c[2];\nh q[0];\ncx q[0],q[1];\nmeasure q -> c;\n'
)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "bell.qasm").write_text(BELL, encoding="utf-8")
    return folder


def bench(*arguments: object) -> Result:
    return CliRunner().invoke(command.bench, [*map(str, arguments)])


def rows_of(monkeypatch: pytest.MonkeyPatch, *rows: Row, interrupted: bool = False) -> None:
    """Let the runner give these rows instead of measuring."""

    def run(*_: Any) -> Iterator[Row]:
        yield from rows
        if interrupted:
            raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", run)


def test_a_folder_with_json_lines_and_a_plot(programs: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    lines, picture = tmp_path / "rows.jsonl", tmp_path / "times.png"
    result = bench("--folder", programs, "--json", lines, "--plot", picture)
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert [row["name"] for row in rows] == ["bell", "bell+pauli"]
    assert rows[0]["verdict"] == "holds"
    assert rows[1]["verdict"] == rows[1]["expected"]
    assert picture.stat().st_size > 0
    assert "bell+pauli" in result.stdout


def test_a_wrong_verdict_gives_status_1(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of(monkeypatch, Row("a", "holds", "holds"), Row("b", "holds", "violated"))
    result = bench("--folder", programs)
    assert result.exit_code == 1
    assert "WRONG VERDICT: b" in result.stdout


def test_a_missing_verdict_gives_status_3(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of(monkeypatch, Row("a", "unknown", "holds", reason="limit"), Row("b", "holds", "holds"))
    assert bench("--folder", programs).exit_code == 3


def test_an_interrupt_gives_the_table_so_far(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of(monkeypatch, Row("first", "holds", "holds"), interrupted=True)
    result = bench("--folder", programs)
    assert result.exit_code == 130
    assert "first" in result.stdout
    assert "interrupted after 1 rows" in result.stdout


def test_absent_peers_are_empty_columns(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of(monkeypatch, Row("a", "holds", "holds"))
    result = bench("--folder", programs, "--peers")
    assert "mqt-core s" in result.stdout
    assert "aer-mps s" in result.stdout
    assert "to best peer" in result.stdout


def test_large_files_are_measured_beside_a_command(programs: Path, tmp_path: Path) -> None:
    lines = tmp_path / "rows.jsonl"
    result = bench("large", "--folder", programs, "--peer", "nothing=true {file}", "--json", lines)
    assert result.exit_code == 0, result.output
    (row,) = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert row["peers"].keys() == {"nothing"} and row["cpu"] > 0
    assert row["peers"]["nothing"] is not None and "nothing s" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qia"], "'qia' is not one of"),
        (["--folder", "/nowhere"], "error: no such folder: '/nowhere'"),
        (["qai", "--timeout", "0"], "limit seconds = 0.0 must be positive"),
        (["qai", "--json", "/nowhere/rows.jsonl"], "error: '/nowhere/rows.jsonl' cannot be written"),
    ],
)
def test_wrong_input_is_refused(arguments: list[str], message: str) -> None:
    result = bench(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output
