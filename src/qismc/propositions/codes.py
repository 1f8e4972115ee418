"""Stabiliser codes: basis states whose projections span a code, and codes on some of their qubits.

A Pauli string is i^phase X^x Z^z; x and z are sets of qubits as integers, qubit 0 most significant. The
projector of a code keeps |s> iff s has the parity that every string without X asks for, and it maps |s> and
|s + x> to the same line for the x of every string. So there is one basis state for each dimension.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from qismc.propositions.propositions import Stabilised, Whole

Equation = tuple[int, int]
"""A set of qubits, and the parity of their digits."""


class PauliString(NamedTuple):
    """i^phase X^x Z^z."""

    x: int
    z: int
    phase: int

    @classmethod
    def read(cls, sign: int, letters: str) -> PauliString:
        x, z = (
            sum(1 << k for k, letter in enumerate(reversed(letters)) if letter in kind)
            for kind in ("XY", "ZY")
        )
        return cls(x, z, letters.count("Y") + (2 if sign < 0 else 0))

    def times(self, other: PauliString) -> PauliString:
        phase = self.phase + other.phase + 2 * (self.z & other.x).bit_count()
        return PauliString(self.x ^ other.x, self.z ^ other.z, phase % 4)

    def commutes(self, other: PauliString) -> bool:
        return ((self.x & other.z).bit_count() + (self.z & other.x).bit_count()) % 2 == 0

    def written(self, places: Iterable[int | None]) -> tuple[int, str]:
        """Sign, and the letters at these bits; I where there is none."""
        letters = "".join(
            "I" if k is None else "IXZY"[(self.x >> k & 1) | (self.z >> k & 1) << 1] for k in places
        )
        return (1 if (self.phase - (self.x & self.z).bit_count()) % 4 == 0 else -1), letters


class Representatives:
    """The basis states of a code of signed Pauli strings on so many qubits."""

    def __init__(self, paulis: Sequence[tuple[int, str]], width: int) -> None:
        strings = [PauliString.read(*pauli) for pauli in paulis]
        self._width = width
        apart = any(not one.commutes(other) for k, one in enumerate(strings) for other in strings[:k])
        solved = None if apart else _solved(_equations(strings))
        self._solved = {} if solved is None else solved
        self.dimension = 0 if solved is None else 1 << (width - len(solved))
        """Dimension of the code; 0 if strings anticommute or contradict each other."""

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


def _equations(strings: Iterable[PauliString]) -> list[Equation]:
    """What a representative satisfies: the parities, and a zero where an x may flip."""
    flips: dict[int, PauliString] = {}
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


# --- codes on some of their qubits -------------------------------------------------------------------------


def restricted(code: Stabilised, qubits: tuple[int, ...]) -> Stabilised | Whole:
    """The smallest subspace S of the qubits with code <= S (x) everything.

    Its group has the elements of the code's group that act on these qubits alone: the projector of a code is
    the sum of its group, and the partial trace over the other qubits keeps exactly these elements.
    """
    bit = {qubit: k for k, qubit in enumerate(reversed(code.qubits))}
    outside = [bit[qubit] for qubit in code.qubits if qubit not in qubits]
    strings = _without([PauliString.read(*pauli) for pauli in code.paulis], outside)
    inside = [bit.get(qubit) for qubit in qubits]
    paulis = tuple(string.written(inside) for string in strings if string.x or string.z)
    return Stabilised(paulis, qubits) if paulis else Whole()


def _without(strings: list[PauliString], bits: Iterable[int]) -> list[PauliString]:
    """Generators of the subgroup that is the identity at these bits."""
    for x, z in (half for k in bits for half in ((1 << k, 0), (0, 1 << k))):
        acting = [string for string in strings if string.x & x or string.z & z]
        strings = [string for string in strings if not (string.x & x or string.z & z)]
        strings += [acting[0].times(string) for string in acting[1:]]
    return strings
