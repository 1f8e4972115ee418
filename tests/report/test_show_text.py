"""The listing of a known system."""

from __future__ import annotations

from pathlib import Path

import pytest

from qismc import Model
from qismc.report.show_text import text

LOOP = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[1] c;
x q[2];
c[0] = measure q[2];
while (c[0] == 1) {
  reset q[0];
  h q[0];
  t q[0];
  cx q[0], q[1];
  h q[0];
  cx q[0], q[1];
  t q[0];
  h q[0];
  c[0] = measure q[0];
}
"""
FOLDED = """\
location  line  statement               classical  next
l0        5     x q[2]                  c=-
l1        6     measure q[2] -> c[0]               -> 1: l2
l2        7     while (c[0] == 1)       c=1        -> true: l3
l3        8     reset q[0]              c=-
l4-l10    9-15  7 gates: h t cx h cx …
l11       16    measure q[0] -> c[0]               -> 0: l12 | 1: l2
l12       7     while (c[0] == 1)       c=0        -> false: l13
l13             end                     c=-        -> l13"""


@pytest.fixture
def model(tmp_path: Path) -> Model:
    file = tmp_path / "loop.qasm"
    file.write_text(LOOP)
    return Model(str(file))


def test_the_repeat_until_success_loop(model: Model) -> None:
    assert text(model.diagram()) == FOLDED


def test_unfolded_there_is_a_line_per_location(model: Model) -> None:
    lines = text(model.diagram(), fold=False).splitlines()[1:]
    assert [line.split()[0] for line in lines] == [location.name for location in model.locations]
