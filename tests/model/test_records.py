"""Computed subspaces travel to other models, and a record that does not fit is no answer."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import pi
from typing import Any

import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.deciders.graph import further_seeds
from qismc.engines.engine import Engine, Vector
from qismc.model.records import Record
from qismc.propositions.subspace import Subspace


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
    sp = Model(coin(), numbers=engine).sp("leaf")
    record = sp.states[0].origin  # type: ignore[union-attr]
    assert isinstance(record, Record)
    monkeypatch.setattr(record, "compute", lambda _: [])
    doubt = qismc.check(coin(), "AG (leaf -> same)", props={"same": sp}, numbers="exact")
    assert doubt.verdict is Verdict.UNKNOWN and "recorded subspace" in str(doubt.reason)


# --- recorded states that are used as they are ------------------------------------------------------


def turned(angle: float = 0.3, *, broken: bool = False) -> QuantumCircuit:
    """Two qubits, one of them turned by a decimal, reset and turned again."""
    circuit = QuantumCircuit(2)
    circuit.ry(angle, 0)
    circuit.cx(0, 1)
    circuit.reset(0)
    circuit.rx(angle, 0)
    if broken:
        circuit.z(0)
    return circuit


def recorded(circuit: QuantumCircuit, seed: int | None, engine: str = "exact") -> tuple[Subspace, list[str]]:
    """sp at the end, and a list that grows whenever its states are computed once more."""
    sp = Model(circuit, seed=seed, numbers=engine).sp("leaf")
    record, again = sp.states[0].origin, list[str]()  # type: ignore[union-attr]
    assert isinstance(record, Record)
    compute = record.compute

    def counting(engine: Engine) -> Sequence[Vector]:
        again.append(engine.name)
        return compute(engine)

    record.compute = counting
    return sp, again


@pytest.mark.parametrize("broken", [False, True])
def test_the_same_seed_uses_them(broken: bool) -> None:
    sp, again = recorded(turned(), 5)
    found = qismc.check(
        turned(broken=broken), "AG (leaf -> same)", props={"same": sp}, seed=5, numbers="exact"
    )
    assert bool(found) is not broken and "exact" not in again
    fresh, _ = recorded(turned(), 6)
    other = qismc.check(
        turned(broken=broken), "AG (leaf -> same)", props={"same": fresh}, seed=5, numbers="exact"
    )
    assert other.verdict is found.verdict
    bounds = [result.soundness.error_bound for result in (found, other)]
    assert bounds[0] >= bounds[1] > 0, "the account of the other engine counts, too"


@pytest.mark.parametrize(
    ("seed", "angle", "options"),
    [(6, 0.3, {}), (None, 0.3, {}), (5, 0.7, {}), (5, pi / 4, {"certify": True})],
    ids=["other seed", "a hash", "other angles", "proof"],
)
def test_else_they_are_computed_again(seed: int | None, angle: float, options: dict[str, Any]) -> None:
    clean = turned(pi / 4 if options else 0.3)
    sp, again = recorded(clean, 5)
    given = {"props": {"same": sp}, "seed": seed, "numbers": "exact", **options}
    found = qismc.check(turned(angle), "AG (leaf -> same)", **given)
    assert bool(found) is (angle != 0.7) and "exact" in again


def test_threads_may_share_a_record() -> None:
    sp, _ = recorded(turned(), 5)

    def one(_: int) -> bool:
        return bool(qismc.check(turned(), "AG (leaf -> same)", props={"same": sp}, seed=5, numbers="exact"))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(one, range(16)))


def test_runs_of_a_proof_are_alike() -> None:
    """One of them has the seed of the record by chance."""
    again = next(iter(further_seeds(5)))
    sp, _ = recorded(turned(pi / 4), again)
    found = qismc.check(
        turned(pi / 4), "AG (leaf -> same)", props={"same": sp}, seed=5, numbers="exact", certify=True
    )
    assert found and found.soundness is not None and found.soundness.certified
