"""Answers of the graph that may be wrong for executions are not called more than that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.language.parser import parse_formula
from qismc.program import read_program
from qismc.verifier.scope import speaks_of_executions

from .programs import certified, verified


@pytest.mark.parametrize(
    ("formula", "holds", "sure"),
    [
        ("AG (leaf -> |0>)", True, True),
        ("AG (leaf -> |0>)", False, True),
        ("EF (leaf & c == 1)", True, True),
        ("EF (leaf & c == 1)", False, True),
        ("AF leaf", True, True),
        ("AF leaf", False, False),
        ("EG !leaf", True, False),
        ("EG !leaf", False, True),
        ("!AF leaf", True, False),
        ("AG (a -> AF b)", True, True),
        ("AG (a -> AF b)", False, False),
        ("AG (a -> EF b)", True, False),
        ("AG (a -> !AG b)", True, False),
        ("AG (EF a <-> b)", True, False),
        ("EF (a & EF b)", True, False),
        ("EF a & !AG b", True, True),
        ("EX a", False, True),
        ("E[!a U b]", True, False),
        ("EF leaf & AF leaf", True, True),
        ("P=1 [F leaf]", True, True),
        ("P=1 [F AF leaf]", True, False),
    ],
)
def test_what_is_sure(formula: str, holds: bool, sure: bool) -> None:
    assert speaks_of_executions(parse_formula(formula), holds) is sure


def test_equivalences_inside_of_each_other() -> None:
    """Each asks for both values of both sides: 2^100 answers, if none was kept."""
    formula = "P=1 [F leaf]"
    for _ in range(100):
        formula = f"({formula}) <-> true"
    assert speaks_of_executions(parse_formula(formula), True)
    assert not speaks_of_executions(parse_formula(formula.replace("P=1 [F leaf]", "AF leaf")), True)


def test_a_path_that_no_execution_takes_is_called_one_of_the_graph(tmp_path: Path) -> None:
    """b without a needs two outcomes of one qubit that contradict each other."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("a")
        circuit.id(0)
    circuit.measure(1, 0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("b")
        circuit.id(0)
    _, data = certified(tmp_path, circuit, {"always": "AG (b -> c == 1)"}, keep_dead=True)
    assert not verified(tmp_path, data, circuit).of_the_graph
    data["claims"].append({"name": "path", "spec": "E[!a U b]", "verdict": "holds"})
    assert verified(tmp_path, data, circuit).of_the_graph == {"path"}


FORGETFUL = """OPENQASM 3.0;
include "stdgates.inc";
qubit q; bit c;
h q;
c = measure q;
c = 0;
//@ mark M
c = measure q;
if (c) {
  //@ mark B
  z q;
}
"""


def test_what_single_executions_cannot_reach(tmp_path: Path) -> None:
    """B is not reached from |0> at M (docs/semantics.md): the graph does not see it."""
    program, path = tmp_path / "forgetful.qasm", tmp_path / "certificate.json"
    program.write_text(FORGETFUL, encoding="utf-8")
    assert not qismc.check(str(program), "AG (M -> EF B)")
    qismc.check(str(program), {"it": "EF B"}, certificate=path, keep_dead=True)
    data = json.loads(path.read_text(encoding="utf-8"))
    data["claims"][0]["spec"] = "AG (M -> EF B)"
    accepted = verified(tmp_path, data, read_program(str(program)))
    assert accepted.of_the_graph == {"it"} and not accepted.complete


def test_one_state_at_each_place_takes_every_path(tmp_path: Path) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    _, data = certified(tmp_path, circuit, {"ends": "AF leaf"}, keep_dead=True)
    accepted = verified(tmp_path, data, circuit)
    assert data["claims"][0]["verdict"] == "violated" and accepted.complete
