"""Propositions on two of so many qubits that floating point uses trains, against two qubits alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict

from ..reference import below, embed, kraus_of, projector, span
from ..strategies import Vectors, lines, vectors
from ..toy import Block

WIDTH = 14


@settings(max_examples=30)
@given(line=lines(2), space=vectors(2, least=1), places=st.permutations(range(WIDTH)))
def test_lines_on_two_of_many_qubits(engine: str, line: Block, space: Vectors, places: list[int]) -> None:
    first, second = places[:2]
    circuit = QuantumCircuit(WIDTH)
    state = np.eye(4, 1, dtype=complex)
    for gate in line:
        circuit.append(gate.operation, [places[q] for q in gate.qubits])
        state = kraus_of(gate, 2)[0] @ state
    where = f"on q[{first}], q[{second}]"
    specs = {
        "inside": f"AG (leaf -> ({space.text} {where}))",
        "outside": f"AG (leaf -> (~{space.text} {where}))",
    }
    result = qismc.check(circuit, specs, numbers=engine)
    inside, overlap = below(state, space.space), np.linalg.norm(projector(space.space) @ state)
    assert result["inside"].verdict is (Verdict.HOLDS if inside else Verdict.VIOLATED)
    assert result["outside"].verdict is (Verdict.HOLDS if overlap < 1e-7 else Verdict.VIOLATED)


@pytest.mark.parametrize(("qubit", "letters", "holds"), [(0, "01", True), (0, "0", False), (9, "0", True)])
def test_one_qubit_of_an_entangled_pair(engine: str, qubit: int, letters: str, holds: bool) -> None:
    circuit = QuantumCircuit(WIDTH)
    circuit.ry(np.pi / 5, 0)
    circuit.cx(0, 13)
    kets = ", ".join(f"|{letter}>" for letter in letters)
    result = qismc.check(circuit, f"AG (leaf -> (span({kets}) on q[{qubit}]))", numbers=engine)
    assert result.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)
    onto = embed(projector(span(np.eye(2)[:, [int(c) for c in letters]])), (0,), 1)
    reduced = np.diag([np.cos(np.pi / 10) ** 2, np.sin(np.pi / 10) ** 2]) if qubit == 0 else np.diag([1, 0])
    assert holds == bool(np.isclose(np.trace(onto @ reduced), 1))


@pytest.mark.parametrize(("other", "holds"), [("~(|0> on q[0])", True), ("zero", False)])
def test_the_join_with_an_empty_meet(engine: str, other: str, holds: bool) -> None:
    circuit = QuantumCircuit(WIDTH)
    circuit.x(0)
    empty = "((|0> on q[0]) /\\ (|1> on q[0]))"
    result = qismc.check(circuit, f"AG (leaf -> ({empty} \\/ {other}))", numbers=engine)
    assert result.verdict is (Verdict.HOLDS if holds else Verdict.VIOLATED)


def test_the_meet_with_all_of_some_qubits(engine: str) -> None:
    """Its parts have complements without vectors."""
    all_of_it = "span(|0>, |1>) on q[0]"
    spec = f"AG (leaf -> ((({all_of_it}) /\\ ({all_of_it})) \\/ (stab(Z) on q[0])))"
    assert qismc.check(QuantumCircuit(WIDTH), spec, numbers=engine)
