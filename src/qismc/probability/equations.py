"""The linear equations of one strongly connected component, solved forwards and backwards.

Backwards, effects:  E(k) = constant(k) + sum B^dagger E(l) B   over the edges k -> l inside the component;
forwards, visits:    R(l) = seed(l) + sum B R(k) B^dagger.
B are the matrices of the edges in the directions that leave the component in the long run (`Leaving`), so
both have exactly one solution. The second system is the adjoint of the first: one factorisation serves both.

Large systems are reduced to *heads*, a set of vertices that every cycle passes. Without the heads the
vertices can be put in order, so their values follow from those of the heads by substitution. What one turn
makes of every value at the heads is a matrix; only that matrix is inverted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qismc.common.graphs import in_order
from qismc.common.loading import loading
from qismc.probability.chain import Chain, Leaving, Matrix

if TYPE_CHECKING:
    import scipy.sparse

Transfer = tuple[int, int, Matrix]
"""(from, to, matrix)."""
AT_ONCE = 128
"""Number of unit values at the heads that are substituted together; it bounds the memory."""
Unknowns = npt.NDArray[np.complex128]
VertexMatrices = dict[int, Matrix]
"""By vertex; a leading axis, if there is one, runs over several solutions at once."""


def loop_heads(sizes: Mapping[int, int], steps: Sequence[Transfer]) -> list[int]:
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


def split(rows: Unknowns, sizes: Mapping[int, int]) -> VertexMatrices:
    """The square matrices of these sizes that stand one after the other, along the last axis."""
    found, begin = {}, 0
    for k, size in sizes.items():
        found[k] = rows[..., begin : begin + size**2].reshape(*rows.shape[:-1], size, size)
        begin += size**2
    return found


def joined(matrices: VertexMatrices) -> Unknowns:
    """The opposite of `split`."""
    return np.concatenate([m.reshape(*m.shape[:-2], m.shape[-1] ** 2) for m in matrices.values()], axis=-1)


def _scipy(part: str) -> Any:
    """A part of SciPy, which is slow to load."""
    with loading(f"scipy.{part}"):
        return import_module(f"scipy.{part}")


class Turn:
    """One turn from the heads to the heads."""

    def __init__(
        self,
        sizes: Mapping[int, int],
        steps: Sequence[Transfer],
        heads: Sequence[int],
        poll: Callable[[], object] = lambda: None,
    ) -> None:
        self._sizes = sizes
        self._poll = poll
        self._heads = {k: sizes[k] for k in heads}
        self._order = self._sorted(steps)
        self._out: dict[int, list[tuple[int, Matrix]]] = {k: [] for k in sizes}
        self._in: dict[int, list[tuple[int, Matrix]]] = {k: [] for k in sizes}
        for k, target, matrix in steps:
            self._out[k].append((target, matrix))
            self._in[target].append((k, matrix))
        self._factors = _scipy("linalg").lu_factor(self._matrix())

    def _sorted(self, steps: Sequence[Transfer]) -> list[int]:
        """The other vertices, each before those it leads to."""
        after: dict[int, set[int]] = {k: set() for k in self._sizes if k not in self._heads}
        for k, target, _ in steps:
            if k in after:
                after[k].add(target)
        return in_order(list(after), lambda k: sorted(after[k]))

    def solve(self, constants: VertexMatrices, *, forward: bool) -> VertexMatrices:
        """The values at all vertices."""
        nothing = {k: np.zeros((size, size), dtype=complex) for k, size in self._heads.items()}
        after = joined(self._run(constants, nothing, forward=forward)[1])
        found = _scipy("linalg").lu_solve(self._factors, after, trans=2 if forward else 0)
        heads = split(found, self._heads)
        return {**self._run(constants, heads, forward=forward)[0], **heads}

    def _matrix(self) -> Matrix:
        """1 - turn, backwards, on the row-major values at the heads: each unit value once."""
        units, turned = np.eye(sum(size**2 for size in self._heads.values()), dtype=complex), []
        for first in range(0, len(units), AT_ONCE):
            self._poll()
            heads = split(units[first : first + AT_ONCE], self._heads)
            turned.append(joined(self._run({}, heads, forward=False)[1]))
        return np.asarray(units - np.concatenate([*turned, units[:0]]).T)

    def _run(
        self, constants: VertexMatrices, heads: VertexMatrices, *, forward: bool
    ) -> tuple[VertexMatrices, VertexMatrices]:
        """The values elsewhere that follow from those at the heads, and what comes back to the heads."""
        known = dict(heads)
        for k in self._order if forward else reversed(self._order):
            known[k] = self._sum(k, constants, known, forward=forward)
        return known, {k: self._sum(k, constants, known, forward=forward) for k in self._heads}

    def _sum(self, k: int, constants: VertexMatrices, known: VertexMatrices, *, forward: bool) -> Matrix:
        total = constants.get(k, np.zeros((self._sizes[k],) * 2, dtype=complex))
        for other, matrix in self._in[k] if forward else self._out[k]:
            if forward:
                total = total + matrix @ known[other] @ matrix.conj().T
            else:
                total = total + matrix.conj().T @ known[other] @ matrix
        return np.asarray(total)


Solver = Callable[[Unknowns, bool], Unknowns]
"""(constants, forward?) -> solution"""

DENSE_UNKNOWNS = 800
"""Up to so many unknowns are eliminated in a dense matrix."""
SMALL_BLOCKS = 3
"""Equations between spaces of so many dimensions at most are factorised as one sparse matrix."""
HEAD_UNKNOWNS = 4_000
"""Larger ones are reduced to the heads of the loops, if these have so few unknowns; else GMRES."""
SWEEPS, RESTART, ACCURACY = 6, 60, 1e-14
"""GMRES is started again on what is left, so many times; residuals count into the error bound anyway."""


class Equations:
    """The equations of one component, in the coordinates of its leaving directions."""

    def __init__(self, chain: Chain, leaving: Leaving) -> None:
        self._rows = leaving.rows
        self._sizes = {k: len(rows) for k, rows in leaving.rows.items()}
        self._poll = chain.poll
        self._steps = [
            (k, edge.target, leaving.rows[edge.target] @ edge.matrix @ leaving.rows[k].conj().T)
            for k in leaving.rows
            for edge in chain.edges[k]
            if edge.target in leaving.rows
        ]
        self._solver: Solver | None = None

    def solve(self, constants: Mapping[int, Matrix], *, forward: bool = False) -> dict[int, Matrix]:
        """The solution for constants (or seeds) given in leaving coordinates; missing ones are zero."""
        flat = joined({**self._zeros(), **constants})
        if flat.size:
            self._solver = self._solver or self._choose(flat.size)
            flat = np.asarray(self._solver(flat, forward), dtype=complex)
        return split(flat, self._sizes)

    def step(self, values: Mapping[int, Matrix], *, forward: bool = False) -> dict[int, Matrix]:
        """One application of the sums above."""
        found = self._zeros()
        for k, target, matrix in self._steps:
            if forward:
                found[target] += matrix @ values[k] @ matrix.conj().T
            else:
                found[k] += matrix.conj().T @ values[target] @ matrix
        return found

    def _zeros(self) -> dict[int, Matrix]:
        return {k: np.zeros((size, size), dtype=complex) for k, size in self._sizes.items()}

    def inward(self, k: int, operator: Matrix) -> Matrix:
        """An operator on the whole space of k in leaving coordinates."""
        return np.asarray(self._rows[k] @ operator @ self._rows[k].conj().T)

    def outward(self, k: int, operator: Matrix) -> Matrix:
        """The operator on the whole space of k that is zero on trapped states."""
        return np.asarray(self._rows[k].conj().T @ operator @ self._rows[k])

    # --- solvers -----------------------------------------------------------------------------------------

    def _choose(self, unknowns: int) -> Solver:
        if unknowns <= DENSE_UNKNOWNS:
            return self._dense()
        if max(self._sizes.values()) <= SMALL_BLOCKS:
            return self._sparse()
        heads = loop_heads(self._sizes, self._steps)
        if sum(self._sizes[k] ** 2 for k in heads) <= HEAD_UNKNOWNS:
            return self._reduced(Turn(self._sizes, self._steps, heads, self._poll))
        return self._iterated

    def _matrix(self) -> scipy.sparse.csc_array:
        """1 - T on row-major blocks: B^dagger E B is (B^dagger (x) B^T) E."""
        *begins, end = accumulate((size**2 for size in self._sizes.values()), initial=0)
        begin = dict(zip(self._sizes, begins, strict=True))
        rows, columns, entries = [], [], []
        for k, target, matrix in self._steps:
            block = np.kron(matrix.conj().T, matrix.T)
            i, j = np.nonzero(block)
            rows.append(i + begin[k])
            columns.append(j + begin[target])
            entries.append(-block[i, j])
        diagonal = np.arange(end)
        indices = (np.concatenate([diagonal, *rows]), np.concatenate([diagonal, *columns]))
        values = np.concatenate([np.ones(end, dtype=complex), *entries])
        return _scipy("sparse").csc_array((values, indices), shape=(end, end))

    def _dense(self) -> Solver:
        factors = _scipy("linalg").lu_factor(self._matrix().toarray())
        return lambda flat, forward: _scipy("linalg").lu_solve(factors, flat, trans=2 if forward else 0)

    def _sparse(self) -> Solver:
        factors = _scipy("sparse.linalg").splu(self._matrix())
        return lambda flat, forward: factors.solve(flat, trans="H" if forward else "N")

    def _reduced(self, turn: Turn) -> Solver:
        def solve(flat: Unknowns, forward: bool) -> Unknowns:
            found = turn.solve(split(flat, self._sizes), forward=forward)
            return joined({k: found[k] for k in self._sizes})

        return solve

    def _iterated(self, flat: Unknowns, forward: bool) -> Unknowns:
        def apply(vector: Unknowns) -> Unknowns:
            self._poll()
            return np.asarray(vector - joined(self.step(split(vector, self._sizes), forward=forward)))

        linalg, shape = _scipy("sparse.linalg"), (flat.size, flat.size)
        operator = linalg.LinearOperator(shape, matvec=apply, dtype=complex)
        found, rest = np.zeros_like(flat), flat
        for _ in range(SWEEPS):
            if np.linalg.norm(rest) <= ACCURACY * np.linalg.norm(flat):
                break
            change, _ = linalg.gmres(operator, rest, rtol=1e-10, restart=RESTART, maxiter=RESTART)
            found = found + change
            rest = flat - apply(found)
        return found
