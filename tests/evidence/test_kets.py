"""States as text."""

from __future__ import annotations

import cmath
import math

import pytest

from qismc.evidence.kets import amplitude_text, ket_text
from qismc.subspace.engine import UNCOUNTED


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
    assert ket_text([("0", 1)], 3) == "|0> + 3 smaller terms"
    assert ket_text([("0", 1)], 1) == "|0> + 1 smaller term"
    assert ket_text([("0", 1)], UNCOUNTED) == "|0> + smaller terms"
    assert ket_text([]) == "0"
