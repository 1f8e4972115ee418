"""Operators on levels by statements, against the definition on small dense vectors."""

from __future__ import annotations

import numpy as np
import pytest

from qismc.levels.script import Choices, Digits
from qismc.levels.writer import Frame, Levels, Writer, merged
from qismc.program.operators import dense, single
from qismc.program.statements import Apply, Measure, Reset
from qismc.symbolic.logic import Bool, Logic, evaluate

H, X, Z = (Apply(single(name, 1), (0,)) for name in "hxz")


def writer(qubits: int) -> Writer:
    return Writer(Levels([None] * qubits), Logic(), Frame(list(range(qubits))))


def chosen(what: Choices) -> Digits:
    """The outcome of a measurement."""
    assert what.outcome is not None
    return what.outcome


def state(written: Writer) -> np.ndarray:
    """What the factors make of all zero; level 0 is the lowest bit of the index."""
    count = written.levels.count
    start = np.zeros(2**count, dtype=complex)
    start[0] = 1
    return dense(written.factors, count) @ start


def blocks(written: Writer, functions: list[Bool]) -> dict[tuple[bool, ...], float]:
    """The weight of every combination of values."""
    found: dict[tuple[bool, ...], float] = {}
    for index, amplitude in enumerate(state(written)):
        values = {level: index >> level & 1 for level in range(written.levels.count)}
        key = tuple(evaluate(function, values) for function in functions)
        found[key] = found.get(key, 0.0) + abs(amplitude) ** 2
    return {key: weight for key, weight in found.items() if weight > 1e-12}


def test_a_measurement_renames_and_takes_no_level() -> None:
    w = writer(1)
    w.write(H, True)
    (outcome,) = chosen(w.write(Measure(0, 5), True))
    assert w.levels.count == 1 and w.frame.bit(5) is outcome and 0 in w.frame.records
    w.write(Z, True)
    assert w.levels.count == 1
    w.write(X, True)
    assert w.levels.count == 2 and w.frame.qubits == [1] and not w.frame.records
    assert blocks(w, [outcome]) == {(False,): pytest.approx(0.5), (True,): pytest.approx(0.5)}


def test_measuring_twice_is_one_record() -> None:
    w = writer(1)
    w.write(H, True)
    w.write(Measure(0, 0), True)
    w.write(Measure(0, 1), True)
    assert w.frame.bit(0) is w.frame.bit(1)


def test_a_measurement_under_a_condition_keeps_the_old_bit_elsewhere() -> None:
    w = writer(2)
    w.write(H, True)
    (first,) = chosen(w.write(Measure(0, 0), True))
    w.write(Apply(single("h", 1), (1,)), True)
    w.write(Measure(1, 0), first)
    weights = blocks(w, [first, w.frame.bit(0)])
    assert weights == {
        (False, False): pytest.approx(0.5),
        (True, False): pytest.approx(0.25),
        (True, True): pytest.approx(0.25),
    }


@pytest.mark.parametrize("measured", [False, True])
def test_a_reset_under_a_condition(measured: bool) -> None:
    w = writer(2)
    w.write(H, True)
    (first,) = chosen(w.write(Measure(0, 0), True))
    w.write(Apply(single("h", 1), (1,)), True)
    if measured:
        w.write(Measure(1, 1), True)
    w.write(Reset(1), first)
    qubit = w.logic.literal(w.frame.qubits[1])
    weights = blocks(w, [first, qubit])
    assert (True, True) not in weights and weights[False, True] == pytest.approx(0.25)


def test_an_unconditional_reset_leaves_the_old_level_behind() -> None:
    w = writer(1)
    w.write(H, True)
    w.write(Reset(0), True)
    w.write(Reset(0), True)
    assert w.frame.qubits == [1] and w.frame.clean == {0} and len(w.factors) == 1
    assert chosen(w.write(Measure(0, 0), True)) == (False,)


def test_flags_are_put_back() -> None:
    w = writer(3)
    for qubit in range(2):
        w.write(Apply(single("h", 1), (qubit,)), True)
        w.write(Measure(qubit, qubit), True)
    odd = w.logic.parity(w.frame.bit(0), w.frame.bit(1))
    w.write(Apply(single("x", 1), (2,)), odd)
    assert len(w.levels.flags) == 1
    (flag,) = w.levels.flags.values()
    w.clear_flags()
    assert set(blocks(w, [odd, w.logic.literal(2), w.logic.literal(flag)])) == {
        (False, False, False),
        (True, True, False),
    }


def test_contradicting_controls() -> None:
    assert merged(((1, 0),), ((2, 1), (1, 0))) == ((1, 0), (2, 1))
    assert merged(((1, 0),), ((1, 1),)) is None and merged(None) is None


@pytest.mark.parametrize("measured", [False, True])
def test_what_a_reset_finds_is_a_function_of_levels(measured: bool) -> None:
    """Under a condition that is a fair coin, of a qubit in H|0>: 0 and 1 are equally likely where it acts."""
    w = writer(2)
    w.write(H, True)
    (coin,) = chosen(w.write(Measure(0, 0), True))
    w.write(Apply(single("h", 1), (1,)), True)
    if measured:
        w.write(Measure(1, 1), True)
    ((found,),) = w.write(Reset(1), coin).kraus
    weights = blocks(w, [coin, found])
    assert weights[True, False] == pytest.approx(0.25) and weights[True, True] == pytest.approx(0.25)
