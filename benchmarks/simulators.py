"""qiskit-aer by its methods, and stim: a whole circuit at a time, one thread."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from qiskit import QuantumCircuit, transpile
from qiskit.circuit import Clbit
from qiskit.quantum_info import Operator

from benchmarks.others import Run

AER_GATES = ["u", "p", "h", "x", "y", "z", "s", "sdg", "t", "tdg", "sx", "cx", "cz", "cp", "swap", "ccx"]
CLIFFORD_GATES = ["h", "x", "y", "z", "s", "sdg", "sx", "cx", "cz", "swap"]
STIM_NAMES = {
    "h": "H", "x": "X", "y": "Y", "z": "Z", "s": "S", "sdg": "S_DAG", "sx": "SQRT_X", "cx": "CX", "cz": "CZ",
    "swap": "SWAP",
}  # fmt: skip
AER_DENSE = 24
"""Up to so many qubits a state vector is tried."""
SHOTS = 10_000
"""For histograms: the error of a frequency is then about 1 %."""


def _aer(method: str) -> Any:
    return importlib.import_module("qiskit_aer").AerSimulator(method=method, max_parallel_threads=1)


def statevector(circuit: QuantumCircuit) -> Run | None:
    return _sampled(circuit, "statevector") if circuit.num_qubits <= AER_DENSE else None


def matrix_product_state(circuit: QuantumCircuit) -> Run:
    return _sampled(circuit, "matrix_product_state")


def stabiliser(circuit: QuantumCircuit) -> Run | None:
    return _sampled(circuit, "stabilizer") if is_clifford(circuit) else None


def _sampled(circuit: QuantumCircuit, method: str) -> Run:
    """All gates, and one sample."""
    measured = circuit.copy()
    measured.measure_all()
    simulator, ready = _aer(method), transpile(measured, basis_gates=AER_GATES, optimization_level=0)
    return lambda: bool(simulator.run(ready, shots=1).result().success)


def shots(circuit: QuantumCircuit) -> Run:
    """A histogram of a program with loops and feed-forward, by sampling."""
    simulator = _aer("statevector" if circuit.num_qubits <= AER_DENSE else "matrix_product_state")
    ready = transpile(circuit, simulator, optimization_level=0)
    return lambda: bool(simulator.run(ready, shots=SHOTS, seed_simulator=1).result().success)


def is_clifford(circuit: QuantumCircuit) -> bool:
    """By names alone: what is Clifford in disguise is left out."""
    return all(step.operation.name in (*CLIFFORD_GATES, "barrier", "id", "reset") for step in circuit.data)


def stim(circuit: QuantumCircuit) -> Run | None:
    """stim's tableau simulator on the gates, if all of them are Clifford gates."""
    if not is_clifford(circuit):
        return None
    module = importlib.import_module("stim")
    native, tableaus = module.Circuit(), {"reset": "R"}
    for step in circuit.data:
        name = step.operation.name
        if name not in tableaus and name not in ("barrier", "id"):
            tableaus[name] = _stim_name(module, step.operation)
        if name in tableaus:
            native.append(tableaus[name], [circuit.find_bit(bit).index for bit in step.qubits])

    def run() -> bool:
        module.TableauSimulator().do(native)
        return True

    return run


def _stim_name(module: Any, gate: Any) -> str:
    """stim's name of the gate with the same matrix, up to a phase."""
    matrix = np.asarray(Operator(gate).data, dtype=np.complex64)
    wanted = module.Tableau.from_unitary_matrix(matrix, endian="little")
    names = ("I", "X", "Y", "Z", "H", "S", "S_DAG", "SQRT_X", "CX", "CZ", "SWAP")
    return next(name for name in names if module.Tableau.from_named_gate(name) == wanted)


def stim_shots(circuit: QuantumCircuit) -> Run | None:
    """stim's samples of a program."""
    native = stim_circuit(circuit)
    if native is None:
        return None
    if not native.num_measurements:
        native.append("M", range(circuit.num_qubits))

    def run() -> bool:
        native.compile_sampler(seed=1).sample(SHOTS)
        return True

    return run


def stim_circuit(circuit: QuantumCircuit) -> Any | None:
    """stim's form of a program whose conditions are single bits and whose conditional gates are Paulis."""
    module = importlib.import_module("stim")
    native, records = module.Circuit(), dict[int, int]()
    complete = all(_translated(module, native, records, circuit, step) for step in circuit.data)
    return native if complete else None


def _translated(
    module: Any, native: Any, records: dict[int, int], circuit: QuantumCircuit, step: Any
) -> bool:
    """Append an instruction; `records` says which measurement wrote each bit last."""
    name = step.operation.name
    qubits = [circuit.find_bit(bit).index for bit in step.qubits]
    if name == "measure":
        records[circuit.find_bit(step.clbits[0]).index] = native.num_measurements
        native.append("M", qubits)
    elif name == "reset":
        native.append("R", qubits)
    elif name == "if_else":
        return _conditional(module, native, records, circuit, step)
    elif name != "barrier":
        if name not in STIM_NAMES:
            return False
        native.append(STIM_NAMES[name], qubits)
    return True


def _conditional(
    module: Any, native: Any, records: dict[int, int], circuit: QuantumCircuit, step: Any
) -> bool:
    bit, value = step.operation.condition
    body, otherwise = step.operation.blocks[0], step.operation.blocks[1:]
    if value != 1 or otherwise or not isinstance(bit, Clbit):
        return False
    if circuit.find_bit(bit).index not in records:
        return True  # the bit is 0
    record = module.target_rec(records[circuit.find_bit(bit).index] - native.num_measurements)
    for inner in body.data:
        qubit = circuit.find_bit(step.qubits[body.find_bit(inner.qubits[0]).index]).index
        if inner.operation.name not in ("x", "y", "z"):
            return False
        native.append(f"C{inner.operation.name.upper()}", [record, qubit])
    return True
