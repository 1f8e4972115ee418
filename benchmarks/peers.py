"""Other tools on the same circuits, if they are installed: the processor time to run all gates once.

None of them checks anything. Circuits that measure or branch, or have gates that a peer lacks, are left out;
resets are run as they come, one of the possible ways. For the programs of the suite `quantities` qiskit-aer
draws 10,000 samples, loops and feed-forward included, and for those of the suite `clifford` stim does.
"""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qiskit import QuantumCircuit, qasm2

from benchmarks import circuits, decision_diagrams, simulators
from benchmarks.expected import load_with_qiskit
from benchmarks.others import Run, best_of
from benchmarks.row import Bounds, Job
from qismc.edits.sampling import without_final_measurements
from qismc.errors import UsageError
from qismc.program import Program, load, read_program
from qismc.program.statements import Apply, Reset

SHOTS = "aer"
"""The peer that samples programs with outcomes."""
FILE = "{file}"


@dataclass(frozen=True)
class Peer:
    """A peer by its name, or any command that is given the circuit as an OpenQASM 2 file."""

    name: str
    command: str | None = None


def of_command(text: str) -> Peer:
    """The peer that `NAME='cmd {file}'` means."""
    name, _, command = text.partition("=")
    if not name or FILE not in command or name in PEERS:
        hint = f"write NAME='command {FILE}' with a name of your own"
        raise UsageError(f"--peer {text!r} is no command for a file", hint=hint)
    return Peer(name, command)


def installed() -> tuple[str, ...]:
    """The peers that can be measured here."""
    return tuple(name for name, (module, _) in PEERS.items() if _found(module))


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def measure_peer(peer: Peer, job: Job, bounds: Bounds) -> float | None:
    """The processor seconds of one peer on the job's circuit; None where it does not apply."""
    if job.kind == "quantity":
        return best_of(simulators.shots(_case(job)), bounds.repeats) if peer.name == SHOTS else None
    if job.kind == "clifford" and peer.name == "stim":
        run = simulators.stim_shots(_case(job))
        return None if run is None else best_of(run, bounds.repeats)
    if job.kind not in ("case", "clean"):
        return None
    program = _program(job)
    if not all(isinstance(statement, Apply | Reset) for statement in program.code[:-1]):
        return None
    if peer.command is not None:
        return _by_command(peer.command, job, bounds)
    run = PEERS[peer.name][1](program, job)
    return None if run is None else best_of(run, bounds.repeats)


def _program(job: Job) -> Program:
    if job.kind == "clean":
        return without_final_measurements(load(job.construction))
    return read_program(_case(job))


def _case(job: Job) -> QuantumCircuit:
    return getattr(circuits, job.construction)(**job.arguments).circuit


def _circuit(job: Job) -> QuantumCircuit | None:
    """As Qiskit reads it, without measurements at the end; None if it does not."""
    circuit = load_with_qiskit(Path(job.construction)) if job.kind == "clean" else _case(job)
    if circuit is not None:
        circuit.remove_final_measurements()
    return circuit


def _of_circuit(prepare: Callable[[QuantumCircuit], Run | None]) -> Callable[[Program, Job], Run | None]:
    def run(_: Program, job: Job) -> Run | None:
        circuit = _circuit(job)
        return None if circuit is None else prepare(circuit)

    return run


def _by_command(command: str, job: Job, bounds: Bounds) -> float | None:
    """A command of the user's, its start included; None if it fails or takes too long."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(job.construction)
        if job.kind == "case":
            file = Path(place) / "circuit.qasm"
            file.write_text(qasm2.dumps(_case(job)), encoding="utf-8")
        words = [word.replace(FILE, str(file)) for word in shlex.split(command)]

        def run() -> bool:
            try:
                done = subprocess.run(words, capture_output=True, timeout=bounds.seconds, check=False)
            except (OSError, subprocess.TimeoutExpired):
                return False
            return done.returncode == 0

        return best_of(run, bounds.repeats)


PEERS: dict[str, tuple[str, Callable[[Program, Job], Run | None]]] = {
    "mqt-core": ("mqt.core.dd", lambda program, _: decision_diagrams.prepared(program)),
    "aer-mps": ("qiskit_aer", _of_circuit(simulators.matrix_product_state)),
    "aer-statevector": ("qiskit_aer", _of_circuit(simulators.statevector)),
    "aer-stabiliser": ("qiskit_aer", _of_circuit(simulators.stabiliser)),
    "stim": ("stim", _of_circuit(simulators.stim)),
    SHOTS: ("qiskit_aer", lambda *_: None),
}
"""By name: the module that it needs, and how its run is prepared."""
