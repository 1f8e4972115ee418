"""Multiples are found in their buckets, however many of them are noted."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from qismc.numbers.multiples import GRID_RADIANS, MULTIPLES, AngleMultiples

ANGLE = 1.2345678901234567


def noted(*angles: float, sought: list[float] | None = None) -> AngleMultiples:
    multiples = AngleMultiples(sought=None if sought is None else np.array(sought))
    if sought is None:
        for angle in angles:
            multiples.add(angle)
    else:
        multiples.add_all(angles)
    return multiples


@pytest.mark.parametrize("factor", MULTIPLES)
@pytest.mark.parametrize("steps", [-7, 0, 1, 48])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_multiple_is_met(factor: Fraction, steps: int, sign: int) -> None:
    angle = sign * (ANGLE * float(factor) + steps * GRID_RADIANS)
    for multiples in (noted(ANGLE), noted(ANGLE, sought=[0.5, angle])):
        assert (sign, steps * Fraction(1, 96), factor, ANGLE) in [
            (sign, turn, multiple.factor, multiple.of)
            for sign, turn, multiple in multiples.meeting(angle, [ANGLE])
        ]
        assert not [*multiples.meeting(angle, [0.5])]


def test_what_is_near_a_multiple_is_none() -> None:
    assert not [*noted(ANGLE).meeting(2 * ANGLE + 1e-12, [ANGLE])]


def test_other_factors_are_not_met() -> None:
    halves = AngleMultiples((Fraction(1, 2), Fraction(1)))
    halves.add(ANGLE)
    assert [*halves.meeting(ANGLE / 2, [ANGLE])] and not [*halves.meeting(3 * ANGLE, [ANGLE])]


@pytest.mark.parametrize("others", [[], [0.5], [0.5, 0.7]])
def test_many_angles_are_asked_for_at_once(others: list[float]) -> None:
    multiples = noted(ANGLE)
    assert not multiples.may_meet(np.array(others))
    assert multiples.may_meet(np.array([*others, GRID_RADIANS - 3 * ANGLE]))


def test_multiples_that_nobody_seeks_are_not_noted() -> None:
    generator = random.Random(1)
    angles = [generator.uniform(0, 2 * math.pi) for _ in range(100)]
    sought = [3 * angle for angle in angles[:5]]
    assert not [*noted(*angles, sought=sought).meeting(angles[50], angles)]
    for angle in sought:
        some, every = ([*noted(*angles, sought=s).meeting(angle, angles)] for s in (sought, None))
        assert some and some == every


def test_angles_that_are_multiples_of_others_are_not_alone() -> None:
    """Multiples, also plus steps of the grid, and their negatives; others meet nobody but themselves."""
    generator = random.Random(2)
    angles = [generator.uniform(0, 2 * math.pi) for _ in range(100)]
    related = [3 * angles[0], angles[1] + 5 * GRID_RADIANS, 20 * GRID_RADIANS - angles[2] / 2]
    every = [*angles, *related]
    alone = noted(*every, sought=every).alone(np.array(every)).tolist()
    assert not any(alone[-3:]) and not alone[1] and all(alone[3:-3])
