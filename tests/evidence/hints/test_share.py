"""The share of the final state in the proposition."""

from __future__ import annotations

import math

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.demo import TARGET, repeat_until_success


def shares(circuit: QuantumCircuit, spec: str, engine: str, **options: object) -> list[str]:
    result = qismc.check(circuit, spec, engine=engine, **options)  # type: ignore[arg-type]
    return [hint.text.split(" (")[0] for hint in result["spec"].hints if hint.kind == "overlap"]


def test_repeat_until_success(engine: str) -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    found = shares(circuit, "AG (leaf -> target)", engine, props={"target": TARGET})
    assert found == ["0.3333 of the final state lies in target"]


@pytest.mark.parametrize(("proposition", "text"), [
    ("|0> on q[1]", "0.5 of the final state lies in |0> on q[1]"),
    ("span(|01>, |10>) on q[0], q[1]", "the final state is orthogonal to span(|01>, |10>) on q[0], q[1]"),
    ("|+> on q[0]", "0.5 of the final state lies in |+> on q[0]"),
])  # fmt: skip
def test_local_propositions(proposition: str, text: str, engine: str) -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    assert shares(circuit, f"AG (leaf -> {proposition})", engine) == [text]


def test_many_qubits() -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    for k in range(39):
        circuit.cx(k, k + 1)
    found = shares(circuit, "AG (leaf -> |00> on q[0], q[39])", "exact")
    assert found == ["0.5 of the final state lies in |00> on q[0], q[39]"]


@pytest.mark.parametrize(("angle", "text"), [
    ("pi/64", "0.9994 of the final state lies in |0>"),
    ("pi/1024", "all but 2.4e-06 of the final state lies in |0>"),
])  # fmt: skip
def test_nearly_all(angle: str, text: str, engine: str) -> None:
    circuit = QuantumCircuit(1)
    circuit.ry(math.pi / int(angle.removeprefix("pi/")), 0)
    assert shares(circuit, "AG (leaf -> |0>)", engine) == [text]


def test_within_rounding() -> None:
    """After 80 controlled preparations the flipped part has weight 2^-80."""
    circuit = QuantumCircuit(81)
    circuit.h(range(80))
    circuit.mcx(list(range(80)), 80)
    found = shares(circuit, "AG (leaf -> |0> on q[80])", "exact")
    assert found == [
        "the final state is within rounding of |0> on q[80]: only exact arithmetic tells them apart"
    ]
