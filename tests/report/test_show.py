"""Choosing a format: Model.draw and `qismc show`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from qiskit import QuantumCircuit as PlainCircuit

from qismc import Model, check
from qismc.cli import main
from qismc.errors import UsageError
from qismc.report.show import FORMATS, text, to_data
from qismc.report.show_blocks import diagram

from .programs import random_program

BELL = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[1];
h q[0];
cx q[0], q[1];
measure q[0] -> c[0];
if (c == 1) x q[1];
"""


def test_a_drawing_prints_in_its_format_and_shows_as_svg() -> None:
    drawing = Model(random_program(0)).draw()
    assert str(drawing).startswith("location")
    assert repr(drawing) == str(drawing)
    assert drawing._repr_svg_().startswith("<svg")
    assert str(Model(random_program(0)).draw("dot")).startswith("digraph")


def test_an_unknown_format_is_refused_at_once() -> None:
    with pytest.raises(UsageError, match=r"format = 'textt' is unknown .*did you mean 'text'"):
        Model(random_program(0)).draw("textt")


@pytest.mark.parametrize("form", FORMATS)
def test_show_prints_every_format(form: str, tmp_path: Path) -> None:
    file = tmp_path / "bell.qasm"
    file.write_text(BELL)
    done = CliRunner().invoke(main, ["show", str(file), "--format", form])
    assert done.exit_code == 0, done.output
    start = {"text": "location", "dot": "digraph", "svg": "<svg", "html": "<!DOCTYPE html>", "json": "{"}
    assert done.output.startswith(start[form])
    if form == "json":
        assert json.loads(done.output)["locations"][0]["source"]["line"] == 5


def test_show_says_when_a_limit_stops_it(tmp_path: Path) -> None:
    file = tmp_path / "bell.qasm"
    file.write_text(BELL)
    done = CliRunner().invoke(main, ["show", str(file), "--timeout", "0.000000001"])
    assert done.exit_code == 3
    assert "could not be built: limit" in done.output


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


@pytest.mark.parametrize("seed", range(10))
def test_locations_and_edges_are_the_models(seed: int) -> None:
    model = Model(random_program(seed))
    data = json.loads(json.dumps(to_data(model.diagram())))
    assert [here["location"] for here in data["locations"]] == [here.name for here in model.locations]
    assert [here["statement"] for here in data["locations"]] == [here.text for here in model.locations]
    edges = {(int(e["source"][1:]), int(e["target"][1:])) for e in data["edges"]}
    assert edges == set(model.edges)
    assert sorted(name for block in data["blocks"] for name in block) == sorted(
        here["location"] for here in data["locations"]
    )


def test_outcomes_are_on_the_edges_of_measurements() -> None:
    model = Model(random_program(3))
    data = to_data(model.diagram())
    measured = {here["location"] for here in data["locations"] if here["statement"].startswith("measure")}
    assert {e["source"] for e in data["edges"] if e["outcomes"]} == measured
