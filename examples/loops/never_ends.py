"""Programs that do not end, and why.

A cat state |000> + |111> is made, checked, and made again if the check fails. The maker is noisy: a coin
flips the second qubit. `made_again` ends with probability 1. `checked_again` repeats the check only: a
state that failed fails for ever, and half of the executions never end. `wrong_sign` makes |000> - |111>,
and a check of XXX refuses it for ever: not one execution leaves the loop, and so nothing is wrong at the
end.
"""

from __future__ import annotations

from fractions import Fraction

from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit

DATA, PROBE = [0, 1, 2], 3
SPECS = {
    "cat": "AG (leaf -> cat)",
    "stops": "P=1 [F leaf]",
    "possible": "EF leaf",
    "chance": "P=? [F leaf]",
}
PROPS = {"cat": "(|000> + |111>) on data"}
EXPECTED = {
    "made_again": {"cat": "holds", "stops": "holds", "possible": "holds", "chance": "holds"},
    "checked_again": {"cat": "holds", "stops": "violated", "possible": "holds", "chance": "holds"},
    "wrong_sign": {"cat": "holds", "stops": "violated", "possible": "violated", "chance": "holds"},
}
ANSWERS = {
    "made_again": {"chance": 1},
    "checked_again": {"chance": Fraction(1, 2)},
    "wrong_sign": {"chance": 0},
}
TURNS = {"made_again": [1], "checked_again": [float("inf")], "wrong_sign": [float("inf")]}


def made_again() -> QuantumCircuit:
    """A failed check is followed by a new state."""
    qc = _circuit("made_again")
    _make(qc)
    _check(qc)
    with qc.while_loop((qc.cregs[0], 1)):
        _make(qc)
        _check(qc)
    return qc


def checked_again() -> QuantumCircuit:
    """The bug: a failed check is followed by the same check."""
    qc = _circuit("checked_again")
    _make(qc)
    _check(qc)
    with qc.while_loop((qc.cregs[0], 1)):
        _check(qc)
    return qc


def wrong_sign() -> QuantumCircuit:
    """The bug: a stray Z makes a state that the check never accepts."""
    qc = _circuit("wrong_sign")
    qc.store(qc.cregs[0], 1)
    with qc.while_loop((qc.cregs[0], 1)):
        _make(qc)
        qc.z(0)
        qc.h(PROBE)
        qc.cx(PROBE, DATA)
        qc.h(PROBE)
        qc.measure(PROBE, 0)
        qc.reset(PROBE)
    return qc


def _circuit(name: str) -> QuantumCircuit:
    registers = QuantumRegister(3, "data"), QuantumRegister(1, "probe"), ClassicalRegister(1, "failed")
    return QuantumCircuit(*registers, name=name)


def _make(qc: QuantumCircuit) -> None:
    qc.reset(DATA)
    qc.h(0)
    qc.cx(0, [1, 2])
    qc.h(PROBE)
    qc.cx(PROBE, 1)
    qc.reset(PROBE)


def _check(qc: QuantumCircuit) -> None:
    """The parity of the first two qubits."""
    qc.cx([0, 1], PROBE)
    qc.measure(PROBE, 0)
    qc.reset(PROBE)


def run() -> dict[str, qismc.Result]:
    """The three programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS)
        for circuit in (made_again, checked_again, wrong_sign)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
