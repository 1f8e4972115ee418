"""Equations over the field against the fractions that they stand for."""

from __future__ import annotations

from fractions import Fraction
from math import acos, asin, pi, sqrt

import pytest
from hypothesis import assume, given, settings

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.numbers.rows import Matrix
from qismc.probability import exact_forms as equations
from qismc.probability.exact_forms import Field, TooLarge, components, least_solution
from qismc.probability.likelihood import Likelihood
from qismc.system.explorer import Node

from ..reference import Reference
from ..strategies import toys
from ..toy import Toy
from .dense import until


def field() -> Field:
    model = Model(QuantumCircuit(1, 1), init="~|1>")  # complements need conjugates
    model.solved()
    found = Field.of(model.engine)
    assert found is not None
    return found


def number(of: Field, value: Fraction | int) -> Matrix:
    return of.scaled(of.algebra.identity(1), Fraction(value))


def nodes(count: int) -> list[Node]:
    return [Node(0, 1, 0) for _ in range(count)]


def test_a_loop_sums_its_series() -> None:
    """x = 1 + y / 2 and y = x / 3: x is 6/5 and y is 2/5."""
    ring = field()
    x, y = nodes(2)
    given = {x: number(ring, 1), y: number(ring, 0)}
    weights = [(x, y, number(ring, Fraction(1, 2))), (y, x, number(ring, Fraction(1, 3)))]
    found = least_solution(ring, given, weights)
    assert (found[x] == number(ring, Fraction(6, 5))).all()
    assert (found[y] == number(ring, Fraction(2, 5))).all()


def test_what_nothing_enters_is_zero_and_what_never_leaves_has_no_solution() -> None:
    ring = field()
    (x,) = nodes(1)
    stays = [(x, x, number(ring, 1))]
    assert not least_solution(ring, {x: number(ring, 0)}, stays)[x].any()
    with pytest.raises(TooLarge):
        least_solution(ring, {x: number(ring, 1)}, stays)


def test_components_come_after_those_they_lead_to(monkeypatch: pytest.MonkeyPatch) -> None:
    first, left, right, last, elsewhere = nodes(5)
    ways = {first: [left], left: [right], right: [left, last, elsewhere], last: []}
    known = [first, left, right, last]
    parts = components(known, ways.__getitem__)
    assert parts[0] == [last] and parts[2] == [first] and set(parts[1]) == {left, right}
    monkeypatch.setattr(equations, "MOST_NODES", 3)
    with pytest.raises(TooLarge):
        components(known, ways.__getitem__)


def verdicts(circuit: QuantumCircuit, path: str, number: str, **options: object) -> list[Verdict]:
    specs = [f"P{relation}{number} [{path}]" for relation in (">=", ">", "<=", "<")]
    return [result.verdict for result in qismc.check(circuit, specs, **options)]


EQUAL = [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS, Verdict.VIOLATED]
BELOW = [Verdict.VIOLATED, Verdict.VIOLATED, Verdict.HOLDS, Verdict.HOLDS]


@settings(max_examples=40)
@given(toy=toys(most=2, size=4, clifford=True))
def test_stabiliser_programs_have_exact_probabilities(toy: Toy) -> None:
    leaf = (len(toy.body),)
    low, high = until(Reference(toy), lambda _: True, lambda p: p[0] == leaf and p[1] == 1)
    assume(high - low < 1e-9)
    truth = Fraction(low).limit_denominator(3000)
    path = "F (leaf & c == 1)"
    found = qismc.check(toy.circuit(), f"P=? [{path}]").results[0].probability
    assert found == Likelihood.exactly(float(truth))
    if 0 < truth < 1:
        assert verdicts(toy.circuit(), path, str(truth)) == EQUAL
        assert verdicts(toy.circuit(), path, str(truth + Fraction(1, 10**9))) == BELOW
        assert verdicts(toy.circuit(), f"G !({path[2:]})", str(1 - truth)) == EQUAL


def test_algebraic_angles_and_loops() -> None:
    """A coin with bias 1/3 is thrown until it shows heads; tails first: 2/3, then twice: 4/9."""
    circuit = QuantumCircuit(1, 2)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.reset(0)
        circuit.ry(2 * acos(sqrt(2 / 3)), 0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 0)):
            circuit.reset(0)
            circuit.ry(pi / 2, 0)
            circuit.measure(0, 1)
    # heads at once 1/3; else the bit is a fair coin of the last failing turn
    assert verdicts(circuit, "F (leaf & c[1])", "1/3") == EQUAL


def test_a_generic_angle_is_no_fraction() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(2 * asin(sqrt(0.3)) + 1e-14, 0)
    circuit.measure(0, 0)
    assert Verdict.UNKNOWN in verdicts(circuit, "F c == 1", "0.3", numbers="float")


def test_all_states_of_a_subspace_have_the_same_probability() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    assert verdicts(circuit, "F c == 1", "1/2", init="|0> on q[0]") == EQUAL
    # the two ends of an interval
    turned = QuantumCircuit(1, 1)
    turned.measure(0, 0)
    low = qismc.check(turned, ["P>=1/2 [F c == 1]", "P<=1/2 [F c == 1]"], init="full")
    assert not any(low.results)


@pytest.mark.parametrize("limit", ["MOST_NODES", "MOST_UNKNOWNS"])
def test_equations_that_are_too_many_leave_it_to_numbers(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Two fair coins in turn until one shows heads: the first one wins with probability 2/3."""
    circuit = QuantumCircuit(2, 2)
    with circuit.while_loop((circuit.cregs[0], 0)):
        circuit.reset([0, 1])
        circuit.h([0, 1])
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 0)):
            circuit.measure(1, 1)
    assert verdicts(circuit, "F (leaf & c[0])", "2/3") == EQUAL
    monkeypatch.setattr(equations, limit, 0)
    assert verdicts(circuit, "F (leaf & c[0])", "2/3") == [Verdict.UNKNOWN] * 4


def test_decimals_mean_what_they_say() -> None:
    coin = QuantumCircuit(5, 5)
    coin.h(range(5))
    coin.measure(range(5), range(5))
    assert verdicts(coin, "F (leaf & c == 31)", "0.03125") == EQUAL
