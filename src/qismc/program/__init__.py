"""Qiskit circuits and OpenQASM files become flat code with source positions."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.program.load import load
from qismc.program.program import Program
from qismc.program.read import read_program

if TYPE_CHECKING:
    from qismc.program.recording import QuantumCircuit, trace

__all__ = ["Program", "QuantumCircuit", "load", "read_program", "trace"]


def __getattr__(name: str) -> Any:
    """What needs Qiskit is loaded when it is asked for."""
    if name in ("QuantumCircuit", "trace"):
        with loading():
            return getattr(import_module("qismc.program.recording"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
