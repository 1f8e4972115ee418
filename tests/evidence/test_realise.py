"""Paths of the graph become executions, and lassos are those that can be repeated for ever."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.engines.dense import DenseEngine
from qismc.evidence.realise import ALIKE, DIFFERING, turns
from qismc.limits import Budget, Limits
from qismc.program.gates import Base
from qismc.program.operators import Factor, Operator
from qismc.system.edges import Application


def once() -> QuantumCircuit:
    """The loop flips its own bit: it is left after one turn, always."""
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.measure(0, 0)
        circuit.x(0)
    return circuit


def toss(angle: float | None = None) -> QuantumCircuit:
    """A loop that may go on for ever; with an angle, each turn starts from another state."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        if angle is not None:
            circuit.ry(angle, 1)
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def test_a_loop_that_cannot_go_on_ends(engine: str) -> None:
    assert qismc.check(once(), "AF leaf", numbers=engine).verdict is Verdict.HOLDS
    assert qismc.check(once(), "EG !leaf", numbers=engine).verdict is Verdict.VIOLATED
    theirs = qismc.check(once(), "AF leaf", numbers=engine, paths="all")
    assert theirs.verdict is Verdict.VIOLATED
    assert theirs.counterexample is not None
    assert not theirs.counterexample.replayed
    assert "no execution" in theirs.counterexample.note


@pytest.mark.parametrize(("angle", "note"), [(None, ALIKE), (0.7, DIFFERING), (np.pi / 3, DIFFERING)])
def test_loops_that_go_on(engine: str, angle: float | None, note: str) -> None:
    result = qismc.check(toss(angle), "AF leaf", numbers=engine)
    found = result.counterexample
    assert result.verdict is Verdict.VIOLATED
    assert found is not None and found.replayed and found.note == note
    assert found.probability == pytest.approx(0.5)


def test_claims_on_a_lasso_hold_at_every_turn(engine: str) -> None:
    """EG EF leaf: from every state of the loop the end can be reached."""
    result = qismc.check(toss(), "EG (!leaf & EF leaf)", numbers=engine)["spec"]
    assert result.verdict is Verdict.HOLDS
    assert result.witness is not None and result.witness.replayed
    assert all(child.replayed for _, child in result.witness.children)


def test_parts_of_a_conjunction_have_executions_of_their_own(engine: str) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    result = qismc.check(circuit, "EF (leaf & c == 0) & EF (leaf & c == 1)", numbers=engine)["spec"]
    assert result.witness is not None and result.witness.replayed
    (_, other) = result.witness.children[0]
    assert other.replayed
    assert {result.witness.steps[-1].store["c"], other.steps[-1].store["c"]} == {0, 1}


matrices = st.lists(st.sampled_from([0, 0, 0, 1, -1, 1j]), min_size=16, max_size=16)


@given(matrices, st.integers(0, 3))
def test_turns_against_powers(entries: list[complex], start: int) -> None:
    """Never zero up to the dimension means never zero."""
    engine = DenseEngine(2, Budget(Limits()))
    matrix = np.array(entries, dtype=complex).reshape(4, 4)
    base = Base("turn", (), tuple(tuple(row) for row in matrix.tolist()))
    operator = Operator("turn", 2, (Factor(base, (1, 0)),), unitary=False)
    vector = np.eye(4, dtype=complex)[start]
    powers = [np.linalg.matrix_power(matrix, k) @ vector for k in range(1, 12)]
    found = turns(engine, engine.compile([Application(operator, (0, 1))]), vector)
    assert bool(found) == all(np.linalg.norm(power) > 1e-9 for power in powers)
    if found:
        parallel = abs(np.vdot(vector, powers[0])) > (1 - 1e-12) * np.linalg.norm(powers[0])
        assert found == (ALIKE if parallel else DIFFERING)


def test_evidence_inside_evidence_of_a_long_execution_is_simulated() -> None:
    """Claims at many positions: each state is found from the one before it, so that there is time for all."""
    qc = QuantumCircuit(2)
    for _ in range(250):
        qc.h(0)
        qc.x(1)
    execution = qismc.check(qc, "AF AG (|1> on q[1])")["spec"].counterexample
    assert execution is not None and execution.replayed and execution.children
    for position, child in execution.children:
        assert child.replayed
        assert child.steps[0].point == execution.steps[position].point
        assert child.steps[-1].state in ("|00>", "0.7071|00> + 0.7071|10>")
