"""The terminal report."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.common.source import Source
from qismc.demo import TARGET, repeat_until_success
from qismc.evidence import fixed_qubits as qubits
from qismc.report.text import render_plain, rounded_up, source_line


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


QASM = """OPENQASM 3.0;
include "stdgates.inc";
qubit[3] q;
bit[1] c;
h q[0];
  cx q[0], q[1];
h q[2];
c[0] = measure q[0];
x q[1];
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "pair.qasm"
    file.write_text(QASM, encoding="utf-8")
    return str(file)


def test_hints_quote_their_source_lines(program: str) -> None:
    text = render_plain(qismc.check(program, "AG (leaf -> |01> on q[0], q[1])", numbers="float"))
    hints = [line.strip() for line in text.splitlines() if "hint: " in line or " | " in line]
    outcome = "hint: step 3: 'measure q[0] -> c[0]' gives 1"
    (parting,) = [k for k, line in enumerate(hints) if line.startswith(outcome)]
    assert hints[parting + 1] == "pair.qasm:8 | c[0] = measure q[0];"
    assert "does not need" not in text
    assert "  3!    8" in text
    full = render_plain(
        qismc.check(program, "AG (leaf -> |01> on q[0], q[1])", numbers="float"), verbose=True
    )
    assert "does not need 1 of 6 steps: without them |01> on q[0], q[1] fails" in full
    assert "(marked -)" in full
    assert "  2-    7" in full


def test_the_bug_of_the_demo_is_pointed_at() -> None:
    result = qismc.check(
        repeat_until_success(reset_ancilla=False), "AG (leaf -> target)", props={"target": TARGET}
    )
    text = " ".join(render_plain(result, width=80).split())
    assert "at the second visit of 'while (c[0] == 1)' q[0] is |1>, but |0> in the nearest passing" in text
    assert "demo.py:21 | with qc.while_loop((qc.clbits[0], 1)):" in text


def test_observations_are_few_unless_verbose() -> None:
    circuit = QuantumCircuit(5, 5)
    for k in range(5):
        circuit.measure(k, k)
    failing = qismc.check(circuit, "AG (leaf -> |1> on q[4])", numbers="float")
    short, full = render_plain(failing), render_plain(failing, verbose=True)
    assert short.count("observed: ") == 3
    assert "2 more observations with --verbose" in short
    assert full.count("observed: ") == 5
    assert "test_text.py:" in short
    holding = qismc.check(circuit, "AF leaf", numbers="float")
    assert "observed" not in render_plain(holding)
    assert render_plain(holding, verbose=True).count("observed: ") == 5


def test_what_is_never_run_is_worth_knowing_always() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.x(0)
    assert "observed: " in render_plain(qismc.check(circuit, "AF leaf", numbers="float"))


def test_limits_are_said_in_the_full_report_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubits, "QUESTIONS", 0)
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    result = qismc.check(circuit, "AF leaf", numbers="float")
    assert "observ" not in render_plain(result)
    assert "not everything was looked for" in render_plain(result, verbose=True)


def test_no_line_is_too_long(program: str) -> None:
    results = [
        qismc.check(program, "AG (leaf -> |01> on q[0], q[1])", numbers="float"),
        qismc.check(
            repeat_until_success(reset_ancilla=False), "AG (leaf -> target)", props={"target": TARGET}
        ),
        qismc.check(repeat_until_success(reset_ancilla=True), ["AF leaf", "AG (leaf -> |0> on q[0])"]),
    ]
    for result, verbose, width in product(results, (False, True), (60, 80)):
        lines = render_plain(result, verbose=verbose, width=width).splitlines()
        assert max(map(len, lines)) <= width


def test_source_lines() -> None:
    program = qismc.Model(QuantumCircuit(1), numbers="float").program
    assert source_line(program, Source(__file__, 1)) is not None
    assert source_line(program, Source(__file__, 10**6)) is None
    assert source_line(program, Source("nowhere.py", 1)) is None
    assert source_line(program, Source("<string>", 0)) is None


def test_the_same_observation_is_made_once() -> None:
    """A line in a loop of Python makes several statements."""
    circuit = QuantumCircuit(1, 1)
    for _ in range(3):
        circuit.measure(0, 0)
    shown = str(qismc.check(circuit))
    assert shown.count("always gives 0") == 1 and "always gives 0 (3 times)" in shown
