"""Certificates are written where they can be checked, and refused with a reason elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit


def toss(angle: float | None = None) -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    if angle is not None:
        circuit.ry(angle, 0)
    circuit.measure(0, 0)
    return circuit


def once() -> QuantumCircuit:
    """The graph can stay in the loop, executions cannot."""
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.measure(0, 0)
        circuit.x(0)
    return circuit


def test_what_a_certificate_says(tmp_path: Path) -> None:
    path = tmp_path / "toss.json"
    result = qismc.check(toss(), {"heads": "AG (leaf -> |0>)"}, certificate=path)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["claims"] == [{"name": "heads", "spec": "AG (leaf -> |0>)", "verdict": "violated"}]
    assert data["seed"] == result.seed and result.soundness is not None
    assert tuple(data["primes"]) == result.soundness.primes
    assert data["places"][0]["vectors"] == [{"start": 0}]
    assert Model(toss()).check("AG full", certificate=path)


@pytest.mark.parametrize(
    ("circuit", "spec", "options", "reason"),
    [
        (toss(), "AG full", {"annotations": {"leaf": "|0>"}}, "annotations"),
        (toss(), "P>=1/2 [F leaf]", {}, "P=1 and P>0 only"),
        (toss(), "AG full", {"props": {"a": Statevector([1, 0])}}, "'a' is a Statevector"),
        (toss(), "AG full", {"init": Statevector([1, 0])}, "'init' is a Statevector"),
        (toss(), "AG full", {"init": "~|0>"}, "kets"),
        (toss(), "AG full", {"numbers": "float"}, "floating point"),
        (toss(0.3), "AG full", {}, "multiples of pi"),
        (once(), "AF leaf", {}, "executions decide 'AF leaf'"),
    ],
)
def test_what_cannot_be_checked_is_not_written(
    tmp_path: Path, circuit: QuantumCircuit, spec: str, options: dict[str, Any], reason: str
) -> None:
    path = tmp_path / "none.json"
    with pytest.raises(qismc.UsageError, match=reason):
        qismc.check(circuit, spec, certificate=path, **options)
    assert not path.exists()


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(qismc.UsageError, match="cannot be written"):
        qismc.check(toss(), "AG full", certificate=tmp_path)


def test_a_start_on_some_qubits_is_written_on_all(tmp_path: Path) -> None:
    path = tmp_path / "start.json"
    qismc.check(QuantumCircuit(2), "AG |0+>", init="|+> on q[1]", certificate=path)
    assert json.loads(path.read_text())["specification"]["init"] == "|0+>"
    with pytest.raises(qismc.UsageError, match="given by kets"):
        qismc.check(toss(), "EF leaf", init="~|0>", certificate=path)
