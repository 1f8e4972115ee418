"""Readable bases span what they should, by NumPy's ranks; states as text."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

import qismc
from qismc import QuantumCircuit
from qismc.engines.engine import UNCOUNTED
from qismc.propositions.subspace import amplitude_text, ket_text, reduced_basis

from ..reference import same, span


@pytest.mark.parametrize("seed", range(5))
def test_echelon_forms_span_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(3, 8)) + 1j * rng.normal(size=(3, 8))
    rows = np.vstack([rows, rows[0] - 2j * rows[1], np.zeros(8)])
    found = reduced_basis(rows)
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


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, ""),
        (-1, "-"),
        (1j, "i "),
        (-1j, "-i "),
        (0.5, "1/2 "),
        (math.sqrt(0.5), "sqrt(1/2)"),
        (-1j * math.sqrt(2 / 3), "-i sqrt(2/3)"),
        (cmath.exp(1j * math.pi / 4) / 2, "exp(i pi/4) 1/2 "),
        (cmath.exp(5j * math.pi / 4), "-exp(i pi/4) "),
        (0.123456, "0.1235"),
    ],
)
def test_amplitudes(number: complex, text: str) -> None:
    assert amplitude_text(number) == text


def test_the_first_term_is_positive() -> None:
    assert (
        ket_text([("0", -1j * math.sqrt(0.5)), ("1", 1j * math.sqrt(0.5))]) == "sqrt(1/2)|0> - sqrt(1/2)|1>"
    )


def test_left_out_terms_are_counted() -> None:
    assert ket_text([("0", 1)], 3) == "|0> + 3 more terms"
    assert ket_text([("0", 1)], 1) == "|0> + 1 more term"
    assert ket_text([("0", 1)], UNCOUNTED) == "|0> + more terms"
    assert ket_text([]) == "0"


def test_small_amplitudes_are_not_zero() -> None:
    """Every text is near to the number that it stands for."""
    assert ket_text([("0", 2.0**-20), ("1", -(2.0**-20))]) == "2^-20 |0> - 2^-20 |1>"
    assert amplitude_text(2.0**-20.5) == "sqrt(2^-41)"
    for number in (1.234e-5, -6.7e-9, 3e-4j, 1e-7 + 2e-7j, 0.5 + 1e-6j, 0.12345):
        text = amplitude_text(number).strip("()").replace("i", "j")
        assert abs(complex(text) - number) < 1e-3 * abs(number), text
