"""Chains and swap tests with decimals as angles, against state vectors of Qiskit."""

import pytest
from qiskit.quantum_info import Statevector, partial_trace

import qismc
from benchmarks.case import Case
from benchmarks.rotations import ising_chain, layered_swap_test, swap_test

from .oracle import verdict

SMALL = [ising_chain(5), ising_chain(4, broken="field"), swap_test(2), swap_test(2, broken="angle")]
SMALL += [layered_swap_test(2), layered_swap_test(2, broken="angle")]


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.name)
def test_verdicts_by_brute_force(case: Case) -> None:
    assert verdict(case) == case.expected


@pytest.mark.parametrize("broken", [None, "field"])
def test_the_chain_comes_back_unless_something_is_forgotten(broken: str | None) -> None:
    circuit = ising_chain(6, broken=broken).circuit  # type: ignore[arg-type]
    returned = abs(Statevector(circuit).data[0]) ** 2
    assert (returned == pytest.approx(1)) == (broken is None)


def test_the_state_of_a_layered_test_is_entangled() -> None:
    circuit = layered_swap_test(3).circuit
    prepared = circuit.copy_empty_like()
    for step in circuit.data:
        if step.operation.name in ("h", "cswap"):
            break
        prepared.append(step)
    state = Statevector(prepared)
    copy, first = (partial_trace(state, [q for q in range(7) if q not in kept]) for kept in ((1, 2, 3), (1,)))
    assert copy.purity() == pytest.approx(1) and abs(first.purity()) < 0.999


@pytest.mark.parametrize("make", [ising_chain, swap_test, layered_swap_test])
def test_hundreds_of_qubits(make) -> None:  # type: ignore[no-untyped-def]
    for case in (make(60), make(60, broken="field" if make is ising_chain else "angle")):
        result = qismc.check(case.circuit, case.formulas, props=case.props)
        assert result.verdict.value == case.expected
