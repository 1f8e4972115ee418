"""Teleportation, checked for every message at once.

The message is one half of a Bell pair whose other half is a reference qubit that the program never touches.
If the pair is whole again at the end, with the receiver's qubit in place of the sender's, then every
message has arrived, whatever it was.
"""

from __future__ import annotations

import qismc
from qismc import QuantumCircuit

SPECS = {"arrived": "AG (leaf -> pair)"}
INIT = "|0000> + |1001>"
PROPS = {"pair": "span(|00> + |11>) on q[2], q[3]"}
EXPECTED = {
    "corrected": {"arrived": "holds"},
    "forgetful": {"arrived": "violated"},
}


def corrected() -> QuantumCircuit:
    """Message q[0], shared pair q[1] and q[2], reference q[3]."""
    return _teleportation(phase_correction=True)


def forgetful() -> QuantumCircuit:
    """The bug: the receiver undoes bit flips only."""
    return _teleportation(phase_correction=False)


def _teleportation(*, phase_correction: bool) -> QuantumCircuit:
    qc = QuantumCircuit(4, 2)
    qc.h(1)
    qc.cx(1, 2)
    qc.cx(0, 1)
    qc.h(0)
    qc.measure([0, 1], [0, 1])
    with qc.if_test((qc.clbits[1], 1)):
        qc.x(2)
    if phase_correction:
        with qc.if_test((qc.clbits[0], 1)):
            qc.z(2)
    return qc


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, init=INIT, props=PROPS)
        for circuit in (corrected, forgetful)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
