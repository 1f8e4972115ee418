"""Sums of atoms against the functions that they stand for; solutions and shares against all values."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given

from qismc._core import Diagrams, TooManyNodes
from qismc.errors import LimitReached
from qismc.limits import Budget, Limits
from qismc.program.classical import Binary, Const, Read
from qismc.stabiliser import functions as functions_module
from qismc.stabiliser.functions import ONE, Functions, Solutions, SymbolKind
from qismc.symbolic import NotSymbolic
from qismc.symbolic.arithmetic import BitArithmetic
from qismc.symbolic.logic import Bool, Logic, evaluate

from ..symbolic.test_logic import Tree, build, trees


@pytest.mark.parametrize("seed", range(3))
def test_a_sum_is_the_parity_of_its_true_atoms(seed: int) -> None:
    random, functions = Random(seed), Functions(Budget(Limits()))
    masks = [ONE, *(functions.symbol(SymbolKind.COIN) for _ in range(4))]
    for _ in range(8):
        left, right = (functions.function(random.choice(masks) ^ random.choice(masks)) for _ in range(2))
        masks.append(functions.mask(functions.logic.conjunction(left, right)))
    sums = [random.choice(masks) ^ random.choice(masks) ^ random.choice(masks) for _ in range(20)]
    seen = set()
    for digits in product((0, 1), repeat=4):
        values, known = dict(enumerate(digits)), dict[Bool, bool]()
        true = functions.true_atoms(values, known)
        for total in sums:
            expected = evaluate(functions.function(total), values)
            assert (total & true).bit_count() % 2 == expected
            seen.add(expected)
        zeros_missing = {level: value for level, value in values.items() if value}
        assert functions.true_atoms(zeros_missing, {}) == true
    assert seen == {True, False}


@given(trees())
def test_some_and_share(tree: Tree) -> None:
    function = build(Logic(), tree)
    solver = Solutions(Budget(Limits()))
    values = [dict(enumerate(bits)) for bits in product((0, 1), repeat=4)]
    good = sum(evaluate(function, v) for v in values)
    found = solver.some(function)
    assert (found is not None) == (good > 0)
    assert found is None or evaluate(function, found)
    assert solver.share(function) == Fraction(good, len(values))


def test_long_sums_are_equations() -> None:
    logic = Logic()
    sums = [logic.parity(*(logic.literal(j) for j in range(k, k + 200))) for k in range(50)]
    solver = Solutions(Budget(Limits()))
    function = logic.conjunction(*sums)
    assert solver.share(function) == Fraction(1, 2**50) and solver.num_nodes == 0
    found = solver.some(function)
    assert found is not None and evaluate(function, found)
    assert solver.some(logic.conjunction(sums[0], logic.parity(*sums[:2]), sums[1])) is None


def test_too_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions_module, "Diagrams", lambda _: Diagrams(20))
    logic = Logic()
    pairs = [logic.conjunction(logic.literal(k), logic.literal(k + 10)) for k in range(10)]
    with pytest.raises(NotSymbolic, match="diagrams of more than"):
        Solutions(Budget(Limits())).some(logic.disjunction(*pairs))


def test_equal_functions_are_one_node() -> None:
    diagrams = Diagrams(100)
    a, b = diagrams.variable(0), diagrams.variable(1)
    either = diagrams.parity(diagrams.parity(a, b), diagrams.conjunction(a, b))
    nor = diagrams.conjunction(diagrams.parity(a, 1), diagrams.parity(b, 1))
    assert diagrams.parity(nor, 1) == either
    assert diagrams.asked(either) == 0 and diagrams.high(either) == 1 and diagrams.low(either) == b
    with pytest.raises(IndexError):
        diagrams.low(1)
    with pytest.raises(TooManyNodes):
        for k in range(200):
            diagrams.variable(k)


@given(trees())
def test_any_order_and_size(tree: Tree) -> None:
    """Every setting in turn: what is told of a function does not depend on it."""
    function = build(Logic(), tree)
    expected = Solutions(Budget(Limits())).share(function)
    for setting, (order, most) in enumerate(functions_module.SETTINGS):
        variables = (
            functions_module.by_appearance(function) if order is functions_module.BY_APPEARANCE else {}
        )
        solver = Solutions(Budget(Limits()), _setting=setting, _diagrams=Diagrams(most), _variables=variables)
        found = solver.some(function)
        assert solver.share(function) == expected and (found is not None) == (expected > 0)
        assert found is None or evaluate(function, found)


def test_digits_of_two_numbers_come_side_by_side() -> None:
    """In the order of the levels, all digits of one number before the other's, this takes 2^20 nodes."""
    logic = Logic()
    arithmetic = BitArithmetic(logic, logic.literal)
    one, other = Read(tuple(range(20))), Read(tuple(range(20, 40)))
    function = arithmetic.condition(Binary("==", Binary("+", one, other), Const(2**20 - 1)))
    solver = Solutions(Budget(Limits()))
    assert solver.share(function) == Fraction(2**20, 2**40) and solver.num_nodes < 5000
    found = solver.some(function)
    assert found is not None and evaluate(function, {**dict.fromkeys(range(40), 0), **found})


def test_diagrams_keep_to_limits() -> None:
    """Products of two numbers are large in every order."""
    logic = Logic()
    one, other = (Read(tuple(range(k, k + 26))) for k in (0, 26))
    function = BitArithmetic(logic, logic.literal).condition(
        Binary("==", Binary("*", one, other), Const(1000003))
    )
    with pytest.raises(LimitReached, match="decision diagrams"):
        Solutions(Budget(Limits(seconds=0.5))).some(function)
