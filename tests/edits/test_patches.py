"""Diffs of OpenQASM texts are checked by reading them again; here the text itself is compared."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from qiskit import qasm2, qasm3

from qismc.edits.edit import Edit, Insert, Remove, Replace
from qismc.edits.kinds import KINDS, Room, gate
from qismc.edits.patches import Hunk, patch, same_code
from qismc.program.load import load, read_text
from qismc.program.statements import Reset

EXAMPLES = Path(__file__).parents[2] / "examples"
TWO = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[1];
h q; // both
measure q[0]->c[0];
if(c==1) x q[1];
"""


def lines_of(diff: str, sign: str) -> list[str]:
    return [line[1:] for line in diff.splitlines() if line[0] == sign and line[:3] not in ("+++", "---")]


def test_an_inserted_line_takes_the_indent_of_its_neighbour() -> None:
    found = patch(load(EXAMPLES / "rus_buggy.qasm"), Edit("e", (Insert(3, Reset(0)),)))
    assert found is not None
    assert lines_of(found.diff, "+") == ["  reset q[0];"]
    assert lines_of(found.diff, "-") == []
    assert list(found.hunks) == [Hunk(18, 0, ("  reset q[0];",))]
    assert "@@ -16,4 +16,5 @@" in found.diff


def test_version_2_statements_under_a_condition() -> None:
    program = read_text(TWO, "p.qasm")
    point = len(program.code) - 2
    found = patch(program, Edit("e", (Replace(point, gate("z", 1)),)))
    assert found is not None
    assert lines_of(found.diff, "+") == ["if(c==1) z q[1];"]
    assert patch(program, Edit("e", (Remove(point),))) is None, (
        "the text would put nothing under the condition"
    )


def test_one_statement_of_a_broadcast_line_cannot_be_said() -> None:
    assert patch(read_text(TWO, "p.qasm"), Edit("e", (Remove(0),))) is None


def test_patched_texts_are_the_edited_programs() -> None:
    program = load(EXAMPLES / "rus_buggy.qasm")
    room, rng = Room(program), random.Random(0)
    edits = list(room.edits(range(len(program.code)), KINDS))
    for edit in rng.sample(edits, 60):
        found = patch(program, edit)
        assert found is not None, edit.text(program)
        again = read_text("\n".join(found.after), found.file)
        assert same_code(again.code, edit.apply(program).code)


@pytest.mark.parametrize(
    ("edit", "added", "removed"),
    [
        (Edit("e", (Insert(0, Reset(2)),)), ["    qc.reset(2)"], []),
        (Edit("e", (Replace(1, gate("cx", 2, 1)),)), ["    qc.cx(2, 1)"], ["    qc.cx(1, 2)"]),
        (Edit("e", (Remove(3),)), [], ["    qc.h(0)"]),
    ],
)
def test_plain_lines_of_python(edit: Edit, added: list[str], removed: list[str]) -> None:
    found = patch(load(f"{EXAMPLES / 'protocols' / 'teleportation.py'}:corrected"), edit)
    assert found is not None
    assert (lines_of(found.diff, "+"), lines_of(found.diff, "-")) == (added, removed)


def test_a_line_of_python_that_made_several_statements_is_left_alone() -> None:
    program = load(f"{EXAMPLES / 'protocols' / 'teleportation.py'}:corrected")
    measurement = next(p for p, text in enumerate(map(program.text, range(8))) if text.startswith("measure"))
    assert patch(program, Edit("e", (Remove(measurement),))) is None


def test_insertions_at_one_place_keep_their_order() -> None:
    program = load(EXAMPLES / "rus_buggy.qasm")
    leaf = len(program.code) - 1
    actions = (Insert(leaf, gate("z", 0)), Insert(leaf, gate("h", 0)), Insert(leaf, Reset(1)))
    found = patch(program, Edit("e", actions))
    assert found is not None
    assert lines_of(found.diff, "+") == ["z q[0];", "h q[0];", "reset q[1];"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[3] q;\nccx q[0], q[1], q[2];\n',
         "ctrl(2) @ z q[0], q[1], q[2];"),
        ('OPENQASM 2.0;\ninclude "qelib1.inc";\nqreg q[3];\nccx q[0], q[1], q[2];\n', None),
    ],
)  # fmt: skip
def test_gates_have_names_that_qiskit_reads(text: str, expected: str | None) -> None:
    """Neither library has `ccz`."""
    program = read_text(text, "p.qasm")
    found = patch(program, Edit("e", (Replace(0, gate("ccz", 0, 1, 2)),)))
    if expected is None:
        assert found is None
        return
    assert found is not None
    (line,) = lines_of(found.diff, "+")
    assert line.replace(" ", "") == expected.replace(" ", "")
    loads = qasm3.loads if "3.0" in text else qasm2.loads
    assert loads("\n".join([*text.splitlines()[:-1], line])).num_qubits == 3
