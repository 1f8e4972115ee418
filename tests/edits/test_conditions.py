"""Other conditions differ where they should, on every store."""

from __future__ import annotations

from itertools import combinations

from qismc.edits.conditions import exchange, negated, other_conditions, renamed_bits
from qismc.program.classical import Binary, Const, Expression, Read, Unary
from qismc.program.load import read_text
from qismc.program.rendering import expression_text
from qismc.program.statements import Branch

PROGRAM = read_text(
    "OPENQASM 3.0;\nqubit q;\nbit[3] c;\nbit d;\nif (c == 5) { reset q; }\nif (d) { reset q; }\n", "p.qasm"
)
STORES = range(16)
CONDITIONS: list[Expression] = [
    Binary("==", Read((0, 1, 2)), Const(5)),
    Binary("!=", Read((1, 2)), Const(2)),
    Read((3,)),
    Binary("and", Read((0,)), Unary("not", Read((2,)))),
    Binary("<", Read((0, 2)), Const(2)),
]


def swapped(store: int, a: int, b: int) -> int:
    x, y = store >> a & 1, store >> b & 1
    return store & ~(1 << a) & ~(1 << b) | x << b | y << a


def test_exchanged_bits_are_the_condition_on_the_exchanged_store() -> None:
    for condition in CONDITIONS:
        for a, b in combinations(range(4), 2):
            other = renamed_bits(condition, exchange(a, b))
            for store in STORES:
                assert bool(other.evaluate(store)) == bool(condition.evaluate(swapped(store, a, b)))


def test_a_compared_register_keeps_its_name() -> None:
    assert renamed_bits(CONDITIONS[0], exchange(0, 1)) == Binary("==", Read((0, 1, 2)), Const(6))


def test_negations() -> None:
    for condition in CONDITIONS:
        for store in STORES:
            assert bool(negated(condition).evaluate(store)) != bool(condition.evaluate(store))
            assert bool(negated(negated(condition)).evaluate(store)) == bool(condition.evaluate(store))


def test_every_other_condition_is_another_one() -> None:
    for statement in PROGRAM.code:
        if isinstance(statement, Branch):
            truth = [bool(statement.condition.evaluate(store)) for store in STORES]
            others = list(other_conditions(PROGRAM, statement))
            assert others
            for other in others:
                assert isinstance(other, Branch)
                assert (other.then, other.otherwise) == (statement.then, statement.otherwise)
                assert [bool(other.condition.evaluate(store)) for store in STORES] != truth


def test_all_values_of_a_small_register_are_tried() -> None:
    first = next(statement for statement in PROGRAM.code if isinstance(statement, Branch))
    others = [other.condition for other in other_conditions(PROGRAM, first) if isinstance(other, Branch)]
    values = {
        c.right.value for c in others if isinstance(c, Binary) and isinstance(c.right, Const) and c.op == "=="
    }
    assert values == set(range(8)) - {5}, "all but its own"


def test_only_what_can_be_written_is_read_instead() -> None:
    """Digits of numbers and of inputs are no bits, and parts of registers are no registers."""
    text = """OPENQASM 3.0; input uint[2] e; qubit q; bit[2] c; bit[2] d; bit b; uint[2] n = 1;
    c[0] = measure q;
    if (c[0]) { x q; } if (c == 2) { x q; } if (b && n < 3) { x q; }"""
    program = read_text(text, "p.qasm")
    found = [
        [expression_text(program, other.condition) for other in other_conditions(program, statement)]
        for statement in program.code
        if isinstance(statement, Branch)
    ]
    texts = {text for listed in found for text in listed}
    assert {"c[1]", "d[0]", "b", "d == 2", "c == 1", "c[0] && (n < 3)"} <= texts
    assert not [text for text in texts if "{" in text or "n[" in text or "e[" in text]
    assert "e == 2" in texts and "n == 2" in texts
