"""Quantum Markov chains over small spaces: vertices with dimensions, edges with Kraus matrices.

A vertex k carries C^dims[k]; an edge k -> l carries one matrix A of shape (dims[l], dims[k]), and a state x
goes to A x with probability |A x|^2. `slack[k]` says how much the matrices that leave k differ from the true
ones: a bound on the norm of  sum K^dagger E K - sum A^dagger E A  for every effect 0 <= E <= 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import rustworkx

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
        number = {vertex: k for k, vertex in enumerate(chosen)}
        graph: rustworkx.PyDiGraph[None, None] = rustworkx.PyDiGraph()
        graph.add_nodes_from([None] * len(chosen))
        for vertex, k in number.items():
            targets = {number[edge.target] for edge in self.edges[vertex] if edge.target in number}
            graph.add_edges_from_no_data([(k, target) for target in targets])
        return [sorted(chosen[k] for k in part) for part in rustworkx.strongly_connected_components(graph)]

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
