"""What is not ours: objects of Qiskit, errors of the user's code and of readers of other formats.

Qiskit is not loaded to recognise its objects: who has such an object has loaded it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeIs

from qismc.common.source import Source
from qismc.errors import ProgramError, QismcError, Undecided

if TYPE_CHECKING:
    from qiskit import QuantumCircuit
    from qiskit.quantum_info import Statevector


def is_circuit(thing: Any) -> TypeIs[QuantumCircuit]:
    """A QuantumCircuit of Qiskit, or of a class made of it."""
    qiskit = sys.modules.get("qiskit")
    return qiskit is not None and isinstance(thing, qiskit.QuantumCircuit)


def is_statevector(thing: Any) -> TypeIs[Statevector]:
    """A Statevector of Qiskit."""
    states = sys.modules.get("qiskit.quantum_info")
    return states is not None and isinstance(thing, states.Statevector)


PASSING = (QismcError, Undecided, MemoryError, RecursionError, KeyboardInterrupt)
"""Errors that are passed on unchanged from the user's code. Panics of native code are no `Exception`."""


def said(error: BaseException) -> str:
    """Class and text of an error; the class alone if the text fails, as with classes of the user."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def unreadable(what: str, error: BaseException, source: Source | None = None) -> ProgramError:
    """The error for something that cannot be read because of another one."""
    return ProgramError(f"{what} cannot be read: {said(error)}", source=source)
