"""Anything that stands for a program becomes a `Program`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qismc.common.loading import loading
from qismc.common.wording import quoted
from qismc.errors import UsageError
from qismc.program.foreign import is_circuit
from qismc.program.load import load
from qismc.program.program import Program

if TYPE_CHECKING:
    from qiskit import QuantumCircuit


def read_program(thing: Any, name: str | None = None, include: Sequence[str] = ()) -> Program:
    """The program of a circuit, of a function that makes one, or of a file (`prog.qasm`, `file.py:name`, …).

    What a function builds with Qiskit's own class knows its source lines. OpenQASM may include files below
    its own folder and below those of `include`.
    """
    if isinstance(thing, Program):
        return thing
    if isinstance(thing, str | Path):
        return load(thing, include)
    if is_circuit(thing) or callable(thing):
        with loading():
            from qismc.program.from_qiskit import read_circuit  # noqa: PLC0415 - Qiskit is slow to load

        if is_circuit(thing):
            return read_circuit(thing, name)
        return read_circuit(returned(thing), name or getattr(thing, "__name__", None))
    raise UsageError(
        f"{type(thing).__name__} {quoted(thing)} is not a program",
        hint="give a QuantumCircuit, a function that returns one, or the name of a file",
    )


def returned(function: Callable[[], Any]) -> QuantumCircuit:
    """The circuit that a function returns; its errors are the caller's own."""
    with loading():
        from qismc.program.recording import trace  # noqa: PLC0415 - Qiskit is slow to load

    with trace():
        circuit = function()
    if not is_circuit(circuit):
        called = getattr(function, "__name__", type(function).__name__)
        raise UsageError(f"{called}() returns {type(circuit).__name__}, not a QuantumCircuit")
    return circuit
