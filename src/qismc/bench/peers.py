"""Other simulators on the same unitary circuits, if they are installed: the time to run all gates once.

mqt-core is driven gate by gate through its package of decision diagrams, in the natural order of the qubits;
qiskit-aer takes the whole circuit, as a state vector or, above 24 qubits, as a matrix product state, and
draws one sample. Circuits that are not unitary, or have gates that a peer lacks, are left out; but for the
programs of the suite `quantities` qiskit-aer draws 10,000 samples, loops and feed-forward included.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from qiskit import QuantumCircuit, transpile

from qismc.bench import circuits
from qismc.bench.expected import load_with_qiskit
from qismc.bench.row import Job
from qismc.edits.injection import without_final_measurements
from qismc.program import Program, load, read_program
from qismc.program.gates import base_matrix
from qismc.program.operators import Factor
from qismc.program.statements import Apply
from qismc.subspace.forms import ComplexForm

AER_GATES = ["u", "p", "h", "x", "y", "z", "s", "sdg", "t", "tdg", "sx", "cx", "cz", "cp", "swap", "ccx"]
AER_DENSE = 24
SHOTS = 10_000
"""For histograms: the error of a frequency is then about 1 %."""


def installed() -> tuple[str, ...]:
    """The peers that can be measured here."""
    return tuple(name for name, (module, _) in PEERS.items() if _found(module))


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def measure_peer(name: str, job: Job) -> float | None:
    """The seconds of one peer on the job's circuit; None where it does not apply."""
    if job.kind == "quantity":
        return _aer_shots(job) if name == "aer" else None
    if job.kind not in ("case", "clean"):
        return None
    program = _program(job)
    if not all(isinstance(statement, Apply) for statement in program.code[:-1]):
        return None
    return PEERS[name][1](program, job)


def _program(job: Job) -> Program:
    if job.kind == "clean":
        return without_final_measurements(load(job.construction))
    return read_program(_circuit(job))


def _circuit(job: Job) -> QuantumCircuit:
    return getattr(circuits, job.construction)(**job.arguments).circuit


def _mqt(program: Program, _: Job) -> float | None:
    factors = [
        factor.on(statement.qubits)
        for statement in program.code
        if isinstance(statement, Apply)
        for factor in statement.operator.factors
    ]
    if any(len(factor.targets) > 2 for factor in factors):
        return None
    start = time.perf_counter()
    decision_diagram(program.num_qubits, factors)
    return time.perf_counter() - start


def decision_diagram(num_qubits: int, factors: Sequence[Factor]) -> tuple[Any, Any]:
    """mqt-core's package and its diagram of what the factors make of all zero."""
    dd = importlib.import_module("mqt.core.dd")
    package, ring = dd.DDPackage(num_qubits), ComplexForm().ring
    kinds = (dd.Control.Type.Neg, dd.Control.Type.Pos)
    state = package.zero_state(num_qubits)
    for factor in factors:
        matrix = np.array(base_matrix(factor.base, ring), dtype=complex)
        controls = {dd.Control(qubit, kinds[value]) for qubit, value in factor.controls}
        after = package.matrix_vector_multiply(_gate(package, matrix, controls, factor.targets), state)
        package.inc_ref_vec(after)
        package.dec_ref_vec(state)
        package.garbage_collect()
        state = after
    return package, state


def _gate(package: Any, matrix: Any, controls: set[Any], targets: tuple[int, ...]) -> Any:
    if len(targets) == 1:
        return package.multi_controlled_single_qubit_gate(matrix, controls, targets[0])
    # Their first target is the most significant bit, ours the least.
    return package.multi_controlled_two_qubit_gate(matrix, controls, targets[1], targets[0])


def _aer(_: Program, job: Job) -> float | None:
    circuit = load_with_qiskit(Path(job.construction)) if job.kind == "clean" else _circuit(job)
    if circuit is None:
        return None
    circuit.remove_final_measurements()
    circuit.measure_all()
    method = "statevector" if circuit.num_qubits <= AER_DENSE else "matrix_product_state"
    simulator = importlib.import_module("qiskit_aer").AerSimulator(method=method, max_parallel_threads=1)
    ready = transpile(circuit, basis_gates=AER_GATES, optimization_level=0)
    start = time.perf_counter()
    result = simulator.run(ready, shots=1).result()
    return time.perf_counter() - start if result.success else None


def _aer_shots(job: Job) -> float | None:
    """A histogram of a program with loops and feed-forward, by sampling."""
    circuit = _circuit(job)
    method = "statevector" if circuit.num_qubits <= AER_DENSE else "matrix_product_state"
    simulator = importlib.import_module("qiskit_aer").AerSimulator(method=method, max_parallel_threads=1)
    ready = transpile(circuit, simulator, optimization_level=0)
    start = time.perf_counter()
    result = simulator.run(ready, shots=SHOTS, seed_simulator=1).result()
    return time.perf_counter() - start if result.success else None


PEERS: dict[str, tuple[str, Callable[[Program, Job], float | None]]] = {
    "mqt-core": ("mqt.core.dd", _mqt),
    "aer": ("qiskit_aer", _aer),
}
