"""An execution as a straight-line Qiskit circuit; its choices become post-selected measurements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Gate
from qiskit.circuit.library import C3XGate, UnitaryGate, get_standard_gate_name_mapping

from qismc.common.scalars import COMPLEX
from qismc.errors import UnsupportedError, UsageError
from qismc.evidence.execution import TERMS_KEPT, Execution, Track
from qismc.program import (
    PROJECT,
    RESET,
    STANDARD,
    Base,
    Factor,
    Initialize,
    Operator,
    Program,
    base_matrix,
    standard_operator,
)
from qismc.propositions import Term
from qismc.system import Application

GATES: dict[str, Gate] = {**get_standard_gate_name_mapping(), "mcx": C3XGate()}
OUTCOMES = {PROJECT[0]: 0, PROJECT[1]: 1, RESET[1]: 1}
PREPARED_QUBITS = 12


def to_circuit(execution: Execution) -> QuantumCircuit:
    """The executed path without control flow.

    Each measured or reset qubit is measured into its own bit of the register `path`; a labelled barrier and
    the metadata name the outcome that must be post-selected.
    """
    track = execution.track
    if track is None:
        raise UsageError(
            "this execution was not simulated and has no circuit", hint="its steps are a path of the graph"
        )
    return _Writer(track, execution).write()


class _Writer:
    """Appends the moves of a track to a circuit."""

    def __init__(self, track: Track, execution: Execution) -> None:
        self._track = track
        self._execution = execution
        choices = sum(a.operator in OUTCOMES for move in track.moves() for a in move)
        self._bits = ClassicalRegister(choices, "path") if choices else None
        registers = [*_registers(track.program), *([self._bits] if self._bits is not None else [])]
        self._circuit = QuantumCircuit(*registers, name=f"{track.program.name}-path")
        self._outcomes: list[dict[str, Any]] = []

    def write(self) -> QuantumCircuit:
        _prepare(self._circuit, self._track.start(), self._track.program.num_qubits)
        for number, move in enumerate(self._track.moves()):
            for application in move:
                self._append(number, application)
        self._circuit.metadata = {
            "qismc": {
                "program": self._track.program.name,
                "claim": self._execution.claim,
                "probability": self._execution.probability,
                "post_selection": self._outcomes,
            }
        }
        return self._circuit

    def _append(self, number: int, application: Application) -> None:
        operator, qubits = application
        if operator in OUTCOMES:
            self._choose(number, operator, qubits[0])
        elif operator.unitary:
            _append_unitary(self._circuit, operator, qubits)
        else:
            self._append_kraus(number, operator, qubits)

    def _append_kraus(self, number: int, operator: Operator, qubits: tuple[int, ...]) -> None:
        """|psi><0…0| of an initialisation prepares psi, since its qubits were reset; no other is a gate."""
        step = self._execution.steps[number]
        initial = isinstance(self._track.program.code[step.point], Initialize)
        if not initial or len(operator.factors) != 1 or operator.factors[0].controls:
            raise UnsupportedError(
                f"'{step.statement}' is a noisy channel and has no gate",
                source=step.source,
                hint="a circuit can be made of executions with gates, measurements and resets",
            )
        factor = operator.factors[0].on(qubits)
        column = np.array(base_matrix(factor.base, COMPLEX), dtype=complex)[:, 0]
        self._circuit.prepare_state(column / np.linalg.norm(column), list(factor.targets))

    def _choose(self, number: int, operator: Operator, qubit: int) -> None:
        """Measure, note the outcome; a qubit that was reset from |1> is flipped."""
        assert self._bits is not None
        bit, outcome = len(self._outcomes), OUTCOMES[operator]
        name = self._track.program.qubits[qubit]
        self._circuit.measure(qubit, self._bits[bit])
        self._circuit.barrier(qubit, label=f"path[{bit}] = {outcome}")
        if operator == RESET[1]:
            self._circuit.x(qubit)
        statement = self._execution.steps[number].statement
        self._outcomes.append(
            {"bit": bit, "qubit": name, "outcome": outcome, "step": number, "statement": statement}
        )


def _registers(program: Program) -> list[QuantumRegister]:
    """The program's registers if they hold every qubit once, in order; otherwise a single register."""
    registers = program.quantum_registers
    flat = [qubit for members in registers.values() for qubit in members]
    if flat == list(range(program.num_qubits)) and "path" not in registers:
        return [QuantumRegister(len(members), name) for name, members in registers.items() if members]
    return [QuantumRegister(program.num_qubits, "qubits")]


def _prepare(circuit: QuantumCircuit, terms: Sequence[Term] | None, num_qubits: int) -> None:
    """Make the start: flips where all terms agree, a state preparation on the other qubits."""
    if terms is None:
        raise UsageError(f"the start has more than {TERMS_KEPT} terms", hint="choose a simpler init")
    mixed = [q for q in range(num_qubits) if len({bits[q] for bits, _ in terms}) > 1]
    if len(mixed) > PREPARED_QUBITS:
        raise UsageError(
            f"the start entangles {len(mixed)} qubits, at most {PREPARED_QUBITS} are prepared",
            hint="choose a simpler init",
        )
    for qubit in range(num_qubits):
        if qubit not in mixed and terms[0][0][qubit] == "1":
            circuit.x(qubit)
    if mixed:
        amplitudes = np.zeros(2 ** len(mixed), dtype=complex)
        for bits, amplitude in terms:
            amplitudes[sum(int(bits[q]) << k for k, q in enumerate(mixed))] = amplitude
        circuit.prepare_state(amplitudes / np.linalg.norm(amplitudes), mixed)


def _append_unitary(circuit: QuantumCircuit, operator: Operator, qubits: tuple[int, ...]) -> None:
    """The gate of Qiskit's library with this name, or its factors one by one."""
    if _is_standard(operator) and qubits:
        circuit.append(type(GATES[operator.name])(*operator.angles), qubits)
        return
    for factor in operator.factors:
        _append_factor(circuit, factor.on(qubits))


def _is_standard(operator: Operator) -> bool:
    """Does the operator do what its name says? Programs may define their own gate `h`."""
    known = GATES.get(operator.name)
    if known is None or operator.name not in STANDARD or len(known.params) != len(operator.angles):
        return False
    return operator == standard_operator(operator.name, operator.angles)


def _append_factor(circuit: QuantumCircuit, factor: Factor) -> None:
    """A base gate under controls; a phase without targets sits on one of its controls."""
    controls, targets = list(factor.controls), list(factor.targets)
    if not targets:
        phase = complex(base_matrix(factor.base, COMPLEX)[0][0])
        if not controls:
            circuit.global_phase += math.atan2(phase.imag, phase.real)
            return
        qubit, value = controls.pop()
        targets, gate = [qubit], UnitaryGate(np.diag([phase, 1] if value == 0 else [1, phase]))
    else:
        gate = _base_gate(factor.base)
    if controls:
        values = sum(value << k for k, (_, value) in enumerate(controls))
        gate = gate.control(len(controls), ctrl_state=values)
    circuit.append(gate, [*(qubit for qubit, _ in controls), *targets])


def _base_gate(base: Base) -> Gate:
    known = GATES.get(base.name)
    if base.entries is None and known is not None and len(known.params) == len(base.angles):
        return type(known)(*base.angles)
    return UnitaryGate(np.array(base_matrix(base, COMPLEX), dtype=complex), label=base.name)
