"""Equations over the field against the fractions that they stand for."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from qismc import Model, QuantumCircuit
from qismc.numbers.rows import Matrix
from qismc.probability import exact_equations as equations
from qismc.probability.exact_equations import Field, TooLarge, components, least_solution


def field() -> Field:
    model = Model(QuantumCircuit(1, 1), init="~|1>")  # complements need conjugates
    model.solved()
    found = Field.of(model.engine)
    assert found is not None
    return found


def number(of: Field, value: Fraction | int) -> Matrix:
    return of.scaled(of.algebra.identity(1), Fraction(value))


def nodes(count: int) -> list[Any]:
    return [SimpleNamespace() for _ in range(count)]


def test_a_loop_sums_its_series() -> None:
    """x = 1 + y / 2 and y = x / 3: x is 6/5 and y is 2/5."""
    ring = field()
    x, y = nodes(2)
    given = [(x, number(ring, 1)), (y, number(ring, 0))]
    weights = [(x, y, number(ring, Fraction(1, 2))), (y, x, number(ring, Fraction(1, 3)))]
    found = least_solution(ring, given, weights)
    assert (found[id(x)] == number(ring, Fraction(6, 5))).all()
    assert (found[id(y)] == number(ring, Fraction(2, 5))).all()


def test_what_nothing_enters_is_zero_and_what_never_leaves_has_no_solution() -> None:
    ring = field()
    (x,) = nodes(1)
    stays = [(x, x, number(ring, 1))]
    assert not least_solution(ring, [(x, number(ring, 0))], stays)[id(x)].any()
    with pytest.raises(TooLarge):
        least_solution(ring, [(x, number(ring, 1))], stays)


def test_components_come_after_those_they_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    first, left, right, last, elsewhere = nodes(5)
    ways = {id(first): [left], id(left): [right], id(right): [left, last, elsewhere], id(last): []}
    known = [first, left, right, last]
    parts = components(known, lambda node: ways[id(node)])
    assert parts[0] == [last] and parts[2] == [first] and {id(n) for n in parts[1]} == {id(left), id(right)}
    monkeypatch.setattr(equations, "MOST_NODES", 3)
    with pytest.raises(TooLarge):
        components(known, lambda node: ways[id(node)])
