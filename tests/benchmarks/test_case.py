"""Names, kets and bit patterns of the benchmark cases."""

import pytest
from qiskit import QuantumCircuit

from benchmarks.case import at_least, bits, case, fits, ket, power_of_two


def test_a_broken_case_is_violated_and_says_so() -> None:
    good = case("x", QuantumCircuit(1), {"target": "span(|0>)"})
    bad = case("x", QuantumCircuit(1), {"target": "span(|0>)"}, broken="gate")
    assert (good.name, good.expected) == ("x", "holds")
    assert (bad.name, bad.expected) == ("x-broken-gate", "violated")
    assert good.formulas == bad.formulas == {"target": "AG (leaf -> target)"}


@pytest.mark.parametrize(
    ("letters", "text"),
    [("01", "|01>"), ("0" * 8, "|00000000>"), ("0" * 9, "|0^9>"), ("1" + "+" * 12 + "0", "|1+^12 0>")],
)
def test_long_runs_are_written_in_short(letters: str, text: str) -> None:
    assert ket(letters) == text


def test_bits_begin_with_the_least_significant() -> None:
    assert bits(0b0011, 4) == "1100"


@pytest.mark.parametrize("size", [-4, 0, 1, 3, 12])
def test_sizes_that_cannot_be_halved_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"b is {size}; it must be a power of two"):
        power_of_two("b", size)


def test_sizes_and_values_out_of_range_are_refused() -> None:
    at_least(2, n=2)
    fits(7, 3)
    with pytest.raises(ValueError, match="n is 1; it must be at least 2"):
        at_least(2, m=5, n=1)
    with pytest.raises(ValueError, match="-1 does not fit into 3 bits"):
        fits(-1, 3)
