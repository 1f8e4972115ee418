"""Sums of atoms, against the functions that they stand for."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from qismc.limits import Budget, Limits
from qismc.stabiliser.functions import ONE, Functions, SymbolKind
from qismc.symbolic.logic import Bool, evaluate


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
