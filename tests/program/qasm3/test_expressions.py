from __future__ import annotations

from typing import Any

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.classical import Read
from qismc.program.qasm3.expressions import Evaluator
from qismc.program.qasm3.scope import BlockScope, Storage
from qismc.program.qasm3.values import ClassicalType, Stored, TypedInt

from .helpers import tree

SCOPE = BlockScope(None, {"n": 3, "c": Storage((5, 6, 7, 8), ClassicalType("bit", 4)), "q": (2, 4, 6, 8)})


def node(text: str) -> Any:
    return tree(f"{text};")[0].expression  # type: ignore[attr-defined]


def value(text: str) -> Any:
    return Evaluator().value(node(text), SCOPE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n * 2 + 1", 7),
        ("-n ** 2", -9),
        ("(n > 2) && !false", True),
        ('"0110"', 6),
        ("float(n) / 2", 1.5),
        ("7 % n", 1),
    ],
)
def test_known_values(text: str, expected: float) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("c", (5, 6, 7, 8)),
        ("c[1]", (6,)),
        ("c[-1]", (8,)),
        ("c[n]", (8,)),
        ("c[0:2]", (5, 6, 7)),
        ("c[0:2:3]", (5, 7)),
        ("c[3:-1:2]", (8, 7)),
        ("c[{3, 0}]", (8, 5)),
        ("c[1:]", (6, 7, 8)),
        ("c[:1]", (5, 6)),
    ],
)
def test_parts_of_registers(text: str, bits: tuple[int, ...]) -> None:
    found = value(text)
    assert isinstance(found, Stored) and found.expression == Read(bits)


@pytest.mark.parametrize(
    ("text", "numbers"), [("q", (2, 4, 6, 8)), ("q[1]", (4,)), ("q[1:2] ++ q[{0}]", (4, 6, 2))]
)
def test_qubits(text: str, numbers: tuple[int, ...]) -> None:
    alias = tree(f"let a = {text};")[0].value  # type: ignore[attr-defined]
    assert Evaluator().qubits(alias, SCOPE) == numbers


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c[4]", "p.qasm:1:1: index 4 is out of range: the size is 4"),
        ("c[0:0:2]", "the step of a range is 0"),
        ("c[0.5]", "the index is 0.5, not an integer"),
        ("m", "unknown name 'm'"),
        ("q", "'q' is not a classical value"),
        ("5[0:1]", "a slice of this value is not supported"),
        ("1im", "the expression '1im' is not supported"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as error:
        value(text)
    assert message in str(error.value)


def test_bit_strings_know_their_width() -> None:
    found = value('"00_11"')
    assert isinstance(found, TypedInt) and (found, found.kind) == (3, ClassicalType("bit", 4))


def test_sources_count_columns_from_one() -> None:
    assert node("   n").source == Source("p.qasm", 1, 4)


def test_long_ranges_are_refused_with_their_count() -> None:
    (loop,) = tree("for int i in [0:1000000000] { }")
    with pytest.raises(ProgramError, match="1,000,000,001 elements, more than 5,000,000"):
        Evaluator().integers(loop.values, SCOPE, loop.source)  # type: ignore[attr-defined]
