"""Every engine finds the same basis of a complement, vector by vector."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc import QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.engines.echelon import complement_of_rows, reduced_from_last, unit
from qismc.engines.native import NativeEngine
from qismc.errors import NumericDoubt
from qismc.limits import Budget, Limits, Tolerance
from qismc.numbers.forms import ComplexForm
from qismc.program import read_program
from qismc.propositions.expansion import basis
from qismc.propositions.resolving import Scope, resolve
from qismc.propositions.spanning_vectors import spanning

from ..all_engines import make_engine
from ..reference import Matrix, complement, same
from ..strategies import Proposition, propositions

WIDTH = 3
SCOPE = Scope(read_program(QuantumCircuit(WIDTH)))
EXACT = make_engine("exact", WIDTH)
DENSE = DenseEngine(WIDTH, Budget(Limits()))
TRAIN = NativeEngine(ComplexForm(), (2, 0, 1), Budget(Limits()))
DENOMINATORS = 5000


def in_the_field(column: Matrix) -> object:
    """The exact vector with these (Gaussian rational) amplitudes."""
    ring = EXACT.ring

    def number(x: float) -> object:
        nearest = Fraction(x).limit_denominator(DENOMINATORS)
        assert abs(float(nearest) - x) < 1e-9
        return ring.rational(nearest)

    numbers = [number(z.real) + number(z.imag) * ring.turn(Fraction(1, 4)) for z in column]
    return EXACT.combine(numbers, basis(EXACT))


@given(propositions(WIDTH))
def test_start_states_are_the_same_on_every_engine(meaning: Proposition) -> None:
    proposition = resolve(meaning.text, SCOPE)
    exact = spanning(EXACT, proposition, "a start")
    dense = spanning(DENSE, proposition, "a start")
    trains = spanning(TRAIN, proposition, "a start")
    assert len(exact) == len(dense) == len(trains)
    for vector, column, train in zip(exact, dense, trains, strict=True):
        line = EXACT.span()
        line.add(vector)
        scaled = column / column[np.flatnonzero(np.abs(column) > 1e-6)[-1]]  # its last entry is the leading 1
        assert line.contains(in_the_field(scaled))
        other = TRAIN.span()
        other.add(train)
        assert other.contains(TRAIN.amplitudes(column))


rows = st.lists(
    st.lists(st.sampled_from([0, 0, 1, -1, 1j, 2]), min_size=6, max_size=6), min_size=0, max_size=5
)


@given(rows)
def test_complements_are_orthogonal_and_reduced(entries: list[list[complex]]) -> None:
    given_rows = np.array(entries, dtype=complex).reshape(-1, 6)
    found = complement_of_rows(np.array([unit(row) for row in given_rows]).reshape(-1, 6), Tolerance())
    assert found.dtype == complex
    assert same(np.linalg.qr(found.T)[0], complement(given_rows.T)) if len(found) else True
    leads = [int(np.flatnonzero(np.abs(row) > 1e-9)[-1]) for row in found]
    assert leads == sorted(set(leads))
    assert np.allclose(found[:, leads], np.eye(len(found)))


def test_a_doubtful_lead_is_doubt() -> None:
    row = unit([1, 1e-8])
    with pytest.raises(NumericDoubt, match="lead"):
        reduced_from_last(row.reshape(1, -1), Tolerance())


@pytest.mark.parametrize("scale", [1e-300, 1e-170, 1, 1e200])
def test_unit_vectors_of_any_size(scale: float) -> None:
    assert np.allclose(unit(scale * np.array([3, 4j])), [0.6, 0.8j])


def test_zero_stays_zero() -> None:
    assert not unit(np.zeros(4)).any()
