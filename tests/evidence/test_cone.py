"""Steps that cannot matter: without them the weight of the violation is the same, by density matrices."""

from __future__ import annotations

import random

import pytest

import qismc
from qismc import QuantumCircuit
from qismc.evidence.cone import Influence, influences
from qismc.evidence.execution import Execution

from .programs import QUBITS, Account, random_program


def counterexample(circuit: QuantumCircuit, spec: str) -> Execution:
    found = qismc.check(circuit, spec, numbers="float").counterexample
    assert found is not None
    return found


def marks(circuit: QuantumCircuit, spec: str) -> str:
    """One letter per step but the last: - for steps that cannot matter."""
    return "".join("x" if step.relevant else "-" for step in counterexample(circuit, spec).steps[:-1])


def random_violations() -> list[tuple[QuantumCircuit, str, list[int], Execution]]:
    """Violated claims about one or two qubits of random programs."""
    found = []
    for seed in range(120):
        rng = random.Random(seed)
        circuit = random_program(rng, 12)
        qubits = rng.sample(range(QUBITS), rng.randrange(1, 3))
        letters = "".join(rng.choice("01+") for _ in qubits)
        places = ", ".join(f"q[{q}]" for q in qubits)
        result = qismc.check(circuit, f"AG (leaf -> |{letters}> on {places})", numbers="float")
        if result.counterexample is not None:
            found.append((circuit, letters, qubits, result.counterexample))
    return found


def test_the_weight_of_the_violation_does_not_need_irrelevant_steps() -> None:
    violations = random_violations()
    idle = 0
    for _, letters, qubits, execution in violations:
        relevant = [step.relevant for step in execution]
        idle += relevant.count(False)
        assert execution.track is not None
        everything, needed = Account(execution.track.program), Account(execution.track.program)
        everything.walk(execution.steps, relevant, [True] * len(relevant))
        needed.walk(execution.steps, relevant, relevant)
        weight = everything.weight_outside(letters, qubits)
        assert weight > 1e-9
        assert needed.weight_outside(letters, qubits) == pytest.approx(weight)
    assert len(violations) > 50
    assert idle > 100


def test_straight_programs_without_their_irrelevant_gates_are_still_violated() -> None:
    checked = 0
    for circuit, letters, qubits, execution in random_violations():
        operations = [instruction.operation.name for instruction in circuit.data]
        if "if_else" in operations:
            continue
        shorter = circuit.copy_empty_like()
        for instruction, step in zip(circuit.data, execution.steps, strict=False):
            if step.relevant:
                shorter.append(instruction)
        places = ", ".join(f"q[{q}]" for q in qubits)
        again = qismc.check(shorter, f"AG (leaf -> |{letters}> on {places})", numbers="float")
        assert again.verdict is qismc.Verdict.VIOLATED
        checked += len(shorter.data) < len(circuit.data)
    assert checked > 3


def test_entangling_gates_extend_the_cone() -> None:
    circuit = QuantumCircuit(4)
    circuit.h(0)
    circuit.h(2)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    circuit.x(1)
    assert marks(circuit, "AG (leaf -> |0> on q[1])") == "x-x-x"


def test_a_gate_behind_the_last_use_cannot_matter() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.h(1)
    assert marks(circuit, "AG (leaf -> |0> on q[0])") == "xx-"


def test_a_reset_makes_the_past_of_its_qubit_irrelevant() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(1)
    circuit.t(1)
    circuit.reset(1)
    circuit.x(1)
    assert marks(circuit, "AG (leaf -> |0> on q[1])") == "--xx"


@pytest.mark.parametrize(("read", "expected"), [(False, "---x"), (True, "xxxxx")])
def test_an_outcome_matters_if_somebody_reads_it(read: bool, expected: str) -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.t(0)
    circuit.measure(0, 0)
    if read:
        with circuit.if_test((0, 1)):
            circuit.x(1)
    else:
        circuit.x(1)
    assert marks(circuit, "AG (leaf -> |0> on q[1])") == expected


def test_classical_claims_have_a_cone_of_bits() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.h(1)
    circuit.measure(0, 0)
    circuit.measure(1, 1)
    assert marks(circuit, "AG (leaf -> !c[1])") == "-x-x"


def test_nothing_is_called_irrelevant_where_a_proposition_should_have_been_avoided() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.x(1)
    assert marks(circuit, "AG (leaf -> !|1> on q[1])") == "xx"


def test_the_last_step_always_counts() -> None:
    model = qismc.Model(QuantumCircuit(1), numbers="float")
    assert influences(model.program, [model.program.entry], (), 0) == (Influence(True, frozenset()),)
