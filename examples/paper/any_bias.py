"""A quantum Bernoulli factory: from coins of unknown bias p to a coin of bias 4 p (1 - p).

Two equal quantum coins cos(t/2)|0> + sin(t/2)|1> are measured in the Bell basis until the outcome is not
|00> + |11>. What is left is |01> + |10> (c == 0b10, heads) with probability 4 p (1 - p), or |00> - |11> (c
== 0b01, tails). No classical procedure does this: at p = 1/2 the new coin never fails.

Equal coins have no component in the singlet |01> - |10>, so c == 0b11 never happens: `no_singlet`. It holds
for every bias, since an angle that is no multiple of pi is an unknown to the exact engine. The injected
fault turns the second coin the other way.
"""

from __future__ import annotations

from math import pi

import qismc
from qismc import QuantumCircuit

ANY_ANGLE = 0.7
SPECS = {
    "no_singlet": "AG (leaf -> c != 0b11)",
    "stops": "P=1 [F leaf]",
    "both_sides": "EF (leaf & c == 0b10) & EF (leaf & c == 0b01)",
}
FAIR = {"always_heads": "AG (leaf -> c == 0b10)", "stops": "P=1 [F leaf]"}
EXPECTED = {
    "any_bias": {"no_singlet": "holds", "stops": "holds", "both_sides": "holds"},
    "fair": {"always_heads": "holds", "stops": "holds"},
    "faulty": {"no_singlet": "violated", "stops": "holds", "both_sides": "violated"},
}


def any_bias() -> QuantumCircuit:
    """Coins of a generic bias."""
    return _factory(ANY_ANGLE, ANY_ANGLE)


def fair() -> QuantumCircuit:
    """Coins with p = 1/2."""
    return _factory(pi / 2, pi / 2)


def faulty() -> QuantumCircuit:
    """The injected fault: a sign."""
    return _factory(ANY_ANGLE, -ANY_ANGLE)


def _factory(first: float, second: float) -> QuantumCircuit:
    qc = QuantumCircuit(2, 2)
    with qc.while_loop((qc.cregs[0], 0)):
        qc.ry(first, 0)
        qc.ry(second, 1)
        qc.cx(0, 1)
        qc.h(0)
        qc.measure([0, 1], [0, 1])
    return qc


def run() -> dict[str, qismc.Result]:
    """The three programs with their verdicts."""
    return {
        "any_bias": qismc.check(any_bias(), SPECS),
        "fair": qismc.check(fair(), FAIR),
        "faulty": qismc.check(faulty(), SPECS),
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
