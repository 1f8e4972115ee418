"""Error bounds of what starts in a state that rounding has changed before anything acts on it."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest

from qismc import Model, QuantumCircuit, Verdict, check
from qismc.engines.dense import DenseEngine
from qismc.limits import Budget, Limits
from qismc.probability.start_rounding import making

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


@pytest.mark.parametrize("scale", [10, 10**4, 10**5])
def test_starts_that_are_nearly_parallel(scale: int) -> None:
    """Their span is that of |++> and another state, which the difference shows with fewer digits."""
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    init = f"span(|++>, |++> + 1/{3 * scale} |+-> + 3/{7 * scale} |-+>)"
    found = check(circuit, "P=? [F (leaf & c == 1)]", init=init).results[0].probability
    assert found is not None and found.low == pytest.approx(0, abs=1e-12)
    assert abs(Fraction(found.high) - Fraction(81, 130)) <= found.error
    below = Fraction(81, 130) - Fraction(1, 10**12)
    wrong = f"P<={below.numerator}/{below.denominator} [F (leaf & c == 1)]"
    assert check(circuit, wrong, init=init).verdict is not Verdict.HOLDS


def test_starts_that_numbers_cannot_tell_apart() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.measure([0, 1], [0, 1])
    init = "span(|00>, |00> + 1/10000000000 |11>)"  # |11> is in it
    for formula in ("P=? [F (leaf & c == 3)]", "P<=1/2 [F (leaf & c == 3)]"):
        result = check(circuit, formula, init=init)
        assert result.verdict is Verdict.UNKNOWN and "rounding hides" in str(result.results[0].reason)
    assert not check(circuit, "P=1 [F (leaf & c == 0)]", init=init)  # decided without numbers


def test_what_is_rounded_and_what_is_not() -> None:
    circuit = QuantumCircuit(3)
    prepared = QuantumCircuit(3)
    prepared.h([0, 1, 2])
    assert cost(circuit, prepared) == 3
    for init in ("|000>", "|+-r>", "|001> + |010> - 1/2 |100>", "full on q[0]", "stab(ZZI, IZZ)"):
        assert cost(circuit, init) == 0
    assert cost(circuit, "|+00> + |-00>") == pytest.approx(2**0.5)
    assert cost(circuit, "|+00> - 99/100 |+00>") == pytest.approx(199)
