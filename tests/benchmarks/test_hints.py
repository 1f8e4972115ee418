"""A fixed part of the measurement: hints name the lines of seeded bugs."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from benchmarks.hints import Row, faulty_lines, main, measured, questions, total
from qismc.edits.edit import Edit, Insert, Remove
from qismc.edits.kinds import gate
from qismc.edits.sampling import drawn
from qismc.program.load import load

EXAMPLES = Path(__file__).parents[2] / "examples"
LEAST = 0.6
"""Of the bugs are named; the measurement says more than 0.9 of these programs."""


def test_hints_name_the_lines_of_bugs(tmp_path: Path) -> None:
    for name in ("rus_fixed.qasm", "teleportation.py"):
        text = next(EXAMPLES.rglob(name)).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = dict(questions(tmp_path))
    assert list(found) == ["teleportation:corrected", "rus_fixed.qasm"]
    rows = []
    for name, question in found.items():
        assert question.program is not None
        rows.append(measured(name, question, drawn(question.program, 10, seed=5)))
    everything = total(rows)
    assert everything.violated >= 10
    assert everything.named >= LEAST * everything.violated
    assert everything.lines < 4 * everything.violated  # naming all lines would be no hint


def test_lines_of_an_edit() -> None:
    program = load(EXAMPLES / "rus_fixed.qasm")
    lines = [source.line if source else None for source in program.sources]
    point = lines.index(20)
    name = program.sources[point].file  # type: ignore[union-attr]
    assert faulty_lines(program, Edit("insert", (Insert(point, gate("x", 0)),))) == {(name, 20)}
    assert faulty_lines(program, Edit("remove", (Remove(point),))) == {(name, 19), (name, 20), (name, 21)}


def test_the_command_prints_a_table(tmp_path: Path) -> None:
    text = (EXAMPLES / "rus_fixed.qasm").read_text(encoding="utf-8")
    (tmp_path / "one.qasm").write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, [str(tmp_path), "--count", "1"])
    assert result.exit_code == 0
    rows = [line.split() for line in result.output.splitlines()]
    assert [row[0] for row in rows[-2:]] == ["one.qasm", "all"]


def test_rows_add_up() -> None:
    rows = [Row("a", 3, 1, 2, 5, 10, 0.5), Row("b", 1, 1, 1, 1, 4, 0.25)]
    assert total(rows) == Row("all", 4, 2, 3, 6, 14, 0.75)
