"""Stabiliser states, recognised by their amplitudes.

A state is a stabiliser state iff its support is an affine space a + B over GF(2), all amplitudes are one
number times powers of i, and a quadratic form gives these. Then it is the only state with

    (-1)^{h a} Z^h            for all h orthogonal to B, and
    e X^b Z^c                 for the b of a basis of B, with a power of i e and a c that two ratios tell.

The second kind is verified at every amplitude, so that nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qismc.stabiliser.affine import reduced
from qismc.stabiliser.eighths import Number
from qismc.stabiliser.paulis import Pauli

Powers = Mapping[int, int]
"""The powers of i that amplitudes are, up to a common factor; those that are missing are 0.

Bit k of the index is the value of qubit k.
"""
CLOSE = 1e-10
"""Ratios of floating-point amplitudes are equal if they are so near, as in the recognition of numbers."""
MOST_AMPLITUDES = 1 << 12


def powers_of_exact(amplitudes: Mapping[int, Number]) -> Powers | None:
    """Of exact numbers; None if some are no powers of i times the same one."""
    support = {x: a for x, a in amplitudes.items() if not a.is_zero}
    if not support:
        return None
    first = support[min(support)]
    powers = {first.turned(2 * k): k for k in range(4)}
    found = {x: powers.get(a) for x, a in support.items()}
    return None if None in found.values() else {x: k for x, k in found.items() if k is not None}


def powers_of_floats(amplitudes: Mapping[int, complex]) -> Powers | None:
    """Of floating-point numbers."""
    largest = max(map(abs, amplitudes.values()), default=0.0)
    support = {x: a / largest for x, a in amplitudes.items() if abs(a) > CLOSE * largest} if largest else {}
    if not support:
        return None
    first = support[min(support)]
    found: dict[int, int] = {}
    for x, amplitude in support.items():
        power = next((k for k in range(4) if abs(amplitude / first - 1j**k) < CLOSE), None)
        if power is None:
            return None
        found[x] = power
    return found


def generators(support: Powers | None, width: int) -> list[Pauli] | None:
    """The generators of a state's stabiliser group; None if it is no stabiliser state."""
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


def _move(support: Powers, origin: int, basis: dict[int, int], b: int) -> Pauli | None:
    """The generator that moves the support by b."""
    first = support[origin ^ b] - support[origin]
    z = 0
    for pivot, row in basis.items():
        if (support[origin ^ row ^ b] - support[origin ^ row] - first) % 4 == 2:
            z |= 1 << pivot
    power = (first + 2 * (z & origin).bit_count()) % 4
    found = Pauli(power, b, z)
    stabilises = all(
        (support[x ^ b] - power - 2 * (z & x).bit_count() - own) % 4 == 0 for x, own in support.items()
    )
    return found if found.is_hermitian and stabilises else None
