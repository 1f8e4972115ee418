"""States as text."""

from __future__ import annotations

import cmath
import math

import pytest

from qismc.engines.engine import UNCOUNTED
from qismc.propositions.kets import amplitude_text, ket_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, ""),
        (-1, "-"),
        (1j, "i "),
        (-1j, "-i "),
        (0.5, "1/2 "),
        (math.sqrt(0.5), "sqrt(1/2)"),
        (-1j * math.sqrt(2 / 3), "-i sqrt(2/3)"),
        (cmath.exp(1j * math.pi / 4) / 2, "exp(i pi/4) 1/2 "),
        (cmath.exp(5j * math.pi / 4), "-exp(i pi/4) "),
        (0.123456, "0.1235"),
    ],
)
def test_amplitudes(number: complex, text: str) -> None:
    assert amplitude_text(number) == text


def test_the_first_term_is_positive() -> None:
    assert (
        ket_text([("0", -1j * math.sqrt(0.5)), ("1", 1j * math.sqrt(0.5))]) == "sqrt(1/2)|0> - sqrt(1/2)|1>"
    )


def test_left_out_terms_are_counted() -> None:
    assert ket_text([("0", 1)], 3) == "|0> + 3 more terms"
    assert ket_text([("0", 1)], 1) == "|0> + 1 more term"
    assert ket_text([("0", 1)], UNCOUNTED) == "|0> + more terms"
    assert ket_text([]) == "0"


def test_small_amplitudes_are_not_zero() -> None:
    """Every text is near to the number that it stands for."""
    assert ket_text([("0", 2.0**-20), ("1", -(2.0**-20))]) == "2^-20 |0> - 2^-20 |1>"
    assert amplitude_text(2.0**-20.5) == "sqrt(2^-41)"
    for number in (1.234e-5, -6.7e-9, 3e-4j, 1e-7 + 2e-7j, 0.5 + 1e-6j, 0.12345):
        text = amplitude_text(number).strip("()").replace("i", "j")
        assert abs(complex(text) - number) < 1e-3 * abs(number), text
