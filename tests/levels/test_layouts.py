"""Loops in which everything moves: nested ones, several ways in, bits that trade places."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.levels.layouts import _swap
from qismc.levels.writer import Frame, Levels, Writer
from qismc.symbolic.logic import Logic


def test_swaps_bring_every_content_home() -> None:
    writer = Writer(Levels([None] * 5), Logic(), Frame([]))
    moves = [(3, 0), (0, 1), (4, 2), (1, 4)]
    place = _swap(writer, moves)
    at = list(range(5))
    for factor in writer.factors:
        a, b = factor.targets
        at[a], at[b] = at[b], at[a]
    assert all(at[home] == content for content, home in moves)
    assert all(at[spot] == content for content, spot in place.items())


def nested() -> QuantumCircuit:
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(1)
        circuit.measure(1, 1)
        with circuit.while_loop((circuit.clbits[1], 1)):
            circuit.swap(1, 2)
            circuit.reset(1)
            circuit.h(1)
            circuit.measure(1, 1)
            circuit.measure(2, 2)
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def breaking() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 3)
    circuit.h(1)
    circuit.measure(1, 2)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
        circuit.reset(0)
        circuit.h(0)
        circuit.measure(0, 1)
        with circuit.if_test((circuit.clbits[1], 1)):
            circuit.x(1)
            circuit.break_loop()
        circuit.measure(1, 1)
    circuit.cx(0, 1)
    return circuit


@pytest.mark.parametrize("make", [nested, breaking])
def test_every_store_is_reached_as_with_the_explicit_store(make: object) -> None:
    circuit = make()  # type: ignore[operator]
    formulas = {f"e{k}": f"EF (leaf & c == {k})" for k in range(8)}
    for letters in ("0", "1"):
        for qubit in range(circuit.num_qubits):
            for k in range(8):
                name = f"s{letters}{qubit}{k}"
                formulas[name] = f"AG (leaf & c == {k} -> |{letters}> on q[{qubit}])"
    explicit, levels = (qismc.check(circuit, formulas, method=store) for store in ("graph", "levels"))
    assert levels.statistics.store == "levels"
    assert [r.verdict for r in levels] == [r.verdict for r in explicit]
