"""Edited programs are what a person who edits the text would get."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import qismc
from qismc.edits.edit import Edit, Exchange, Insert, Remove, Replace
from qismc.edits.kinds import gate
from qismc.edits.patches import same_code
from qismc.program.classical import Binary, Const, Read
from qismc.program.load import load, read_text
from qismc.program.program import Program
from qismc.program.statements import Measure, Reset

RUS = Path(__file__).parents[2] / "examples" / "rus_buggy.qasm"
HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nbit[2] c;\n'
BODY = """h q[0];
c[0] = measure q[0];
if (c[0]) {
  x q[1];
} else {
  y q[1];
}
while (c == 1) {
  h q[2];
  c[1] = measure q[2];
}
z q[0];"""
POINTS = {"h": 0, "measure": 1, "if": 2, "x": 3, "y": 5, "while": 6, "h2": 7, "measure2": 8, "z": 10}


def program(body: str = BODY) -> Program:
    return read_text(HEAD + body, "p.qasm")


@pytest.mark.parametrize(
    ("action", "old", "new", "text"),
    [
        (Insert(0, Reset(1)), "h q[0];", "reset q[1]; h q[0];", "insert reset q[1] before 'h q[0]'"),
        (Insert(3, gate("z", 1)), "x q[1];", "z q[1]; x q[1];", "insert z q[1] before 'x q[1]'"),
        (
            Insert(3, gate("z", 1), after=True),
            "x q[1];",
            "x q[1]; z q[1];",
            "insert z q[1] after 'x q[1]'",
        ),
        (Insert(6, Reset(0)), "while", "reset q[0]; while", "insert reset q[0] before 'while (c == 1)'"),
        (Insert(8, Reset(2), after=True), "q[2];\n}", "q[2]; reset q[2]; }", "reset q[2] after"),
        (Insert(11, Reset(2)), "z q[0];", "z q[0]; reset q[2];", "insert reset q[2] at the end"),
        (
            Insert(10, gate("x", 2), Binary("==", Read((0, 1)), Const(2))),
            "z q[0];",
            "if (c == 2) { x q[2]; } z q[0];",
            "insert if (c == 2) x q[2] before 'z q[0]'",
        ),
        (Remove(3), "x q[1];", "", "remove 'x q[1]'"),
        (Remove(7), "h q[2];", "", "remove 'h q[2]'"),
        (Replace(1, Measure(2, 0)), "measure q[0]", "measure q[2]", "replace 'measure q[0] -> c[0]' by"),
        (Exchange(7), "h q[2];\n  c[1] = measure q[2];", "c[1] = measure q[2]; h q[2];", "move 'h q[2]'"),
    ],
)  # fmt: skip
def test_actions_mean_the_edited_text(action: object, old: str, new: str, text: str) -> None:
    assert BODY.count(old) == 1
    edit = Edit("some", (action,))  # type: ignore[arg-type]
    edited = edit.apply(program())
    assert same_code(edited.code, program(BODY.replace(old, new)).code)
    assert text in edit.text(program())
    assert len(edited.code) == len(edited.sources) == len(edited.texts)


def test_several_actions_use_the_points_of_the_unedited_program() -> None:
    edit = Edit("pair", (Insert(3, gate("z", 1)), Remove(0), Insert(3, gate("h", 1), after=True)))
    wanted = BODY.replace("h q[0];", "").replace("x q[1];", "z q[1]; x q[1]; h q[1];")
    assert same_code(edit.apply(program()).code, program(wanted).code)


def test_the_text_names_file_and_line() -> None:
    edit = Edit("insert-reset", (Insert(3, Reset(0)),))
    assert edit.text(load(RUS)) == f"{RUS}:18: insert reset q[0] before 'h q[0]'"


def test_edited_programs_are_reported_and_replayed_with_lines() -> None:
    edited = Edit("remove", (Remove(4),)).apply(load(RUS))
    result = qismc.check(edited, {"safe": "AG (leaf -> target)"})
    assert result.counterexample is not None
    assert result.counterexample.replayed
    lines = {step.source.line for step in result.counterexample if step.source is not None}
    assert {15, 16, 17, 18, 20} <= lines
    assert 19 not in lines


def test_edits_and_programs_travel() -> None:
    edit = Edit("insert-reset", (Insert(3, Reset(0)),))
    read = load(RUS)
    assert pickle.loads(pickle.dumps(edit)) == edit
    assert same_code(edit.apply(pickle.loads(pickle.dumps(read))).code, edit.apply(read).code)
