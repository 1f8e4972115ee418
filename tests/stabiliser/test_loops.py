"""Unions of affine spaces, against all values of the symbols."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

import qismc
from qismc import QuantumCircuit
from qismc.limits import Budget, Limits
from qismc.stabiliser import loops
from qismc.stabiliser.functions import AffineSpace, Functions
from qismc.stabiliser.loops import Pieces
from qismc.symbolic import NotSymbolic
from qismc.symbolic.logic import Bool, Logic, evaluate

SYMBOLS = 6


def random_function(logic: Logic, random: Random, depth: int) -> Bool:
    if depth == 0 or random.random() < 0.2:
        return logic.literal(random.randrange(SYMBOLS), random.randrange(2))
    parts = [random_function(logic, random, depth - 1) for _ in range(random.choice([2, 3]))]
    return random.choice([logic.conjunction, logic.parity, logic.disjunction])(*parts)


def members(space: AffineSpace) -> set[int]:
    found = {space.origin}
    for direction in space.directions:
        found |= {value ^ direction for value in found}
    return found


@pytest.mark.parametrize("seed", range(40))
def test_all_values_and_no_others(seed: int) -> None:
    random, symbols = Random(seed), Functions(Budget(Limits()))
    logic = symbols.logic
    guard = random_function(logic, random, 2)
    functions = [random_function(logic, random, random.choice([1, 1, 2, 3])) for _ in range(4)]
    expected = set()
    for digits in product((0, 1), repeat=SYMBOLS):
        values = dict(enumerate(digits))
        if evaluate(guard, values):
            expected.add(sum(evaluate(function, values) << k for k, function in enumerate(functions)))
    found = Pieces(symbols).values(guard, functions)
    assert set().union(*map(members, found)) == expected


def test_sums_are_one_space() -> None:
    symbols = Functions(Budget(Limits()))
    logic = symbols.logic
    x, y, z = (logic.literal(k) for k in range(3))
    pieces = Pieces(symbols)
    (space,) = pieces.values(logic.parity(x, y), [x, y, logic.parity(z, True)])
    assert members(space) == {0b001, 0b010, 0b101, 0b110}
    assert pieces.values(False, [x]) == ()
    disguised = logic.parity(logic.conjunction(x, y), logic.conjunction(x, logic.negation(y)))
    assert len(pieces.values(True, [disguised])) == 1


def test_too_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qismc.stabiliser.loops.MOST_PIECES", 4)
    symbols = Functions(Budget(Limits()))
    logic = symbols.logic
    some = logic.disjunction(*(logic.literal(k) for k in range(SYMBOLS)))
    with pytest.raises(NotSymbolic, match="more than 4 affine spaces"):
        Pieces(symbols).values(some, [])


def cycle(several: bool) -> QuantumCircuit:
    """Coins decide whether two qubits go on: 01, 11, 10, 01, …"""
    circuit = QuantumCircuit(QuantumRegister(2, "q"), QuantumRegister(1, "coin"), ClassicalRegister(2, "c"))
    circuit.x(1)

    def toss() -> None:
        for k in range(2):
            circuit.reset(2)
            circuit.h(2)
            circuit.measure(2, k)

    toss()
    register = circuit.cregs[0]
    with circuit.while_loop(expr.not_equal(register, 0) if several else expr.lift(register[0])):
        circuit.cx(1, 0)
        circuit.swap(0, 1)
        toss()
    return circuit


@pytest.mark.parametrize("several", [False, True])
def test_all_turns_that_differ_are_followed(several: bool) -> None:
    specs = {state: f"AG (leaf -> ~(|{state}> on q))" for state in ("00", "01", "10", "11")}
    result = qismc.check(cycle(several), specs, method="stabiliser")
    assert result.engine == "stabiliser"
    assert [bool(one) for one in result] == [True, False, False, False]


def test_signs_that_are_not_looked_at_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.setattr(loops, "covered", lambda *_: True)
    result = qismc.check(cycle(True), "AG (leaf -> ~(|10> on q))", method="stabiliser")
    assert result and result.engine == "stabiliser"


def test_spaces_inside_of_others() -> None:
    point, line, plane = AffineSpace(1, ()), AffineSpace(1, (2,)), AffineSpace(0, (1, 2))
    assert loops.covered([point, line], [plane]) and loops.covered([], [])
    assert not loops.covered([plane], [point, line]) and not loops.covered([AffineSpace(4, ())], [plane])
