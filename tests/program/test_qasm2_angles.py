from __future__ import annotations

import keyword
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qismc.program.qasm2_angles import AngleError, evaluate, literal_angles, parse_angles


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(" * 100_000 + "2" + ")" * 100_000, 2),
        ("-" * 100_001 + "1", -1),
        ("1" + "+1" * 100_000, 100_001),
        ("sin(" * 1000 + "0" + ")" * 1000, 0),
        ("2" + "^1" * 100_000, 2),
    ],
    ids=range(5),
)
def test_depth_and_length_do_not_matter(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("name", [*keyword.kwlist, *keyword.softkwlist, "sin", "theta", "π_2", "λ"])
def test_any_name_can_be_a_parameter(name: str) -> None:
    assert value(f"-{name}/2 + sin({name}-{name})", **{name: 0.5}) == -0.25


def written(draw: st.DrawFn, depth: int) -> tuple[str, str]:
    """An expression in our syntax and in Python's, every second one with brackets and blanks."""
    kind = draw(st.integers(0, 6 if depth else 1))
    if kind == 0:
        number = draw(st.sampled_from(["1", "0.5", "2.", ".25", "3e-1", "1E1"]))
        return number, number
    if kind == 1:
        name = draw(st.sampled_from(["pi", "a", "b"]))
        return name, name
    left, python = written(draw, depth - 1)
    if kind == 2:
        return f"-{left}", f"-{python}"
    if kind == 3:
        return f"( {left} )", f"({python})"
    if kind == 4:
        return f"cos({left})", f"cos({python})"
    right, second = written(draw, depth - 1)
    sign = draw(st.sampled_from(["+", "-", "*", "/", "^"]))
    return f"{left} {sign}{right}", f"{python} {sign.replace('^', '**')}{second}"


@settings(max_examples=300, deadline=None)
@given(st.composite(lambda draw: written(draw, 4))())
def test_as_python_reads_it(texts: tuple[str, str]) -> None:
    """Python has the same precedence: signs bind tighter than *, looser than powers, which group right."""
    names = {"pi": math.pi, "a": 0.3, "b": -1.7, "cos": math.cos}
    try:
        expected = eval(texts[1], {"__builtins__": {}}, names)
    except (ZeroDivisionError, OverflowError, TypeError):  # cosines of complex numbers, too
        expected = None
    if isinstance(expected, int | float) and math.isfinite(expected):
        assert value(texts[0], a=0.3, b=-1.7) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    else:
        with pytest.raises(AngleError):
            value(texts[0], a=0.3, b=-1.7)


def test_parameters_hide_constants() -> None:
    assert value("theta/pi", theta=1.0, pi=2.0) == 0.5


def test_plain_numbers_take_a_short_cut() -> None:
    assert literal_angles("-1.5, 2e-3,.5") == (-1.5, 0.002, 0.5)
    assert literal_angles("") == ()
    for text in ("pi", "1-2", "1e999", "nan", "1,", "1 2"):
        assert literal_angles(text) is None


def test_lists() -> None:
    assert [evaluate(t, {}) for t in parse_angles("1, 2,pi")] == [1, 2, math.pi]
    assert parse_angles("  ") == ()


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
        ("open('x')", "unknown function 'open'"),
        ("sin", "unknown name 'sin'"),
        ("pi(1)", "unknown function 'pi'"),
        ("(1).real", "not an expression"),
        ("1 if 2 else 3", "not an expression"),
        ("True", "unknown name 'True'"),
        ("2pi", "not an expression"),
        ("1_000", "not an expression"),
        ("0x10", "not an expression"),
        ("1e", "not an expression"),
        ("(1", "not an expression"),
        ("1)", "not an expression"),
        ("(1,2)", "not an expression"),
        ("()", "not an expression"),
        ("sin()", "not an expression"),
        ("sin(1,2)", "not an expression"),
        ("1,", "not an expression"),
        (",1", "not an expression"),
        ("1//2", "not an expression"),
        ("1%2", "not an expression"),
        ("(" * 100_000 + "1", "not an expression"),
        ("1 +", "not an expression"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(AngleError, match=message):
        value(text)
