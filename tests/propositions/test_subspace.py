"""Readable bases span what they should, by NumPy's ranks."""

from __future__ import annotations

import numpy as np
import pytest

import qismc
from qismc import QuantumCircuit
from qismc.propositions.subspace import echelon

from ..reference import same, span


@pytest.mark.parametrize("seed", range(5))
def test_echelon_forms_span_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(3, 8)) + 1j * rng.normal(size=(3, 8))
    rows = np.vstack([rows, rows[0] - 2j * rows[1], np.zeros(8)])
    found = echelon(rows)
    assert len(found) == 3
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert same(span(found.T), span(rows.T))
    assert all(np.count_nonzero(np.abs(found[:, k]) > 1e-9) == 1 for k in range(3))


def test_printed_subspaces(engine: str) -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    model = qismc.Model(circuit, numbers=engine)
    assert str(model.sp("leaf")).splitlines() == [
        "dimension 1 over 2 qubits, spanned by (qubit 0 first)",
        "  sqrt(1/2)|00> + sqrt(1/2)|11>",
    ]
    circuit.measure(0, 0)
    assert str(qismc.Model(circuit, numbers=engine).sp("leaf")).splitlines()[1:] == ["  |00>", "  |11>"]
    assert str(model.wp("leaf")) == "dimension 4 over 2 qubits: all states"


def test_complements_are_told_by_what_they_exclude() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    text = str(qismc.Model(circuit, annotations={"leaf": "|1>"}).wp("init"))
    assert text == "dimension 1 over 1 qubit, orthogonal to (qubit 0 first)\n  |1>"


def test_many_qubits() -> None:
    circuit = QuantumCircuit(40)
    circuit.x(39)
    assert str(qismc.Model(circuit).sp("leaf")).endswith(f"|{'0' * 39}1>")


def test_notebooks_show_the_same_on_the_left() -> None:
    html = qismc.Model(QuantumCircuit(1)).sp("leaf")._repr_html_()
    assert html.startswith("<pre style='text-align:left'>dimension 1 over 1 qubit") and "|0&gt;" in html
