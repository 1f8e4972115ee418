"""A span of states as a product of spans on disjoint qubits, and which of these a state is outside of.

Let A and B be spanned by the Schmidt vectors of the states of S on either side of a cut. Then S <= A (x) B,
and S = A (x) B iff their dimensions are equal. A state is in A (x) B iff its own Schmidt vectors are in A on
the one side and in B on the other, so that each factor holds or fails by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.evidence.hints.reduced import mixture_text
from qismc.propositions import echelon, ket_text

Array = npt.NDArray[np.complex128]
ZERO = 1e-9
KETS_SHOWN = 4


class Factor(NamedTuple):
    """A span on some places of the states; the columns are an orthonormal basis of it."""

    places: tuple[int, ...]
    basis: Array

    @property
    def dimension(self) -> int:
        return int(self.basis.shape[1])

    @property
    def is_everything(self) -> bool:
        """Does it exclude nothing?"""
        return len(self.basis) == self.dimension

    def outside(self, density: Array) -> Array:
        """What a density matrix on the places has outside, not normalised."""
        rest = np.eye(len(self.basis)) - self.basis @ self.basis.conj().T
        return np.asarray(rest @ density @ rest)

    def contains(self, density: Array) -> bool:
        """Is a density matrix on the places inside?"""
        return float(np.real(np.trace(self.outside(density)))) < ZERO

    @property
    def text(self) -> str:
        """`|0>`, or `span(|00>, |11>)`."""
        kets = [_ket(row) for row in echelon(self.basis.T)[:KETS_SHOWN]]
        if self.dimension == 1:
            return kets[0]
        more = [] if self.dimension <= KETS_SHOWN else [f"{self.dimension - KETS_SHOWN} more"]
        return f"span({', '.join(kets + more)})"


def _ket(vector: Array) -> str:
    width = len(vector).bit_length() - 1
    return ket_text([(format(k, f"0{width}b"), complex(z)) for k, z in enumerate(vector) if abs(z) > ZERO])


def factors(rows: Array) -> list[Factor]:
    """The finest product that the span of the rows is, in the order of the qubits."""
    count = rows.shape[1].bit_length() - 1
    whole = _factor(rows, tuple(range(count)))
    return list(_split(whole.basis.T, tuple(range(count))))


def _split(rows: Array, places: tuple[int, ...]) -> Iterator[Factor]:
    """The smallest factor with the first place, then those of the rest."""
    for size in range(1, len(places)):
        for others in combinations(range(1, len(places)), size - 1):
            chosen = (0, *others)
            rest = tuple(k for k in range(len(places)) if k not in chosen)
            first, second = _factor(rows, chosen), _factor(rows, rest)
            if first.dimension * second.dimension == len(rows):
                yield Factor(tuple(places[k] for k in chosen), first.basis)
                yield from _split(second.basis.T, tuple(places[k] for k in rest))
                return
    yield Factor(places, rows.T)


def _factor(rows: Array, places: Sequence[int]) -> Factor:
    """What the Schmidt vectors of independent states on some places span."""
    count = rows.shape[1].bit_length() - 1
    tensor = rows.reshape((len(rows), *(2,) * count))
    rest = [k + 1 for k in range(count) if k not in places]
    flat = tensor.transpose([*(p + 1 for p in places), 0, *rest]).reshape(2 ** len(places), -1)
    left, lengths, _ = np.linalg.svd(flat, full_matrices=False)
    return Factor(tuple(places), left[:, lengths > ZERO * lengths[0]])


def outside_text(factor: Factor, density: Array) -> str | None:
    """The part of a state that is outside, where another part is inside."""
    rest = factor.outside(density)
    weight = float(np.real(np.trace(rest)))
    if not ZERO < weight < 1 - ZERO:
        return None
    return f"the part outside of {factor.text} is {mixture_text(rest / weight)}, squared length {weight:.4g}"
