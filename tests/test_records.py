"""Computed subspaces travel to other models, and a record that does not fit is no answer."""

from __future__ import annotations

import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.records import Record


def coin() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.mark("tossed")
    circuit.measure(0, 0)
    return circuit


def test_sp_of_one_model_is_a_proposition_of_another() -> None:
    other = QuantumCircuit(1)
    other.rx(1.0, 0)
    sp = Model(coin()).sp("leaf")
    assert sp.dimension == 2 and qismc.check(other, "AG same", props={"same": sp})
    assert not qismc.check(other, "AG same", props={"same": Model(coin()).sp("tossed")})


def test_so_is_wp_and_its_complement() -> None:
    """h before a measurement that must leave |0> or nothing: wp at the start is what h sends there."""
    model = Model(coin(), annotations={"tossed": "|0>"})
    wp = model.wp("init")
    assert wp.dimension == 1
    other = QuantumCircuit(1)
    other.h(0)
    assert qismc.check(other, "AG (leaf -> same)", props={"same": wp})
    assert not qismc.check(other, "AG (leaf -> ~same)", props={"same": wp})
    other.z(0)
    assert qismc.check(other, "AG (leaf -> ~same)", props={"same": wp}, certify=True)


@pytest.mark.parametrize("engine", ["exact", "float"])
def test_another_number_of_states_is_no_answer(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    sp = Model(coin(), engine=engine).sp("leaf")
    record = sp.states[0].origin  # type: ignore[union-attr]
    assert isinstance(record, Record)
    monkeypatch.setattr(record, "compute", lambda _: [])
    doubt = qismc.check(coin(), "AG (leaf -> same)", props={"same": sp}, engine="exact")
    assert doubt.verdict is Verdict.UNKNOWN and "recorded subspace" in str(doubt.reason)
