from __future__ import annotations

import math

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.classical import Read
from qismc.program.qasm3.arithmetic import binary, call_function, cast, unary
from qismc.program.qasm3.values import (
    BOOL,
    INT,
    ClassicalType,
    Stored,
    TypedInt,
    Value,
    as_expression,
    bit_string,
    bit_width,
    known_angle,
    known_integer,
)

HERE = Source("f", 1, 1)
INT4, UINT4, UINT8 = ClassicalType("int", 4, True), ClassicalType("uint", 4), ClassicalType("uint", 8)
BIT, BITS = ClassicalType("bit", 1), ClassicalType("bit", 2)


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        ("+", 1, 2, 3),
        ("/", 7, 2, 3),
        ("/", -7, 2, -3),
        ("/", 7, 2.0, 3.5),
        ("%", 7, 3, 1),
        ("**", 2, 10, 1024),
        ("<<", 1, 4, 16),
        ("&&", 1, 0, False),
        ("||", 0, 3, True),
        ("==", 2, 2.0, True),
        ("^", 5, 1, 4),
        ("/", 10**20, 3, 33333333333333333333),
    ],
)
def test_known_numbers(op: str, left: int, right: float, expected: float) -> None:
    assert binary(op, left, right, HERE) == expected


@pytest.mark.parametrize(
    ("op", "left", "right", "message"),
    [
        ("/", 1, 0, "division by zero"),
        ("**", 2, 10**9, "no finite value"),
        ("<<", 1, -1, "no finite value"),
        ("&", 1, 0.5, "cannot be applied"),
        ("**", -1, 0.5, "is not real"),
        ("**", 10.0, 400, "no finite value"),
        ("+", 10**400, 0.5, "no finite value"),
    ],
)
def test_errors_of_known_numbers(op: str, left: float, right: float, message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        binary(op, left, right, HERE)


def stored(kind: ClassicalType, first: int = 0) -> Stored:
    return Stored(Read(tuple(range(first, first + kind.width)), kind.signed), kind)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (stored(UINT4), stored(UINT8), UINT8),
        (stored(INT4), stored(UINT4), UINT4),
        (stored(INT4), 3, INT4),
        (2, stored(UINT4), UINT4),
        (stored(BOOL), 1, INT),
        (stored(BIT), stored(BIT, 1), INT),
        (stored(BITS), stored(BITS, 2), ClassicalType("uint", 2)),
        (stored(BITS), 3, ClassicalType("uint", 2)),
        (stored(BITS), 4, INT),
        (stored(UINT4), -1, INT),
        (stored(UINT4), 2**40, ClassicalType("int", 42, True)),
        (stored(UINT4), TypedInt(3, INT), INT),
        (stored(INT4), bit_string(3, 4), UINT4),
    ],
)
def test_types_of_sums(left: Value, right: Value, kind: ClassicalType) -> None:
    result = binary("+", left, right, HERE)
    assert isinstance(result, Stored) and result.kind == kind


def test_comparisons_are_boolean_and_in_the_type_of_the_sum() -> None:
    result = binary("<", stored(INT4), stored(UINT8, 4), HERE)
    assert isinstance(result, Stored) and result.kind == BOOL
    assert result.expression.evaluate(0b0000_0001_1111) == 0  # -1 is 255 there
    wide = binary("<", stored(ClassicalType("int", 8, True)), stored(UINT4, 8), HERE)
    assert isinstance(wide, Stored) and wide.expression.evaluate(0b0001_1111_1111) == 1  # -1 < 1
    assert binary("==", TypedInt(-1, INT4), TypedInt(15, UINT4), HERE) is True
    assert binary("==", TypedInt(-1, INT4), 15, HERE) is False


def test_unary() -> None:
    assert unary("-", 3, HERE) == -3 and unary("!", 0, HERE) is True and unary("~", 5, HERE) == -6
    flag = unary("~", stored(BOOL), HERE)
    assert isinstance(flag, Stored) and flag.expression.evaluate(1) == 0
    with pytest.raises(ProgramError, match=r"'~' cannot be applied to 0\.5"):
        unary("~", 0.5, HERE)


def test_casts() -> None:
    assert cast(300, UINT8, HERE) == 44 and cast(9, INT4, HERE) == -7 and cast(5, BOOL, HERE) is True
    assert cast(2, ClassicalType("float", 64), HERE) == 2.0
    narrow = cast(stored(UINT8), INT4, HERE)
    assert isinstance(narrow, Stored) and narrow.expression.evaluate(0b11111000) == -8


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (unary("~", bit_string(5, 4), HERE), 0b1010),
        (binary("<<", bit_string(9, 4), 1, HERE), 0b0010),
        (binary(">>", bit_string(9, 4), 1, HERE), 0b0100),
        (binary("^", bit_string(9, 4), bit_string(3, 4), HERE), 0b1010),
        (binary("|", 1, bit_string(8, 4), HERE), 0b1001),
        (cast(27, ClassicalType("bit", 4), HERE), 0b1011),
    ],
)
def test_operations_on_bits_keep_their_width(found: Value, expected: int) -> None:
    assert isinstance(found, TypedInt) and (found, found.kind) == (expected, ClassicalType("bit", 4))


def test_a_number_and_bits_make_a_number() -> None:
    bits = stored(ClassicalType("bit", 4))
    for left, right in ((bits, stored(UINT4)), (stored(UINT4), bits), (stored(INT4), bits)):
        result = binary("&", left, right, HERE)
        assert isinstance(result, Stored) and result.kind == UINT4
    assert bit_width(binary("+", bit_string(1, 4), 1, HERE)) is None


def test_functions() -> None:
    assert call_function("sin", [math.pi / 2], HERE) == 1
    assert call_function("pow", [2, 3], HERE) == 8
    for name, arguments, message in (
        ("sqrt", [-1], "no value"),
        ("sin", [1, 2], "does not take 2"),
        ("f", [], "not supp"),
    ):
        with pytest.raises(ProgramError, match=message):
            call_function(name, arguments, HERE)


def test_numbers_that_must_be_known() -> None:
    with pytest.raises(UnsupportedError, match="the index depends on a value of the running program"):
        known_integer(stored(UINT4), "the index", HERE)
    with pytest.raises(ProgramError, match=r"the index is 0\.5, not an integer"):
        known_integer(0.5, "the index", HERE)
    with pytest.raises(ProgramError, match="the angle is inf, not a finite angle"):
        known_angle(math.inf, "the angle", HERE)
    with pytest.raises(UnsupportedError, match=r"the number 0.5 in a classical computation"):
        as_expression(0.5, HERE)


def test_integers_beyond_floating_point() -> None:
    with pytest.raises(ProgramError, match="the angle is inf, not a finite angle"):
        known_angle(7**500, "the angle", HERE)
    for kind in (ClassicalType("float", 64), ClassicalType("angle", 0)):
        with pytest.raises(ProgramError, match="of -inf, not a finite number"):
            cast(-(7**500), kind, HERE)
    with pytest.raises(ProgramError, match="no finite value"):
        call_function("pow", [10, 10**9], HERE)
    with pytest.raises(ProgramError, match="is not real"):
        call_function("pow", [-1, 0.5], HERE)
    assert call_function("pow", [2, 10], HERE) == 1024
    for op, left, right in (("*", 10**200_000, 10**200_000), ("**", 10**300, 4000), ("<<", 1, 10**9)):
        with pytest.raises(ProgramError, match="no finite value"):
            binary(op, left, right, HERE)
    with pytest.raises(ProgramError, match="division by zero in '<int> / 0'"):
        binary("/", 10**5000, 0, HERE)
