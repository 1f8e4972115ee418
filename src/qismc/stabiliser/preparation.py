"""Preparations of stabiliser states on qubits that were reset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from qismc.program import MAX_MATRIX_QUBITS, Operator
from qismc.stabiliser.affine import reduced
from qismc.stabiliser.amplitudes import generators, powers_of_floats
from qismc.stabiliser.gates import matrix
from qismc.stabiliser.paulis import Letters, Pauli


@dataclass(frozen=True)
class Recipe:
    """Measure the generators of the wanted state; where one is found with the wrong sign, turn it alone."""

    generators: tuple[Pauli, ...]
    corrections: tuple[Letters, ...]

    def on(self, qubits: Sequence[int]) -> tuple[list[Pauli], list[Letters]]:
        placed = [Pauli.of(((qubits[k], p) for k, p in g.letters), minus=g.minus) for g in self.generators]
        return placed, [tuple((qubits[k], p) for k, p in letters) for letters in self.corrections]


@dataclass
class Preparations:
    """Recipes, each worked out once."""

    _known: dict[int, tuple[Operator, Recipe | None]] = field(default_factory=dict)

    def recipe(self, preparation: Operator) -> Recipe | None:
        """None if the state is no stabiliser state that we recognise."""
        if id(preparation) not in self._known:
            self._known[id(preparation)] = (preparation, _recipe(preparation))
        return self._known[id(preparation)][1]


def _recipe(preparation: Operator) -> Recipe | None:
    width = preparation.width
    if width > MAX_MATRIX_QUBITS:
        return None
    column = matrix(preparation.factors, width)[:, 0]
    present = {x: complex(value) for x, value in enumerate(column)}
    found = generators(powers_of_floats(present), width)
    return None if found is None else Recipe(tuple(found), tuple(partners(found, width)))


def partners(group: Sequence[Pauli], width: int) -> list[Letters]:
    """For each of n independent commuting Paulis on n qubits: letters that anticommute with it alone.

    Row k of the equations: the bits of the k-th Pauli, z in front of x, and a one of its own. Reduced, every
    row that has pivot p says which ones must be turned by the letter at p.
    """
    own = len(group)
    rows = [(p.z << width | p.x) << own | 1 << k for k, p in enumerate(group)]
    basis = reduced(rows)
    found = [Pauli(0, 0, 0)] * own
    for pivot, row in basis.items():
        place = pivot - own
        letter = Pauli(0, 1 << place - width, 0) if place >= width else Pauli(0, 0, 1 << place)
        for k in range(own):
            if row >> k & 1:
                found[k] = found[k] * letter
    return [Pauli.of(p.letters).letters for p in found]
