"""Stabiliser codes: their strings as operators, basis states whose projections span them, parts of them.

The sets of qubits of a Pauli string are integers, qubit 0 most significant. The projector of a code keeps
|s> iff s has the parity that every string without X asks for, and it maps |s> and |s + x> to the same line
for the x of every string. So there is one basis state for each dimension.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product

from qismc.common.parity import consistent
from qismc.common.paulis import Pauli
from qismc.engines import Engine, Vector
from qismc.program import Base, Factor, Operator
from qismc.propositions.propositions import Stabilised, Whole
from qismc.system import Application


class Representatives:
    """The basis states whose projections span a code; digit k of a state is the k-th qubit of the code."""

    def __init__(self, code: Stabilised) -> None:
        strings, self._width = _strings(code), len(code.qubits)
        apart = any(not one.commutes(other) for k, one in enumerate(strings) for other in strings[:k])
        solved = None if apart else consistent(_equations(strings))
        self._solved = {} if solved is None else solved
        self.dimension = 0 if solved is None else 1 << (self._width - len(solved))
        """Dimension of the code; 0 if strings anticommute or contradict each other."""

    def words(self) -> list[str]:
        """One basis state per dimension, the smallest of those that project to the same line; in order."""
        if not self.dimension:
            return []
        free = [1 << k for k in range(self._width) if k + 1 not in self._solved]
        fixed = [(1 << k - 1, (row ^ 1 << k) >> 1, row & 1) for k, row in self._solved.items()]
        found = []
        for digits in product((0, 1), repeat=len(free)):
            state = sum(bit for bit, digit in zip(free, digits, strict=True) if digit)
            state |= sum(bit for bit, mask, parity in fixed if ((state & mask).bit_count() + parity) % 2)
            found.append(state)
        return [f"{state:0{self._width}b}" if self._width else "" for state in sorted(found)]


def _strings(code: Stabilised) -> list[Pauli]:
    return [Pauli.read(letters, sign < 0) for sign, letters in code.paulis]


def _equations(strings: Iterable[Pauli]) -> Iterator[int]:
    """What a representative satisfies: the parities, and a zero where an x may flip.

    Bit k + 1 of an equation is digit k, bit 0 is the constant.
    """
    flips: dict[int, Pauli] = {}
    for string in strings:
        while string.x and string.x.bit_length() in flips:
            string = flips[string.x.bit_length()] * string  # noqa: PLW2901 - reduced
        if string.x:
            flips[string.x.bit_length()] = string
            yield 1 << string.x.bit_length()
        else:
            yield string.z << 1 | string.minus


# --- strings as operators ----------------------------------------------------------------------------------


def stabiliser_generators(proposition: Stabilised) -> list[Application]:
    """The signed Pauli strings as operators on their qubits."""
    return [Application(_pauli(sign, string), proposition.qubits) for sign, string in proposition.paulis]


def _pauli(sign: int, string: str) -> Operator:
    factors = [Factor(Base(p.lower()), (k,)) for k, p in enumerate(string) if p != "I"]
    if sign < 0:
        factors.append(Factor(Base("phase", (math.pi,)), ()))
    return Operator("pauli", len(string), tuple(factors))


def stabilised_part(engine: Engine, proposition: Stabilised, vector: Vector) -> Vector | None:
    """The image under the code's projector, the product of (1 + g)/2; None if it is zero."""
    half = engine.ring.rational(1) / engine.ring.rational(2)
    for generator in stabiliser_generators(proposition):
        same = engine.run(engine.compile([]), vector)
        image = engine.run(engine.compile([generator]), vector)
        vector = engine.combine([half, half], [same, image])
        if engine.is_zero(vector):
            return None
    return vector


# --- codes on some of their qubits -------------------------------------------------------------------------


def restricted(code: Stabilised, qubits: tuple[int, ...]) -> Stabilised | Whole:
    """The smallest subspace S of the qubits with code <= S (x) everything.

    Its group has the elements of the code's group that act on these qubits alone: the projector of a code is
    the sum of its group, and the partial trace over the other qubits keeps exactly these elements.
    """
    bit = {qubit: k for k, qubit in enumerate(reversed(code.qubits))}
    outside = [bit[qubit] for qubit in code.qubits if qubit not in qubits]
    strings = _without(_strings(code), outside)
    inside = [bit.get(qubit) for qubit in qubits]
    paulis = tuple((-1 if s.minus else 1, s.text(inside)) for s in strings if s.x or s.z)
    return Stabilised(paulis, qubits) if paulis else Whole()


def _without(strings: list[Pauli], bits: Iterable[int]) -> list[Pauli]:
    """Generators of the subgroup that is the identity at these bits."""
    for x, z in (half for k in bits for half in ((1 << k, 0), (0, 1 << k))):
        acting = [string for string in strings if string.x & x or string.z & z]
        strings = [string for string in strings if not (string.x & x or string.z & z)]
        strings += [acting[0] * string for string in acting[1:]]
    return strings
