"""The states that never leave a strongly connected component: there the equations have no unique solution.

X(k) = { x : A x = 0 for every edge k -> l that leaves the component, A x in X(l) for every edge inside }, the
greatest solution; X is kept as orthonormal rows C(k) with X(k) = ker C(k). On the rest, C(k)^dagger C(k),
every state leaves in the long run, so the spectral radius of the restricted equations is below 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Matrix

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
