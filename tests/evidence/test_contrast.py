"""Where a violating execution leaves the behaviour of the nearest passing one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import qismc
from qismc import Model, QuantumCircuit
from qismc.ctl.atoms import Labels
from qismc.ctl.evaluation import Evaluation
from qismc.ctl.graph import Graph
from qismc.demo import TARGET, repeat_until_success
from qismc.evidence.contrast import Passing, nearest, ordinal
from qismc.evidence.execution import Hint
from qismc.evidence.safety import Violation, violation
from qismc.fixpoint.float_check import FloatReplay
from qismc.language.parser import parse_formula


def hints(circuit: QuantumCircuit, spec: str, engine: str, **options: object) -> dict[str, Hint]:
    result = qismc.check(circuit, spec, numbers=engine, **options)  # type: ignore[arg-type]
    assert result.verdict is qismc.Verdict.VIOLATED
    assert result.counterexample is not None
    return {hint.kind: hint for hint in result.counterexample.hints}


def test_the_second_turn_begins_with_the_ancilla_in_one(engine: str) -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    found = hints(circuit, "AG (leaf -> target)", engine, props={"target": TARGET})
    execution = qismc.check(circuit, "AG (leaf -> target)", props={"target": TARGET}).counterexample
    assert execution is not None
    turns = [k for k, step in enumerate(execution) if "loop" in step.labels]
    contrast = found["contrast"]
    assert contrast.steps == (turns[1],)
    assert execution.steps[turns[1]].state == "|101>"
    assert "at the second visit of 'while (c[0] == 1)' q[0] is |1>, but |0>" in contrast.text
    assert f"its first visit, step {turns[0]}" in contrast.text
    assert contrast.source == execution.steps[turns[1]].source


def test_the_statement_at_which_the_executions_part(engine: str) -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    parting = hints(circuit, "AG (leaf -> target)", engine, props={"target": TARGET})["parting"]
    assert "'measure q[0] -> c[0]' gives 1" in parting.text
    assert "it gives 0" in parting.text
    assert parting.steps == (10,)


def test_an_outcome_that_decides_needs_no_second_hint(engine: str) -> None:
    """Both executions go on alike directly behind the measurement."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(1)
    found = hints(circuit, "AG (leaf -> |01>)", engine)
    assert found["parting"].steps == (1,)
    assert "contrast" not in found


def test_a_reset_that_finds_different_values(engine: str) -> None:
    """The other qubit is entangled with the one that is reset."""
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(0)
    parting = hints(circuit, "AG (leaf -> |00>)", engine)["parting"]
    assert "'reset q[0]' finds |1>" in parting.text
    assert "it finds |0>" in parting.text


def test_different_starts(engine: str) -> None:
    """The state differs from the start on, and no statement chooses."""
    circuit = QuantumCircuit(2)
    circuit.h(0)
    found = hints(circuit, "AG (leaf -> |+0>)", engine, init="span(|00>, |01>)")
    assert "parting" not in found
    assert found["contrast"].steps == (0,)
    assert "q[1] is |1>, but |0>" in found["contrast"].text


def test_two_qubits_together_may_differ(engine: str) -> None:
    """Every qubit alone is maximally mixed, flipped or not."""
    circuit = QuantumCircuit(3)
    circuit.z(2)
    start = "span(|000> + |111>, |010> + |101>)"
    found = hints(circuit, "AG (leaf -> span(|000>, |111>))", engine, init=start)
    assert (
        "q[0], q[1] are mixed: |01> (0.5) or |10> (0.5) (and 1 more differ), "
        "but mixed: |00> (0.5) or |11> (0.5) in the nearest passing execution"
    ) in found["contrast"].text


def test_only_all_qubits_together_may_differ(engine: str) -> None:
    circuit = QuantumCircuit(3)
    circuit.z(0)
    start = "span(|000> + |111>, |000> - |111>)"
    found = hints(circuit, "AG (leaf -> span(|000> - |111>))", engine, init=start)
    assert "no two of them do, than in the nearest passing execution" in found["contrast"].text


def test_several_qubits_are_named(engine: str) -> None:
    circuit = QuantumCircuit(2)
    circuit.z(0)
    found = hints(circuit, "AG (leaf -> |00>)", engine, init="span(|00>, |11>)")
    assert "q[0], q[1] are |11>, but |00> in" in found["contrast"].text
    assert found["contrast"].text.endswith("With that value of q[0], q[1] this execution passes, too")


def swaps(circuit: QuantumCircuit) -> None:
    circuit.x(0)
    circuit.swap(0, 1)


def rotations(circuit: QuantumCircuit) -> None:
    circuit.ry(0.3, 0)
    circuit.h(1)


@pytest.mark.parametrize("fill", [swaps, rotations])
def test_without_a_passing_execution_there_is_nothing_to_compare(
    fill: Callable[[QuantumCircuit], None], engine: str
) -> None:
    circuit = QuantumCircuit(2)
    fill(circuit)
    assert not {"parting", "contrast"} & hints(circuit, "AG (leaf -> |10>)", engine).keys()


def test_executions_through_annotated_points(engine: str) -> None:
    """Provenance is cut at annotations; steps are still counted right. The annotated state skips the loop."""
    circuit = QuantumCircuit(3, 1)
    circuit.x(1)
    circuit.x(1)
    circuit.mark("start")
    circuit.compose(repeat_until_success(reset_ancilla=False), inplace=True)
    found = hints(
        circuit,
        "AG (leaf -> target)",
        engine,
        props={"target": f"span({TARGET}, |000>)"},
        annotations={"start": "|001>"},
    )
    assert "at the second visit of 'while (c[0] == 1)' q[0] is |1>, but |0>" in found["contrast"].text
    assert found["contrast"].steps == (13,)


def test_a_passing_execution_at_another_location_of_the_same_statement(engine: str) -> None:
    """With all bits kept apart, each outcome has its own end; the passing one has another store."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.x(0)
    found = hints(circuit, "AG (leaf -> |1>)", engine, keep_dead=True)
    assert "gives 1" in found["parting"].text


def compared(circuit: QuantumCircuit, spec: str, init: str | None = None) -> tuple[Violation, Passing | None]:
    model = Model(circuit, numbers="float", init=init)
    solved, formula = model.solved(), parse_formula(spec)
    labels = Labels(solved, model.names, FloatReplay(solved, model.simulation.engine))
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


def test_numbers_in_a_row() -> None:
    said = {
        1: "first",
        6: "sixth",
        7: "7th",
        11: "11th",
        12: "12th",
        21: "21st",
        102: "102nd",
        113: "113th",
        123: "123rd",
    }
    assert {count: ordinal(count) for count in said} == said
