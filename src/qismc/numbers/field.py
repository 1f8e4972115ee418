"""Finite fields that carry a check's numbers: the image of a random ring homomorphism.

`conjugating` fields are F_{p^2} = F_p(i) with p = -1 mod M: the M-th roots of unity lie in the norm-1 group
and conjugation is Frobenius. Plain fields are F_p with p = 1 mod M: half the words, but no conjugate of a
computed number. Roots of unity of very large order take a prime of two words.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Collection, Iterable
from fractions import Fraction

import numpy as np

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.numbers.angles import BaseAngle
from qismc.numbers.element import Element, inverse_modulo, joined, square_root
from qismc.numbers.exponents import PhasePowers, prime_divisors
from qismc.numbers.ledger import Assumptions
from qismc.numbers.needs import LONG_PRIME_BITS, PRIME_BITS, WORD, Needs, part_of
from qismc.numbers.recognise import RootScalars, square_free
from qismc.program import AnglePart


class FieldScalars(RootScalars):
    """The numbers of a check as elements of one finite field, or of two at once."""

    p: int
    """The prime, or the product of two."""
    moduli: tuple[int, ...]
    _native: tuple[_core.Field, ...]
    """The field of each prime of one word."""
    _root: Element
    _bases: dict[BaseAngle, Element]
    """What stands for the unit of each base angle."""

    def __init__(self, needs: Needs, seed: int, *, conjugating: bool, twins: bool = False) -> None:
        """With `twins`, modulo two primes at once; needs must allow it."""
        self.needs = needs
        self._version = needs.version
        self._long = needs.long
        self.conjugating = conjugating
        self._random = random.Random(f"qismc {seed} {needs.order} {conjugating}")
        needs.number_of_primes()  # raises Unrecognised if there are too few
        self._draw_all()
        if twins:
            self._draw_twin()
        self._units = [self._bases[base] for base in needs.units]

    @cached_property
    def kind(self) -> str:
        """The name of this kind of numbers in the native core."""
        if self._long:
            return "long2" if self.conjugating else "long"
        if self.conjugating:
            return "fp2"
        return "fp" if len(self.moduli) == 1 else "twin"

    def words(self, values: Iterable[Element]) -> list[int]:
        """Numbers as the native core takes them: one word in F_p, two in F_p(i) and in F_p x F_q.

        Twice as many where a prime has two words.
        """
        if self._long:
            parts = [(value.re, value.im) if self.conjugating else (value.re,) for value in values]
            return [word for number in parts for part in number for word in (part % WORD, part // WORD)]
        if self.conjugating:
            return [word for value in values for word in (value.re, value.im)]
        if len(self.moduli) == 1:
            return [value.re for value in values]
        p, q = self.moduli
        return [word for value in values for word in (value.re % p, value.re % q)]

    @property
    def prime_words(self) -> tuple[int, int]:
        """What the native core is told about the primes: one and 0, two of them, or the words of one."""
        if self._long:
            return self.p % WORD, self.p // WORD
        return self.moduli[0], self.moduli[1] if len(self.moduli) > 1 else 0

    @property
    def formal(self) -> bool:
        """Do formal unknowns stand for some angles?"""
        return self.needs.num_unknowns > 0

    @cached_property
    def assumed(self) -> Assumptions:
        """What is taken for granted about the numbers."""
        needs = self.needs
        return Assumptions(
            generic=self.formal,
            literal=needs.literal,
            rounded=needs.rounded,
            fine=needs.fine,
            recognised=not needs.telling,
            rooted=needs.roots().halvings > 0,
        )

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Two number systems with the same fingerprint send every number to the same element."""
        units = ((base, self.needs.unit(base), element) for base, element in self._bases.items())
        return self.conjugating, self.p, self._root, *units

    # --- drawing ---------------------------------------------------------------------------------------

    def _draw_all(self) -> None:
        while not self._draw():
            pass
        for base in self.needs.unknowns():
            self._bases[base] = self._unit()

    def _draw_twin(self) -> None:
        """Draw everything again for a second prime; join both draws modulo the product of the primes."""
        assert self.needs.only_roots_of_unity and not self.conjugating and not self._long
        p, root, bases, native = self.p, self._root, self._bases, self._native
        while self.p == p:
            self._draw_all()
        q = self.p
        self.p, self.moduli, self._native = p * q, (p, q), (*native, *self._native)
        self._root = joined(root, self._root)
        self._bases = {base: joined(element, self._bases[base]) for base, element in bases.items()}

    def _draw(self) -> bool:
        """A prime, its roots of unity, and the square roots that angles with an algebraic cosine need."""
        draw = draw_long_prime if self._long else draw_prime
        self.p = draw(self.needs, self._random, conjugating=self.conjugating)
        self.moduli, self._native = (self.p,), () if self._long else (_core.Field(self.p),)
        self._root = self._draw_root()
        self._roots: dict[int, Element] = {}
        self._bases = {}
        self._phases: dict[AnglePart, Element] = {}
        self._conjugates: dict[AnglePart, Element] = {}
        for base, halvings in self.needs.rooted().items():
            half = self.sqrt(base.square) + self.turn(Fraction(1, 4)) * self.sqrt(1 - base.square)
            for _ in range(halvings):
                root = self._halved(half)
                if root is None:
                    return False
                half = root
            self._bases[base] = half
        return True

    def _halved(self, phase: Element) -> Element | None:
        """A square root of a number of norm 1 that has norm 1 as well, if there is one."""
        if not self.conjugating:
            root = self._square_root(phase.re)
            return None if root is None else Element(self.p, root)
        # e^{it/2} = (1 + e^{it}) / (2 cos(t/2)), and (2 cos(t/2))^2 = 2 + 2 cos(t)
        root = self._square_root((2 + 2 * phase.re) % self.p)
        return None if not root else (phase.one() + phase) / Element(self.p, root)

    def _unit(self) -> Element:
        """A random element whose conjugate is its inverse (norm 1); any element of a plain field."""
        if not self.conjugating:
            return Element(self.p, drawn(self._random, 1, self.p))
        while True:
            z = Element(self.p, drawn(self._random, 0, self.p), drawn(self._random, 0, self.p))
            if z.re or z.im:
                return z / z.conjugate()

    def _draw_root(self) -> Element:
        """A primitive root of unity of the needed order."""
        order = self.needs.order
        group = self.p + 1 if self.conjugating else self.p - 1
        divisors, one = prime_divisors(order), Element(self.p, 1)
        while True:
            root = self.raised(self._unit(), group // order)
            if one not in [self.raised(root, order // q) for q in divisors]:
                return root

    # --- the number system -------------------------------------------------------------------------------

    def rational(self, value: Fraction | int) -> Element:
        if isinstance(value, int):
            return Element(self.p, value % self.p)
        return self._quotient(value.numerator, value.denominator)

    def _quotient(self, top: int, bottom: int) -> Element:
        return Element(self.p, top * inverse_modulo(bottom, self.p) % self.p)

    def turn(self, fraction: Fraction) -> Element:
        exponent, rest = divmod(fraction.numerator * self.needs.order, fraction.denominator)
        if rest:
            return self._power(self.needs.powers_of(self.needs.exact_turn(fraction)))
        return self.raised(self._root, exponent)

    def phase(self, angle: float, times: Fraction | int = 1) -> Element:
        return self.phase_of(part_of(angle, times), conjugate=(angle < 0) != (times.numerator < 0))

    def phase_of(self, part: AnglePart, *, conjugate: bool) -> Element:
        """e^(i angle), or e^(-i angle) if `conjugate`."""
        found = self._phases.get(part)
        if found is None:
            found = self._phases[part] = self._power(self.needs.powers(part))
        if not conjugate:
            return found
        other = self._conjugates.get(part)
        if other is None:
            other = self._conjugates[part] = found.conjugate() if self.conjugating else self.raised(found, -1)
        return other

    def _power(self, powers: PhasePowers) -> Element:
        """A root of unity times powers of what stands for the base angles."""
        assert self._version == self.needs.version, "numbers were noted after the field was drawn"
        found = self.raised(self._root, powers.root)
        for number, exponent in powers.parts:
            found = found * self.raised(self._units[number], exponent)
        return found

    def phases(self, parts: Collection[AnglePart]) -> _core.Phases:
        """All e^(i angle) at once, for the native core."""
        assert self._version == self.needs.version, "numbers were noted after the field was drawn"
        ends, which, exponents = list[int](), list[int](), list[int]()
        for root, powers, _ in self.needs.all_powers(parts):
            if root:
                which.append(0)
                exponents.append(root)
            for number, exponent in powers:
                which.append(number + 1)
                exponents.append(exponent)
            ends.append(len(which))
        return _core.Phases(
            self.kind,
            *self.prime_words,
            np.array(self.words((self._root, *self._units)), dtype=np.uint64),
            np.array(ends, dtype=np.int32),
            np.array(which, dtype=np.int32),
            np.array(self._exponent_words(exponents), dtype=np.uint64),
        )

    def _exponent_words(self, exponents: list[int]) -> list[int]:
        """One word for each prime, or the two words of an exponent."""
        orders = [p + 1 if self.conjugating else p - 1 for p in self.moduli]
        reduced = [exponent % order for exponent in exponents for order in orders]
        if not self._long:
            return reduced
        return [word for exponent in reduced for word in (exponent % WORD, exponent // WORD)]

    def raised(self, unit: Element, exponent: int) -> Element:
        """A power of a number whose conjugate is its inverse, or of any number but 0 of a plain field."""
        if self._long:
            return unit.raised(exponent % (self.p + 1 if self.conjugating else self.p - 1))
        if self.conjugating:
            return Element(self.p, *self._native[0].pow((unit.re, unit.im), exponent % (self.p + 1)))
        if len(self.moduli) == 1:
            return Element(self.p, self._native[0].pow(unit.re, exponent % (self.p - 1)))
        pairs = zip(self.moduli, self._native, strict=True)
        return joined(*(Element(p, field.pow(unit.re % p, exponent % (p - 1))) for p, field in pairs))

    def sqrt(self, value: Fraction | int) -> Element:
        top, bottom = value.numerator, value.denominator
        if top == 0:
            return self.rational(0)
        outside, primes = square_free(top * bottom)
        result = self._quotient(outside, bottom)
        for prime in primes:
            result = result * self._sqrt_of_prime(prime)
        return result

    def _sqrt_of_prime(self, q: int) -> Element:
        """The root that agrees with the chosen roots of unity where it is a combination of them."""
        if q not in self._roots:
            if q == 2:
                eighth = self.needs.order // 8
                self._roots[q] = self.raised(self._root, eighth) + self.raised(self._root, -eighth)
            elif self.needs.order % q == 0:
                self._roots[q] = self._gauss_sum(q)
            else:
                root = self._square_root(q)
                assert root is not None, "the prime was drawn so that q is a square"
                self._roots[q] = Element(self.p, root)
        return self._roots[q]

    def _square_root(self, number: int) -> int | None:
        """The smaller square root modulo the prime, if there is one."""
        return square_root(number, self.p) if self._long else self._native[0].sqrt(number)

    def _gauss_sum(self, q: int) -> Element:
        """sum of (k/q) exp(2 pi i k/q) = sqrt(q) if q = 1 mod 4, i sqrt(q) if q = 3 mod 4."""
        total = Element(self.p, 0)
        for k in range(1, q):
            term = self.turn(Fraction(k, q))
            total = total + term if pow(k, (q - 1) // 2, q) == 1 else total - term
        return total if q % 4 == 1 else total / self.turn(Fraction(1, 4))


def drawn(source: random.Random, low: int, high: int) -> int:
    """One of the numbers low <= x < high, the one that `randrange` draws."""
    size = high - low
    bits = size.bit_length()
    found = source.getrandbits(bits)
    while found >= size:
        found = source.getrandbits(bits)
    return low + found


def draw_prime(needs: Needs, source: random.Random, *, conjugating: bool) -> int:
    """A random prime p = 1 modulo the order (-1 if conjugating) for which all radicands are squares.

    (q/p) depends on p mod q alone (quadratic reciprocity), so for small q a good residue is chosen first.
    Primes that do not even have the first halves of the angles that are halved are drawn again.
    """
    classes = _Classes(needs, conjugating=conjugating)
    halved = [base.square.as_integer_ratio() for base, halvings in needs.rooted().items() if halvings]
    while True:
        p = _drawn_from(classes, source)
        if p is not None and (not halved or _core.have_quarters(p, halved)):
            return p


def _drawn_from(classes: _Classes, source: random.Random) -> int | None:
    """A prime of a random class, if one is found soon."""
    modulus, residue = classes.drawn(source)
    low, high = (1 << PRIME_BITS) // modulus, (1 << (PRIME_BITS + 1)) // modulus
    for _ in range(TRIES):
        words = source.getrandbits(64 * AT_ONCE).to_bytes(8 * AT_ONCE, sys.byteorder)
        p = _core.drawn_prime(words, low, high - low, modulus, residue, classes.searched)
        if p is not None:
            return p
    return None


def draw_long_prime(needs: Needs, source: random.Random, *, conjugating: bool) -> int:
    """The same for primes of two words, which are 1 modulo 2^64 as well (-1 if conjugating)."""
    step = math.lcm(needs.order, WORD) // WORD
    low, high = ((1 << bits) // WORD // step for bits in (LONG_PRIME_BITS, LONG_PRIME_BITS + 1))
    radicands = [q for q in needs.primes if needs.order % q]
    is_prime = _core.is_long_conjugating_prime if conjugating else _core.is_long_prime
    while True:
        multiple = drawn(source, low + 1, high) * step
        p = multiple * WORD + (-1 if conjugating else 1)
        if is_prime(multiple) and all(pow(q, (p - 1) // 2, p) == 1 for q in radicands):
            return p


AT_ONCE = 64
"""Random words that are drawn in one call: about one candidate in twenty is prime."""
TRIES = 64
"""Calls for one choice of residues before others are chosen."""


class _Classes:
    """The residue classes of primes modulo which small radicands are squares."""

    def __init__(self, needs: Needs, *, conjugating: bool) -> None:
        self._order = needs.order
        self._sign = -1 if conjugating else 1
        chosen, self.searched = needs.split(needs.primes)
        """The radicands that are left to chance."""
        self._chosen = [(q, _square_residues(q, flipped=conjugating)) for q in chosen]

    def drawn(self, source: random.Random) -> tuple[int, int]:
        """(modulus, residue) of a random class."""
        modulus, residue = self._order, self._sign
        for q, wanted in self._chosen:
            steps = (source.choice(wanted) - residue) * pow(modulus, -1, q) % q
            modulus, residue = modulus * q, residue + modulus * steps
        return modulus, residue


def _square_residues(q: int, *, flipped: bool) -> list[int]:
    """The residues of p modulo q for which q is a square modulo p; `flipped`: p = 3 modulo 4, else 1."""
    sign = -1 if flipped and q % 4 == 3 else 1
    return [r for r in range(1, q) if pow(r, (q - 1) // 2, q) == sign % q]
