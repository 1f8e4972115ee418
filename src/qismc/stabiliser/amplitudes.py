"""Stabiliser states, recognised by their amplitudes, and recipes that prepare them.

A state is a stabiliser state iff its support is an affine space a + B over GF(2), all amplitudes are one
number times powers of i, and a quadratic form gives these. Then it is the only state with

    (-1)^{h a} Z^h            for all h orthogonal to B, and
    e X^b Z^c                 for the b of a basis of B, with a power of i e and a c that two ratios tell.

The second kind is verified at every amplitude, so that nothing is taken for granted. Exact amplitudes are
numbers of Q(zeta), zeta = exp(i pi/4): stabiliser states have no others, up to a scalar.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product

from qismc.common.parity import orthogonal, reduced
from qismc.common.paulis import Letters, Pauli
from qismc.errors import Unrecognised
from qismc.numbers import RootScalars, as_turn, square_free
from qismc.program import MAX_MATRIX_QUBITS, Operator, dense

ORDER = 8
"""Of zeta; 1, zeta, zeta^2, zeta^3 are a basis, and zeta^4 = -1."""
DEGREE = 4


@dataclass(frozen=True)
class CyclotomicNumber:
    """The sum of parts[k] zeta^k."""

    parts: tuple[Fraction, ...]

    def __add__(self, other: CyclotomicNumber) -> CyclotomicNumber:
        return CyclotomicNumber(tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def __sub__(self, other: CyclotomicNumber) -> CyclotomicNumber:
        return self + -other

    def __neg__(self) -> CyclotomicNumber:
        return CyclotomicNumber(tuple(-a for a in self.parts))

    def __mul__(self, other: CyclotomicNumber) -> CyclotomicNumber:
        found = [Fraction(0)] * DEGREE
        for (j, a), (k, b) in product(enumerate(self.parts), enumerate(other.parts)):
            if a and b:
                found[(j + k) % DEGREE] += a * b if j + k < DEGREE else -a * b
        return CyclotomicNumber(tuple(found))

    def __truediv__(self, other: CyclotomicNumber) -> CyclotomicNumber:
        """By the norm: the product of all conjugates is rational."""
        rest = other.conjugated(3) * other.conjugated(5) * other.conjugated(7)
        norm = (other * rest).parts[0]
        if norm == 0:
            raise ZeroDivisionError("division by zero")
        return self * rest * CyclotomicNumber.rational(1 / norm)

    def conjugated(self, k: int) -> CyclotomicNumber:
        """The image under zeta -> zeta^k, for an odd k."""
        found = [Fraction(0)] * DEGREE
        for j, part in enumerate(self.parts):
            place = j * k % ORDER
            found[place % DEGREE] += part if place < DEGREE else -part
        return CyclotomicNumber(tuple(found))

    def turned(self, eighths: int) -> CyclotomicNumber:
        """Times zeta^eighths."""
        parts = self.parts
        for _ in range(eighths % ORDER):
            parts = (-parts[-1], *parts[:-1])
        return CyclotomicNumber(parts)

    @staticmethod
    def rational(value: Fraction | int) -> CyclotomicNumber:
        return CyclotomicNumber((Fraction(value), Fraction(0), Fraction(0), Fraction(0)))


class Eighths(RootScalars):
    """The number system; raises Unrecognised for numbers outside of it."""

    def rational(self, value: Fraction | int) -> CyclotomicNumber:
        return CyclotomicNumber.rational(value)

    def sqrt(self, value: Fraction | int) -> CyclotomicNumber:
        fraction = Fraction(value)
        if not fraction:
            return self.rational(0)
        outside, primes = square_free(fraction.numerator * fraction.denominator)
        found = self.rational(Fraction(outside, fraction.denominator))
        if primes not in ((), (2,)):
            raise Unrecognised(complex(fraction), f"the square root of {fraction}")
        return found.turned(1) - found.turned(3) if primes else found  # zeta - zeta^3 = sqrt(2)

    def turn(self, fraction: Fraction) -> CyclotomicNumber:
        eighths = fraction * ORDER
        if eighths.denominator != 1:
            raise Unrecognised(0, f"a turn by {fraction}")
        return self.rational(1).turned(eighths.numerator)

    def phase(self, angle: float, times: Fraction | int = 1) -> CyclotomicNumber:
        turn = as_turn(angle)
        if turn is None:
            raise Unrecognised(angle)
        return self.turn(turn * times)


EIGHTHS = Eighths()

PowersOfI = Mapping[int, int]
"""The powers of i that amplitudes are, up to a common factor; those that are missing are 0.

Bit k of the index is the value of qubit k.
"""
CLOSE = 1e-10
"""Ratios of floating-point amplitudes are equal if they are so near, as in the recognition of numbers."""
MOST_AMPLITUDES = 1 << 12
MOST_RECIPES = 1 << 10
"""Number of preparations whose recipes are remembered from one check to the next."""


def powers_of_exact(amplitudes: Mapping[int, CyclotomicNumber]) -> PowersOfI | None:
    """Of exact numbers; None if some are no powers of i times the same one."""
    support = {x: a for x, a in amplitudes.items() if any(a.parts)}
    if not support:
        return None
    first = support[min(support)]
    powers = {first.turned(2 * k): k for k in range(4)}
    return _complete({x: powers.get(a) for x, a in support.items()})


def powers_of_floats(amplitudes: Mapping[int, complex]) -> PowersOfI | None:
    """Of floating-point numbers."""
    largest = max(map(abs, amplitudes.values()), default=0.0)
    support = {x: a / largest for x, a in amplitudes.items() if abs(a) > CLOSE * largest} if largest else {}
    if not support:
        return None
    first = support[min(support)]
    found = {
        x: next((k for k in range(4) if abs(amplitude / first - 1j**k) < CLOSE), None)
        for x, amplitude in support.items()
    }
    return _complete(found)


def _complete(powers: Mapping[int, int | None]) -> PowersOfI | None:
    """The powers, if none is missing."""
    found = {x: k for x, k in powers.items() if k is not None}
    return found if len(found) == len(powers) else None


def generators(support: PowersOfI | None, width: int) -> list[Pauli] | None:
    """The generators of a state's stabiliser group; None if it is no stabiliser state."""
    if not support or len(support).bit_count() != 1:
        return None
    origin = min(support)
    basis = reduced(x ^ origin for x in support)
    if 1 << len(basis) != len(support):
        return None
    parities = [Pauli(2 * ((mask & origin).bit_count() % 2), 0, mask) for mask in orthogonal(basis, width)]
    moves = [move for b in basis.values() if (move := _move(support, origin, basis, b)) is not None]
    return [*parities, *moves] if len(moves) == len(basis) else None


def _move(support: PowersOfI, origin: int, basis: dict[int, int], b: int) -> Pauli | None:
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


@dataclass(frozen=True)
class PreparationRecipe:
    """Measure the generators of the wanted state; where one is found with the wrong sign, turn it alone."""

    generators: tuple[Pauli, ...]
    corrections: tuple[Pauli, ...]

    def on(self, qubits: Sequence[int]) -> Iterator[tuple[Pauli, Letters]]:
        """Generators with their corrections on qubits of the program."""
        for generator, correction in zip(self.generators, self.corrections, strict=True):
            yield generator.on(qubits), correction.on(qubits).letters


@lru_cache(maxsize=MOST_RECIPES)
def recipe_of(preparation: Operator) -> PreparationRecipe | None:
    """None if the state is no stabiliser state that we recognise."""
    width = preparation.width
    if width > MAX_MATRIX_QUBITS:
        return None
    column = dense(preparation.factors, width)[:, 0]
    present = {x: complex(value) for x, value in enumerate(column)}
    found = generators(powers_of_floats(present), width)
    return None if found is None else PreparationRecipe(tuple(found), tuple(partners(found, width)))


def partners(group: Sequence[Pauli], width: int) -> list[Pauli]:
    """For each of n independent commuting Paulis on n qubits: a string that anticommutes with it alone.

    Row k of the equations: the bits of the k-th Pauli, z in front of x, and a one of its own. Reduced, every
    row that has pivot p says which ones must be turned by the letter at p.
    """
    own = len(group)
    rows = [(p.z << width | p.x) << own | 1 << k for k, p in enumerate(group)]
    basis = reduced(rows)
    found = [Pauli(0, 0, 0)] * own
    for pivot, row in basis.items():
        place = pivot - own
        letter = Pauli(0, 1 << place - width, 0) if place >= width else Pauli(0, 0, 1 << place)
        for k in range(own):
            if row >> k & 1:
                found[k] = found[k] * letter
    return found
