"""Stabiliser codes by few basis states: those whose projections span the code.

A Pauli string is i^phase X^x Z^z; x and z are sets of qubits as integers, qubit 0 most significant. The
projector of a code keeps |s> iff s has the parity that every string without X asks for, and it maps |s> and
|s + x> to the same line for the x of every string. So there is one basis state for each dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

Equation = tuple[int, int]
"""A set of qubits, and the parity of their digits."""


class _String(NamedTuple):
    x: int
    z: int
    phase: int

    @classmethod
    def read(cls, sign: int, letters: str) -> _String:
        x, z = (
            sum(1 << k for k, letter in enumerate(reversed(letters)) if letter in kind)
            for kind in ("XY", "ZY")
        )
        return cls(x, z, letters.count("Y") + (2 if sign < 0 else 0))

    def times(self, other: _String) -> _String:
        phase = self.phase + other.phase + 2 * (self.z & other.x).bit_count()
        return _String(self.x ^ other.x, self.z ^ other.z, phase % 4)

    def commutes(self, other: _String) -> bool:
        return ((self.x & other.z).bit_count() + (self.z & other.x).bit_count()) % 2 == 0


class Representatives:
    """The basis states of a code of signed Pauli strings on so many qubits."""

    def __init__(self, paulis: Sequence[tuple[int, str]], width: int) -> None:
        strings = [_String.read(*pauli) for pauli in paulis]
        self._width = width
        apart = any(not one.commutes(other) for k, one in enumerate(strings) for other in strings[:k])
        solved = None if apart else _solved(_equations(strings))
        self._solved = {} if solved is None else solved
        self.dimension = 0 if solved is None else 1 << (width - len(solved))
        """Of the code; no state is in it if strings anticommute or contradict each other."""

    def words(self) -> list[str]:
        """One basis state per dimension, the smallest of those that project to the same line; in order."""
        if not self.dimension:
            return []
        free = [1 << k for k in range(self._width) if k not in self._solved]
        fixed = [(1 << k, mask & ~(1 << k), parity) for k, (mask, parity) in self._solved.items()]
        found = []
        for digits in product((0, 1), repeat=len(free)):
            state = sum(bit for bit, digit in zip(free, digits, strict=True) if digit)
            state |= sum(bit for bit, mask, parity in fixed if ((state & mask).bit_count() + parity) % 2)
            found.append(state)
        return [f"{state:0{self._width}b}" if self._width else "" for state in sorted(found)]


def _equations(strings: Iterable[_String]) -> list[Equation]:
    """What a representative satisfies: the parities, and a zero where an x may flip."""
    flips: dict[int, _String] = {}
    found: list[Equation] = []
    for string in strings:
        while string.x and string.x.bit_length() in flips:
            string = flips[string.x.bit_length()].times(string)  # noqa: PLW2901 - reduced
        if string.x:
            flips[string.x.bit_length()] = string
            found.append((1 << (string.x.bit_length() - 1), 0))
        else:
            found.append((string.z, string.phase // 2 % 2))
    return found


def _solved(equations: Iterable[Equation]) -> dict[int, Equation] | None:
    """Reduced equations by their leading qubit, which stands in no other one; None if they contradict."""
    found: dict[int, Equation] = {}
    for mask, parity in equations:
        for lead, (known, value) in found.items():
            if mask >> lead & 1:
                mask, parity = mask ^ known, parity ^ value  # noqa: PLW2901 - reduced
        if not mask:
            if parity:
                return None
            continue
        first = mask.bit_length() - 1
        for lead, (known, value) in found.items():
            if known >> first & 1:
                found[lead] = known ^ mask, value ^ parity
        found[first] = mask, parity
    return found
