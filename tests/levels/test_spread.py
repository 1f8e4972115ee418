"""How many vectors the fixed point keeps: packing and dropping at work."""

from __future__ import annotations

import pytest

import qismc
from benchmarks.measured import loop_among_live_bits
from qismc import QuantumCircuit


@pytest.mark.parametrize("bits", [2, 30])
def test_live_bits_cost_no_further_vectors(bits: int) -> None:
    case = loop_among_live_bits(bits)
    result = qismc.check(case.circuit, dict(case.formulas), props=case.props, method="levels")
    assert result.statistics.max_dimension <= 4


def test_straight_programs_take_one_vector() -> None:
    circuit = QuantumCircuit(3, 2)
    for _ in range(10):
        circuit.h(range(3))
        circuit.cx(0, 1)
        circuit.measure(0, 0)
        circuit.reset(1)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.measure(1, 1)
            circuit.reset(2)
    result = qismc.check(circuit, "AG (leaf -> full)", method="levels")
    assert result.statistics.max_dimension == 1 and result.statistics.level_bits >= 30


def test_measured_and_reset_qubits_pack_in_loops() -> None:
    """The bit remembers what the reset throws away, so one vector carries both."""
    circuit = QuantumCircuit(2, 2)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(range(2))
        circuit.measure(range(2), range(2))
        circuit.reset(range(2))
    result = qismc.check(circuit, "EF (leaf & c == 3)", method="levels")
    assert result and result.statistics.max_dimension <= 2
