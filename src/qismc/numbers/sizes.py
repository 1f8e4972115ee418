"""How large numbers can be: denominators, absolute values at all conjugates, degrees in unknowns.

Every number of an exact check is a polynomial in the unknowns of the angles (and their inverses) over a
number field K. Complex conjugation commutes with all embeddings of K, so a unitary circuit is unitary at
every conjugate, and what bounds a length bounds all its conjugates. If x D is an algebraic integer and
|x| <= 2^h at every conjugate, the norm of x D is an integer of at most (log2 D + h) deg K bits: few primes
divide it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

Denominator = Mapping[Hashable, float]
"""A product of atoms, each with the bits of its power; a sum of numbers takes the larger power of each."""


@dataclass
class Size:
    """A bound on a number, or on a vector or matrix of numbers; of a vector `height` is its length's.

    It is never changed (frozen classes are slow to make).

    `square` is |x|^2 where it is rational, and so the same at every conjugate: then 1/x = conj(x) / |x|^2.
    """

    denominator: Denominator
    height: float
    degree: float = 0
    """The largest exponent of an unknown, whatever its sign."""
    square: Fraction | None = None
    _bits: float | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def is_zero(self) -> bool:
        return self.height == -math.inf

    @property
    def changes_nothing(self) -> bool:
        """Is a product with it as large as without?"""
        return not self.denominator and self.height == 0.0 and self.degree == 0

    @property
    def bits(self) -> float:
        """log2 of denominator times absolute value."""
        if self._bits is None:
            self._bits = max(0.0, sum(self.denominator.values()) + self.height)
        return self._bits


ONE = Fraction(1)
UNIT = Size({}, 0.0, 0, ONE)
ZERO = Size({}, -math.inf, 0, Fraction(0))
UNBOUNDED = Size({}, math.inf)
"""Nothing is known; whatever is made of it is unbounded, too."""


def product(sizes: Iterable[Size]) -> Size:
    """The size of a product: denominators and heights multiply, degrees add.

    >>> product([UNIT, Size({2: 0.5}, -0.5), Size({2: 1.0}, 0.0, 3)])
    Size(denominator={2: 1.5}, height=-0.5, degree=3.0, square=None)
    """
    denominator: dict[Hashable, float] = {}
    height, degree = 0.0, 0.0
    for size in sizes:
        if size.is_zero:
            return ZERO
        for atom, bits in size.denominator.items():
            denominator[atom] = denominator.get(atom, 0.0) + bits
        height += size.height
        degree += size.degree
    return Size(denominator, height, degree)


def both(a: Size, b: Size) -> Size:
    """The size of a product of two, with its square where both are known.

    Many operators are projectors or permutations, which change nothing.
    """
    if a is UNIT:
        return b
    if b is UNIT:
        return a
    if a.height == -math.inf or b.height == -math.inf:
        return ZERO
    denominator = dict(a.denominator)
    for atom, bits in b.denominator.items():
        denominator[atom] = denominator.get(atom, 0.0) + bits
    square = None if a.square is None or b.square is None else a.square * b.square
    return Size(denominator, a.height + b.height, a.degree + b.degree, square)


def power(size: Size, count: int) -> Size:
    """The size of a product of so many numbers of one size."""
    if count == 1:
        return size
    denominator = {atom: bits * count for atom, bits in size.denominator.items()}
    return Size(denominator, size.height * count, size.degree * count)


def total(sizes: Iterable[Size]) -> Size:
    """The size of a sum: a common denominator, and absolute values that add up at worst."""
    return _together(sizes, 1)


def stacked(sizes: Iterable[Size]) -> Size:
    """The size of a vector with these entries: a common denominator, and squares that add up."""
    return _together(sizes, 2)


def _together(sizes: Iterable[Size], power: int) -> Size:
    present = [size for size in sizes if not size.is_zero]
    if not present:
        return ZERO
    denominator: dict[Hashable, float] = {}
    for size in present:
        for atom, bits in size.denominator.items():
            denominator[atom] = max(denominator.get(atom, 0.0), bits)
    heights = [size.height for size in present]
    top = max(heights)
    if math.isinf(top):
        return UNBOUNDED
    sums = sum([2.0 ** (power * (height - top)) for height in heights])
    return Size(denominator, top + math.log2(sums) / power, max([size.degree for size in present]))


class LargestProducts:
    """Bounds for products of some of a list of sizes: the largest ones of each kind are summed up once."""

    def __init__(self, sizes: Iterable[Size]) -> None:
        listed = list(sizes)
        atoms = {atom for size in listed for atom in size.denominator}
        self._denominators = {
            atom: _summed(size.denominator.get(atom, 0.0) for size in listed) for atom in atoms
        }
        self._heights = _summed(max(size.height, 0.0) for size in listed)
        self._degrees = _summed(size.degree for size in listed)

    def of(self, count: int) -> Size:
        """A bound for every product of `count` of these, or of all if there are fewer."""
        k = min(count, len(self._heights) - 1)
        denominator = {atom: sums[k] for atom, sums in self._denominators.items()}
        return Size(denominator, self._heights[k], self._degrees[k])


def _summed(values: Iterable[float]) -> list[float]:
    """The sums of none, of the largest, of the two largest, ..."""
    return list(accumulate(sorted(values, reverse=True), initial=0.0))
