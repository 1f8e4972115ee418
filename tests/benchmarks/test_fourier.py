"""Fourier transforms and phase estimation against the discrete Fourier transform of NumPy."""

import numpy as np
import pytest
from qiskit.quantum_info import Statevector

from benchmarks.fourier import distributed_phase_estimation, distributed_qft, phase_estimation, qft

from .oracle import Simulator, verdict


@pytest.mark.parametrize(("n", "value"), [(1, 1), (3, 0), (3, 5), (4, 11)])
def test_qft_is_the_discrete_fourier_transform(n: int, value: int) -> None:
    """Without swaps the transform maps reversed bits: qubit 0 is the most significant one on both sides."""
    case = qft(n, value)
    reversed_value = int(format(value, f"0{n}b")[::-1], 2)
    transform = np.exp(2j * np.pi * np.arange(2**n) * reversed_value / 2**n) / 2 ** (n / 2)
    assert np.allclose(Statevector(case.circuit).data, transform)
    assert verdict(case) == case.expected == "holds"


def test_the_claim_about_the_qft_tells_values_apart() -> None:
    right, wrong = qft(3, 5), qft(3, 4)
    mixed = type(right)("mixed", right.circuit, right.formulas, wrong.props, "violated")
    assert verdict(mixed) == "violated"


@pytest.mark.parametrize(("n", "numerator"), [(1, 1), (3, 0), (3, 6), (5, 19)])
def test_phase_estimation_finds_the_numerator(n: int, numerator: int) -> None:
    case = phase_estimation(n, numerator)
    assert Statevector(case.circuit).probabilities()[numerator | 1 << n] == pytest.approx(1)
    assert verdict(case) == case.expected == "holds"


@pytest.mark.parametrize(("n", "numerator"), [(1, 0), (1, 1), (3, 5), (4, 6)])
def test_distributed_phase_estimation_is_certain(n: int, numerator: int) -> None:
    case = distributed_phase_estimation(n, numerator)
    (leaf,) = Simulator(case.circuit).leaves()
    assert sum(bit << k for k, bit in enumerate(leaf.store)) == numerator
    assert verdict(case) == case.expected == "holds"


@pytest.mark.parametrize(("n", "numerator"), [(2, 1), (3, 5), (4, 15)])
def test_a_missing_correction_makes_the_outcome_random(n: int, numerator: int) -> None:
    case = distributed_phase_estimation(n, numerator, "feedback")
    assert len(Simulator(case.circuit).leaves()) == 2
    assert verdict(case) == case.expected == "violated"


@pytest.mark.parametrize(("n", "value"), [(1, 0), (2, 3), (4, 9)])
def test_distributed_qft_has_all_outcomes_with_equal_probability(n: int, value: int) -> None:
    case = distributed_qft(n, value)
    leaves = Simulator(case.circuit).leaves()
    assert [leaf.probability for leaf in leaves] == pytest.approx([2**-n] * 2**n)
    assert verdict(case) == case.expected == "holds"


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="9 does not fit into 3 bits"):
        qft(3, 9)
    with pytest.raises(ValueError, match="n is 0"):
        phase_estimation(0, 0)
    with pytest.raises(ValueError, match="choose an odd one"):
        distributed_phase_estimation(4, 6, "feedback")
