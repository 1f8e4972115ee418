"""Factors on dense tensors with one axis per qubit: most of them change a few slices, in place."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from types import EllipsisType

import numpy as np
import numpy.typing as npt

from qismc.lazily import cached_property
from qismc.program.gates import base_matrix
from qismc.program.operators import Base, Factor
from qismc.scalars import COMPLEX

Array = npt.NDArray[np.complex128]
Place = tuple[int | slice | EllipsisType, ...]
Terms = tuple[tuple[int, complex], ...]

FEW_TERMS = 16
"""Matrices with more entries than this outside of identical rows are left to one large multiplication."""


@dataclass(frozen=True, eq=False)
class SmallMatrix:
    """A base with its rows k that differ from those of the identity, as columns j with entries not 0."""

    entries: Array
    rows: tuple[tuple[int, Terms], ...]

    @cached_property
    def is_sparse(self) -> bool:
        return sum(len(terms) for _, terms in self.rows) <= FEW_TERMS


def small_matrix(base: Base) -> SmallMatrix:
    entries = np.array(base_matrix(base, COMPLEX), dtype=complex)
    rows = []
    for k, row in enumerate(entries.tolist()):
        terms = tuple((j, entry) for j, entry in enumerate(row) if entry)
        if terms != ((k, 1),):
            rows.append((k, terms))
    return SmallMatrix(entries, tuple(rows))


@dataclass(frozen=True, eq=False)
class DenseFactor:
    """A matrix on slices of a tensor: places[k] is where its target digits are k and its controls act."""

    matrix: SmallMatrix
    places: tuple[Place, ...]

    def apply(self, state: Array) -> None:
        """Change the tensor to its image."""
        parts = [state[place] for place in self.places]
        images = [(parts[k], _combined(parts, terms)) for k, terms in self.matrix.rows]
        for part, image in images:
            part[...] = image


def _combined(parts: list[Array], terms: Terms) -> Array:
    if not terms:
        return np.zeros_like(parts[0])
    (first, entry), *others = terms
    total = parts[first] * entry
    for k, entry in others:
        total += parts[k] * entry
    return total


@dataclass(frozen=True, eq=False)
class WideFactor:
    """The same by one multiplication of all slices."""

    matrix: SmallMatrix
    factor: Factor

    def apply(self, state: Array) -> None:
        """Change the tensor to its image."""
        where: list[int | slice] = [slice(None)] * state.ndim
        for control, value in self.factor.controls:
            where[control] = value
        part = state[tuple(where)]
        controls = {control for control, _ in self.factor.controls}
        left = [q for q in range(state.ndim) if q not in controls]
        axes = [left.index(t) for t in reversed(self.factor.targets)]  # first target = least significant
        width = len(axes)
        tensor = self.matrix.entries.reshape((2,) * (2 * width))
        image = np.tensordot(tensor, part, axes=(list(range(width, 2 * width)), axes))
        state[tuple(where)] = np.moveaxis(image, list(range(width)), axes)


def placed(matrix: SmallMatrix, factor: Factor, num_qubits: int) -> DenseFactor | WideFactor:
    """A factor on all qubits of a tensor, ready to be applied."""
    if not matrix.is_sparse:
        return WideFactor(matrix, factor)
    where: list[int | slice | EllipsisType] = [slice(None)] * num_qubits
    where.append(...)  # so that a single entry is a view, too
    for control, value in factor.controls:
        where[control] = value
    places = []
    for digits in product((0, 1), repeat=len(factor.targets)):  # the last target is the first digit
        for target, digit in zip(reversed(factor.targets), digits, strict=True):
            where[target] = digit
        places.append(tuple(where))
    return DenseFactor(matrix, tuple(places))
