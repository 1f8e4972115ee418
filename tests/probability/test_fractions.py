"""Fractions in numbers, and numbers that only look like them."""

from __future__ import annotations

from fractions import Fraction
from math import pi, sqrt

import numpy as np
import pytest

from qismc.probability.fractions import number_text, recognised


@pytest.mark.parametrize("fraction", ["1/2", "1/16", "9/16", "1/3", "355/1130", "1/4096", "0", "1"])
def test_fractions(fraction: str) -> None:
    value = Fraction(fraction)
    assert recognised(float(value) + 3e-15, 1e-14) == value


@pytest.mark.parametrize("value", [1 / pi, sqrt(2) / 2, 0.1234567891, 1 / 5003])
def test_other_numbers(value: float) -> None:
    assert recognised(value, 1e-14) is None


def test_an_error_that_would_let_anything_pass_recognises_nothing() -> None:
    assert recognised(0.5, 1e-3) is None
    draw = np.random.default_rng(1)
    assert not any(recognised(x, 1e-9) for x in draw.random(500))


def test_text() -> None:
    assert number_text(0.0625, 1e-14) == "0.0625 (recognised as 1/16)"
    assert number_text(1.0, 1e-14) == "1"
    assert number_text(sqrt(0.5), 1e-14) == "0.707107"
