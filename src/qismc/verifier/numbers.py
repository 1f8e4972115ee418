"""Numbers of a program modulo one large random prime that the checker draws itself.

All numbers lie in the field of the M-th roots of unity: sqrt(q) is a sum of them (Gauss). A prime p = 1 mod M
of 256 bits and a primitive root of unity modulo p make a ring homomorphism. A number that is not zero, of at
most B bits at every conjugate, denominator included, is sent to zero by at most phi(M) B / 255 of the
phi(M) N homomorphisms to draw from, N being the number of such primes.
"""

from __future__ import annotations

import cmath
import math
import secrets
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from qismc.common.lazily import cached_method
from qismc.verifier.outcome import NotChecked

PRIME_BITS = 256
WITNESSES = 64
"""Rounds of Miller and Rabin's test: a composite number passes with probability below 2^-128."""
LARGEST_ORDER = 1 << 128
"""Of the roots of unity: primes of 256 bits have enough of them."""
LARGEST_PRIME = 10_000
"""Of the primes that divide this order, and of those under square roots: sums and searches go over them."""
MOST_TURNS = 1 << 10
"""Floating point does not tell larger angles from multiples of 2 pi."""
ROUNDING = 2.0**-50
"""A number that is so near to what it is read as, relatively, is that number as floating point has it."""
CLOSE = 1e-11
NEAR = ((64, CLOSE), (512, 5e-13))
"""(largest denominator, how near a number must be to a fraction): large ones are met by chance more often."""
SMALLEST_DYADIC = 60
DUST = 1e-12
"""What is no larger, and no dyadic fraction of a turn, is read as 0."""


def as_turn(angle: float) -> Fraction:
    """angle / 2 pi as a simple fraction."""
    turn = angle / (2 * math.pi)
    if not abs(turn) <= MOST_TURNS:
        raise NotChecked(f"the angle {angle:.12g}: it is too large")
    simple = _simple(turn)
    if simple is not None and (simple or not turn):
        return simple
    mantissa, exponent = math.frexp(turn)
    scaled = mantissa * 4096
    dyadic = abs(scaled - round(scaled)) <= CLOSE
    if dyadic and -exponent < SMALLEST_DYADIC:
        return Fraction(round(scaled), 4096) * Fraction(2) ** exponent
    if not dyadic and abs(angle) <= DUST:
        return Fraction(0)
    raise NotChecked(f"the angle {angle:.12g} is no simple multiple of pi")


def _simple(number: float) -> Fraction | None:
    for largest, distance in NEAR:
        found = Fraction(number).limit_denominator(largest)
        if abs(float(found) - number) <= distance:
            return found
    return None


def as_root(number: complex) -> tuple[Fraction, Fraction]:
    """(s, f) with number = sqrt(s) exp(2 pi i f)."""
    size = abs(number)
    if size <= DUST:
        return Fraction(0), Fraction(0)
    square = _simple(size * size)
    if not square:
        raise NotChecked(f"the number {number:.12g} is no simple square root times a root of unity")
    return square, as_turn(cmath.phase(number))


class Unvalued:
    """The only number of the census: which roots occur does not depend on values."""

    def _same(self, *_: object) -> Unvalued:
        return self

    __add__ = __sub__ = __mul__ = __truediv__ = __neg__ = _same


NUMBER = Unvalued()


@dataclass
class Census:
    """A number system that takes note of which roots occur, and of numbers that are read as nicer ones."""

    order: int = 8
    readings: dict[str, None] = field(default_factory=dict)

    def rational(self, value: Fraction | int) -> Unvalued:  # noqa: ARG002 - no root
        return NUMBER

    def sqrt(self, value: Fraction | int) -> Unvalued:
        for prime in _radicands(Fraction(value)):
            self._adjoin(4 * prime)
        return NUMBER

    def turn(self, fraction: Fraction) -> Unvalued:
        self._adjoin(fraction.denominator)
        return NUMBER

    def _adjoin(self, order: int) -> None:
        _factors(order)
        self.order = math.lcm(self.order, order)
        if self.order > LARGEST_ORDER:
            raise NotChecked("roots of unity of so large an order")

    def phase(self, angle: float, times: Fraction | int = 1) -> Unvalued:
        turn = as_turn(angle)
        self._note(angle, 2 * math.pi * float(turn), f"{2 * turn} pi")
        return self.turn(turn * times)

    def number(self, value: complex) -> Unvalued:
        square, turn = as_root(value)
        text = f"sqrt({square})" + (f" exp({2 * turn} pi i)" if turn else "")
        self._note(value, math.sqrt(square) * cmath.exp(2j * math.pi * float(turn)), text)
        self.sqrt(square)
        return self.turn(turn)

    def _note(self, written: complex, read: complex, text: str) -> None:
        away = abs(written - read)
        if away > ROUNDING * abs(written):
            self.readings[f"{written} as {text}, {away:.1e} away"] = None


@dataclass(frozen=True)
class Residue:
    """A number modulo p, and a bound on the bits of its denominator and absolute values together."""

    value: int
    weight: float
    ring: Residues

    def __add__(self, other: Residue) -> Residue:
        return Residue((self.value + other.value) % self.ring.p, self.weight + other.weight + 1, self.ring)

    def __sub__(self, other: Residue) -> Residue:
        return Residue((self.value - other.value) % self.ring.p, self.weight + other.weight + 1, self.ring)

    def __mul__(self, other: Residue) -> Residue:
        return Residue(self.value * other.value % self.ring.p, self.weight + other.weight, self.ring)

    def __neg__(self) -> Residue:
        return Residue(-self.value % self.ring.p, self.weight, self.ring)

    def __truediv__(self, other: Residue) -> Residue:
        """1/x is a product of conjugates by the norm: as many factors of x as the field has degrees."""
        inverse = _inverse(other.value, self.ring.p)
        weight = self.weight + 2 * self.ring.degree * (other.weight + 1)
        return Residue(self.value * inverse % self.ring.p, weight, self.ring)


class Residues:
    """The number system modulo p that sends exp(2 pi i / order) to `root`."""

    def __init__(self, p: int, root: int, order: int) -> None:
        self.p = p
        self.order = order
        self.degree = _totient(order)
        self._root = root

    @classmethod
    def draw(cls, order: int) -> Residues:
        """A fresh random homomorphism; nobody who wrote a certificate can have known it."""
        while True:
            multiple = secrets.randbits(PRIME_BITS - order.bit_length()) | 1 << (
                PRIME_BITS - order.bit_length()
            )
            p = multiple * order + 1
            if _is_prime(p):
                return cls(p, _primitive_root(p, order), order)

    @property
    def conjugate(self) -> Residues:
        """The homomorphism after complex conjugation."""
        return Residues(self.p, pow(self._root, -1, self.p), self.order)

    def number_of_primes(self) -> float:
        """A lower estimate of how many primes there were to draw from."""
        return 2.0 ** (PRIME_BITS - 2) / (PRIME_BITS * self.degree)

    def rational(self, value: Fraction | int) -> Residue:
        fraction = Fraction(value)
        residue = fraction.numerator * _inverse(fraction.denominator, self.p) % self.p
        return Residue(residue, _bits(fraction), self)

    def turn(self, fraction: Fraction) -> Residue:
        exponent = fraction * self.order
        if exponent.denominator != 1:
            raise NotChecked(f"a root of unity of order {fraction.denominator} was not announced")
        return Residue(pow(self._root, exponent.numerator % self.order, self.p), 0.0, self)

    def phase(self, angle: float, times: Fraction | int = 1) -> Residue:
        return self.turn(as_turn(angle) * times)

    def sqrt(self, value: Fraction | int) -> Residue:
        """sqrt(a/b) = sqrt(ab) / b."""
        fraction = Fraction(value)
        radicands = _radicands(fraction)
        outside = math.isqrt(fraction.numerator * fraction.denominator // math.prod(radicands))
        found = self.rational(Fraction(outside, fraction.denominator)).value
        for prime in radicands:
            found = found * self._sqrt_of_prime(prime) % self.p
        return Residue(found, _bits(fraction), self)

    @cached_method
    def _sqrt_of_prime(self, q: int) -> int:
        """The Gauss sum of Legendre symbols times roots of unity is sqrt(q), or i sqrt(q) if q = 3 mod 4."""
        if q == 2:
            return (self.turn(Fraction(1, 8)).value + self.turn(Fraction(-1, 8)).value) % self.p
        total = 0
        for k in range(1, q):
            term = self.turn(Fraction(k, q)).value
            total += term if pow(k, (q - 1) // 2, q) == 1 else -term
        if q % 4 == 3:
            total *= self.turn(Fraction(-1, 4)).value
        return total % self.p

    def number(self, value: complex) -> Residue:
        square, turn = as_root(value)
        return self.sqrt(square) * self.turn(turn)


def _inverse(number: int, p: int) -> int:
    if number % p == 0:
        raise NotChecked("a division by zero")
    return pow(number, -1, p)


def _bits(fraction: Fraction) -> float:
    return math.log2(abs(fraction.numerator) + 1) + math.log2(fraction.denominator)


def _radicands(fraction: Fraction) -> list[int]:
    """The primes that divide numerator times denominator an odd number of times."""
    powers = _factors(fraction.numerator * fraction.denominator)
    return [prime for prime, power in powers.items() if power % 2]


@lru_cache(maxsize=1024)
def _factors(number: int) -> dict[int, int]:
    """Primes with their powers; raises NotChecked for large ones."""
    rest, found, divisor = number, dict[int, int](), 2
    while rest > 1 and divisor <= LARGEST_PRIME:
        while rest % divisor == 0:
            rest //= divisor
            found[divisor] = found.get(divisor, 0) + 1
        divisor = rest if 1 < rest < divisor * divisor else divisor + 1
    if rest > 1:
        raise NotChecked("numbers with large prime factors under square roots or in angles")
    return found


def _totient(number: int) -> int:
    found = number
    for prime in _factors(number):
        found -= found // prime
    return found


def _primitive_root(p: int, order: int) -> int:
    divisors = _factors(order)
    while True:
        root = pow(secrets.randbelow(p - 2) + 2, (p - 1) // order, p)
        if all(pow(root, order // q, p) != 1 for q in divisors):
            return root


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test with random bases."""
    if any(n % small == 0 for small in (2, 3, 5, 7, 11, 13)):
        return False
    twos = ((n - 1) & -(n - 1)).bit_length() - 1
    return all(_passes(n, secrets.randbelow(n - 3) + 2, twos) for _ in range(WITNESSES))


def _passes(n: int, base: int, twos: int) -> bool:
    power = pow(base, (n - 1) >> twos, n)
    if power in (1, n - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % n
        if power == n - 1:
            return True
    return False
