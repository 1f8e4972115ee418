"""Quantum Markov chains over small spaces: vertices with dimensions, edges with Kraus matrices.

A vertex k carries C^dims[k]. An edge k -> l carries one matrix A of shape (dims[l], dims[k]); a state x goes
to A x with probability |A x|^2. `slack[k]` bounds the difference between the matrices that leave k and the
true ones K: the norm of  sum K^dagger E K - sum A^dagger E A  for every effect 0 <= E <= 1.

States that never leave a strongly connected component are *trapped*; the equations have no unique solution
there. X(k) = { x : A x = 0 for every edge k -> l that leaves the component, A x in X(l) for every edge inside
} is the greatest solution, kept as orthonormal rows C(k) with X(k) = ker C(k). On the rest, C(k)^dagger C(k),
every state leaves in the long run, so the spectral radius of the restricted equations is below 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qismc.common.graphs import strong_components
from qismc.limits import Tolerance

Matrix = npt.NDArray[np.complex128]


@dataclass(frozen=True, eq=False)
class Edge:
    """One Kraus operator towards a vertex."""

    target: int
    matrix: Matrix


@dataclass(frozen=True, eq=False)
class Chain:
    """`edges[k]` leave vertex k."""

    dims: Sequence[int]
    edges: Sequence[Sequence[Edge]]
    slack: Sequence[float]
    poll: Callable[[], object] = lambda: None
    """Called within long computations; it may raise LimitReached."""

    def __len__(self) -> int:
        return len(self.dims)

    def components(self, chosen: Sequence[int]) -> list[list[int]]:
        """The strongly connected components among the chosen vertices; each comes after those it leads to."""
        return [sorted(part) for part in strong_components(chosen, self._targets)]

    def _targets(self, vertex: int) -> set[int]:
        return {edge.target for edge in self.edges[vertex]}

    def returns(self, component: Sequence[int]) -> bool:
        """Can a component be left towards itself?"""
        inside = set(component)
        return any(edge.target in inside for vertex in component for edge in self.edges[vertex])

    def effect(self, vertex: int, values: Mapping[int, Matrix]) -> Matrix:
        """sum A^dagger E A over the edges to vertices with a value: the effect one step earlier."""
        size = self.dims[vertex]
        total = np.zeros((size, size), dtype=complex)
        for edge in self.edges[vertex]:
            value = values.get(edge.target)
            if value is not None:
                total += edge.matrix.conj().T @ value @ edge.matrix
        return total


def operator_norm(matrix: Matrix) -> float:
    """The largest singular value."""
    if matrix.size <= 1:  # a Markov chain has many of these
        return abs(complex(matrix[0, 0])) if matrix.size else 0.0
    return float(np.linalg.norm(matrix, 2))


def spectrum(hermitian: Matrix) -> tuple[float, float]:
    """The smallest and the largest eigenvalue."""
    if hermitian.size == 1:
        value = float(hermitian[0, 0].real)
        return value, value
    values = np.linalg.eigvalsh(hermitian)
    return float(values[0]), float(values[-1])


def multiple(value: float, size: int) -> Matrix:
    """value times the unit matrix."""
    return np.asarray(value * np.eye(size), dtype=np.complex128)


QUESTION = "can a state leave a loop"


@dataclass(frozen=True, eq=False)
class Leaving:
    """`rows[k]` are orthonormal and vanish exactly on the trapped states of vertex k."""

    rows: dict[int, Matrix]
    weakest: float
    """The smallest length that counted as not zero: rounding is amplified by its inverse."""

    @property
    def traps(self) -> bool:
        return any(rows.shape[0] < rows.shape[1] for rows in self.rows.values())


def leaving(chain: Chain, component: Sequence[int], tolerance: Tolerance) -> Leaving:
    """The directions in which states of a component can leave it, sooner or later."""
    rows = {k: np.zeros((0, chain.dims[k]), dtype=complex) for k in component}
    before: dict[int, set[int]] = {k: set() for k in component}
    for k in component:
        for edge in chain.edges[k]:
            if edge.target in before:
                before[edge.target].add(k)
    pending, weakest = dict.fromkeys(component), 1.0
    while pending:
        k = next(iter(pending))
        del pending[k]
        if len(rows[k]) == chain.dims[k]:
            continue
        grown, least = _with_rows(rows[k], _conditions(chain, k, rows), tolerance)
        if len(grown) > len(rows[k]):
            rows[k], weakest = grown, min(weakest, least)
            pending.update(dict.fromkeys(sorted(before[k])))
    return Leaving(rows, weakest)


def _conditions(chain: Chain, k: int, rows: dict[int, Matrix]) -> Matrix:
    """What must vanish of a state at k lest it leaves."""
    parts = [
        rows[edge.target] @ edge.matrix if edge.target in rows else edge.matrix for edge in chain.edges[k]
    ]
    return np.concatenate([np.zeros((0, chain.dims[k]), dtype=complex), *parts])


def _with_rows(known: Matrix, conditions: Matrix, tolerance: Tolerance) -> tuple[Matrix, float]:
    """An orthonormal basis of the known rows and the conditions; the smallest length that was added."""
    rest = conditions
    for _ in range(2):  # the second pass removes the rounding of the first
        rest = rest - (rest @ known.conj().T) @ known
    if not rest.size:
        return known, 1.0
    _, lengths, right = np.linalg.svd(rest, full_matrices=False)
    added = [k for k, length in enumerate(lengths) if not tolerance.is_zero(float(length), QUESTION)]
    found = np.concatenate([known, right[added]])
    if added:
        found = np.linalg.qr(found.conj().T)[0].conj().T
    return found, min((float(lengths[k]) for k in added), default=1.0)
