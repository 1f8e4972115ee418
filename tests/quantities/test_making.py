"""Error bounds of what starts in a state that rounding has changed before anything acts on it."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest

from qismc import Model, QuantumCircuit, check
from qismc.limits import Budget, Limits
from qismc.quantities.making import making
from qismc.subspace.dense import DenseEngine

SCALE = 10**40
ROOT = Fraction(isqrt(SCALE**2 // 2), SCALE)
"""1/sqrt(2) with forty digits."""


def cost(circuit: QuantumCircuit, init: object) -> float:
    return making(DenseEngine(circuit.num_qubits, Budget(Limits())), Model(circuit, init=init).init)


@pytest.mark.parametrize("digits", [4, 5])
def test_sums_whose_terms_cancel(digits: int) -> None:
    scale = 10**digits
    near = int(ROOT * scale)
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    init = f"|+> - 1/sqrt(2) |0> - {near}/{scale} |1> + 1/{10 * scale} |0>"
    zero, one = Fraction(1, 10 * scale), ROOT - Fraction(near, scale)
    expected = zero**2 / (zero**2 + one**2)
    found = check(circuit, "P=? [F (leaf & c == 0)]", init=init).results[0].probability
    assert found is not None and abs(Fraction(found.low) - expected) <= found.error


def test_what_is_rounded_and_what_is_not() -> None:
    circuit = QuantumCircuit(3)
    prepared = QuantumCircuit(3)
    prepared.h([0, 1, 2])
    assert cost(circuit, prepared) == 3
    for init in ("|000>", "|+-r>", "|001> + |010> - 1/2 |100>", "full on q[0]", "stab(ZZI, IZZ)"):
        assert cost(circuit, init) == 0
    assert cost(circuit, "|+00> + |-00>") == pytest.approx(2**0.5)
    assert cost(circuit, "|+00> - 99/100 |+00>") == pytest.approx(199)
