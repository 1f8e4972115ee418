from __future__ import annotations

import math

import pytest

from qismc.program.angles import AngleError, evaluate, literal_angles, parse_angles


def value(text: str, **names: float) -> float:
    (tree,) = parse_angles(text)
    return evaluate(tree, names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pi/2", math.pi / 2),
        ("-3*pi/4", -3 * math.pi / 4),
        ("2^3^0.5", 2 ** (3**0.5)),
        ("-2^2", -4),
        ("1e-3 + .5", 0.501),
        ("sin(pi/6)*2", 1),
        ("ln(exp(2))", 2),
        ("(1+2)*(3-4)/5", -0.6),
        ("1/2", 0.5),
    ],
)
def test_values(text: str, expected: float) -> None:
    assert value(text) == pytest.approx(expected, abs=1e-15)


def test_parameters_hide_constants() -> None:
    assert value("theta/pi", theta=1.0, pi=2.0) == 0.5


def test_plain_numbers_take_a_short_cut() -> None:
    assert literal_angles("-1.5, 2e-3,.5") == (-1.5, 0.002, 0.5)
    assert literal_angles("") == ()
    for text in ("pi", "1-2", "1e999", "nan", "1,", "1 2"):
        assert literal_angles(text) is None


def test_lists() -> None:
    assert [evaluate(t, {}) for t in parse_angles("1, 2,pi")] == [1, 2, math.pi]
    assert parse_angles("  ") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0", "divides by zero"),
        ("sqrt(-1)", "no real value"),
        ("ln(0)", "no real value"),
        ("exp(1000)", "too large"),
        ("10^400", "too large"),
        ("1e400", "not a finite angle"),
        ("phi", "unknown name 'phi'"),
        ("open('x')", "is not an angle"),
        ("(1).real", "is not an angle"),
        ("1 if 2 else 3", "is not an angle"),
        ("True", "is not an angle"),
        ("1 +", "not an expression"),
        ("(" * 500 + "1" + ")" * 500, "not an expression|too deeply nested"),
        ("-" * 5000 + "1", "too"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(AngleError, match=message):
        value(text)
