"""Anything that stands for a program becomes a `Program`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import qiskit

from qismc.errors import UsageError
from qismc.program.from_qiskit import read_circuit
from qismc.program.load import load
from qismc.program.program import Program
from qismc.program.recording import trace


def read_program(thing: Any, name: str | None = None) -> Program:
    """The program of a circuit, of a function that makes one, or of a file (`prog.qasm`, `file.py:name`, …).

    What a function builds with Qiskit's own class knows its source lines.
    """
    if isinstance(thing, Program):
        return thing
    if isinstance(thing, qiskit.QuantumCircuit):
        return read_circuit(thing, name)
    if isinstance(thing, str | Path):
        return load(thing)
    if callable(thing):
        return read_circuit(returned(thing), name or getattr(thing, "__name__", None))
    raise UsageError(
        f"{type(thing).__name__} {thing!r:.60} is not a program",
        hint="give a QuantumCircuit, a function that returns one, or the name of a file",
    )


def returned(function: Callable[[], Any]) -> qiskit.QuantumCircuit:
    """The circuit that a function returns; its errors are the caller's own."""
    with trace():
        circuit = function()
    if not isinstance(circuit, qiskit.QuantumCircuit):
        called = getattr(function, "__name__", type(function).__name__)
        raise UsageError(f"{called}() returns {type(circuit).__name__}, not a QuantumCircuit")
    return circuit
