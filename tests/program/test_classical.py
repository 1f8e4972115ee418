from __future__ import annotations

import operator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qismc.program.classical import (
    BINARY,
    Binary,
    Const,
    Expression,
    Read,
    Unary,
    mask,
    narrowed,
    read_bits,
    wrap,
    write_bits,
)

OPERATORS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge, "&": operator.and_, "|": operator.or_, "^": operator.xor, "+": operator.add,
    "-": operator.sub, "*": operator.mul,
}  # fmt: skip
POSITIONS = st.lists(st.integers(0, 40), min_size=1, max_size=8, unique=True).map(tuple)


@given(store=st.integers(0, mask(41)), bits=POSITIONS, value=st.integers(0, 255))
def test_writing_then_reading(store: int, bits: tuple[int, ...], value: int) -> None:
    after = write_bits(store, bits, value)
    assert read_bits(after, bits) == value & mask(len(bits))
    others = mask(41) & ~sum(1 << b for b in bits)
    assert after & others == store & others


@given(value=st.integers(-1000, 1000), width=st.integers(1, 8), signed=st.booleans())
def test_wrapping(value: int, width: int, signed: bool) -> None:
    wrapped = wrap(value, width, signed)
    assert (wrapped - value) % (1 << width) == 0
    low = -(1 << (width - 1)) if signed else 0
    assert low <= wrapped < low + (1 << width)
    assert wrap(value, None, signed) == value


def test_signed_reads() -> None:
    assert Read((0, 1, 2), signed=True).evaluate(0b101) == -3
    assert Read((0, 1, 2)).evaluate(0b101) == 5


@pytest.mark.parametrize("value", range(8))
def test_negation_asks_whether_a_number_is_zero(value: int) -> None:
    number = Read((0, 1, 2))
    assert Unary("not", number).evaluate(value) == int(value == 0)
    assert Unary("not", Unary("bool", number)).evaluate(value) == int(value == 0)


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        ("/", -7, 2, -3),
        ("/", 7, 0, 0),
        ("%", -7, 2, -1),
        ("%", 7, 0, 0),
        ("<<", 1, 3, 8),
        ("<<", 1, 10**9, 0),
        (">>", 8, 2, 2),
        (">>", 8, -1, 0),
        ("index", 5, 2, 1),
        ("index", 5, -1, 0),
        ("and", 2, 1, 1),
        ("or", 0, 0, 0),
        *((op, a, b, int(OPERATORS[op](a, b))) for op in OPERATORS for a in (0, 1, 2) for b in (0, 1, 2)),
    ],
)
def test_binary_operations(op: str, left: int, right: int, expected: int) -> None:
    assert Binary(op, Const(left), Const(right)).evaluate(0) == expected


def test_every_operation_notes_what_it_reads() -> None:
    for op in BINARY:
        assert Binary(op, Read((0, 3)), Unary("~", Read((2,)), 1)).reads == 0b1101
    assert Const(1).reads == 0


def expressions(depth: int = 3) -> st.SearchStrategy[Expression]:
    leaf = st.integers(-40, 300).map(Const) | st.booleans().map(lambda signed: Read(tuple(range(5)), signed))
    if depth == 0:
        return leaf
    inner = expressions(depth - 1)
    width, signed = st.integers(1, 12), st.booleans()
    shifted = st.builds(Binary, st.just("<<"), inner, st.integers(0, 4).map(Const), width, signed)
    binary = st.builds(Binary, st.sampled_from(sorted(BINARY)), inner, inner, width, signed)
    return (
        leaf
        | shifted
        | binary
        | st.builds(Unary, st.sampled_from(["-", "~", "+", "not"]), inner, width, signed)
    )


@given(expression=expressions(), width=st.integers(1, 9), store=st.integers(0, 31))
@example(Binary(">>", Binary("+", Read((0, 1, 2, 3, 4)), Const(300), 12), Const(3), 12), 4, 5)
def test_narrow_expressions_have_the_same_low_digits(expression: Expression, width: int, store: int) -> None:
    narrow = narrowed(expression, width)
    assert narrow.evaluate(store) & mask(width) == expression.evaluate(store) & mask(width)
