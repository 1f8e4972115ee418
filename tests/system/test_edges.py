"""What single statements do."""

from __future__ import annotations

import pytest

from qismc.errors import LimitReached
from qismc.program import read_program
from qismc.program.classical import Const
from qismc.program.statements import Assign, AssignAt, Havoc, Measure
from qismc.system.edges import HAVOC_LIMIT_BITS, next_store, outcomes, ways

from ..toy import If, Reset, Test, Toy
from ..toy import Measure as ToyMeasure


@pytest.mark.parametrize(
    ("statement", "outcome", "after"),
    [
        (Measure(0, 1), 1, 0b1111),
        (Measure(0, 1), 0, 0b1101),
        (Measure(0, 2), 1, 0b1111),
        (Assign((0, 1), Const(2)), None, 0b1110),
        (Assign((0,), Const(6)), None, 0b1110),
        (AssignAt((2, 3), Const(1), Const(0)), None, 0b0111),
        (AssignAt((2, 3), Const(2), Const(0)), None, 0b1111),
        (Havoc((0, 2)), 0b01, 0b1011),
    ],
)
def test_stores(statement: object, outcome: int | None, after: int) -> None:
    assert next_store(statement, 0b1111, outcome) == after  # type: ignore[arg-type]


def test_measurements_have_two_ways_and_resets_two_operators() -> None:
    program = read_program(Toy(1, 1, (ToyMeasure(0, 0), Reset(0))).circuit())
    measured, reset = ways(program, 0, 0), ways(program, 1, 1)
    assert [(way.outcome, way.after(0), way.point) for way in measured] == [(0, 0, 1), (1, 1, 1)]
    assert [len(way.families[0]) for way in measured] == [1, 1]
    assert [(way.outcome, way.after(1), len(way.families[0])) for way in reset] == [(None, 1, 2)]


def test_the_store_decides_branches() -> None:
    program = read_program(Toy(1, 1, (If(Test(0, 1), (Reset(0),)),)).circuit())
    assert [way.point for way in ways(program, 0, 1)] == [1]
    assert [way.point for way in ways(program, 0, 0)] == [2]


def test_wide_inputs_are_not_enumerated() -> None:
    assert len(list(outcomes(Havoc((0, 1))))) == 4
    with pytest.raises(LimitReached, match="bits"):
        list(outcomes(Havoc(tuple(range(HAVOC_LIMIT_BITS + 1)))))
