"""QisMC in a test suite: `pytest examples/test_bell.py`."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit


def bell_pair() -> QuantumCircuit:
    """The code under test."""
    qc = QuantumCircuit(2)
    qc.h(0)
    qc.cx(0, 1)
    return qc


def test_the_pair_is_made() -> None:
    qismc.assert_holds(bell_pair(), "AG (leaf -> |00> + |11>)")


@pytest.mark.parametrize(("start", "end"), [("|10>", "|00> - |11>"), ("|01>", "|01> + |10>")])
def test_other_starts_make_other_pairs(start: str, end: str) -> None:
    qismc.assert_holds(bell_pair(), f"AG (leaf -> {end})", init=start)


def test_the_pair_is_entangled() -> None:
    """No product state of these two kets: the assertion must fail, with an execution in its message."""
    with pytest.raises(qismc.PropertyViolated, match=r"cx q\[0\], q\[1\]"):
        qismc.assert_holds(bell_pair(), "AG (leaf -> |00>)")
