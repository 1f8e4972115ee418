"""Pauli strings as bits with a power of i."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Letters = tuple[tuple[int, int], ...]
"""Qubits with their letters: 1 = X, 2 = Z, 3 = Y."""
NAMES = "IXZY"
"""The letters by their numbers."""


@dataclass(frozen=True)
class Pauli:
    """i^power X^x Z^z; bit k of x and z belongs to qubit k.

    >>> y = Pauli.read("Y")
    >>> y * y == Pauli(0, 0, 0), y.is_hermitian, y.minus
    (True, True, False)
    """

    power: int
    x: int
    z: int

    @classmethod
    def of(cls, letters: Iterable[tuple[int, int]], minus: bool = False) -> Pauli:
        """The Hermitian Pauli with these letters."""
        x = z = 0
        for qubit, letter in letters:
            x |= (letter & 1) << qubit
            z |= (letter >> 1) << qubit
        return cls(((x & z).bit_count() + 2 * minus) % 4, x, z)

    @classmethod
    def read(cls, text: str, minus: bool = False) -> Pauli:
        """The Hermitian Pauli with the letters of a text, the last of which is bit 0."""
        return cls.of(((k, NAMES.index(letter)) for k, letter in enumerate(reversed(text))), minus)

    def text(self, bits: Iterable[int | None]) -> str:
        """The letters at these bits; I where there is none."""
        numbers = (0 if k is None else (self.x >> k & 1) | (self.z >> k & 1) << 1 for k in bits)
        return "".join(NAMES[number] for number in numbers)

    def __mul__(self, other: Pauli) -> Pauli:
        """The product; moving X in front of Z costs a sign for each qubit that both speak of."""
        power = self.power + other.power + 2 * (self.z & other.x).bit_count()
        return Pauli(power % 4, self.x ^ other.x, self.z ^ other.z)

    def on(self, qubits: Sequence[int]) -> Pauli:
        """The same string with qubit k called qubits[k]."""
        return Pauli.of(((qubits[k], letter) for k, letter in self.letters), self.minus)

    @property
    def is_hermitian(self) -> bool:
        return (self.power - (self.x & self.z).bit_count()) % 2 == 0

    @property
    def minus(self) -> bool:
        """Is it minus the product of its letters?"""
        return (self.power - (self.x & self.z).bit_count()) % 4 == 2

    @property
    def letters(self) -> Letters:
        found, both = [], self.x | self.z
        while both:
            qubit = (both & -both).bit_length() - 1
            found.append((qubit, (self.x >> qubit & 1) | (self.z >> qubit & 1) << 1))
            both &= both - 1
        return tuple(found)

    def commutes(self, other: Pauli) -> bool:
        return ((self.x & other.z).bit_count() + (self.z & other.x).bit_count()) % 2 == 0
