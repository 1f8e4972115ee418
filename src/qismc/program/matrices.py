"""Matrices that users give, checked: unitary gates, Kraus families, states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from qiskit.quantum_info.operators.predicates import is_identity_matrix, is_unitary_matrix

from qismc.common.source import Source
from qismc.errors import ProgramError, Undecided, UnsupportedError
from qismc.program.operators import Factor
from qismc.program.products import MAX_MATRIX_QUBITS, literal

MAX_NORM_ERROR = 1e-5
"""How far the norm of a given state may be from 1; states as printed with few digits are common."""


def matrix_factor(operation: Any, source: Source | None) -> Factor:
    """The matrix of a gate as a factor; whatever is not unitary by Qiskit's own measure is refused."""
    return unitary_factor(operation.name, _matrix(operation, source), operation.num_qubits, source)


def unitary_factor(name: str, matrix: Any, width: int, source: Source | None) -> Factor:
    """A literal matrix on `width` qubits that is finite and unitary."""
    matrix = _square(matrix, width, f"gate '{name}'", source)
    if not is_unitary_matrix(matrix):
        raise ProgramError(f"the matrix of gate '{name}' is not unitary", source=source)
    return literal(name, matrix)


def kraus_factors(family: Sequence[Any], width: int, source: Source | None) -> list[Factor]:
    """A Kraus family whose K^dagger K sum to the identity."""
    if width > MAX_MATRIX_QUBITS:
        hint = f"channels are supported up to {MAX_MATRIX_QUBITS} qubits"
        raise UnsupportedError(f"instruction 'kraus' acts on {width} qubits", source=source, hint=hint)
    matrices = [_square(matrix, width, "instruction 'kraus'", source) for matrix in family]
    total = sum((k.conj().T @ k for k in matrices), np.zeros((1 << width, 1 << width)))
    if not is_identity_matrix(total, ignore_phase=False):
        hint = "the sum of K^dagger K must be the identity"
        raise ProgramError("the channel 'kraus' is not trace preserving", source=source, hint=hint)
    return [literal("kraus", matrix) for matrix in matrices]


def state_factor(name: str, amplitudes: Any, width: int, source: Source | None) -> Factor:
    """|psi><0..0| with the amplitudes as the user gave them."""
    column = np.zeros((1 << width, 1 << width), dtype=complex)
    column[:, 0] = amplitudes
    column = _square(column, width, f"instruction '{name}'", source)
    norm = float(np.linalg.norm(column))
    if abs(norm - 1) > MAX_NORM_ERROR:
        raise ProgramError(f"the state of '{name}' has norm {norm:g}, not 1", source=source)
    return literal(name, column)


def _matrix(operation: Any, source: Source | None) -> Any:
    if operation.num_qubits > MAX_MATRIX_QUBITS:
        raise UnsupportedError(
            f"gate '{operation.name}' is a matrix on {operation.num_qubits} qubits",
            source=source,
            hint=f"matrices are supported up to {MAX_MATRIX_QUBITS} qubits; use a circuit instead",
        )
    try:
        return operation.to_matrix()
    except Undecided:
        raise
    except Exception as error:  # the user's own code, or Qiskit's complaint about it
        raise ProgramError(f"gate '{operation.name}' gives no matrix: {error}", source=source) from None


def _square(matrix: Any, width: int, what: str, source: Source | None) -> Any:
    """The matrix as a finite complex array of the right size."""
    try:
        array = np.asarray(matrix, dtype=complex)
    except (TypeError, ValueError):
        raise ProgramError(f"{what} has no matrix of numbers", source=source) from None
    size = 1 << width
    if array.shape != (size, size):
        shape = " x ".join(map(str, array.shape)) or "single number"
        message = f"{what} has a {shape} matrix; on {width} qubits it must be {size} x {size}"
        raise ProgramError(message, source=source)
    if not np.all(np.isfinite(array)):
        raise ProgramError(f"{what} has a matrix entry that is not finite", source=source)
    return array
