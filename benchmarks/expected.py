"""What the verdict about an injected Pauli must be, by simulators that share no code with ours.

Let psi be the state before the fault. Unitary gates behind it cancel in the overlap of the clean and the
faulty end, so the recorded property survives iff |<psi| P |psi>| = 1, and only gates in the past of the
faulty qubit matter. Behind other statements only "holds" can be concluded. Without a fitting simulator there
is no answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
from qiskit import QuantumCircuit, qasm2
from qiskit.circuit import CircuitInstruction, Gate
from qiskit.quantum_info import Operator, Pauli, Statevector

from benchmarks.fault import Fault
from qismc.program.program import Program
from qismc.program.statements import Apply

STATEVECTOR_QUBITS = 20
EXACT, CLEAR = 1e-11, 1e-6  # 1 - |<P>|: up to `EXACT` unchanged, from `CLEAR` on changed, between: no answer
IGNORED = ("barrier", "id", "delay")

Answer = Literal["holds", "violated"] | None


def expected_verdict(file: Path, clean: Program, fault: Fault) -> Answer:
    """Does the faulty program still end inside the states of the clean one?"""
    before = clean.code[: fault.point]
    if not all(isinstance(statement, Apply) for statement in before):
        return None
    past = past_of(fault.qubit, _qiskit_gates(file, len(before)))
    if past is None:
        return None
    value = expectation(fault.pauli, fault.qubit, *past)
    if value is None or EXACT < 1 - abs(value) < CLEAR:
        return None
    if 1 - abs(value) <= EXACT:
        return "holds"
    unitary = all(isinstance(statement, Apply) for statement in clean.code[fault.point : -1])
    return "violated" if unitary else None


def load_with_qiskit(file: Path) -> QuantumCircuit | None:
    """The circuit as Qiskit's own OpenQASM 2 loader reads it; None if it does not."""
    try:
        return qasm2.load(file, custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS)
    except (qasm2.QASM2ParseError, OSError):
        return None


def _qiskit_gates(file: Path, count: int) -> list[tuple[Gate, tuple[int, ...]]] | None:
    """The first `count` gates; None if Qiskit counts statements in another way."""
    circuit = load_with_qiskit(file)
    if circuit is None:
        return None
    index = {bit: k for k, bit in enumerate(circuit.qubits)}
    chosen = [step for step in circuit.data if step.operation.name not in ("barrier", "delay")][:count]
    if len(chosen) < count or not all(_is_gate(step) for step in chosen):
        return None
    return [(step.operation, tuple(index[bit] for bit in step.qubits)) for step in chosen]


def _is_gate(step: CircuitInstruction) -> bool:
    return isinstance(step.operation, Gate)


def past_of(
    qubit: int, gates: Iterable[tuple[Gate, tuple[int, ...]]] | None
) -> tuple[list[tuple[Gate, tuple[int, ...]]], list[int]] | None:
    """The gates that can influence the qubit, first one first, and their qubits."""
    if gates is None:
        return None
    reached, kept = {qubit}, []
    for gate, qubits in reversed(list(gates)):
        if gate.name not in IGNORED and not reached.isdisjoint(qubits):
            reached.update(qubits)
            kept.append((gate, qubits))
    return kept[::-1], sorted(reached)


def expectation(
    pauli: str, qubit: int, gates: list[tuple[Gate, tuple[int, ...]]], qubits: list[int]
) -> float | None:
    """<psi| P |psi> for what the gates make of all zero."""
    place = {q: k for k, q in enumerate(qubits)}
    local = [(gate, tuple(place[q] for q in acted)) for gate, acted in gates]
    if len(qubits) <= STATEVECTOR_QUBITS:
        return _by_statevector(pauli, place[qubit], local, len(qubits))
    return _by_stabilizers(pauli, place[qubit], local, len(qubits))


def _by_statevector(pauli: str, qubit: int, gates: list[tuple[Gate, tuple[int, ...]]], width: int) -> float:
    state = Statevector.from_label("0" * width)
    for gate, acted in gates:
        state = state.evolve(gate, list(acted))
    return float(np.real(state.expectation_value(Pauli(pauli), [qubit])))


def _by_stabilizers(
    pauli: str, qubit: int, gates: list[tuple[Gate, tuple[int, ...]]], width: int
) -> float | None:
    """By stim, if it is installed and all gates are Clifford gates."""
    try:
        stim: Any = importlib.import_module("stim")
    except ImportError:
        return None
    simulator, tableaus = stim.TableauSimulator(), dict[Any, Any]()
    simulator.set_num_qubits(width)
    try:
        for gate, acted in gates:
            key = (gate.name, *map(float, gate.params)) if gate.num_qubits <= 2 else id(gate)
            if key not in tableaus:
                tableaus[key] = _tableau(stim, np.asarray(Operator(gate).data))
            simulator.do_tableau(tableaus[key], list(acted))
    except (ValueError, TypeError):
        return None
    observable = stim.PauliString(width)
    observable[qubit] = pauli
    return float(simulator.peek_observable_expectation(observable))


def _tableau(stim: Any, matrix: np.ndarray) -> Any:
    """The Clifford gate with this matrix; a `ValueError` if it has none.

    stim also takes matrices that are merely near to one, so the images of all generators are compared.
    """
    tableau = stim.Tableau.from_unitary_matrix(matrix.astype(np.complex64), endian="little")
    for generator, image in _images(stim, tableau):
        before, after = (string.to_unitary_matrix(endian="little") for string in (generator, image))
        if not np.allclose(matrix @ before, after @ matrix, rtol=0, atol=EXACT):
            raise ValueError("no Clifford gate")
    return tableau


def _images(stim: Any, tableau: Any) -> Iterator[tuple[Any, Any]]:
    """X and Z on each qubit, and what the gate makes of them."""
    width = len(tableau)
    for qubit in range(width):
        for letter, image in (("X", tableau.x_output(qubit)), ("Z", tableau.z_output(qubit))):
            generator = stim.PauliString(width)
            generator[qubit] = letter
            yield generator, image
