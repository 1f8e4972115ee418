"""Every kind finds room where there is some, and what it makes is a program."""

from __future__ import annotations

import pytest

from qismc import Model
from qismc.edits.edit import Edit
from qismc.edits.kinds import KINDS, Room
from qismc.edits.patches import same_code
from qismc.edits.sampling import drawn
from qismc.errors import UsageError
from qismc.program.load import read_text

TEXT = """OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
bit[2] c;
h q[0];
s q[0];
cx q[0], q[1];
ry(0.5) q[1];
c[0] = measure q[0];
c[1] = measure q[1];
if (c[0]) { x q[0]; }
if (c[1]) { z q[1]; }
switch (c) { case 0 { x q[1]; } case 2 { y q[0]; } }
"""
PROGRAM = read_text(TEXT, "p.qasm")


def edits(kind: str) -> list[Edit]:
    return list(Room(PROGRAM).edits(range(len(PROGRAM.code)), [kind]))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_changes_the_program_and_the_result_can_be_solved(kind: str) -> None:
    found = edits(kind)
    assert found
    assert len(set(found)) == len(found)
    for edit in found[:12]:
        edited = edit.apply(PROGRAM)
        assert edit.kind == kind
        assert not same_code(edited.code, PROGRAM.code)
        assert edit.text(PROGRAM).startswith("p.qasm:")
        assert Model(edited).system.num_locations > 0


def test_values_bits_and_opposites_of_conditions() -> None:
    texts = [edit.text(PROGRAM) for edit in edits("condition")]
    assert "p.qasm:11: replace 'if (c[0])' by 'if (c[1])'" in texts
    assert "p.qasm:11: replace 'if (c[0])' by 'if (!c[0])'" in texts
    tables = [text for text in texts if "switch" in text]
    assert "p.qasm:13: in 'switch (c)' exchange the cases 0 and 2" in tables
    assert "p.qasm:13: in 'switch (c)' make case 2 case 3" in tables
    assert len(tables) == len(set(tables)) == 2 * 2 + 1


def test_exchanged_bits() -> None:
    (swapped,) = edits("swap-bits")
    wanted = TEXT.replace("c[0])", "c[2])").replace("c[1])", "c[0])").replace("c[2])", "c[1])")
    branches = [statement for statement in swapped.apply(PROGRAM).code if hasattr(statement, "condition")]
    assert branches == [s for s in read_text(wanted, "p.qasm").code if hasattr(s, "condition")]
    pairs = [edit for edit in edits("bit") if len(edit.actions) == 2]
    assert len(pairs) == 1


def test_draws_depend_on_the_seed_and_cover_all_kinds() -> None:
    assert drawn(PROGRAM, 30, 1) == drawn(PROGRAM, 30, 1)
    assert drawn(PROGRAM, 30, 1) != drawn(PROGRAM, 30, 2)
    assert {edit.kind for edit in drawn(PROGRAM, 30, 1)} == set(KINDS)
    assert {edit.kind for edit in drawn(PROGRAM, 10, 1, ["sign", "axis"])} == {"sign", "axis"}
    everything = list(Room(PROGRAM).edits(range(len(PROGRAM.code)), ["remove"]))
    assert drawn(PROGRAM, 10_000, 0, ["remove"]) == everything


def test_unknown_kinds_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UsageError, match="did you mean 'remove'"):
        drawn(PROGRAM, 1, 0, ["remov"])
