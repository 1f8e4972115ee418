"""The catalogue as a whole, W states and random circuits."""

import numpy as np
import pytest
from qiskit.quantum_info import Operator, Statevector

from benchmarks import circuits
from benchmarks.circuits import random_clifford_t, w_state

from .oracle import verdict


def test_the_catalogue_exports_what_it_names() -> None:
    assert all(callable(getattr(circuits, name)) for name in circuits.__all__)


@pytest.mark.parametrize("n", [2, 4, 8])
def test_w_state_has_n_equal_terms(n: int) -> None:
    case = w_state(n)
    expected = np.zeros(2**n)
    expected[[1 << k for k in range(n)]] = n**-0.5
    assert np.allclose(Statevector(case.circuit).data, expected)
    assert verdict(case) == case.expected == "holds"


def test_w_state_refuses_uneven_splits() -> None:
    with pytest.raises(ValueError, match="n is 6; it must be a power of two"):
        w_state(6)


@pytest.mark.parametrize(("n", "gates"), [(1, 10), (4, 60), (6, 100)])
def test_random_circuits_undo_themselves(n: int, gates: int) -> None:
    case = random_clifford_t(n, gates, seed=3)
    assert case.circuit.size() == 2 * gates
    assert Operator(case.circuit).equiv(np.eye(2**n))
    assert verdict(case) == case.expected == "holds"


def test_random_circuits_are_scrambled_in_the_middle_and_depend_on_the_seed() -> None:
    case = random_clifford_t(6, 100, seed=3)
    half = case.circuit.copy_empty_like()
    for instruction in case.circuit.data[:100]:
        half.append(instruction)
    assert np.count_nonzero(abs(Statevector(half).data) > 1e-9) > 16
    assert random_clifford_t(6, 100, seed=3).circuit == case.circuit
    assert random_clifford_t(6, 100, seed=4).circuit != case.circuit
