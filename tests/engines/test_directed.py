"""Directions against the 2 x 2 minors of plain vectors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc import Model, QuantumCircuit
from qismc.engines.directed import directions
from qismc.engines.engine import Engine, Vector

QUBITS = 2
ENTRIES = st.tuples(*[st.integers(-2, 2)] * 2**QUBITS).filter(any)


def made(engine: Engine, entries: tuple[int, ...]) -> Vector:
    """The vector, by its entries."""
    basis = [
        engine.product([_letter(engine, index >> q & 1) for q in range(QUBITS)])
        for index in range(len(entries))
    ]
    return engine.combine([engine.ring.rational(Fraction(entry)) for entry in entries], basis)


def _letter(engine: Engine, bit: int) -> tuple[Any, Any]:
    zero, one = (engine.ring.rational(Fraction(k)) for k in (0, 1))
    return (zero, one) if bit else (one, zero)


def parallel(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    size = range(len(left))
    return all(left[i] * right[j] == left[j] * right[i] for i in size for j in size)


@pytest.mark.parametrize("name", ["exact", "float"])
@given(st.lists(ENTRIES, min_size=1, max_size=8))
def test_numbers_are_those_of_directions(name: str, rows: list[tuple[int, ...]]) -> None:
    engine = Model(QuantumCircuit(QUBITS), numbers=name).solved().engine
    met, found = directions(engine), list[tuple[int, ...]]()
    for row in rows:
        expected = next((k for k, known in enumerate(found) if parallel(known, row)), None)
        assert met.number(made(engine, row), new=False) == expected
        if expected is None:
            found.append(row)
            assert met.number(made(engine, row), new=True) == len(found) - 1


def test_a_prime_that_hides_a_difference_is_in_the_bound() -> None:
    """Whether two vectors are of one direction is a decision, which the error bound knows of."""
    engine: Any = Model(QuantumCircuit(QUBITS), numbers="exact").solved().engine
    met = directions(engine)
    assert met.number(made(engine, (1, 2, 0, 0)), new=True) == 0
    before = engine.ledger.bits
    assert met.number(made(engine, (2, 4, 0, 0)), new=True) == 0
    assert engine.ledger.bits > before
