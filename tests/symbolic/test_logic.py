"""Functions of levels against Python's own Boolean operators."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from qismc.symbolic.logic import Bool, Literal, Logic, evaluate, levels_of

LEVELS = range(4)
Tree = tuple


def trees() -> st.SearchStrategy[Tree]:
    leaves = st.one_of(
        st.tuples(st.just("const"), st.booleans()),
        st.tuples(st.just("lit"), st.sampled_from(LEVELS), st.sampled_from([0, 1])),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.just("not"), inner),
            st.tuples(st.sampled_from(["and", "or", "xor"]), inner, inner),
            st.tuples(st.just("if"), inner, inner, inner),
        ),
        max_leaves=12,
    )


def build(logic: Logic, tree: Tree) -> Bool:
    kind, *rest = tree
    if kind == "const":
        return rest[0]
    if kind == "lit":
        return logic.literal(*rest)
    parts = [build(logic, part) for part in rest]
    makers = {"not": logic.negation, "and": logic.conjunction, "or": logic.disjunction}
    return {**makers, "xor": logic.parity, "if": logic.choice}[kind](*parts)


def expected(tree: Tree, values: tuple[int, ...]) -> bool:
    kind, *rest = tree
    if kind == "const":
        return rest[0]
    if kind == "lit":
        return values[rest[0]] == rest[1]
    parts = [expected(part, values) for part in rest]
    if kind == "if":
        return parts[1] if parts[0] else parts[2]
    table = {"not": lambda a: not a, "and": lambda a, b: a and b, "or": lambda a, b: a or b}
    return {**table, "xor": lambda a, b: a != b}[kind](*parts)


@given(tree=trees())
def test_every_value(tree: Tree) -> None:
    function = build(Logic(), tree)
    looked_at = set(levels_of(function))
    for values in product([0, 1], repeat=len(LEVELS)):
        given_values = {k: v for k, v in enumerate(values) if k in looked_at}
        assert evaluate(function, given_values) == expected(tree, values)


def test_simplifications() -> None:
    logic = Logic()
    a, b = logic.literal(0), logic.literal(1)
    assert logic.conjunction(a, logic.negation(a)) is False
    assert logic.parity(a, b, a) is b
    assert logic.negation(a) is logic.literal(0, 0)
    assert logic.choice(a, b, b) is b
    assert logic.conjunction(a, b) is logic.conjunction(b, a, a)
    assert logic.disjunction(a, logic.negation(a)) is True
    assert isinstance(logic.parity(a, True), Literal)


def test_deep_functions_are_evaluated() -> None:
    """A bit that thousands of statements change."""
    logic = Logic()
    function: Bool = logic.literal(0)
    for k in range(1, 3000):
        function = logic.conjunction(logic.parity(function, logic.literal(k)), logic.literal(k + 3000))
    values = dict.fromkeys(range(3001, 6000), 1)
    assert not evaluate(function, values) and evaluate(function, {**values, 0: 1})
