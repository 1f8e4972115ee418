"""Pauli strings as bits with a power of i."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from qismc._core import Strings

Letters = tuple[tuple[int, int], ...]
"""Qubits with their letters: 1 = X, 2 = Z, 3 = Y."""
LETTERS = {"X": 1, "Z": 2, "Y": 3}


@dataclass(frozen=True)
class Pauli:
    """i^power X^x Z^z; bit k of x and z belongs to qubit k.

    >>> y = Pauli.of([(0, LETTERS["Y"])])
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

    def __mul__(self, other: Pauli) -> Pauli:
        """The product; moving X in front of Z costs a sign for each qubit that both speak of."""
        power = self.power + other.power + 2 * (self.z & other.x).bit_count()
        return Pauli(power % 4, self.x ^ other.x, self.z ^ other.z)

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

    @property
    def is_identity(self) -> bool:
        """Up to a sign."""
        return not self.x | self.z


def strings_of(paulis: Iterable[Pauli]) -> Strings:
    """Native strings."""
    found = Strings()
    for pauli in paulis:
        found.append(pauli.letters, pauli.minus)
    return found


def paulis_of(strings: Strings) -> Iterator[Pauli]:
    """The same strings, one by one."""
    for k in range(len(strings)):
        yield Pauli.of(*strings[k])
