"""What a question does not depend on may be left out: against whole programs and density matrices."""

from __future__ import annotations

import gc
import weakref
from math import pi

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.quantum_info import Operator, Pauli

from qismc import Limits, Model, QuantumCircuit
from qismc.distributions import survey

from ..probability.dense import STILL, arrivals
from ..reference import Reference, embed
from ..strategies import toys
from ..toy import Toy


def observable_matrix(paulis: str) -> np.ndarray:
    count = len(paulis)
    pieces = [embed(Operator(Pauli(letter)).data, (q,), count) for q, letter in enumerate(paulis)]
    return np.linalg.multi_dot(pieces) if count > 1 else pieces[0]


def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left out."""
    monkeypatch.setattr(survey, "_part", lambda model, *_: model)


# --- up to a mark -------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(toy=toys(most=3, size=5), paulis=st.text("IXYZ", min_size=3, max_size=3))
def test_nothing_behind_a_mark_matters(toy: Toy, paulis: str) -> None:
    found, rest, _ = arrivals(Reference(toy), lambda place: place[0] == (len(toy.body),))
    weights = {place[1]: float(np.trace(rho).real) for place, rho in found.items()}
    assume(rest < STILL)
    circuit = toy.circuit()
    circuit.mark("here")
    circuit.h(range(toy.num_qubits))
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    model, string = Model(circuit), paulis[: toy.num_qubits]
    values = model.outcomes("c", at="here")
    assert values.keys() == {value for value, weight in weights.items() if weight > 1e-12}
    assert list(values.values()) == pytest.approx([weights[value] for value in values], abs=1e-9)  # type: ignore[index]
    expected = sum(np.trace(observable_matrix(string) @ rho).real for rho in found.values())
    assert model.expectation(string, at="here") == pytest.approx(expected, abs=1e-7)


def revisited() -> QuantumCircuit:
    """A mark in a loop, and the same one behind it; some executions come to neither."""
    circuit = QuantumCircuit(2, 2)
    circuit.ry(0.8, [0, 1])
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.mark("here")
            circuit.ry(pi / 5, 1)
    circuit.measure(1, 1)
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.mark("here")
        circuit.h(1)
    circuit.measure(1, 1)
    return circuit


def test_first_visits_in_loops_and_behind_them(monkeypatch: pytest.MonkeyPatch) -> None:
    short = Model(revisited())
    cut = short.outcomes(at="here"), short.expectation("0.5 ZX + IY - XX", at="here")
    whole(monkeypatch)
    long = Model(revisited())
    full = long.outcomes(at="here"), long.expectation("0.5 ZX + IY - XX", at="here")
    assert dict(cut[0]) == pytest.approx(dict(full[0])) and len(cut[0]) == 2
    assert cut[0].unfinished == pytest.approx(full[0].unfinished) and 0 < cut[0].unfinished < 1
    assert cut[1] == pytest.approx(full[1])
    assert [loop.turns for loop in cut[0].loops] == pytest.approx([loop.turns for loop in full[0].loops])


def test_many_measurements_behind_a_mark() -> None:
    """They would make 2^14 locations, or one of so many dimensions."""
    circuit = QuantumCircuit(14, 14)
    circuit.ry(0.3, range(14))
    circuit.mark("done")
    circuit.measure(range(14), range(14))
    model = Model(circuit, limits=Limits(locations=200))
    assert model.expectation("ZZ on q[0], q[13]", at="done") == pytest.approx(np.cos(0.3) ** 2)
    assert dict(model.outcomes(at="done")) == {0: pytest.approx(1)}


def test_parts_are_solved_once() -> None:
    model = Model(revisited())
    part = survey.up_to(model, "here")
    assert part is not model and survey.up_to(model, "here") is part
    assert survey.up_to(model, "leaf") is model and survey.up_to(model, 3) is model


def test_parts_are_forgotten_with_their_model() -> None:
    model = Model(revisited())
    survey.up_to(model, "here")
    known = weakref.ref(model)
    del model
    gc.collect()
    assert known() is None


def test_annotations_and_all_paths_need_the_whole_program() -> None:
    for options in ({"annotations": {"here": "full"}}, {"paths": "all"}):
        model = Model(revisited(), **options)
        assert survey.up_to(model, "here") is model


# --- measurements that nobody reads -------------------------------------------------------------------------


def measured(toy: Toy, targets: list[int]) -> QuantumCircuit:
    """The program with further measurements at its end: one is read; the last bit is written twice."""
    circuit = toy.circuit()
    circuit.add_register(one := ClassicalRegister(1, "one"), others := ClassicalRegister(2, "others"))
    for qubit, bit in zip(targets, (one[0], others[0], others[1], others[1]), strict=False):
        circuit.measure(qubit % toy.num_qubits, bit)
    return circuit


def digits(toy: Toy, qubit: int) -> np.ndarray:
    """The digit of a qubit in every basis state; qubit 0 stands first."""
    return np.arange(2**toy.num_qubits) >> (toy.num_qubits - 1 - qubit % toy.num_qubits) & 1


@settings(max_examples=60)
@given(
    toy=toys(most=3, size=5),
    targets=st.lists(st.integers(0, 2), min_size=1, max_size=4),
    paulis=st.text("IXYZ", min_size=3, max_size=3),
)
def test_measurements_at_the_end_that_nobody_reads(toy: Toy, targets: list[int], paulis: str) -> None:
    """Values of some bits, and expectation values given one of them, against dephased density matrices."""
    found, rest, _ = arrivals(Reference(toy), lambda place: place[0] == (len(toy.body),))
    assume(rest < STILL)
    total = sum(found.values())
    for qubit in targets:
        same = digits(toy, qubit)[:, None] == digits(toy, qubit)[None, :]
        total = total * same
    model, string = Model(measured(toy, targets)), paulis[: toy.num_qubits]
    for value in (0, 1):
        chosen = np.diag(digits(toy, targets[0]) == value)
        weight = float(np.trace(chosen @ total).real)
        assert model.outcomes("one").get(value, 0.0) == pytest.approx(weight, abs=1e-9)
        if weight > 1e-3:
            expected = np.trace(observable_matrix(string) @ chosen @ total @ chosen).real / weight
            estimate = model.expectation(string, given=f"one == {value}")
            assert estimate == pytest.approx(expected, abs=1e-7)
    expected = np.trace(observable_matrix(string) @ total).real
    assert model.expectation(string) == pytest.approx(expected, abs=1e-7)


def test_few_bits_of_many_that_are_measured() -> None:
    circuit = QuantumCircuit(
        QuantumRegister(24, "q"), ClassicalRegister(22, "many"), ClassicalRegister(2, "few")
    )
    circuit.ry(0.7, 0)
    for k in range(23):
        circuit.cx(k, k + 1)
    circuit.h(0)
    circuit.measure(range(24), range(24))
    model = Model(circuit, limits=Limits(locations=500), numbers="exact")
    assert dict(model.outcomes("few")) == pytest.approx({0: np.cos(0.35) ** 2, 3: np.sin(0.35) ** 2})
    assert model.expectation("ZZ on q[1], q[23]") == pytest.approx(1)
    assert model.expectation("X on q[0]") == 0 and model.expectation("X on q[0]").error == 0
