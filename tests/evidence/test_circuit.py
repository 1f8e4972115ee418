"""Circuits of executions, simulated by Qiskit and projected: they end in the execution's last state."""

from __future__ import annotations

from dataclasses import replace
from math import pi, prod

import numpy as np
import pytest
from qiskit import QuantumCircuit as PlainCircuit
from qiskit.circuit.library import (
    C3XGate,
    GlobalPhaseGate,
    MCXGate,
    PhaseGate,
    UnitaryGate,
    XGate,
    get_standard_gate_name_mapping,
)
from qiskit.quantum_info import Operator as Matrix
from qiskit.quantum_info import Statevector, random_unitary

from qismc import QuantumCircuit, check
from qismc.demo import TARGET, repeat_until_success
from qismc.errors import UnsupportedError, UsageError
from qismc.evidence.execution import Execution
from qismc.evidence.later import already
from qismc.program.gates import Base
from qismc.program.operators import Factor, Operator
from qismc.program.standard import STANDARD
from qismc.system.edges import Application
from tests.report.programs import random_program


def end_of(circuit: PlainCircuit) -> tuple[np.ndarray, float]:
    """The post-selected final state, and the probability of the outcomes."""
    required = {entry["bit"]: entry["outcome"] for entry in circuit.metadata["qismc"]["post_selection"]}
    state, weights = Statevector.from_int(0, 2**circuit.num_qubits), []
    for instruction in circuit.data:
        qubits = [circuit.find_bit(q).index for q in instruction.qubits]
        if instruction.operation.name == "measure":
            outcome = required[circuit.find_bit(instruction.clbits[0]).index]
            projector = np.diag([1.0 - outcome, float(outcome)])
            state = state.evolve(Matrix(projector), qubits)
            weights.append(float(np.linalg.norm(state.data)) ** 2)
            state = Statevector(state.data / np.linalg.norm(state.data))
        elif instruction.operation.name != "barrier":
            state = state.evolve(instruction.operation, qubits)
    return np.exp(1j * circuit.global_phase) * state.data, prod(weights)


def ends_in(execution: Execution, state: np.ndarray) -> bool:
    """The terms that the execution's last step shows are the largest of the state, up to a global phase."""
    terms = execution.steps[-1].terms
    assert terms
    places = [int(bits[::-1], 2) for bits, _ in terms]
    shown, found = np.array([amplitude for _, amplitude in terms]), state[places]
    phase = shown[0] / found[0]
    others = np.delete(np.abs(state), places)
    return np.allclose(found * phase, shown) and bool(np.all(others <= np.abs(shown).min() + 1e-9))


def agrees(execution: Execution) -> bool:
    circuit = execution.to_circuit()
    state, probability = end_of(circuit)
    assert execution.probability is not None
    return ends_in(execution, state) and bool(np.isclose(probability, execution.probability))


def run_of(circuit: PlainCircuit, **options: object) -> Execution:
    """Some execution that reaches the end."""
    found = check(circuit, "AG !leaf", **options).counterexample
    assert found is not None
    return found


def test_the_repeat_until_success_bug() -> None:
    result = check(repeat_until_success(reset_ancilla=False), "AG (leaf -> t)", props={"t": TARGET})
    execution = result.counterexample
    assert execution is not None
    assert agrees(execution)
    notes = execution.to_circuit().metadata["qismc"]["post_selection"]
    assert [(note["qubit"], note["outcome"]) for note in notes] == [("q[2]", 1), ("q[0]", 1), ("q[0]", 0)]


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed: int) -> None:
    assert agrees(run_of(random_program(seed, 12)))


@pytest.mark.parametrize("name", sorted(STANDARD))
def test_every_standard_gate_on_a_generic_state(name: str) -> None:
    width, angles, _ = STANDARD[name]
    circuit = QuantumCircuit(max(width, 1))
    for qubit in range(circuit.num_qubits):
        circuit.ry(0.4 + qubit, qubit)
        circuit.p(0.9 - qubit, qubit)
    if width:
        gate = C3XGate() if name == "mcx" else get_standard_gate_name_mapping()[name]
        circuit.append(type(gate)(*(0.3 + k for k in range(angles))), range(width))
    else:
        circuit.append(GlobalPhaseGate(0.3), [])
    assert agrees(run_of(circuit, numbers="float"))


def test_gates_that_have_no_name() -> None:
    circuit = QuantumCircuit(4)
    circuit.h(range(4))
    circuit.append(MCXGate(3, ctrl_state=5), [0, 2, 3, 1])
    circuit.append(UnitaryGate(random_unitary(4, seed=1)), [3, 1])
    circuit.append(PhaseGate(pi / 4).control(2, ctrl_state=0), [1, 0, 2])
    circuit.append(GlobalPhaseGate(pi / 3).control(2, ctrl_state=1), [3, 0])
    circuit.append(XGate().power(0.5).control(1), [2, 0])
    assert agrees(run_of(circuit, numbers="float"))


def test_a_gate_of_the_program_may_have_a_standard_name() -> None:
    body = PlainCircuit(1, name="h")
    body.x(0)
    circuit = QuantumCircuit(2)
    circuit.ry(0.4, 0)
    circuit.append(body.to_gate(), [0])
    assert agrees(run_of(circuit, numbers="float"))


def test_resets_and_initialisations() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(1, 0)
    circuit.reset(0)
    circuit.initialize([0.6, 0, 0, 0.8j], [0, 1])
    assert agrees(run_of(circuit, numbers="float"))


@pytest.mark.parametrize("angle", [0.3, 1.3, 2.3, 3.0])
def test_resets_inside_entanglement(angle: float) -> None:
    circuit = QuantumCircuit(3, 1)
    circuit.ry(angle, 0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    circuit.reset(0)
    circuit.h(0)
    circuit.measure(1, 0)
    for spec in ("AG !(leaf & c == 0)", "AG !(leaf & c == 1)"):
        execution = check(circuit, spec, numbers="float").counterexample
        assert execution is not None
        assert agrees(execution)


def test_a_qubit_found_in_one_is_flipped_by_its_reset() -> None:
    circuit = QuantumCircuit(1)
    circuit.x(0)
    circuit.reset(0)
    made = run_of(circuit).to_circuit()
    assert [i.operation.name for i in made.data] == ["x", "measure", "barrier", "x"]
    assert made.data[2].operation.label == "path[0] = 1"


@pytest.mark.parametrize("init", ["|01>", "|00> + i |11>", "|+r>", "sqrt(2) |01> - |10>"])
def test_other_starts_are_prepared(init: str) -> None:
    circuit = QuantumCircuit(2)
    circuit.cx(0, 1)
    assert agrees(run_of(circuit, init=init))


def test_registers_keep_their_names() -> None:
    circuit = PlainCircuit(2)
    circuit.cx(0, 1)
    assert [r.name for r in run_of(circuit).to_circuit().qregs] == ["q"]


def test_an_execution_without_a_simulation_has_no_circuit() -> None:
    with pytest.raises(UsageError, match="was not simulated"):
        Execution("path").to_circuit()


def test_noise_is_refused_with_its_statement() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    execution = run_of(circuit)
    assert execution.track is not None
    damping = Base("damp", (), ((1, 0), (0, 0.5)))
    noise = Operator("damp", 1, (Factor(damping, (0,)),), unitary=False)
    noisy = replace(execution, track=execution.track._replace(moves=already(((Application(noise, (0,)),),))))
    with pytest.raises(UnsupportedError, match=r"h q\[0\].*noisy channel"):
        noisy.to_circuit()


def test_a_start_with_too_many_terms_is_refused() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    execution = run_of(circuit)
    assert execution.track is not None
    with pytest.raises(UsageError, match="more than 4096 terms"):
        replace(execution, track=execution.track._replace(start=already(None))).to_circuit()
