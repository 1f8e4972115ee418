"""The listing of a known system."""

from __future__ import annotations

from pathlib import Path

import pytest
from qiskit import QuantumCircuit as PlainCircuit

from qismc import Model, check
from qismc.report.show_blocks import diagram
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
def file(tmp_path: Path) -> str:
    path = tmp_path / "loop.qasm"
    path.write_text(LOOP)
    return str(path)


def test_the_repeat_until_success_loop(file: str) -> None:
    assert text(diagram(check(file, "EF leaf")._backdrop)) == FOLDED


def test_columns_without_content_are_left_out() -> None:
    circuit = PlainCircuit(1)
    circuit.h(0)
    assert text(Model(circuit).diagram()).splitlines() == [
        "location  statement  next",
        "l0        h q[0]     -> l1",
        "l1        end        -> l1",
    ]


def test_a_switch_says_which_value_it_found() -> None:
    circuit = PlainCircuit(1, 2)
    circuit.h(0)
    circuit.measure(0, 1)
    with circuit.switch(circuit.cregs[0]) as case:
        with case(2):
            circuit.x(0)
        with case(case.DEFAULT):
            circuit.z(0)
    listing = text(Model(circuit).diagram())
    assert "switch (c)            c=0        -> 0: l" in listing
    assert "switch (c)            c=2        -> 2: l" in listing


def test_unfolded_there_is_a_line_per_location(file: str) -> None:
    model = Model(file)
    lines = text(model.diagram(), fold=False).splitlines()[1:]
    assert [line.split()[0] for line in lines] == [location.name for location in model.locations]
