"""The terminal report."""

from __future__ import annotations

from pathlib import Path

import qismc
from qismc import QuantumCircuit
from qismc.demo import TARGET, repeat_until_success
from qismc.report.text import render_plain, rounded_up


def violated(gates: int) -> qismc.Result:
    circuit = QuantumCircuit(1, 1)
    for _ in range(gates):
        circuit.rx(0.3, 0)
    return qismc.check(circuit, "AG (leaf -> |1>)", numbers="float")


def test_verdict_formula_and_sizes() -> None:
    text = render_plain(violated(2))
    assert text.splitlines()[0] == "VIOLATED  spec: AG (leaf -> |1>)"
    assert "1 qubit, 2 gates, 3 locations, 3 edges, float engine" in text


def test_long_runs_are_folded_unless_verbose() -> None:
    short, full = render_plain(violated(40)), render_plain(violated(40), verbose=True)
    assert "more steps" in short
    assert "more steps" not in full
    assert full.count("rx(0.3) q[0]") >= 40
    assert short.count("rx(0.3) q[0]") < 25


def test_outcomes_stores_and_states_are_shown() -> None:
    result = qismc.check(
        repeat_until_success(reset_ancilla=False),
        "AG (leaf -> target)",
        props={"target": TARGET},
        numbers="float",
    )
    text = render_plain(result, width=160)
    assert "probability 0.0625" in text
    assert "measure q[0] -> c[0]  = 1" in text
    assert "c=1" in text
    assert "|001>" in text
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_reasons_are_shown() -> None:
    result = qismc.check(QuantumCircuit(1), "leaf", limits=qismc.Limits(locations=1), numbers="float")
    assert "HOLDS" in render_plain(result)
    doubtful = QuantumCircuit(1)
    doubtful.rx(1e-7, 0)
    assert "numeric" in render_plain(qismc.check(doubtful, "AG (leaf -> |0>)", numbers="float"))


def test_bounds_are_rounded_up() -> None:
    for bound in (3.1e-17, 2.9e-17, 3e-17, 9.99e-8, 1.0, 0.5, 1e-300):
        assert bound <= float(rounded_up(bound)) <= 2 * bound


def test_a_strict_verdict_gives_its_reason_once() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    strict = render_plain(qismc.check(circuit, "AG (leaf & c == 1 -> |0>)", strict=True))
    plain = render_plain(qismc.check(circuit, "AG (leaf & c == 1 -> |0>)"))
    assert strict.count("is never true, so") == 1 and "warning" not in strict
    assert plain.count("is never true, so") == 1 and "warning" in plain


BUGGY = Path(__file__).parents[2] / "examples" / "rus_buggy.qasm"


def test_notebooks_and_plain_texts() -> None:
    result = qismc.check(str(BUGGY)).with_repairs(limit=1)
    assert "<b>repair:</b>" in result._repr_html_()
    assert "+  reset q[0];" in result._repr_html_()
    text = str(result)
    assert "repair: " in text
    assert "1 repair found; " in text
    assert "repair" not in str(qismc.check(str(BUGGY)))
