"""The field's numbers are the image of the complex ones under a ring homomorphism."""

from __future__ import annotations

import cmath
import math
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.common.scalars import COMPLEX
from qismc.numbers.field import FieldScalars, draw_prime, drawn
from qismc.numbers.needs import Needs

Number = Callable[[Any], Any]
"""A number of every number system."""

RADICANDS = (2, 3, 5, 6, 7, 10, 15)
TURNS = (8, 3, 5, 7)
ANGLE = 0.4321


def needs() -> Needs:
    """Roots of unity of order 3, 5 and 8; of the radicands 7 alone lies outside, 3 and 5 are Gauss sums."""
    found = Needs()
    for radicand in RADICANDS:
        found.sqrt(radicand)
    for order in TURNS[:3]:
        found.turn(Fraction(1, order))
    found.phase(ANGLE, Fraction(1, 2))
    return found


def long_needs() -> Needs:
    """The same with roots of unity of an order beyond one word."""
    found = needs()
    found.turn(Fraction(1, 1 << 70))
    return found


SHORT = [
    FieldScalars(needs(), seed, conjugating=conjugating) for seed in (0, 1) for conjugating in (False, True)
]
LONG = [FieldScalars(long_needs(), 2, conjugating=conjugating) for conjugating in (False, True)]
RINGS = SHORT + LONG

rationals = st.fractions(min_value=-3, max_value=3, max_denominator=9)
leaves: st.SearchStrategy[Number] = st.one_of(
    rationals.map(lambda r: lambda ring: ring.rational(r)),
    st.sampled_from(RADICANDS).flatmap(
        lambda q: st.integers(1, 6).map(lambda d: lambda ring: ring.sqrt(Fraction(q, d)))
    ),
    st.sampled_from(TURNS[:3]).flatmap(
        lambda n: st.integers(-n, n).map(lambda k: lambda ring: ring.turn(Fraction(k, n)))
    ),
    st.sampled_from([1, -1, 2, Fraction(1, 2)]).map(lambda t: lambda ring: ring.phase(ANGLE, t)),
)
numbers = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda ab: lambda ring: ab[0](ring) + ab[1](ring)),
        st.tuples(inner, inner).map(lambda ab: lambda ring: ab[0](ring) - ab[1](ring)),
        st.tuples(inner, inner).map(lambda ab: lambda ring: ab[0](ring) * ab[1](ring)),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("ring", RINGS)
@given(numbers, numbers)
def test_equal_numbers_and_only_those_have_equal_images(ring: FieldScalars, a: Number, b: Number) -> None:
    """Equality by floats is safe here: the numbers are small, differences below 1e-9 are none."""
    difference = abs(a(COMPLEX) - b(COMPLEX))
    assert (a(ring) == b(ring)) == (difference < 1e-9)


IDENTITIES: dict[str, tuple[Number, complex]] = {
    "sqrt(2) sqrt(3) = sqrt(6)": (lambda f: f.sqrt(2) * f.sqrt(3) - f.sqrt(6), 0),
    "sqrt(2) = w + 1/w": (lambda f: f.turn(Fraction(1, 8)) + f.turn(Fraction(-1, 8)) - f.sqrt(2), 0),
    "i sqrt(3) = z - z^2": (
        lambda f: f.turn(Fraction(1, 3)) - f.turn(Fraction(2, 3)) - f.turn(Fraction(1, 4)) * f.sqrt(3),
        0,
    ),
    "cos of a fifth": (
        lambda f: (
            (f.turn(Fraction(1, 5)) + f.turn(Fraction(4, 5))) * f.rational(2) - f.sqrt(5) + f.rational(1)
        ),
        0,
    ),
    "half angles": (
        lambda f: f.phase(ANGLE, Fraction(1, 2)) * f.phase(ANGLE, Fraction(1, 2)) - f.phase(ANGLE),
        0,
    ),
    "inverse angles": (lambda f: f.phase(ANGLE) * f.phase(-ANGLE) - f.rational(1), 0),
    "quotients": (lambda f: f.rational(1) / f.sqrt(5) - f.sqrt(Fraction(1, 5)), 0),
    "literals": (lambda f: f.number(-0.5j) + f.turn(Fraction(1, 4)) / f.rational(2), 0),
    "the other sign": (lambda f: f.sqrt(7) * f.sqrt(7) + f.rational(7), 14),
}


@pytest.mark.parametrize("name", IDENTITIES)
@pytest.mark.parametrize("ring", RINGS)
def test_identities(ring: FieldScalars, name: str) -> None:
    number, value = IDENTITIES[name]
    assert abs(number(COMPLEX) - value) < 1e-12
    assert number(ring) == ring.rational(int(value.real))


@pytest.mark.parametrize("q", [3, 5, 7, 11, 13])
@pytest.mark.parametrize("conjugating", [False, True])
def test_square_roots_agree_with_roots_of_unity(q: int, conjugating: bool) -> None:
    """With the sign of the complex Gauss sum, so that both homomorphisms are one."""
    wanted = Needs()
    wanted.turn(Fraction(1, q))
    ring = FieldScalars(wanted, 5, conjugating=conjugating)
    squares = {k * k % q for k in range(1, q)}
    total = sum(cmath.exp(2j * math.pi * k / q) * (1 if k in squares else -1) for k in range(1, q))
    image = ring.rational(0)
    for k in range(1, q):
        term = ring.turn(Fraction(k, q))
        image = image + term if k in squares else image - term
    factor = ring.rational(1) if abs(total - math.sqrt(q)) < 1e-9 else ring.turn(Fraction(1, 4))
    assert abs(total / (1 if q % 4 == 1 else 1j) - math.sqrt(q)) < 1e-9
    assert image == ring.sqrt(q) * factor


@pytest.mark.parametrize("ring", [SHORT[1], LONG[1]])
@given(numbers, numbers)
def test_conjugation_is_that_of_complex_numbers(ring: FieldScalars, a: Number, b: Number) -> None:
    assert ring.conjugating
    product = abs(a(COMPLEX).conjugate() - b(COMPLEX)) < 1e-9
    assert (a(ring).conjugate() == b(ring)) == product
    norm = a(ring) * a(ring).conjugate()
    assert norm.im == 0 and bool(norm) == (abs(a(COMPLEX)) > 1e-9)


@pytest.mark.parametrize("finest", [8, 1 << 60])
@pytest.mark.parametrize("conjugating", [False, True])
@pytest.mark.parametrize("square", [Fraction(1, 3), Fraction(1, 5), Fraction(2, 7), Fraction(3, 64)])
def test_algebraic_cosines_are_exact(square: Fraction, conjugating: bool, finest: int) -> None:
    """cos^2(t/2) = r, also where t is reached from t/4 or from pi - t."""
    angle, wanted = 2 * math.acos(math.sqrt(square)), Needs()
    for part in (angle / 4, math.pi - angle):
        wanted.phase(part, Fraction(1, 2))
    wanted.turn(Fraction(1, finest))
    ring = FieldScalars(wanted, 3, conjugating=conjugating)
    assert not ring.formal
    twice = ring.phase(angle, Fraction(1, 2)) + ring.phase(angle, Fraction(-1, 2))
    assert twice == ring.sqrt(square) * ring.rational(2)
    quarter = ring.phase(angle / 4, Fraction(1, 2))
    assert ring.raised(quarter, 4) == ring.phase(angle, Fraction(1, 2))
    other = ring.phase(math.pi - angle, Fraction(1, 2))
    assert other * ring.phase(angle, Fraction(1, 2)) == ring.turn(Fraction(1, 4))
    if conjugating:
        assert quarter * quarter.conjugate() == ring.rational(1)


@pytest.mark.parametrize("conjugating", [False, True])
def test_primes_for_many_square_roots_are_found_at_once(conjugating: bool) -> None:
    """Residues modulo small radicands are chosen by quadratic reciprocity."""
    wanted = Needs()
    radicands = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
    for q in radicands:
        wanted.sqrt(q)
    ring = FieldScalars(wanted, 1, conjugating=conjugating)
    for q in radicands:
        assert ring.sqrt(q) * ring.sqrt(q) == ring.rational(q)


def test_seeds_draw_other_primes_of_62_or_126_bits() -> None:
    assert len({ring.p for ring in RINGS}) == len(RINGS)
    for ring in RINGS:
        assert 1 << (125 if ring in LONG else 61) <= ring.p < 1 << (126 if ring in LONG else 62)
        assert ring.p % ring.needs.order == (ring.needs.order - 1 if ring.conjugating else 1)
        assert ring.formal
    again = FieldScalars(needs(), 0, conjugating=False)
    assert again.fingerprint == SHORT[0].fingerprint != SHORT[2].fingerprint


def test_a_field_serves_what_was_noted_before_it_was_drawn() -> None:
    noted = Needs()
    noted.phase(0.5)
    ring = FieldScalars(noted, 0, conjugating=False)
    noted.phase(0.3)
    with pytest.raises(AssertionError, match="after the field was drawn"):
        ring.phase(0.3)


def fine_needs() -> Needs:
    found = Needs()
    found.turn(Fraction(1, 1 << 40))
    found.turn(Fraction(1, 3))
    found.sqrt(3)
    found.phase(ANGLE)
    return found


def test_twins_are_two_fields_at_once() -> None:
    """Equations hold modulo both primes, and numbers that differ do so modulo both."""
    noted = fine_needs()
    assert noted.want_twins
    ring = FieldScalars(noted, 5, conjugating=False, twins=True)
    assert ring.p == math.prod(ring.moduli) and len(set(ring.moduli)) == 2
    alone = FieldScalars(noted, 5, conjugating=False)
    assert alone.moduli == ring.moduli[:1] and alone.fingerprint != ring.fingerprint
    for p in ring.moduli:
        assert p % noted.order == 1
        root = ring.turn(Fraction(1, noted.order)).re % p
        assert pow(root, noted.order, p) == 1 and pow(root, noted.order // 2, p) == p - 1
        assert pow(root, noted.order // 3, p) != 1
        assert ring.sqrt(3).re ** 2 % p == 3 and ring.sqrt(2).re ** 2 % p == 2
        assert ring.rational(Fraction(2, 3)).re * 3 % p == 2
    for value in (ring.turn(Fraction(1, 1 << 40)), ring.phase(ANGLE), ring.sqrt(3)):
        first, second = ring.moduli
        assert value.re % first != value.re % second
    assert ring.phase(ANGLE) * ring.phase(-ANGLE) == ring.rational(1) == ring.turn(Fraction(0))
    assert all(alone.phase(ANGLE, k).re == ring.phase(ANGLE, k).re % alone.p for k in (1, -1, 2))


def test_twins_need_roots_of_unity_only() -> None:
    assert not needs().only_roots_of_unity  # sqrt(7) lies outside
    rooted = fine_needs()
    rooted.phase(2 * math.acos(math.sqrt(1 / 3)))
    assert not rooted.want_twins and not Needs().want_twins


@pytest.mark.parametrize("kind", ["plain", "conjugating", "twins", "long", "long conjugating"])
def test_powers(kind: str) -> None:
    """By repeated products, on both sides of 0 and around the order of the group."""
    noted = long_needs() if "long" in kind else fine_needs()
    ring = FieldScalars(noted, 5, conjugating="conjugating" in kind, twins=kind == "twins")
    unit, product = ring.phase(ANGLE), ring.rational(1)
    around = math.lcm(*(p + 1 if ring.conjugating else p - 1 for p in ring.moduli))
    for exponent in range(20):
        assert ring.raised(unit, exponent) == product == ring.raised(unit, exponent - around)
        assert ring.raised(unit, -exponent) * product == ring.rational(1)
        product = product * unit
    large = 3**80
    assert ring.raised(unit, large) * ring.raised(unit, 1 - large) == unit


def test_what_is_drawn_is_what_randrange_draws() -> None:
    for low, high in ((0, 1), (3, 40), (2**61, 2**62), (5, 5 + 2**64 + 1)):
        mine, theirs = random.Random(7), random.Random(7)
        found = [drawn(mine, low, high) for _ in range(50)]
        assert found == [theirs.randrange(low, high) for _ in range(50)]


@pytest.mark.parametrize("conjugating", [False, True])
def test_primes_of_a_class_are_drawn_alike(conjugating: bool) -> None:
    """Seeds draw different primes all over the range, and every radicand is a square modulo them."""
    needs = Needs()
    for q in (3, 5, 1009):
        needs.sqrt(q)
    primes = [draw_prime(needs, random.Random(seed), conjugating=conjugating) for seed in range(200)]
    assert len(set(primes)) == 200 and all(2**61 <= p < 2**62 for p in primes)
    assert all(p % 8 == (7 if conjugating else 1) for p in primes)
    assert all(pow(2, p - 1, p) == 1 and pow(q, (p - 1) // 2, p) == 1 for p in primes for q in (3, 5, 1009))
    quarters = Counter(p >> 59 for p in primes)
    assert quarters.keys() == {4, 5, 6, 7} and min(quarters.values()) > 25
