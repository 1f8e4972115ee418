"""Equations of loops, reduced to the heads of the loops.

Without the heads (a set of vertices that every cycle meets) the vertices of a component can be put in order,
so their values follow from those of the heads by substitution. What a turn makes of every value at the heads
is a matrix; only that is inverted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import rustworkx

from qismc.common.loading import loading
from qismc.probability.chain import Matrix

Step = tuple[int, int, Matrix]
"""(from, to, matrix)."""
AT_ONCE = 128
"""So many values are turned together; more take too much memory."""
Values = dict[int, Matrix]
"""By vertex; a leading axis, if there is one, runs over several solutions at once."""


def loop_heads(sizes: Mapping[int, int], steps: Sequence[Step]) -> list[int]:
    """Vertices that every cycle meets, found greedily: many edges, few dimensions."""
    left, heads = set(sizes), list[int]()
    while True:
        inner = [(k, target) for k, target, _ in steps if k in left and target in left]
        left = {k for k in left if any(a == k for a, _ in inner) and any(b == k for _, b in inner)}
        inner = [(k, target) for k, target in inner if k in left and target in left]
        if not left:
            return heads
        if all(any(a == k for a, _ in inner) and any(b == k for _, b in inner) for k in left):
            best = max(left, key=lambda k: (sum(k in pair for pair in inner) / (1 + sizes[k] ** 2), -k))
            heads.append(best)
            left.remove(best)


class Turn:
    """One turn from the heads to the heads."""

    def __init__(
        self,
        sizes: Mapping[int, int],
        steps: Sequence[Step],
        heads: Sequence[int],
        poll: Callable[[], object] = lambda: None,
    ) -> None:
        self._sizes = sizes
        self._poll = poll
        self._heads = list(heads)
        self._order = self._sorted(steps)
        self._out: dict[int, list[tuple[int, Matrix]]] = {k: [] for k in sizes}
        self._in: dict[int, list[tuple[int, Matrix]]] = {k: [] for k in sizes}
        for k, target, matrix in steps:
            self._out[k].append((target, matrix))
            self._in[target].append((k, matrix))
        with loading():
            import scipy.linalg  # noqa: PLC0415 - SciPy is slow to load

        self._factors = scipy.linalg.lu_factor(self._matrix())

    def _sorted(self, steps: Sequence[Step]) -> list[int]:
        """The other vertices, each before those it leads to."""
        others = [k for k in self._sizes if k not in self._heads]
        number = {k: n for n, k in enumerate(others)}
        graph: rustworkx.PyDiGraph[None, None] = rustworkx.PyDiGraph()
        graph.add_nodes_from([None] * len(others))
        pairs = {(number[k], number[t]) for k, t, _ in steps if k in number and t in number}
        graph.add_edges_from_no_data(sorted(pairs))
        return [others[n] for n in rustworkx.topological_sort(graph)]

    def solve(self, constants: Values, *, forward: bool) -> Values:
        """The values at all vertices."""
        nothing = {k: np.zeros((self._sizes[k],) * 2, dtype=complex) for k in self._heads}
        after = self._run(constants, nothing, forward=forward)[1]
        flat = np.concatenate([after[k].reshape(-1) for k in self._heads])
        with loading():
            import scipy.linalg  # noqa: PLC0415 - SciPy is slow to load

        found = scipy.linalg.lu_solve(self._factors, flat, trans=2 if forward else 0)
        heads, place = {}, 0
        for k in self._heads:
            size = self._sizes[k]
            heads[k] = np.asarray(found[place : place + size * size]).reshape(size, size)
            place += size * size
        return {**self._run(constants, heads, forward=forward)[0], **heads}

    def _matrix(self) -> Matrix:
        """1 - turn, backwards, on the row-major values at the heads."""
        units = np.eye(sum(self._sizes[k] ** 2 for k in self._heads), dtype=complex)
        parts = [self._turned(units[first : first + AT_ONCE]) for first in range(0, len(units), AT_ONCE)]
        return np.asarray(units - np.concatenate([*parts, units[:0]]).T)

    def _turned(self, rows: Matrix) -> Matrix:
        """What one turn makes of some values at the heads, each a row."""
        self._poll()
        given, place = {}, 0
        for k in self._heads:
            size = self._sizes[k]
            given[k] = rows[:, place : place + size * size].reshape(len(rows), size, size)
            place += size * size
        after = self._run({}, given, forward=False)[1]
        flat = [after[k].reshape(len(rows), self._sizes[k] ** 2) for k in self._heads]
        return np.concatenate(flat, axis=1)

    def _run(self, constants: Values, heads: Values, *, forward: bool) -> tuple[Values, Values]:
        """The values elsewhere that follow from those at the heads, and what comes back to the heads."""
        known = dict(heads)
        for k in self._order if forward else reversed(self._order):
            known[k] = self._sum(k, constants, known, forward=forward)
        return known, {k: self._sum(k, constants, known, forward=forward) for k in self._heads}

    def _sum(self, k: int, constants: Values, known: Values, *, forward: bool) -> Matrix:
        total = constants.get(k, np.zeros((self._sizes[k],) * 2, dtype=complex))
        for other, matrix in self._in[k] if forward else self._out[k]:
            if forward:
                total = total + matrix @ known[other] @ matrix.conj().T
            else:
                total = total + matrix.conj().T @ known[other] @ matrix
        return np.asarray(total)
