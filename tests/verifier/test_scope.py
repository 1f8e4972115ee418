"""Answers of the graph that may be wrong for executions are not called more than that."""

from __future__ import annotations

from pathlib import Path

import pytest

from qismc import QuantumCircuit
from qismc.spec.parser import parse_formula
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
        ("E[!a U b]", True, False),
        ("EF leaf & AF leaf", True, True),
        ("P=1 [F leaf]", True, True),
        ("P=1 [F AF leaf]", True, False),
    ],
)
def test_what_is_sure(formula: str, holds: bool, sure: bool) -> None:
    assert speaks_of_executions(parse_formula(formula), holds) is sure


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
