"""The values of exact numbers, against Python's complex arithmetic."""

from __future__ import annotations

import cmath
import math

import pytest
from hypothesis import given, settings

from qismc.common.scalars import COMPLEX
from qismc.language import coefficients as c
from qismc.language import parse_subspace
from qismc.language.syntax import Ket

from .trees import coefficients


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/sqrt(3)", 1 / math.sqrt(3)),
        ("i sqrt(2)/sqrt(3)", 1j * math.sqrt(2 / 3)),
        ("exp(i*pi*1/4)", cmath.exp(1j * math.pi / 4)),
        ("exp(-i pi/3)", cmath.exp(-1j * math.pi / 3)),
        ("exp(0.3 i)", cmath.exp(0.3j)),
        ("exp(i (0.123456 + 2 pi/3))", cmath.exp(1j * (0.123456 + 2 * math.pi / 3))),
        ("exp(i/2 - i/4)", cmath.exp(0.25j)),
        ("exp(i i i/2)", cmath.exp(-0.5j)),
        ("0.5", 0.5),
        ("0.70710678", 0.70710678),
        ("(1 + i)/2", (1 + 1j) / 2),
        ("(1 + i)^3", (1 + 1j) ** 3),
        ("sqrt(2)^-2", 0.5),
        ("2^-3", 0.125),
        ("pi^2", math.pi**2),
        ("-i*-i", -1),
        ("i^0", 1),
        ("1 - 2 + 5", 4),
        ("12/2/3", 2),
        ("sqrt(0.25)", 0.5),
        ("π i", math.pi * 1j),
    ],
)
def test_values(text: str, value: complex) -> None:
    tree = parse_subspace(f"({text}) |0>")
    assert isinstance(tree, Ket)
    assert cmath.isclose(tree.terms[0].coefficient.value(COMPLEX), value, abs_tol=1e-12)


def direct(tree: c.Coefficient) -> complex:
    """The value, computed without the ring interface."""
    match tree:
        case c.Rational(number):
            return complex(number)
        case c.Literal(text):
            return complex(text)
        case c.Sqrt(number):
            return complex(math.sqrt(number))
        case c.Imaginary():
            return 1j
        case c.Pi():
            return complex(math.pi)
        case c.Exp(argument):
            return cmath.exp(direct(argument))
        case c.Add(left, right):
            return direct(left) + direct(right)
        case c.Mul(left, right):
            return direct(left) * direct(right)
        case c.Div(left, right):
            return direct(left) / direct(right)
        case c.Neg(operand):
            return -direct(operand)
        case c.Pow(base, exponent):
            return direct(base) ** exponent
    raise TypeError(tree)


@settings(max_examples=300, deadline=None)
@given(coefficients)
def test_values_of_random_trees(tree: c.Coefficient) -> None:
    try:
        expected = direct(tree)
    except ZeroDivisionError:
        return
    assert cmath.isclose(tree.value(COMPLEX), expected, rel_tol=1e-6, abs_tol=1e-6)
