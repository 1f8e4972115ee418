"""Truths where executions decided otherwise than the graph."""

from __future__ import annotations

import numpy as np

import qismc
from qismc import QuantumCircuit
from qismc.ctl.truth import Truth, of_executions
from qismc.language.parser import parse_formula
from qismc.language.syntax import Temporal


def test_the_word_of_the_graph_on_paths_counts_no_more() -> None:
    formula = parse_formula("AF leaf")
    assert isinstance(formula, Temporal)
    everywhere = np.ones(3, dtype=bool)
    found = {formula: Truth(everywhere, ~everywhere), formula.operands[0]: Truth(everywhere, everywhere)}
    kept = of_executions(found, formula, 0, True)
    assert kept[formula].values() == [True, None, None]
    assert kept[formula.operands[0]].values() == [True, True, True]


def test_a_refined_verdict_and_its_truths_agree() -> None:
    """The measurements contradict each other on the only path of the graph that avoids the end."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
        circuit.measure(0, 0)
    for formula in ("AF leaf", "EG !leaf", "EF (leaf & |1>)"):
        result = qismc.check(circuit, formula)["spec"]
        root = next(iter(result.truths.values()))
        assert root.values()[0] is bool(result)
