"""What a finite field must offer so that every number of a check has an image in it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from qismc.common.lazily import cached_method
from qismc.errors import Unrecognised
from qismc.numbers.angles import (
    AngleBook,
    AngleSum,
    BaseAngle,
    Cosine,
    FineTurn,
    Itself,
    Radian,
    fine_turn,
)
from qismc.numbers.exponents import (
    Expressed,
    PhasePowers,
    Ratio,
    Units,
    common_unit,
    is_multiple,
    odd_radicands,
    times,
    totient,
)
from qismc.numbers.recognise import TELLING, as_root, near_turn
from qismc.program import AnglePart, Base, phase_matrix

LARGEST_SHORT_ORDER = 1 << 45
"""Largest order of roots of unity with enough primes of 62 bits; beyond, primes have two words."""
COARSEST = 100
LARGEST_ORDER = 1 << COARSEST
"""Largest order for which there are enough primes of 126 bits; unknowns stand for further roots of unity."""
SEEN = 1 << 32
"""Turns below 1/SEEN are within the tolerance of floating point."""
FINE_ORDER = 1 << 36
"""Order beyond which one prime errs about a number of 100 bits with probability 1e-6: two are drawn."""
FEWEST_PRIMES = 1000
"""Fewest primes to draw from; with fewer the draw is hardly random."""
MOST_CONDITIONS = 8
"""Most square roots that a prime may be searched for: each halves the number of suitable primes."""
LARGEST_MODULUS = 1 << 46
"""Largest modulus for which residues of the prime are chosen; for further square roots it is searched."""
MOST_HALVINGS = 3
"""Most square roots in a row that are taken of one phase."""


def part_of(angle: float, times: Fraction | int) -> AnglePart:
    """The key of a phase and of its conjugate."""
    return abs(angle), abs(times.numerator), times.denominator


class Unknown:
    """The result of any arithmetic in a number system that only notes which numbers occur."""

    def __add__(self, _: Any) -> Unknown:
        return self

    __sub__ = __mul__ = __truediv__ = __radd__ = __rmul__ = __add__

    def __neg__(self) -> Unknown:
        return self


ANY = Unknown()


@dataclass
class AngleSurvey:
    """A number system that only notes which angles occur."""

    angles: dict[float, None] = field(default_factory=dict)
    seen: dict[int, Sequence[Any]] = field(default_factory=dict)
    """The code of programs that was noted, by its identity: it is kept, so that no other gets it."""

    def rational(self, value: Fraction | int) -> Unknown:  # noqa: ARG002 - numbers are not looked at
        return ANY

    sqrt = turn = rational

    def number(self, value: complex) -> Unknown:  # noqa: ARG002
        return ANY

    def phase(self, angle: float, times: Fraction | int = 1) -> Unknown:  # noqa: ARG002
        self.angles[abs(angle)] = None
        return ANY

    def gate(self, base: Base) -> None:
        """Note a named gate: all its angles are in its phases."""
        for angle in base.angles:
            self.angles[abs(angle)] = None


class Roots(NamedTuple):
    """The square roots that a field must hold besides roots of unity."""

    rooted: dict[Cosine, int]
    """The angles with an algebraic cosine that are exact, and how often e^(i angle/2) is halved."""
    primes: set[int]
    """The odd primes whose square roots occur, those of such cosines included."""
    halvings: int
    """How many square roots of roots there are."""


@dataclass
class Needs:
    """What a field must offer: a number system that notes which numbers occur."""

    order: int = 8
    radicands: set[int] = field(default_factory=set)
    """Odd primes whose square roots occur."""
    book: AngleBook = field(default_factory=AngleBook)
    units: dict[BaseAngle, Ratio] = field(default_factory=dict)
    """Every multiple of a base angle that occurs is an integer multiple of its unit."""
    gates: dict[Base, None] = field(default_factory=dict)
    """The named gates with angles that were noted."""
    telling: bool = True
    """Are all literal numbers so simple that nobody meets them by chance?"""
    version: int = 0
    """Grows with everything that is new."""
    seen: dict[int, Sequence[Any]] = field(default_factory=dict)
    """The same as in `AngleSurvey`."""
    _noted: dict[AnglePart, Expressed] = field(default_factory=dict)
    """How angles were expressed when they were noted: larger orders change nothing about that."""

    def rational(self, value: Fraction | int) -> Unknown:  # noqa: ARG002 - every field has the rationals
        return ANY

    def sqrt(self, value: Fraction | int) -> Unknown:
        fraction = Fraction(value)
        if fraction:
            found = odd_radicands(fraction)
            self.version += not found <= self.radicands
            self.radicands |= found
        return ANY

    def turn(self, fraction: Fraction) -> Unknown:
        self._note(times(self.exact_turn(fraction), 1, 1))
        return ANY

    def phase(self, angle: float, times: Fraction | int = 1) -> Unknown:
        self.note(part_of(angle, times))
        return ANY

    def note(self, part: AnglePart) -> None:
        """Note a phase, and with it its conjugate."""
        if part not in self._noted:
            found = self._noted[part] = self._expressed(part)
            self._note(found)

    def gate(self, base: Base) -> None:
        """Note the phases of a named gate."""
        if base not in self.gates:
            for part in phase_matrix(base.name).parts(base.angles):
                self.note(part)
            self.gates[base] = None

    def number(self, value: complex) -> Unknown:
        square, turn = as_root(value)
        self.telling = self.telling and square.denominator <= TELLING
        self.sqrt(square)
        return self.turn(turn)

    # --- angles ------------------------------------------------------------------------------------------

    def expressed(self, part: AnglePart) -> Expressed:
        """An angle with a turn that is a multiple of 1 / order."""
        return self._noted.get(part) or self._expressed(part)

    def _expressed(self, part: AnglePart) -> Expressed:
        angle, numerator, denominator = part
        found = self.book.express(angle)
        known = times(found, numerator, denominator)
        if not self._fits(known.turn[1]):
            found = found * Fraction(numerator, denominator)
            known = times(self.exact_turn(found.turn).plus(found.parts), 1, 1)
        return known

    def powers(self, part: AnglePart) -> PhasePowers:
        """e^(i angle) of an angle that was noted: what its exponents are does not depend on the prime."""
        return self.all_powers([part])[0]

    def all_powers(self, parts: Collection[AnglePart]) -> list[PhasePowers]:
        """`powers` of many phases."""
        units, found = self._tables(self.version)
        for part in parts:
            if part not in found:
                found[part] = units.powers(self.expressed(part))
        return [found[part] for part in parts]

    def powers_of(self, angle: AngleSum) -> PhasePowers:
        """The powers of any combination; raises KeyError for one that was not noted."""
        return self._tables(self.version)[0].powers(times(angle, 1, 1))

    @cached_method
    def _tables(self, _version: int) -> tuple[Units, dict[AnglePart, PhasePowers]]:
        """The units, and the powers that were asked for: as long as nothing new is noted."""
        rooted = self.rooted()
        bases = {
            base: (number, (1, 2 << rooted[base]), False) if base in rooted else (number, unit, True)
            for number, (base, unit) in enumerate(self.units.items())
        }
        return Units(self.order, bases), {}

    def unit(self, base: BaseAngle) -> Fraction:
        """The multiple of a base angle that an element of the field stands for."""
        return Fraction(*self._tables(self.version)[0].bases[base][1])

    def exact_turn(self, fraction: Fraction) -> AngleSum:
        """A fraction of a turn; what no root of unity of the field can be is fine, or stands for itself."""
        if self._fits(fraction.denominator):
            return AngleSum(fraction)
        dyadic = fraction.denominator & (fraction.denominator - 1) == 0
        fine = fine_turn(fraction, COARSEST) if dyadic else None
        if fine is not None and self._fits(fine.turn.denominator):
            return fine
        sign = -1 if fraction < 0 else 1
        return AngleSum(parts=((Itself(2 * math.pi * float(abs(fraction))), Fraction(sign)),))

    def _fits(self, denominator: int) -> bool:
        """Are there enough primes if that becomes a divisor of the order?"""
        if self.order % denominator == 0:
            return True
        order = math.lcm(self.order, denominator)
        return order <= LARGEST_SHORT_ORDER or math.lcm(order, WORD) <= LARGEST_ORDER

    def _note(self, angle: Expressed) -> None:
        if self.order % angle.turn[1]:
            self.order = math.lcm(self.order, angle.turn[1])
            self.version += 1
        for base, multiple in angle.parts:
            unit = self.units.get(base)
            if unit is None or not is_multiple(multiple, unit):
                self.units[base] = common_unit(unit or NO_UNIT, multiple)
                self.version += 1

    def rooted(self) -> dict[Cosine, int]:
        """The angles with an algebraic cosine that are exact, and how often e^(i angle/2) is halved.

        Others become unknowns: where a cube root is asked for, or where too few primes would be left.
        """
        return self.roots().rooted

    def roots(self) -> Roots:
        """All roots, chosen once for all that was noted."""
        return self._choose_roots(self.version)

    @cached_method
    def _choose_roots(self, _version: int) -> Roots:
        found: dict[Cosine, int] = {}
        radicands, conditions = set(self.radicands), 0
        for base, unit in self.units.items():
            if isinstance(base, Cosine) and unit[1] & (unit[1] - 1) == 0:
                halvings = max(0, unit[1].bit_length() - 2)
                wanted = radicands | odd_radicands(base.square) | odd_radicands(1 - base.square)
                searched = len(self.split(wanted)[1]) + conditions + halvings
                if halvings > MOST_HALVINGS or searched > MOST_CONDITIONS:
                    continue
                if self._primes_left(wanted, conditions + halvings) >= FEWEST_PRIMES:
                    found[base], radicands, conditions = halvings, wanted, conditions + halvings
        return Roots(found, radicands, conditions)

    @property
    def primes(self) -> set[int]:
        """The odd primes whose square roots the field must hold."""
        return self.roots().primes

    def split(self, radicands: Iterable[int]) -> tuple[list[int], list[int]]:
        """Radicands outside the order: those modulo which a prime's residue is chosen, and the others."""
        chosen, searched, modulus = list[int](), list[int](), self.order
        for radicand in sorted([q for q in radicands if self.order % q]):
            (chosen if modulus * radicand <= LARGEST_MODULUS else searched).append(radicand)
            modulus *= radicand
        return chosen, searched

    @property
    def long(self) -> bool:
        """Must the prime have two words?"""
        return self.order > LARGEST_SHORT_ORDER

    @property
    def only_roots_of_unity(self) -> bool:
        """Does the field need no square roots besides those that its roots of unity give?"""
        return not self.rooted() and not any(self.order % q for q in self.radicands)

    @property
    def want_twins(self) -> bool:
        """Should two primes be drawn, because there are few with roots of unity of such an order?"""
        return FINE_ORDER < self.order <= LARGEST_SHORT_ORDER and self.only_roots_of_unity

    def number_of_primes(self) -> float:
        """About how many primes there are to draw from; raises Unrecognised if too few."""
        _, primes, halvings = self.roots()
        found = self._primes_left(primes, halvings)
        if found < FEWEST_PRIMES:
            what = "the combination of so many square roots and fine roots of unity"
            raise Unrecognised(math.nan, what)
        return found

    def _primes_left(self, radicands: set[int], conditions: int) -> float:
        """Primes in one class modulo the order such that every condition, an even chance, is met."""
        outside = len([q for q in radicands if self.order % q]) + conditions
        bits, modulus = (
            (LONG_PRIME_BITS, math.lcm(self.order, WORD)) if self.long else (PRIME_BITS, self.order)
        )
        return math.ldexp(1.0, bits - outside) / (math.log(2) * (bits + 0.5) * totient(modulus))

    def has_numbers_of(self, other: Needs) -> bool:
        """Does the other one need the same field, and mean the same by every angle?

        What an angle means may depend on others beside it, so they must all be the same.
        """
        return (
            self.order == other.order
            and self.radicands == other.radicands
            and self.units == other.units
            and self._noted == other._noted
        )

    # --- unknowns ----------------------------------------------------------------------------------------

    def unknowns(self) -> list[BaseAngle]:
        """The base angles that unknowns stand for."""
        rooted = self.rooted()
        return [base for base in self.units if base not in rooted] if rooted else [*self.units]

    @property
    def num_unknowns(self) -> int:
        """How many unknowns stand for angles."""
        return len(self.units) - len(self.rooted())

    def field_degree(self) -> int:
        """The degree over Q of the number field that all numbers, but for the unknowns, lie in."""
        _, primes, halvings = self.roots()
        return totient(self.order) << (len([q for q in primes if self.order % q]) + halvings)

    @property
    def literal(self) -> bool:
        """Do all unknowns stand for decimals as they are written? Then they are transcendental, for sure."""
        return all(isinstance(base, Radian) for base in self.unknowns())

    @property
    def fine(self) -> bool:
        """Are some turns so fine that floating point does not see them?"""
        small = 2 * math.pi / SEEN
        hidden = [isinstance(b, FineTurn) or (isinstance(b, Itself) and b.value < small) for b in self.units]
        return self.order & -self.order > SEEN or any(hidden)

    @property
    def rounded(self) -> bool:
        """Does an angle look like a rounded multiple of pi?"""
        return any(near_turn(angle) is not None for angle in self.book.angles)

    def degree(self, part: AnglePart) -> int:
        """The largest exponent of an unknown in a phase."""
        return self.powers(part).degree

    def degrees(self, parts: Collection[AnglePart]) -> list[int]:
        """`degree` of many phases."""
        return [powers.degree for powers in self.all_powers(parts)] if self.units else [0] * len(parts)

    def phase_bits(self, part: AnglePart) -> float:
        """log2 of a denominator of a phase: sqrt(d) e^(i t/2) is an integer if cos^2(t/2) = c/d."""
        rooted = self.rooted()
        if not rooted:
            return 0.0
        return sum(
            abs(top) / bottom * math.log2(base.square.denominator)
            for base, (top, bottom) in self.expressed(part).parts
            if isinstance(base, Cosine) and base in rooted
        )


NO_UNIT: Ratio = (0, 1)
PRIME_BITS = 61
"""Primes are drawn from [2^61, 2^62)."""
LONG_PRIME_BITS = 125
"""Those of two words from [2^125, 2^126)."""
WORD = 1 << 64
"""Primes of two words are 1 or -1 modulo this number: then it is easy to prove that they are prime."""
