"""A T gate from a T state: Clifford gates, one measurement and a correction.

The state T|+> meets the data qubit in a CNOT and is measured. Outcome 0 means that T was applied, outcome 1
that its inverse was, and S makes T of it. The bug: a Pauli correction, as in plain teleportation.

The data qubit is one half of a Bell pair with `ref`: one check speaks of all states that it may have.
"""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

SPECS = {"applied": "AG (leaf -> turned)", "half_right": "AG (leaf & m == 0 -> turned)"}
PROPS = {"turned": "(|00> + exp(i pi/4) |11>) on data, ref"}
EXPECTED = {
    "corrected": {"applied": "holds", "half_right": "holds"},
    "pauli_correction": {"applied": "violated", "half_right": "holds"},
}


def corrected() -> QuantumCircuit:
    """The correction is S."""
    qc = _injected("corrected")
    with qc.if_test((qc.cregs[0], 1)):
        qc.s(0)
    return qc


def pauli_correction() -> QuantumCircuit:
    """The bug: the correction is Z."""
    qc = _injected("pauli_correction")
    with qc.if_test((qc.cregs[0], 1)):
        qc.z(0)
    return qc


def _injected(name: str) -> QuantumCircuit:
    data, ref, magic = QuantumRegister(1, "data"), QuantumRegister(1, "ref"), QuantumRegister(1, "magic")
    qc = QuantumCircuit(data, ref, magic, ClassicalRegister(1, "m"), name=name)
    qc.h(data)
    qc.cx(data, ref)
    qc.h(magic)
    qc.t(magic)
    qc.cx(data, magic)
    qc.measure(magic, 0)
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS)
        for circuit in (corrected, pauli_correction)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
