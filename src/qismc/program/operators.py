"""Operators: what a statement does to the qubits, free of any number system.

An operator is a product of factors; a factor is a base (see `qismc.program.gates`) on some targets, applied
when its controls have given values. Multi-controlled gates therefore stay small. Composition, control,
inverse and powers are made of lists of factors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from qismc.common.lazily import cached_property
from qismc.common.loading import loading
from qismc.common.scalars import COMPLEX
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.gates import Base, base_matrix, is_diagonal

MAX_FACTORS = 500_000
"""Maximum number of factors of one operator."""
MAX_MATRIX_QUBITS = 6
"""Maximum number of qubits of a matrix that is written out."""


@dataclass(frozen=True)
class Factor:
    """`base` on `targets` if control c has value v for all (c, v).

    The first target is the least significant bit, as in Qiskit.
    """

    base: Base
    targets: tuple[int, ...]
    controls: tuple[tuple[int, int], ...] = ()

    def on(self, qubits: tuple[int, ...]) -> Factor:
        """The same factor with local qubit k renamed to qubits[k]."""
        return Factor(
            self.base,
            tuple(qubits[t] for t in self.targets),
            tuple((qubits[c], value) for c, value in self.controls),
        )

    @property
    def adjoint(self) -> Factor:
        return Factor(self.base.adjoint, self.targets, self.controls)


Factors = tuple[Factor, ...]


@dataclass(frozen=True)
class Operator:
    """The product of `factors` (first factor acts first) on local qubits 0 .. width-1.

    `unitary` is False for projectors and other Kraus operators.
    """

    name: str
    width: int
    factors: Factors
    angles: tuple[float, ...] = ()
    unitary: bool = True
    label: str | None = field(default=None, compare=False)

    @cached_property
    def adjoint(self) -> Operator:
        """The operator with <adjoint u, v> = <u, operator v>."""
        name = f"{self.name}^dagger"
        return Operator(name, self.width, inverse(self.factors), self.angles, self.unitary)

    @cached_property
    def roundings(self) -> float:
        """Sum of the rounding errors of all factors, in the unit of `Base.roundings`."""
        return sum([factor.base.roundings for factor in self.factors])

    @property
    def is_identity(self) -> bool:
        return not self.factors

    def keeps_basis(self, place: int) -> bool:
        """Does it act on this local qubit by phases and as a control only?"""
        return all(is_diagonal(f.base) for f in self.factors if place in f.targets)

    def without_phase(self) -> Operator:
        """The same map of subspaces: phases that nothing controls are dropped."""
        kept = tuple([f for f in self.factors if f.base.name != "phase" or f.controls])
        return self if len(kept) == len(self.factors) else replace(self, factors=kept)


def single(name: str, width: int, *angles: float, unitary: bool = True) -> Operator:
    """The operator that is one named base on all its qubits."""
    base = Base(name, angles)
    return Operator(name, width, (Factor(base, tuple(range(width))),), angles, unitary)


PROJECT = (single("project0", 1, unitary=False), single("project1", 1, unitary=False))
RESET = (PROJECT[0], single("lower", 1, unitary=False))


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
    """The adjoint of a product of factors: the inverse of unitary ones."""
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
    """The matrix of one factor on all qubits."""
    base = np.array(base_matrix(factor.base, COMPLEX), dtype=complex)
    places = [sum((k >> bit & 1) << t for bit, t in enumerate(factor.targets)) for k in range(len(base))]
    rows = np.array(places)
    full = np.eye(1 << width, dtype=complex)
    for others in range(1 << width):
        if not others & rows[-1] and all(others >> c & 1 == value for c, value in factor.controls):
            full[np.ix_(others | rows, others | rows)] = base
    return full
