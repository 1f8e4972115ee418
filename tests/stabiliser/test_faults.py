"""Faults as symbols: all combinations of at most so many, against the explicit store."""

from __future__ import annotations

import pytest
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import Faults, QuantumCircuit


def repetition(distance: int, rounds: int = 1) -> QuantumCircuit:
    """Neighbours are compared by probes, and a majority is restored by a table."""
    data, probe = QuantumRegister(distance, "data"), QuantumRegister(1, "probe")
    qc = QuantumCircuit(data, probe, ClassicalRegister(distance - 1, "s"))
    qc.x(data)
    qc.barrier(label="encoded")
    for _ in range(rounds):
        for k in range(distance - 1):
            qc.reset(probe)
            qc.cx(data[k], probe)
            qc.cx(data[k + 1], probe)
            qc.measure(probe[0], k)
        for pattern in range(1, 1 << distance):
            if pattern.bit_count() * 2 < distance:
                syndrome = sum(((pattern >> k ^ pattern >> (k + 1)) & 1) << k for k in range(distance - 1))
                with qc.if_test((qc.cregs[0], syndrome)):
                    qc.x([data[k] for k in range(distance) if pattern >> k & 1])
    qc.reset(probe)
    return qc


SPECS = {"kept": "AG (leaf -> sp(encoded))", "zero": "AG (leaf -> s == 0)", "some": "EF (leaf & s == 3)"}
SETTINGS = [
    (3, Faults(("X",), 1, where=("data", "encoded"))),
    (3, Faults(("X",), 2, where=("data", "encoded"))),
    (3, Faults(("Z",), 1, where=("data", "encoded"))),
    (3, Faults(("X", "Y", "readout"), 1, where=("encoded..",))),
    (3, Faults(("X",), 2, where=("gates",))),
]


@pytest.mark.parametrize(("distance", "faults"), SETTINGS)
def test_same_verdicts(distance: int, faults: Faults) -> None:
    circuit = repetition(distance)
    found = qismc.check(circuit, SPECS, faults=faults, method="stabiliser")
    expected = qismc.check(circuit, SPECS, faults=faults, numbers="exact", method="graph")
    assert found.engine == "stabiliser" and [r.verdict for r in found] == [r.verdict for r in expected]
    for one in found:
        shown = one.counterexample or one.witness
        assert shown is None or shown.kind == "none" or shown.replayed


@pytest.mark.parametrize(("faults", "kept"), [(3, True), (4, False)])
def test_many_flips(faults: int, kept: bool) -> None:
    circuit = repetition(7)
    chosen = Faults(("X",), faults, where=("data", "encoded"))
    result = qismc.check(circuit, {"kept": SPECS["kept"]}, faults=chosen, method="stabiliser")
    assert result.engine == "stabiliser" and bool(result) == kept
    if not kept:
        assert result.counterexample is not None
        named = [hint for hint in result.counterexample.hints if hint.kind == "fault"]
        assert len(named) == 4
