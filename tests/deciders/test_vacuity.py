"""Formulas that hold and say nothing, with both kinds of stores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.cli import main

from ..reference import Reference
from ..strategies import toys
from ..toy import Toy


def halves() -> QuantumCircuit:
    """c is 0 or 1 at the end: the mark `dead` is never reached."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("one")
        circuit.x(1)
    circuit.measure(0, 1)
    circuit.x(0)
    with circuit.if_test((circuit.cregs[0], 2)):
        circuit.mark("dead")
        circuit.x(1)
    return circuit


WARNED = {
    "AG (leaf & c == 2 -> |11>)": "'leaf & c == 2' is never true",
    "AG (dead -> |11>)": "'dead' is never true",
    "AF c == 0": "'c == 0' is true at the start already",
    "P>=1/2 [F c == 0]": "'c == 0' is true at the start already",
    "P=1 [G (dead -> c == 0)]": "'dead' is never true",
    "P>=1/2 [G (leaf & c == 2 -> c == 0)]": "'leaf & c == 2' is never true",
    "!P<1/2 [G (c == 2 -> c == 0)]": "'c == 2' is never true",
}
FINE = [
    "AG (leaf & c == 3 -> |1> on q[1])",
    "AG (one -> c == 1)",
    "EF leaf",
    "AF leaf",
    "AG (leaf -> c != 2)",
    "P=1 [G (one -> c == 1)]",
    "P<=1/2 [G (leaf -> c == 0)]",
]


@pytest.mark.parametrize("store", ["graph", "levels"])
@pytest.mark.parametrize("formula", WARNED)
def test_what_says_nothing_is_told(formula: str, store: str) -> None:
    result = qismc.check(halves(), formula, method=store)
    assert result.verdict is Verdict.HOLDS
    assert any(WARNED[formula] in text for text in result["spec"].warnings)
    assert all(text.startswith("spec: ") for text in result.warnings)


@pytest.mark.parametrize("store", ["graph", "levels"])
@pytest.mark.parametrize("formula", FINE)
def test_what_says_something_is_not(formula: str, store: str) -> None:
    result = qismc.check(halves(), formula, method=store)
    assert result.verdict is Verdict.HOLDS and result.warnings == ()


def test_each_warning_shows_why() -> None:
    together = qismc.check(halves(), "AG (leaf & c == 1 -> |00>)").warnings[0]
    assert "where 'leaf' is true, c is one of 0, 3" in together
    alone = qismc.check(halves(), "AG (c == 2 & leaf -> |00>)").warnings[0]
    assert "'c == 2' is never true, c is one of 0, 1, 3" in alone
    assert "no execution comes to the mark 'dead'" in qismc.check(halves(), "AG (dead -> |00>)").warnings[0]
    endless = QuantumCircuit(1, 1)
    with endless.while_loop((endless.clbits[0], 0)):
        endless.x(0)
    assert "no execution ends" in qismc.check(endless, "AG (leaf -> |1>)").warnings[0]
    quantum = qismc.check(halves(), "AG (|-+> -> leaf)").warnings[0]
    assert "'|-+>' is never true" in quantum


def test_violated_formulas_have_no_vacuous_premises() -> None:
    assert qismc.check(halves(), "AG (leaf -> |00>)").warnings == ()


def test_paths_of_the_text_are_no_executions() -> None:
    """With all paths the mark has a location, which no state reaches."""
    result = qismc.check(halves(), "AG (dead -> |11>)", paths="all")
    assert result and "no execution comes to the mark" in result.warnings[0]


@settings(max_examples=25)
@given(toy=toys(most=2, depth=1), store=st.sampled_from(["graph", "levels"]))
def test_premises_against_the_reference(toy: Toy, store: str) -> None:
    """`leaf & c == v` is told to be never true iff the dense reference never ends with v."""
    reference = Reference(toy)
    ends = {place[1] for place in reference.system if "leaf" in reference.names(place)}
    for value in range(2**toy.num_bits):
        formula = f"AG (leaf & c == {value} -> full)"
        warnings = qismc.check(toy.circuit(), formula, method=store)["spec"].warnings
        assert any("says nothing" in text for text in warnings) == (value not in ends)


def test_strict() -> None:
    strict = qismc.check(halves(), {"empty": "AG (dead -> |11>)", "good": "AF leaf"}, strict=True)
    assert strict.verdict is Verdict.UNKNOWN and strict["good"].verdict is Verdict.HOLDS
    assert strict["empty"].reason.startswith("strict: 'dead' is never true")
    assert not qismc.check(halves(), "AG (leaf -> |00>)", strict=True).reason
    with pytest.raises(qismc.PropertyViolated, match="never true"):
        qismc.assert_holds(halves(), "AG (dead -> |11>)", strict=True)
    assert qismc.assert_holds(halves(), "AF leaf", strict=True)


def test_every_report_shows_it() -> None:
    result = qismc.check(halves(), {"empty": "AG (dead -> |11>)"})
    shown = "is never true"
    assert shown in str(result) and shown in result.to_html() and shown in result._repr_html_()
    assert shown in result.to_json()["results"][0]["warnings"][0]
    (finding,) = result.to_sarif()["runs"][0]["results"]
    assert finding["level"] == "warning" and shown in finding["message"]["text"]


def test_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "empty.qasm"
    file.write_text(
        'OPENQASM 2.0; include "qelib1.inc"; qreg q[1]; creg c[1]; measure q[0] -> c[0];\n'
        "//@ spec AG (leaf & c == 1 -> |0>)\n"
    )
    runner = CliRunner()
    assert runner.invoke(main, ["check", str(file)]).exit_code == 0
    strict = runner.invoke(main, ["check", str(file), "--strict", "--json"])
    assert strict.exit_code == 3
    assert "never true" in json.loads(strict.stdout)["results"][0]["warnings"][0]
