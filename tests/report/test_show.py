"""Choosing a format: Model.draw and `qismc show`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from qismc import Model
from qismc.cli import main
from qismc.errors import UsageError
from qismc.report.show import FORMATS

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
