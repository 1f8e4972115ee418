"""The nearest passing execution shares most of its steps with the violating one."""

from __future__ import annotations

import pytest

from qismc import Model, QuantumCircuit
from qismc.ctl.evaluation import Evaluation
from qismc.ctl.graph import Graph
from qismc.evidence.hints.passing import Passing, nearest
from qismc.evidence.safety import Violation, violation
from qismc.fixpoint.float_replay import Shadow
from qismc.fixpoint.solving import Starts
from qismc.labels.labels import Labels
from qismc.language.parser import parse_formula


def compared(circuit: QuantumCircuit, spec: str, init: str | None = None) -> tuple[Violation, Passing | None]:
    model = Model(circuit, engine="float", init=init)
    solved, simulator, formula = model.solved(), model.simulation.engine, parse_formula(spec)
    shadow = Shadow(solved.explorer, simulator, Starts(solved, simulator).vector)
    labels = Labels(solved.system, model.names, solved.posts, solved.pres, shadow)
    evaluation = Evaluation(Graph(*solved.system.successor_arrays), labels, labels.cost)
    assert not evaluation.holds(formula)
    found = violation(formula, evaluation, labels)
    assert found is not None
    return found, nearest(found, labels)


def coins(count: int, spare: int) -> QuantumCircuit:
    """Measured coins, whose outcomes stay in the qubits, and then some idle gates."""
    circuit = QuantumCircuit(count, count)
    for k in range(count):
        circuit.h(k)
        circuit.measure(k, k)
    for _ in range(spare):
        circuit.z(0)
    return circuit


@pytest.mark.parametrize("spare", [0, 3])
def test_common_ends_are_counted(spare: int) -> None:
    bad, good = compared(coins(1, spare), "AG (leaf -> |0>)")
    assert good is not None
    assert good.prefix == 1
    assert good.suffix == spare + 1
    assert len(good.path.visits) == len(bad.path.visits) == spare + 3


def test_the_nearest_one_is_chosen() -> None:
    """|01> is outside; |00> and |10>, |11> pass; the first differs in the last outcome only."""
    bad, good = compared(coins(2, 0), "AG (leaf -> span(|00>, |10>, |11>))")
    outcomes = [
        v.hop.way.outcome for v in bad.path.visits if v.hop is not None and v.hop.way.outcome is not None
    ]
    assert outcomes[:2] == [0, 1]
    assert good is not None
    assert good.prefix == 3


def test_none_passes() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    assert compared(circuit, "AG (leaf -> |0>)")[1] is None


def test_executions_from_different_starts_have_no_common_beginning() -> None:
    circuit = QuantumCircuit(1)
    circuit.z(0)
    bad, good = compared(circuit, "AG (leaf -> |0>)", init="span(|0>, |1>)")
    assert good is not None
    assert bad.path.seed != good.path.seed
    assert (good.prefix, good.suffix) == (0, 2)
