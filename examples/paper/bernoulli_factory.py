"""A quantum Bernoulli factory with p = 1/5: a coin that shows heads with probability 4 p (1 - p) = 16/25.

Two coins sqrt(p)|0> + sqrt(1 - p)|1> are measured in the Bell basis. The outcome 00, |00> + |11>, says
nothing, and the nested loop repeats until success. Else |01> + |10> (midBits 10) means heads, 01 in `res`,
and |00> - |11> (midBits 01) means tails, 10 in `res`. Equal coins have no component in |01> - |10>:
`no_singlet`.

`final`: once tails is written, no execution ends with anything else. The injected fault is one digit, 0b00
turned into 0b01 in the first condition of the outer loop: tails are tossed again, until they are heads.
"""

from __future__ import annotations

from fractions import Fraction
from math import acos, sqrt

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

import qismc
from qismc import QuantumCircuit

BIAS = 0.2
THETA = 2 * acos(sqrt(BIAS))
NOTHING, HEADS, TAILS = 0b00, 0b01, 0b10
SPECS = {
    "lively": "EF (((|01> + |10>) \\/ (|00> - |11>)) on work)",
    "final": "AG ((res == 0b10 & reached) -> !E[reached U (reached & leaf & res != 0b10)])",
    "no_singlet": "AG midBits != 0b11",
    "stops": "P=1 [F leaf]",
    "heads": "P=? [F (leaf & res == 0b01)]",
}
EXPECTED = {
    "factory": dict.fromkeys(SPECS, "holds"),
    "faulty": dict.fromkeys(SPECS, "holds") | {"final": "violated"},
}
ANSWERS = {"factory": {"heads": Fraction(16, 25)}, "faulty": {"heads": Fraction(1)}}


def factory() -> QuantumCircuit:
    """Until the coins have said something, and it is written down."""
    return _factory("factory", NOTHING)


def faulty() -> QuantumCircuit:
    """The injected fault."""
    return _factory("faulty", 0b01)


def _factory(name: str, again: int) -> QuantumCircuit:
    work, mid, res = QuantumRegister(2, "work"), ClassicalRegister(2, "midBits"), ClassicalRegister(2, "res")
    qc = QuantumCircuit(work, mid, res, name=name)
    with qc.while_loop(expr.logic_or(expr.equal(mid, again), expr.equal(res, NOTHING))):
        qc.store(mid, NOTHING)
        with qc.while_loop((mid, NOTHING)):
            qc.reset(work)
            qc.ry(THETA, work)
            _bell_measurement(qc)
        with qc.if_test((mid, 0b10)):
            qc.store(res, HEADS)
        with qc.if_test((mid, 0b01)):
            qc.store(res, TAILS)
    return qc


def _bell_measurement(qc: QuantumCircuit) -> None:
    """The work qubits keep the Bell state that was found."""
    qc.cx(0, 1)
    qc.h(0)
    qc.measure([0, 1], [0, 1])
    qc.h(0)
    qc.cx(0, 1)


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {circuit.__name__: qismc.check(circuit(), SPECS) for circuit in (factory, faulty)}


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
