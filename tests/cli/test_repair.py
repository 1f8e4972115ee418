"""`qismc repair`, and what `qismc check --repair` adds to the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from qismc.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
BUGGY, FIXED = str(EXAMPLES / "rus_buggy.qasm"), str(EXAMPLES / "rus_fixed.qasm")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_repair_is_printed_with_its_diff() -> None:
    done = run("repair", BUGGY, "--limit", "1")
    assert done.exit_code == 0, done.output
    assert "insert reset q[0]" in done.output.replace("\n", " ")
    assert "+  reset q[0];" in done.output


def test_nothing_to_repair() -> None:
    done = run("repair", FIXED)
    assert (done.exit_code, done.output) == (0, "nothing to repair: all formulas hold\n")


def test_nothing_found(tmp_path: Path) -> None:
    file = tmp_path / "coin.qasm"
    file.write_text("OPENQASM 2.0;\nqreg q[1];\nU(0.3,0,0) q[0];\n//@ spec AG (leaf -> 3/5 |0> + 4/5 |1>)\n")
    done = run("repair", str(file))
    assert done.exit_code == 1
    assert done.output.startswith("no repair was found; ")
    data = json.loads(run("repair", str(file), "--json").output)
    assert data["repairs"] == []
    assert data["tried"] > 5


def test_json() -> None:
    data = json.loads(run("repair", BUGGY, "--json", "--limit", "1").output)
    (row,) = data["repairs"]
    assert set(row) == {"text", "source", "diff", "same"}
    assert row["source"]["line"] in (18, 25)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    place = tmp_path_factory.mktemp("reports")
    html, sarif = place / "r.html", place / "r.sarif"
    done = run("check", BUGGY, "--repair", "--json", "--html", str(html), "--sarif", str(sarif))
    assert done.exit_code == 1
    return {"json": json.loads(done.output), "html": html.read_text(), "sarif": json.loads(sarif.read_text())}


def test_every_report_of_a_check_shows_repairs(reports: dict[str, Any]) -> None:
    assert reports["json"]["repairs"][0]["text"].split(": ")[1].startswith("insert reset q[0]")
    assert "insert reset q[0]" in reports["html"]
    assert "insert reset q[0]" in run("check", BUGGY, "--repair").output.replace("\n", " ")


def test_fixes_of_sarif_applied_as_the_standard_says_repair_the_file(
    reports: dict[str, Any], tmp_path: Path
) -> None:
    (finding,) = reports["sarif"]["runs"][0]["results"]
    (change,) = finding["fixes"][0]["artifactChanges"]
    text = Path(BUGGY).read_text()
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for replacement in reversed(change["replacements"]):
        region = replacement["deletedRegion"]
        start = starts[region["startLine"] - 1] + region["startColumn"] - 1
        end = starts[region["endLine"] - 1] + region["endColumn"] - 1
        text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    file = tmp_path / "repaired.qasm"
    file.write_text(text)
    assert run("check", str(file), "--quiet").exit_code == 0


def test_a_plain_check_searches_nothing() -> None:
    assert "repairs" not in json.loads(run("check", BUGGY, "--json").output)
