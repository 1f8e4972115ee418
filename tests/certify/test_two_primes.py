"""Very fine roots of unity: everything is computed modulo two primes at once, which must agree."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.certify.assurance import WEAK_BOUND, error_bound
from qismc.numbers.forms import GateMatrices
from qismc.numbers.ledger import Ledger
from qismc.numbers.needs import Needs
from qismc.program.gates import Base

from .test_assurance import sure


def fine_turns(qubits: int, *, fault: bool = False) -> QuantumCircuit:
    """Rotations by 2^-k turns and back, so fine that one prime would say little."""
    circuit = QuantumCircuit(qubits)
    circuit.h(range(qubits))
    for sign in (1, -1):
        for k in range(qubits - 1):
            circuit.cp(sign * math.pi / 2 ** (38 - k), k, k + 1)
    if fault:
        circuit.p(math.pi / 2**38, 0)
    circuit.h(range(qubits))
    return circuit


def test_fine_roots_of_unity_draw_two_primes_at_once() -> None:
    right, wrong = (qismc.check(fine_turns(4, fault=f), "AG (leaf -> |0000>)") for f in (False, True))
    assert right and wrong.verdict is Verdict.VIOLATED
    for result in (right, wrong):
        found = sure(result)
        assert len(set(found.primes)) == 2 and found.error_bound is not None
        assert found.error_bound <= WEAK_BOUND
        assert all(prime % 2**39 == 1 for prime in found.primes)
    one = Model(fine_turns(4), seed=3)
    again = one.check("AG (leaf -> |0000>)", recheck=1)
    assert again and len(set(sure(again).primes)) == 3
    assert sure(one.check("AG (leaf -> |0000>)", certify=True)).note is not None


def test_two_primes_square_the_bound() -> None:
    needs = Needs(order=1 << 40)
    ledger = Ledger()
    ledger.decided_on(True, 100.0, 0.0)
    ledger.decided_on(True, 20.0, 0.0)
    alone, both = error_bound(needs, ledger), error_bound(needs, ledger, 2)
    assert alone is not None and both is not None
    assert alone**2 < both < 1.001 * alone**2  # the second is drawn from all primes but one


def test_primes_that_disagree_leave_the_verdict_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The phase of the fault is made 1 modulo one of the primes."""
    honest = GateMatrices.of_all

    def planted(self: GateMatrices, bases: Sequence[Base]) -> list[npt.NDArray[np.uint64]]:
        made = [found.copy() for found in honest(self, bases)]
        for base, found in zip(bases, made, strict=True):
            if found.ndim == 2 and base.angles[0] == math.pi / 2**38:
                found[3, 0] = 1
        return made

    monkeypatch.setattr(GateMatrices, "of_all", planted)
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.p(math.pi / 2**38, 0)
    result = qismc.check(circuit, "AG (leaf -> |+>)")
    assert result.verdict is Verdict.UNKNOWN and result.reason is not None
    assert "two primes disagree" in result.reason
