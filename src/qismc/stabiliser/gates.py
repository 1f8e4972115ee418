"""Clifford gates, recognised by their matrices: what conjugation by them makes of Pauli strings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from qismc._core import Clifford, Repertoire, Tableau
from qismc.common.paulis import Letters, Pauli
from qismc.numbers import as_turn
from qismc.program import Apply, Factor, Operator, Program, Statement, dense
from qismc.symbolic import NotSymbolic
from qismc.system import columns

WIDEST = 3
"""Gates on so many qubits are looked at as a whole, wider ones factor by factor."""
CLOSE = 1e-9
"""Entries of a matrix are equal if they are so near; angles must be recognised before."""
FINEST = 64
"""Parts of a turn: gates with finer angles are no Clifford gates, however near to one they are."""
MOST_KNOWN = 1 << 12
"""Different operators that are remembered from one check to the next."""
Array = npt.NDArray[np.complex128]


@dataclass(frozen=True)
class CliffordAction:
    """What a gate does: conjugations one after the other; `pauli` if all of it is a Pauli, up to a phase."""

    steps: tuple[tuple[Clifford, tuple[int, ...]], ...]
    pauli: Letters | None


@dataclass
class Gates:
    """The actions of operators, each worked out once."""

    _known: dict[int, tuple[Operator, CliffordAction | None]] = field(default_factory=dict)
    _repertoire: Repertoire = field(default_factory=Repertoire)

    def action(self, operator: Operator) -> CliffordAction | None:
        """None if the operator is no Clifford gate that we recognise."""
        if id(operator) not in self._known:
            found = _action(operator)
            self._known[id(operator)] = (operator, found)
            if found is not None:
                self._repertoire.add(operator, found.steps)
        return self._known[id(operator)][1]

    def run(self, tableau: Tableau, code: Sequence[Statement], start: int, stop: int) -> int:
        """Apply the gates code[start:stop], up to the first one that is no Clifford gate; where that is."""
        point = start
        while True:
            point = tableau.run(self._repertoire, code, point, stop)
            if point == stop:
                return point
            statement = code[point]
            assert isinstance(statement, Apply), "gates"
            if self.action(statement.operator) is None:
                return point


def is_clifford(program: Program) -> bool:
    """Are all gates of the program Clifford gates that we recognise?"""
    gates = Gates()
    return all(gates.action(operator) is not None for operator in columns(program).operators)


LocalFactors = tuple[Sequence[Factor], tuple[int, ...]]
"""Factors on some qubits of an operator, which are 0, 1, 2, … for the factors."""


@lru_cache(maxsize=MOST_KNOWN)
def _action(operator: Operator) -> CliffordAction | None:
    if not operator.unitary:
        return None
    small = operator.width <= WIDEST
    pieces = [(operator.factors, tuple(range(operator.width)))] if small else _pieces(operator)
    steps: list[tuple[Clifford, tuple[int, ...]]] = []
    total: Pauli | None = Pauli(0, 0, 0)
    for factors, qubits in pieces:
        gate = _conjugation(factors, len(qubits))
        if gate is None:
            return None
        steps.append((gate, qubits))
        letters = pauli_letters(gate)
        if total is not None:
            moved = None if letters is None else Pauli.of((qubits[k], letter) for k, letter in letters)
            total = None if moved is None else total * moved
    return CliffordAction(tuple(steps), None if total is None else total.letters)


def _pieces(operator: Operator) -> Iterator[LocalFactors]:
    """Every factor on its own qubits."""
    for factor in operator.factors:
        qubits = tuple(dict.fromkeys((*factor.targets, *(c for c, _ in factor.controls))))
        if qubits:  # a phase of everything changes no state
            places = {qubit: k for k, qubit in enumerate(qubits)}
            local = tuple(places.get(q, 0) for q in range(operator.width))
            yield (factor.on(local),), qubits


def _conjugation(factors: Sequence[Factor], width: int) -> Clifford | None:
    """Conjugation by a product of factors; None if some Pauli does not become one."""
    if width > WIDEST or not all(_is_coarse(angle) for f in factors for angle in f.base.angles):
        return None
    unitary = dense(factors, width)
    images = [image for one in _generators(width) if (image := _image(unitary, one, width)) is not None]
    return clifford(images, width) if len(images) == 2 * width else None


def _is_coarse(angle: float) -> bool:
    """Is it a multiple of pi that is far from others, so that rounding cannot take one gate for another?"""
    turn = as_turn(angle)
    return turn is not None and turn.denominator <= FINEST


def _generators(width: int) -> Iterator[Pauli]:
    """X and Z of the first qubit, X and Z of the second, …"""
    for qubit in range(width):
        yield Pauli.of([(qubit, 1)])
        yield Pauli.of([(qubit, 2)])


def pauli_matrix(pauli: Pauli, width: int) -> Array:
    found: Array = np.zeros((1 << width, 1 << width), dtype=complex)
    for column in range(1 << width):
        sign = (-1) ** (pauli.z & column).bit_count()
        found[column ^ pauli.x, column] = 1j**pauli.power * sign
    return found


def _image(unitary: Array, pauli: Pauli, width: int) -> Pauli | None:
    """U P U^dagger, if it is a Pauli."""
    moved = unitary @ pauli_matrix(pauli, width) @ unitary.conj().T
    x = int(np.argmax(np.abs(moved[:, 0])))
    first = moved[x, 0]
    z = sum(1 << k for k in range(width) if (moved[x ^ (1 << k), 1 << k] * first.conjugate()).real < 0)
    power = round(np.angle(first) / (np.pi / 2)) % 4
    found = Pauli(power, x, z)
    return found if np.abs(pauli_matrix(found, width) - moved).max() < CLOSE else None


def clifford(images: Sequence[Pauli], width: int) -> Clifford:
    """The native gate with these images of the generators."""
    masks = [
        sum((image.x >> k & 1) << (2 * k) | (image.z >> k & 1) << (2 * k + 1) for k in range(width))
        for image in images
    ]
    table = []
    for bits in product((0, 1), repeat=2 * width):  # the last digit is that of the first generator
        chosen = bits[::-1]
        total = Pauli(sum(chosen[2 * k] & chosen[2 * k + 1] for k in range(width)) % 4, 0, 0)
        for image, digit in zip(images, chosen, strict=True):
            total = total * image if digit else total
        table.append(total.minus)
    return Clifford(width, masks, _monomials(table, 2 * width))


def _monomials(table: list[bool], variables: int) -> list[int]:
    """The monomials of a Boolean function's polynomial modulo 2, given its values."""
    values = np.array(table).reshape((2,) * variables)
    for axis in range(variables):
        values = np.logical_xor.accumulate(values, axis)
    return [int(k) for k in np.flatnonzero(values)]


def pauli_letters(gate: Clifford) -> Letters | None:
    """The Pauli that conjugates like this, if there is one: its X part flips Z, its Z part flips X."""
    if any(image != 1 << k for k, image in enumerate(gate.images)):
        return None
    letters: dict[int, int] = {}
    for monomial in gate.monomials:
        place = monomial.bit_length() - 1
        letters[place // 2] = letters.get(place // 2, 0) | (1 if place % 2 else 2)
    return tuple(sorted(letters.items()))


def refused(operator: Operator) -> NotSymbolic:
    return NotSymbolic(f"'{operator.label or operator.name}' is no Clifford gate")
