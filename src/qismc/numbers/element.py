"""Elements of finite fields as Python numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from qismc.errors import UnluckyDraw


def inverse_modulo(number: int, p: int) -> int:
    """1 / number; raises UnluckyDraw if it is 0 modulo p."""
    try:
        return pow(number, -1, p)
    except ValueError:
        raise UnluckyDraw("a denominator is a multiple of the prime", hint="take another --seed") from None


@dataclass(slots=True, unsafe_hash=True)
class Element:
    """re + im i modulo p; im is 0 in plain fields. It is never changed (frozen classes are slow to make)."""

    p: int
    re: int
    im: int = 0

    def __add__(self, other: Element) -> Element:
        return Element(self.p, (self.re + other.re) % self.p, (self.im + other.im) % self.p)

    def __sub__(self, other: Element) -> Element:
        return Element(self.p, (self.re - other.re) % self.p, (self.im - other.im) % self.p)

    def __bool__(self) -> bool:
        return self.re != 0 or self.im != 0

    def one(self) -> Element:
        """The 1 of this element's field."""
        return Element(self.p, 1)

    def __neg__(self) -> Element:
        return Element(self.p, -self.re % self.p, -self.im % self.p)

    def __mul__(self, other: Element) -> Element:
        re = (self.re * other.re - self.im * other.im) % self.p
        return Element(self.p, re, (self.re * other.im + self.im * other.re) % self.p)

    def inverse(self) -> Element:
        norm = inverse_modulo(self.re * self.re + self.im * self.im, self.p)
        return Element(self.p, self.re * norm % self.p, -self.im * norm % self.p)

    def __truediv__(self, other: Element) -> Element:
        return self * other.inverse()

    def raised(self, exponent: int) -> Element:
        """A power, by repeated squaring."""
        if not self.im:
            return Element(self.p, pow(self.re, exponent, self.p))
        found, square = self.one(), self
        while exponent:
            if exponent & 1:
                found = found * square
            square, exponent = square * square, exponent >> 1
        return found

    def conjugate(self) -> Element:
        return Element(self.p, self.re, -self.im % self.p)


def square_root(number: int, p: int) -> int | None:
    """The smaller square root modulo an odd prime, if there is one (Tonelli and Shanks).

    root^2 = number rest all the time, while the order of rest, a power of two, shrinks to 1.
    """
    number %= p
    if number == 0 or pow(number, (p - 1) // 2, p) != 1:
        return None if number else 0
    odd, twos = p - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    generator = pow(next(n for n in count(2) if pow(n, (p - 1) // 2, p) != 1), odd, p)
    root, rest = pow(number, (odd + 1) // 2, p), pow(number, odd, p)
    while rest != 1:
        order, square = 0, rest
        while square != 1:
            order, square = order + 1, square * square % p
        factor = pow(generator, 1 << (twos - order - 1), p)
        generator, twos = factor * factor % p, order
        root, rest = root * factor % p, rest * generator % p
    return min(root, p - root)


@lru_cache(maxsize=64)
def _inverse(p: int, q: int) -> int:
    """1/p modulo q; kept, because many elements are joined for the same two primes."""
    return pow(p, -1, q)


def joined(one: Element, other: Element) -> Element:
    """The element modulo both primes (Chinese remainders), of plain fields."""
    steps = (other.re - one.re) * _inverse(one.p, other.p) % other.p
    return Element(one.p * other.p, one.re + one.p * steps)
