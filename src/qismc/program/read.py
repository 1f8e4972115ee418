"""Anything that stands for a program becomes a `Program`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import qiskit

from qismc.errors import UsageError
from qismc.program.from_qiskit import read_circuit
from qismc.program.load import load
from qismc.program.program import Program


def read_program(thing: Any, name: str | None = None) -> Program:
    """The program of a QuantumCircuit, a file name (`prog.qasm`, `file.py:name`, …) or a Program."""
    if isinstance(thing, Program):
        return thing
    if isinstance(thing, qiskit.QuantumCircuit):
        return read_circuit(thing, name)
    if isinstance(thing, str | Path):
        return load(thing)
    raise UsageError(
        f"{type(thing).__name__} {thing!r:.60} is not a program",
        hint="give a QuantumCircuit or the name of a file",
    )
