"""Elements against small fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import UnluckyDraw
from qismc.numbers.element import Element, inverse_modulo, joined, square_root


@given(st.integers(0, 18), st.integers(0, 18))
def test_inverses(re: int, im: int) -> None:
    number = Element(19, re, im)
    if number:
        assert number * number.inverse() == number / number == number.one()


@given(st.integers(0, 18), st.integers(0, 18), st.integers(0, 400))
def test_powers_are_repeated_products(re: int, im: int, exponent: int) -> None:
    product = Element(19, 1)
    for _ in range(exponent):
        product = product * Element(19, re, im)
    assert Element(19, re, im).raised(exponent) == product


@pytest.mark.parametrize("p", [3, 7, 17, 97, 257, 7681])
def test_square_roots_are_those_that_squaring_finds(p: int) -> None:
    roots = {n * n % p: min(n, p - n) if n else 0 for n in range(p)}
    assert all(square_root(a, p) == roots.get(a) for a in range(p))


def test_joined_elements_have_both_remainders() -> None:
    found = {joined(Element(5, a), Element(7, b)).re for a in range(5) for b in range(7)}
    assert found == set(range(35))
    assert all(joined(Element(5, n % 5), Element(7, n % 7)) == Element(35, n) for n in range(35))


def test_multiples_of_a_prime_have_no_inverse() -> None:
    assert 3 * inverse_modulo(3, 35) % 35 == 1
    for number in (0, 7, 10):
        with pytest.raises(UnluckyDraw):
            inverse_modulo(number, 35)
