"""Expressions bit by bit against their own evaluation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc.program.classical import Binary, Const, Expression, Read, Unary
from qismc.symbolic.arithmetic import BitArithmetic, NotSymbolic
from qismc.symbolic.logic import Logic, evaluate

WIDTH = 7
TESTS = ["==", "!=", "<", "<=", ">", ">=", "and", "or"]
NUMBERS = ["&", "|", "^", "+", "-", "*", "<<", ">>", "index", "/", "%"]


def reads() -> st.SearchStrategy[Expression]:
    bits = st.lists(st.integers(0, WIDTH - 1), min_size=1, max_size=3).map(tuple)
    return st.builds(Read, bits, st.booleans())


def expressions() -> st.SearchStrategy[Expression]:
    leaves = st.one_of(reads(), st.integers(-4, 9).map(Const))
    widths = st.one_of(st.none(), st.integers(1, 5))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(Unary, st.sampled_from(["not", "~", "-", "bool", "+"]), inner, widths, st.booleans()),
            st.builds(Binary, st.sampled_from(TESTS), inner, inner),
            st.builds(Binary, st.sampled_from(NUMBERS), inner, inner, widths, st.booleans()),
        ),
        max_leaves=4,
    )


@given(expression=expressions(), store=st.integers(0, 2**WIDTH - 1))
def test_all_operators(expression: Expression, store: int) -> None:
    logic = Logic()
    arithmetic = BitArithmetic(logic, logic.literal)
    values = {k: store >> k & 1 for k in range(WIDTH)}
    value = expression.evaluate(store)
    assert evaluate(arithmetic.condition(expression), values) == (value != 0)
    assert evaluate(arithmetic.equals(expression, value), values)
    assert not evaluate(arithmetic.equals(expression, value + 1), values)
    digits = arithmetic.digits(expression, 6)
    assert sum(evaluate(d, values) << k for k, d in enumerate(digits)) == value & 63


def test_constants_fold() -> None:
    logic = Logic()
    arithmetic = BitArithmetic(logic, lambda position: position % 2 == 1)
    assert arithmetic.condition(Binary("<", Read((0, 1, 2)), Const(3))) is True
    assert arithmetic.equals(Binary("/", Const(-7), Const(2)), -3) is True


def test_wide_comparisons_stay_small() -> None:
    logic = Logic()
    arithmetic = BitArithmetic(logic, logic.literal)
    wide = Read(tuple(range(300)))
    function = arithmetic.condition(Binary("==", wide, Const(13)))
    values = {k: 13 >> k & 1 for k in range(300)}
    assert evaluate(function, values)
    assert not evaluate(function, {**values, 299: 1})


@given(factor=st.integers(-300, 300), value=st.integers(0, 2**90 - 1), signed=st.booleans())
def test_numbers_times_wide_registers(factor: int, value: int, signed: bool) -> None:
    logic = Logic()
    arithmetic = BitArithmetic(logic, logic.literal)
    values = {k: value >> k & 1 for k in range(90)}
    wide = Binary("*", Const(factor), Read(tuple(range(90)), signed))
    product = wide.evaluate(value)
    assert evaluate(arithmetic.equals(wide, product), values)
    assert not evaluate(arithmetic.equals(wide, product + 1), values)


def test_few_bits_decide_about_wide_sums() -> None:
    """By cases: bit by bit it would take thousands of functions."""
    logic = Logic()
    one, other = (Unary("+", Read(tuple(range(k, k + 3))), 64, True) for k in (0, 3))
    left, right = Binary("*", Const(-7), one, 64, True), Binary("*", Const(13), other, 64, True)
    asked = Binary("<=", left, Binary("-", right, Const(40), 64, True))
    function = BitArithmetic(logic, logic.literal).condition(asked)
    for store in range(64):
        assert evaluate(function, {k: store >> k & 1 for k in range(6)}) == bool(asked.evaluate(store))
    assert logic.size < 200


def test_division_of_wide_registers_is_refused() -> None:
    logic = Logic()
    wide = Read(tuple(range(20)))
    with pytest.raises(NotSymbolic):
        BitArithmetic(logic, logic.literal).condition(Binary("/", wide, Const(3)))
