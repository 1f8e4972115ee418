"""Angles that depend on each other stay dependent, others do not become so."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.numbers.angles import (
    RADIAN,
    AngleBook,
    AngleSum,
    Cosine,
    FineTurn,
    Itself,
    fine_turn,
)

PI = math.pi
decimals = st.integers(min_value=1, max_value=99_999).map(lambda k: k / 10_000)
quarters = st.integers(min_value=-8, max_value=8)


def linear(*angles: float) -> list[AngleSum]:
    book = AngleBook()
    book.announce(angles)
    return [book.express(angle) for angle in angles]


@given(st.lists(st.tuples(decimals, st.sampled_from((-1, 1)), quarters), min_size=1, max_size=6))
def test_sums_of_decimals_and_quarter_turns_cancel(terms: list[tuple[float, int, int]]) -> None:
    """What the angles are combinations of adds up to what their decimals add up to."""
    angles = [sign * decimal + quarter * PI / 2 for decimal, sign, quarter in terms]
    total = sum((c for c in linear(*angles)), AngleSum())
    plain = sum((Fraction(str(decimal)) * sign for decimal, sign, _ in terms), Fraction(0))
    turns = Fraction(sum(quarter for _, _, quarter in terms), 4)
    if all(abs(angle) > 1e-6 for angle in angles):
        assert total == AngleSum(turns, ((RADIAN, plain),) if plain else ())


@pytest.mark.parametrize(
    ("angles", "factors"),
    [
        ((17, -16, -1), (1, 1, 1)),
        ((0.1 + 0.2, 0.3), (1, -1)),
        ((0.7 * 3, 0.7), (1, -3)),
        ((0.7 / 3, 0.7), (3, -1)),
        ((1 / 3, 1 + PI, PI), (3, -1, 1)),
    ],
)
def test_relations_between_decimals(angles: tuple[float, ...], factors: tuple[int, ...]) -> None:
    found = (c * factor for c, factor in zip(linear(*angles), factors, strict=True))
    assert sum(found, AngleSum()) == AngleSum()


@given(
    st.floats(min_value=0.01, max_value=6.28), st.sampled_from([1, 2, 3, 8, 0.5, 0.25, 1.5, 1 / 3]), quarters
)
def test_multiples_plus_quarter_turns_share_a_base(angle: float, ratio: float, quarter: int) -> None:
    """t and q t + k pi/2 differ by q and k/4 exactly."""
    first, second = linear(angle, angle * ratio + quarter * PI / 2)
    exact = Fraction(ratio).limit_denominator(8)
    assert second == first * exact + AngleSum(Fraction(quarter, 4)) or second.value == pytest.approx(
        angle * ratio + quarter * PI / 2, abs=1e-13
    )
    if len(repr(angle)) > 14 and abs(angle * ratio + quarter * PI / 2) > 1e-3:
        assert {base for base, _ in first.parts} == {base for base, _ in second.parts}


@given(st.lists(st.floats(min_value=0.01, max_value=6.28), min_size=1, max_size=8))
def test_every_combination_is_the_angle(angles: list[float]) -> None:
    for angle, found in zip(angles, linear(*angles), strict=True):
        assert found.value == pytest.approx(angle, abs=1e-10)


@given(st.randoms(use_true_random=False), st.integers(min_value=1, max_value=40))
def test_many_angles_at_once_are_expressed_as_one_by_one(generator: random.Random, count: int) -> None:
    """Comparing all of them first changes nothing: each is expressed by those before it."""
    angles = [generator.uniform(0.01, 6.28) for _ in range(count)]
    angles += [round(angle, 3) for angle in angles[:3]]
    for base in generator.choices(angles, k=count):
        factor = generator.choice((1, -1, 2, 0.5, 1 / 3, 0.25))
        angles.append(base * factor + generator.randint(-8, 8) * PI / 4)
    at_once, one_by_one = AngleBook(), AngleBook()
    at_once.announce(angles)
    for angle in at_once.angles:
        assert one_by_one.express(angle) == at_once.express(angle)


def test_sums_of_two_unknown_angles() -> None:
    a, b = 1.234567890123456, 0.777777712345678
    first, second, both, difference = linear(a, b, a + b, a - b + PI)
    assert both == first + second
    assert difference == first + second * -1 + AngleSum(Fraction(1, 2))


def test_other_angles_stay_apart() -> None:
    found = linear(0.712345678901234, 0.712345678901234 * math.sqrt(2), 0.712345678901234 * (1 + 1e-9))
    assert len({base for c in found for base, _ in c.parts}) == 3


@pytest.mark.parametrize("text", ["1/3", "1/5", "2/7", "1/10", "9/25"])
def test_algebraic_cosines(text: str) -> None:
    """cos^2(t/2) = r is met, with its complement and its halves in the same family."""
    angle = 2 * math.acos(math.sqrt(Fraction(text)))
    first, half, complement = linear(angle, angle / 2, PI - angle)
    assert all(isinstance(base, Cosine) for base, _ in first.parts) and first.value == pytest.approx(angle)
    assert half * 2 == first and complement + first == AngleSum(Fraction(1, 2))


def test_cosines_that_depend_on_each_other() -> None:
    """atan 2 + atan 3 = 3 pi/4, and cos(2t) = -1/3 for cos^2 t = 1/3."""
    two, three = linear(2 * math.atan(2), 2 * math.atan(3))
    assert two + three == AngleSum(Fraction(3, 4))
    third, ninth = linear(2 * math.acos(math.sqrt(1 / 3)), 2 * math.acos(1 / 3))
    assert {base for base, _ in third.parts} == {base for base, _ in ninth.parts}


def test_random_angles_stand_for_themselves() -> None:
    """One of a million may be mistaken for something else."""
    source = random.Random(7)
    for _ in range(4000):
        angle = source.uniform(0.01, 6.28)
        assert AngleBook().express(angle).parts == ((Itself(angle), Fraction(1)),)


@given(st.integers(min_value=1, max_value=1 << 30), st.integers(min_value=46, max_value=200))
def test_fine_turns_are_odd_and_add_without_carry(numerator: int, power: int) -> None:
    turn = Fraction(numerator, 1 << power)
    found = fine_turn(turn, 45)
    assert found.turn + sum((q for _, q in found.parts), Fraction(0)) == turn
    assert fine_turn(-turn, 45) == found * -1
    assert all(isinstance(base, FineTurn) for base, _ in found.parts)


def test_the_order_of_angles_does_not_matter() -> None:
    angles = [PI - 0.12345678, 0.12345678, 0.3 + PI, 1.234567890123456, 2.469135780246912]
    assert linear(*angles) == list(reversed(linear(*reversed(angles))))
    assert not any(isinstance(base, Itself) for base, _ in linear(*angles)[0].parts)


@pytest.mark.parametrize("angle", [1e-13, 3.3e-13])
def test_an_angle_near_a_multiple_of_pi_is_not_taken_for_one_by_its_cosine(angle: float) -> None:
    """1e-13 is no quarter turn less a quarter turn, although its cosine is that of one."""
    assert linear(angle)[0].parts == ((Itself(angle), Fraction(1)),)


@pytest.mark.parametrize("power", [1, 12, 24, 31, 40, 49])
def test_large_multiples_of_pi_are_turns(power: int) -> None:
    """2^31 pi was taken for 2145392995019/318 radians."""
    assert AngleBook().express(3 * 2**power * math.pi) == AngleSum(Fraction(3 * 2 ** (power - 1)))


@pytest.mark.parametrize("size", [100.0, 1e4, 1e6, 1e8, 1e12])
def test_large_random_angles_stand_for_themselves(size: float) -> None:
    """Of angles around 10^8 all but a few were taken for something."""
    source = random.Random(1)
    found = [AngleBook().express(source.uniform(0.5, 1.0) * size) for _ in range(200)]
    assert all(isinstance(base, Itself) for angle in found for base, _ in angle.parts)
    assert all(angle.turn == 0 for angle in found)
