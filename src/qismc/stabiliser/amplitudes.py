"""Stabiliser states, recognised by their amplitudes.

A state is a stabiliser state iff its support is an affine space a + B over GF(2), all amplitudes have the
same length, and their phases are powers of i that a quadratic form gives. Then it is the only state with

    (-1)^{h a} Z^h            for all h orthogonal to B, and
    e X^b Z^c                 for the b of a basis of B, with a power of i e and a c that two ratios tell.

The second kind is verified at every amplitude, so that nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qismc.stabiliser.affine import reduced
from qismc.stabiliser.paulis import Pauli

Amplitudes = Mapping[int, complex]
"""Bit k of the index is the value of qubit k; amplitudes that are missing are 0."""
CLOSE = 1e-10
"""Ratios of amplitudes are equal if they are so near, as in the recognition of numbers."""
MOST_AMPLITUDES = 1 << 12


def generators(amplitudes: Amplitudes, width: int) -> list[Pauli] | None:
    """The generators of a state's stabiliser group; None if it is no stabiliser state."""
    largest = max(map(abs, amplitudes.values()), default=0.0)
    support = {x: a / largest for x, a in amplitudes.items() if abs(a) > CLOSE * largest} if largest else {}
    if not support or len(support).bit_count() != 1:
        return None
    origin = min(support)
    basis = reduced(x ^ origin for x in support)
    if 1 << len(basis) != len(support):
        return None
    moves = [_move(support, origin, basis, b) for b in basis.values()]
    if any(move is None for move in moves):
        return None
    return [*_checks(origin, basis, width), *(move for move in moves if move is not None)]


def _checks(origin: int, basis: dict[int, int], width: int) -> Iterator[Pauli]:
    """The parities that are constant on the support."""
    for place in range(width):
        if place not in basis:
            mask = 1 << place | sum(1 << pivot for pivot, row in basis.items() if row >> place & 1)
            yield Pauli(2 * ((mask & origin).bit_count() % 2), 0, mask)


def _move(support: Amplitudes, origin: int, basis: dict[int, int], b: int) -> Pauli | None:
    """The generator that moves the support by b."""
    first = support[origin ^ b] / support[origin]
    z = 0
    for pivot, row in basis.items():
        ratio = support[origin ^ row ^ b] / support[origin ^ row] / first
        if ratio.real < 0:
            z |= 1 << pivot
    phase = first * (-1) ** (z & origin).bit_count()
    power = next((k for k in range(4) if abs(phase - 1j**k) < CLOSE), None)
    if power is None:
        return None
    found = Pauli(power, b, z)
    stabilises = all(
        abs(support[x ^ b] - 1j**power * (-1) ** (z & x).bit_count() * a) < CLOSE for x, a in support.items()
    )
    return found if found.is_hermitian and stabilises else None
