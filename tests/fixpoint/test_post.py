"""What strongest post-conditions keep decides nothing about them."""

from __future__ import annotations

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.fixpoint import post


def test_compiled_stretches_are_forgotten(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """However few are kept, the fixed point of a loop that needs more of them is the same."""
    circuit = QuantumCircuit(2, 1)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 0)):
        for k in range(6):
            circuit.h(k % 2)
            circuit.t(0)
            circuit.cx(0, 1)
            circuit.reset(k % 2)
        circuit.h(0)
        circuit.measure(0, 0)
    whole = Model(circuit, numbers=engine).sp("leaf")
    monkeypatch.setattr(post, "KEPT_STRETCHES", 2)
    model = Model(circuit, numbers=engine)
    again = model.sp("leaf")
    assert again.dimension == whole.dimension
    assert qismc.check(circuit, "AG (leaf -> whole)", props={"whole": whole}, numbers=engine)
    assert len(model.solved(0).posts._blocks._stretches) <= 2
