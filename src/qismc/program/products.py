"""Algebra of operators as lists of factors: composition, control, inverse, power."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from qismc.common.loading import loading
from qismc.common.scalars import COMPLEX
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.gates import base_matrix
from qismc.program.operators import Base, Factor, Operator

Factors = tuple[Factor, ...]
MAX_FACTORS = 500_000
"""Maximum number of factors of one operator."""
MAX_MATRIX_QUBITS = 6
"""Maximum number of qubits of a matrix that is written out."""


def compose(parts: Iterable[tuple[Operator, Sequence[int]]], what: str, source: Source | None) -> Factors:
    """The factors of a sequence of operators on local qubits; the first part acts first."""
    parts = list(parts)
    check_size(sum(len(operator.factors) for operator, _ in parts), what, source)
    return tuple(factor.on(tuple(qubits)) for operator, qubits in parts for factor in operator.factors)


def check_size(count: int, what: str, source: Source | None) -> None:
    if count > MAX_FACTORS:
        raise ProgramError(
            f"'{what}' expands to more than {MAX_FACTORS:,} elementary gates",
            source=source,
            hint="reduce the nesting of gate definitions or the power",
        )


def controlled(factors: Iterable[Factor], values: Sequence[int]) -> Factors:
    """The factors on qubits k, k+1, …, applied if qubits 0 .. k-1 have the given values."""
    shift = len(values)
    added = tuple(enumerate(values))
    return tuple(
        Factor(
            f.base,
            tuple(t + shift for t in f.targets),
            (*added, *((c + shift, value) for c, value in f.controls)),
        )
        for f in factors
    )


def control_values(count: int, state: int | None) -> tuple[int, ...]:
    """The bits of a control state, qubit 0 = least significant; all ones by default."""
    if state is None:
        return (1,) * count
    return tuple((state >> k) & 1 for k in range(count))


def inverse(factors: Sequence[Factor]) -> Factors:
    """The inverse of a product of unitary factors."""
    return tuple(factor.adjoint for factor in reversed(factors))


def power(factors: Factors, width: int, exponent: float, what: str, source: Source | None) -> Factors:
    """Integer powers by repetition, others by the principal power of the matrix."""
    if float(exponent).is_integer():
        count = int(exponent)
        check_size(len(factors) * abs(count), what, source)
        return (factors if count >= 0 else inverse(factors)) * abs(count)
    if width > MAX_MATRIX_QUBITS:
        raise UnsupportedError(
            f"'{what}' is a fractional power of a gate on {width} qubits",
            source=source,
            hint=f"fractional powers are supported up to {MAX_MATRIX_QUBITS} qubits",
        )
    with loading():
        from qiskit.quantum_info import Operator as QiskitOperator  # noqa: PLC0415 - Qiskit is slow to load

    principal = QiskitOperator(dense(factors, width)).power(exponent)
    return (literal(what, principal.data),)


def literal(name: str, matrix: Any) -> Factor:
    """A factor that is a literal matrix on its qubits."""
    width = len(matrix).bit_length() - 1
    entries = tuple(tuple(complex(z) for z in row) for row in matrix)
    return Factor(Base(name, (), entries), tuple(range(width)))


def dense(factors: Iterable[Factor], width: int) -> Any:
    """The complex matrix of a product of factors; for few qubits."""
    matrix = np.eye(1 << width, dtype=complex)
    for factor in factors:
        matrix = _embed(factor, width) @ matrix
    return matrix


def _embed(factor: Factor, width: int) -> Any:
    base = np.array(base_matrix(factor.base, COMPLEX), dtype=complex)
    size = 1 << width
    full = np.zeros((size, size), dtype=complex)
    for column in range(size):
        if any((column >> c) & 1 != value for c, value in factor.controls):
            full[column, column] = 1
            continue
        inner = sum(((column >> t) & 1) << k for k, t in enumerate(factor.targets))
        rest = column & ~sum(1 << t for t in factor.targets)
        for row in range(len(base)):
            place = sum(((row >> k) & 1) << t for k, t in enumerate(factor.targets))
            full[rest | place, column] += base[row, inner]
    return full


def without_phase(operator: Operator) -> Operator:
    """The same map of subspaces: phases that nothing controls are dropped."""
    kept = tuple([f for f in operator.factors if f.base.name != "phase" or f.controls])
    if len(kept) == len(operator.factors):
        return operator
    return Operator(operator.name, operator.width, kept, operator.angles, operator.unitary, operator.label)
