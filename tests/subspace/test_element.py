"""Elements against small fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.errors import UnluckyDraw
from qismc.subspace.element import Element, inverse_modulo, joined


@given(st.integers(0, 18), st.integers(0, 18))
def test_inverses(re: int, im: int) -> None:
    number = Element(19, re, im)
    if number:
        assert number * number.inverse() == number / number == number.one()


def test_joined_elements_have_both_remainders() -> None:
    found = {joined(Element(5, a), Element(7, b)).re for a in range(5) for b in range(7)}
    assert found == set(range(35))
    assert all(joined(Element(5, n % 5), Element(7, n % 7)) == Element(35, n) for n in range(35))


def test_multiples_of_a_prime_have_no_inverse() -> None:
    assert 3 * inverse_modulo(3, 35) % 35 == 1
    for number in (0, 7, 10):
        with pytest.raises(UnluckyDraw):
            inverse_modulo(number, 35)
