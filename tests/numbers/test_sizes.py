"""The rules by which sizes of sums, vectors and products follow from those of their parts."""

from __future__ import annotations

import math
from fractions import Fraction

from qismc.numbers.sizes import (
    UNBOUNDED,
    ZERO,
    LargestProducts,
    Size,
    both,
    power,
    product,
    stacked,
    total,
)


def test_rules_of_sizes() -> None:
    a, b = Size({2: 3.0, 3: 1.0}, 1.0, 2), Size({2: 1.0, 7: 5.0}, 1.0, 1)
    assert product([a, b]) == Size({2: 4.0, 3: 1.0, 7: 5.0}, 2.0, 3)
    assert total([a, b]) == Size({2: 3.0, 3: 1.0, 7: 5.0}, 2.0, 2)
    assert stacked([a, b]) == Size({2: 3.0, 3: 1.0, 7: 5.0}, 1.5, 2)
    assert LargestProducts([a, b, a]).of(2) == Size({2: 6.0, 3: 2.0, 7: 5.0}, 2.0, 4)
    assert product([a, ZERO]) == total([]) == stacked([ZERO]) == ZERO
    assert total([a, UNBOUNDED]).bits == product([a, UNBOUNDED]).bits == math.inf
    assert Size({}, -3.0).bits == 0.0


def test_powers_and_squares() -> None:
    a, b = Size({2: 3.0}, 1.0, 2, Fraction(4)), Size({3: 1.0}, -0.5, 0, Fraction(1, 2))
    assert power(a, 3) == product([a, a, a]) and power(a, 1) is a
    assert both(a, b) == Size({2: 3.0, 3: 1.0}, 0.5, 2, Fraction(2))
    assert both(a, Size({}, 0.0)).square is None and both(a, ZERO) == ZERO
