"""Error bounds and proofs: where they are given, and where they are not."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.certify.soundness import Sizes, error_bound, primes_for_proof
from qismc.subspace.needs import Needs


def tossed() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.mark("tossed")
    circuit.measure(0, 0)
    return circuit


def test_a_proof_names_so_many_distinct_primes() -> None:
    sure = qismc.check(tossed(), "AG (tossed -> |+>)", certify=True).soundness
    assert sure is not None and sure.certified and sure.error_bound == 0.0
    assert sure.note == "proved with 1 prime, edge by edge"
    assert len(set(sure.primes)) == len(sure.primes) == 1


def test_bounds_of_several_primes_multiply() -> None:
    one = qismc.check(tossed(), "AG (tossed -> |+>)").soundness
    three = qismc.check(tossed(), "AG (tossed -> |+>)", recheck=2).soundness
    assert one is not None and three is not None and one.error_bound is not None
    assert three.error_bound == pytest.approx(one.error_bound**3, rel=1e-9, abs=0.0)
    assert len(set(three.primes)) == 3 and three.primes[0] == one.primes[0]


@pytest.mark.parametrize("annotations", [{"leaf": "|0>"}, {"init": "|0>"}])
def test_wp_is_outside_of_bounds_and_proofs(annotations: dict[str | int, str]) -> None:
    for certify in (False, True):
        sure = qismc.check(tossed(), "AG (leaf -> full)", annotations=annotations, certify=certify).soundness
        assert sure is not None and not sure.certified and sure.error_bound is None
        assert sure.note is not None and "annotations bound wp" in sure.note


def test_formal_angles_are_not_certified() -> None:
    circuit = QuantumCircuit(1)
    circuit.rx(0.3, 0)
    sure = qismc.check(circuit, "AG (leaf -> |0>)", certify=True).soundness
    assert sure is not None and not sure.certified and "formal" in (sure.note or "")


def test_probabilities_are_not_certified() -> None:
    sure = qismc.check(tossed(), "P=1 [F leaf]", certify=True).soundness
    assert sure is not None and not sure.certified and "P=1" in (sure.note or "")


def test_floating_point_has_no_bound() -> None:
    assert qismc.check(tossed(), "AG (tossed -> |+>)", engine="float").soundness is None


def test_the_number_of_primes_is_that_of_one_residue_class() -> None:
    """Primes of [2^61, 2^62) by the integral of 1/log, divided by the number of residue classes."""
    steps = 1000
    points = [2.0**61 * (1 + (k + 0.5) / steps) for k in range(steps)]
    all_primes = sum(2.0**61 / steps / math.log(x) for x in points)
    classes = {8: 4, 24: 8, 40: 16, 16: 8}
    for order, count in classes.items():
        assert Needs(order=order).number_of_primes() == pytest.approx(all_primes / count, rel=0.01)
    assert Needs(order=8, radicands={3, 5}).number_of_primes() == pytest.approx(all_primes / 16, rel=0.01)


def test_bounds_grow_with_what_is_decided() -> None:
    small = Sizes(bits=10, minor=2, decisions=5, levels=3)
    large = Sizes(bits=20, minor=2, decisions=5, levels=3)
    needs = Needs()
    assert 0 < error_bound(needs, small) < error_bound(needs, large) < 1e-12
    formal = Needs()
    formal.phase(0.3, Fraction(1, 2))
    assert error_bound(formal, small) > error_bound(needs, small)
    assert error_bound(needs, Sizes(1e30, 2, 5, 3)) == 1.0


def test_enough_primes_exceed_the_norm() -> None:
    """The norms of that many prime ideals multiply to more than the number's norm, those of fewer do not."""
    needs, sizes = Needs(order=24, radicands={5}), Sizes(bits=37.5, minor=3, decisions=1, levels=1)
    norm_bits = 37.5 * 3 * 16  # the field has degree 8 * 2
    for conjugating, per_prime in ((True, 122), (False, 61)):
        count = primes_for_proof(needs, sizes, conjugating=conjugating)
        assert count * per_prime > norm_bits >= (count - 1) * per_prime
