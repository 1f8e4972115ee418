"""Programs from files: OpenQASM 2 and 3, QPY, Python."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from qiskit import QuantumCircuit, qasm2, qasm3

from qismc.errors import ProgramError, UsageError
from qismc.program.annotations import read_annotations
from qismc.program.from_qiskit import read_circuit
from qismc.program.program import Program
from qismc.program.qasm2 import read_qasm2

VERSION = re.compile(r"^\s*OPENQASM\s+(\d+)", re.MULTILINE)


def load(spec: str | Path) -> Program:
    """The program in `file.qasm`."""
    path = Path(spec)
    if not path.is_file():
        raise UsageError(f"no such file: '{spec}'")
    text = path.read_text(encoding="utf-8")
    annotations = read_annotations(text, str(spec))
    version = VERSION.search(text)
    if not version or version[1] == "2":
        return read_qasm2(text, str(spec), path.name, annotations)
    try:
        circuit: QuantumCircuit = qasm3.loads(text) if version and version[1] == "3" else _load2(text)
    except (qasm2.QASM2ParseError, qasm3.QASM3ImporterError) as error:
        raise ProgramError(f"{spec}: {error}") from None
    return replace(read_circuit(circuit, path.name), annotations=read_annotations(text, str(spec)))


def _load2(text: str) -> QuantumCircuit:
    return qasm2.loads(
        text,
        include_path=qasm2.LEGACY_INCLUDE_PATH,
        custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS,
        custom_classical=qasm2.LEGACY_CUSTOM_CLASSICAL,
    )
