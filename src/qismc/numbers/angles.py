"""Angles as combinations of few base angles and pi, so that angles that depend on each other stay dependent.

Every angle t of a check is written as  t = 2 pi turn + sum of q_k b_k  with rational turn and q_k. The base
angles b_k are

- one radian, for decimals as they are written (0.7, 17, -1.25): integer multiples of one common unit;
- angles with an algebraic cosine, 2 acos(sqrt(r)) for a fraction r;
- fine turns, dyadic fractions of a turn that are too small for the roots of unity of a finite field;
- whatever is left, each for itself, unless it is a small combination of others and pi.

A sum of literal angles that cancels, or leaves a multiple of pi, then cancels exactly.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.numbers.multiples import GRID, GRID_RADIANS, NEAR, AngleMultiples
from qismc.numbers.recognise import (
    ROUNDING,
    SAME,
    as_cosine,
    as_decimal,
    as_fraction,
    as_turn,
    is_same,
    may_have_cosine,
    nearest_turn,
    radians,
)
from qismc.program import FAR

DIGITS = 8
"""Largest number of significant digits of a decimal that is taken as it is written."""
SMALL_DENOMINATOR = 360
"""Largest denominator of a fraction (1/3) that is taken as it is written."""
FAR_SHIFTED = 32.0
"""Largest angle, in radians, that is compared with decimals plus a multiple of pi/24."""
PLACES = 10**5
"""Such decimals are multiples of 1/PLACES; with more places random angles would be taken for one of them."""
FINEST_DECIMAL = 10**12
"""Decimals that are no multiple of 1/FINEST_DECIMAL are base angles: exponents would become too large."""
SUMMED = (Fraction(1, 2), Fraction(1), Fraction(2))
"""Factors q for which an angle is compared with sums t + q t' of two known angles."""
MOST_SUMMED = 32
"""Largest number of known angles for which sums of two are tried, and the rarer forms of cosines."""
MANY = 8
"""From so many new angles on, one pass over arrays finds out about all of them (`Foreseen`)."""
HALVINGS = ((0, 0), (1, 0), (2, 0), *((0, k) for k in range(1, 8)))
"""(j, k): angles t with an algebraic cosine of 2^j t - k pi/4."""


@dataclass(frozen=True)
class Radian:
    """One radian; e^(i d) is transcendental for every decimal d except 0 (Lindemann)."""

    value: float = 1.0


@dataclass(frozen=True)
class Cosine:
    """2 acos(sqrt(square)), between 0 and pi."""

    square: Fraction

    @property
    def value(self) -> float:
        return 2 * math.acos(math.sqrt(self.square))


@dataclass(frozen=True)
class FineTurn:
    """Turns that no root of unity stands for, in blocks of bits: carries from block to block are lost."""

    block: int

    @property
    def value(self) -> float:
        return 2 * math.pi


@dataclass(frozen=True)
class Itself:
    """An angle without a known form."""

    value: float


BaseAngle = Radian | Cosine | FineTurn | Itself
RADIAN = Radian()


@dataclass(frozen=True)
class AngleSum:
    """2 pi turn + the sum of factor times base angle."""

    turn: Fraction = Fraction(0)
    parts: tuple[tuple[BaseAngle, Fraction], ...] = ()

    def __mul__(self, factor: Fraction | int) -> AngleSum:
        turn = self.turn * factor if self.turn else self.turn
        return AngleSum(turn, tuple([(base, q * factor) for base, q in self.parts]))

    def __add__(self, other: AngleSum) -> AngleSum:
        return AngleSum(self.turn + other.turn, self.parts).plus(other.parts)

    def plus(self, others: tuple[tuple[BaseAngle, Fraction], ...]) -> AngleSum:
        """The same with further parts, without those that are 0."""
        parts = dict(self.parts)
        for base, q in others:
            parts[base] = parts.get(base, Fraction(0)) + q
        return AngleSum(self.turn, tuple((base, q) for base, q in parts.items() if q))

    @property
    def value(self) -> float:
        """The angle in radians."""
        return radians(self.turn) + sum(float(q) * base.value for base, q in self.parts)


FINE_BITS = 20
"""Bits in one block of a fine turn."""


def fine_turn(fraction: Fraction, coarsest: int) -> AngleSum:
    """A dyadic turn as a multiple of 2^-coarsest and blocks of finer bits, odd in the fraction."""
    sign, rest = (-1 if fraction < 0 else 1), abs(fraction)
    coarse = Fraction(math.floor(rest * 2**coarsest), 2**coarsest)
    rest, parts, block = rest - coarse, [], 0
    while rest:
        unit = Fraction(1, 2 ** (coarsest + FINE_BITS * (block + 1)))
        digits = math.floor(rest / unit)
        if digits:
            parts.append((FineTurn(block), sign * digits * unit))
        rest, block = rest - digits * unit, block + 1
    return AngleSum(sign * coarse, tuple(parts))


@dataclass(frozen=True)
class Foreseen:
    """What one pass over arrays finds out about many new angles, before each of them is expressed."""

    multiples: AngleMultiples
    alone: frozenset[float]
    """Those that are a multiple of no other one."""
    shifted: frozenset[float]
    """Those that are a decimal plus a multiple of pi/24."""
    cosines: frozenset[float]
    """Those whose cosine may be algebraic."""

    @cached_property
    def lonely(self) -> Container[float]:
        """Those that have no known form."""
        return self.alone - self.shifted - self.cosines


@dataclass
class AngleBook:
    """The angles met so far, each as a combination; later ones are expressed by earlier ones.

    A wide book takes an angle for the form that it is probably meant to be; others allow for rounding only.
    """

    wide: bool = False
    _known: dict[float, AngleSum] = field(default_factory=dict)
    _atoms: dict[float, AngleSum] = field(default_factory=dict)
    """Angles of which later ones may be multiples."""

    def __post_init__(self) -> None:
        self._near = NEAR if self.wide else SAME
        self._multiples = AngleMultiples(near=self._near)
        self._summable = AngleMultiples(SUMMED, near=self._near)

    @property
    def angles(self) -> Iterable[float]:
        """The angles met so far, without their signs."""
        return self._known

    def announce(self, angles: Iterable[float]) -> None:
        """Express angles in an order of their own: decimals and fractions first, then the shortest ones."""
        plain = {size: _plain(size) for size in {abs(angle) for angle in angles}}
        order = sorted(plain, key=lambda size: (plain[size] is None, len(repr(size)), size))
        fresh = [size for size in order if size not in self._known]
        literal = [size for size in fresh if plain[size] is None and size <= FAR and self._turn(size) is None]
        foreseen = self._foreseen(fresh, literal) if len(literal) >= MANY else None
        for size in fresh:
            if foreseen is not None and size in foreseen.lonely and len(self._atoms) > MOST_SUMMED:
                self._known[size] = self._remember(size, _itself(size))
            else:
                self._known[size] = self._find(size, plain[size], foreseen)

    def _foreseen(self, fresh: list[float], literal: list[float]) -> Foreseen:
        sizes = np.array(literal)
        multiples = AngleMultiples(sought=sizes, near=self._near)
        multiples.add_all([*self._atoms, *fresh])
        alone = frozenset(sizes[multiples.alone(sizes)].tolist())
        return Foreseen(multiples, alone, frozenset(_shifted_decimals(literal)), _with_cosines(literal))

    def express(self, angle: float) -> AngleSum:
        """The combination that the angle stands for; odd in the angle."""
        size = abs(angle)
        found = self._known.get(size)
        if found is None:
            found = self._known[size] = self._find(size, _plain(size))
        return found * -1 if angle < 0 else found

    def _find(self, size: float, plain: Fraction | None, foreseen: Foreseen | None = None) -> AngleSum:
        if plain == 0:
            return AngleSum()
        if plain is not None:
            return self._remember(size, AngleSum(parts=((RADIAN, plain),)))
        turn = self._turn(size)
        if turn is not None:
            return AngleSum(turn)
        if size > FAR:
            return self._remember(size, _itself(size))
        found = self._composed(size, foreseen)
        if found is not None:
            return found
        return self._remember(size, self._cosine(size, foreseen) or _itself(size))

    def _turn(self, size: float) -> Fraction | None:
        return nearest_turn(size) if self.wide else as_turn(size)

    def _cosine(self, size: float, foreseen: Foreseen | None) -> AngleSum | None:
        if foreseen is not None and size not in foreseen.cosines:
            return None
        found = _cosine(size, HALVINGS if len(self._atoms) <= MOST_SUMMED else HALVINGS[:1])
        return found if self.wide or (found is not None and is_same(size, found.value)) else None

    def _remember(self, size: float, found: AngleSum) -> AngleSum:
        """Later angles may be multiples of this one."""
        self._atoms[size] = found
        return found

    # --- combinations of known angles --------------------------------------------------------------------

    def _composed(self, size: float, foreseen: Foreseen | None) -> AngleSum | None:
        if foreseen is None or size not in foreseen.alone:
            known = foreseen.multiples if foreseen else self._multiples.up_to_date(self._atoms)
            related = self._related(size, known)
            if related is not None:
                return related
        shifted = _shifted_decimal(size) if foreseen is None or size in foreseen.shifted else None
        return shifted or self._summed(size)

    def _related(self, angle: float, multiples: AngleMultiples) -> AngleSum | None:
        """A multiple of one known angle, plus a multiple of pi/48."""
        for sign, turn, multiple in multiples.meeting(angle, self._atoms):
            return (self._atoms[multiple.of] * multiple.factor + AngleSum(turn)) * sign
        return None

    def _summed(self, angle: float) -> AngleSum | None:
        """A sum or difference of two known angles, plus a multiple of pi/48."""
        if len(self._atoms) > MOST_SUMMED:
            return None
        multiples = self._summable.up_to_date(self._atoms)
        values = np.fromiter(self._atoms, dtype=np.float64)
        if not multiples.may_meet(np.concatenate((angle - values, angle + values))):
            return None
        for value, combination in self._atoms.items():
            for sign in (1, -1):
                other = self._related(angle - sign * value, multiples)
                if other is not None:
                    return other + combination * sign
        return None


ONE = Fraction(1)


def _itself(size: float) -> AngleSum:
    return AngleSum(parts=((Itself(size), ONE),))


@lru_cache(maxsize=1 << 16)
def _plain(number: float) -> Fraction | None:
    """The decimal or the small fraction that a number is."""
    decimal = _decimal(number, DIGITS)
    if decimal or number > FAR:
        return decimal
    return as_fraction(number, ((SMALL_DENOMINATOR, ROUNDING * number),))


def _decimal(number: float, digits: int) -> Fraction | None:
    found = as_decimal(number, digits)
    return found if found is not None and FINEST_DECIMAL % found.denominator == 0 else None


SHIFTS = np.array([k for k in range(-192, 193, 2) if k])
"""Multiples of GRID, up to two turns, that are taken off an angle to find a decimal."""
CHUNK = 1024
"""Number of angles whose shifts are in one array."""


def _shifted_decimal(angle: float) -> AngleSum | None:
    """A decimal with few places plus a multiple of pi/24 up to two turns: the shortest such decimal."""
    if angle > FAR_SHIFTED:
        return None
    scaled, close = _shifted(np.array([angle]))
    found = [
        AngleSum(int(SHIFTS[k]) * GRID, ((RADIAN, Fraction(round(scaled[0, k]), PLACES)),))
        for k in np.flatnonzero(close[0])
    ]
    return min(found, key=lambda c: c.parts[0][1].denominator) if found else None


def _shifted_decimals(angles: list[float]) -> Iterator[float]:
    """Those of many angles that are such a decimal."""
    for begin in range(0, len(angles), CHUNK):
        chunk = np.array(angles[begin : begin + CHUNK])
        yield from chunk[_shifted(chunk)[1].any(axis=1)].tolist()


def _shifted(angles: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Angles without each of the shifts, in units of the last place, and whether these are integers."""
    scaled = (angles[:, None] - SHIFTS * GRID_RADIANS) * PLACES
    rounding = ROUNDING * PLACES * np.maximum(angles[:, None], np.abs(SHIFTS) * GRID_RADIANS)
    return scaled, (np.abs(scaled - np.round(scaled)) <= rounding) & (np.abs(scaled) > 0.5)


def _with_cosines(angles: list[float]) -> frozenset[float]:
    """Those of many angles that may have an algebraic cosine in one of the forms."""
    sizes = np.array(angles)
    wholes = np.stack([sizes * 2**halvings - eighths * math.pi / 4 for halvings, eighths in HALVINGS])
    return frozenset(sizes[may_have_cosine(wholes).any(axis=0)].tolist())


OF_TURNS = tuple(Fraction(k, 4) for k in range(5))
"""cos^2 of multiples of pi/6: an angle that is near to one and was not taken for it is something else."""


def _cosine(angle: float, forms: Iterable[tuple[int, int]]) -> AngleSum | None:
    """(+-2 acos(sqrt(r)) + k pi/4) / 2^j for one of the forms (j, k)."""
    for halvings, eighths in forms:
        whole = angle * 2**halvings - eighths * math.pi / 4
        square = as_cosine(whole)
        if square is None or square in OF_TURNS:
            continue
        base = Cosine(square)
        for sign in (1, -1):
            turns = (whole - sign * base.value) / (2 * math.pi)
            if abs(turns - round(turns)) < 1e-9:
                turn = Fraction(round(turns)) + Fraction(eighths, 8)
                share = Fraction(1, 2**halvings)
                return AngleSum(turn, ((base, Fraction(sign)),)) * share
    return None
