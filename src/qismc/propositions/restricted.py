"""Stabiliser codes on some of their qubits.

The reduced states of a code on a set of qubits have the range of the code whose group is the subgroup of
those elements that act on these qubits alone: the projector of a code is the sum of its group, and the
partial trace over the others keeps exactly these elements.
"""

from __future__ import annotations

from typing import NamedTuple

from qismc.propositions.propositions import Stabilised, Whole


class _Pauli(NamedTuple):
    """i^phase X^x Z^z."""

    phase: int
    x: int
    z: int

    def __mul__(self, other: _Pauli) -> _Pauli:  # type: ignore[override]
        swaps = (self.z & other.x).bit_count()
        return _Pauli((self.phase + other.phase + 2 * swaps) % 4, self.x ^ other.x, self.z ^ other.z)


def restricted(code: Stabilised, qubits: tuple[int, ...]) -> Stabilised | Whole:
    """The smallest subspace S of the qubits with code <= S (x) everything."""
    place = {qubit: k for k, qubit in enumerate(code.qubits)}
    outside = [place[qubit] for qubit in code.qubits if qubit not in qubits]
    rows = _without([_pauli(sign, text) for sign, text in code.paulis], outside)
    inside = [place.get(qubit) for qubit in qubits]
    paulis = tuple(_text(row, inside) for row in rows if row.x or row.z)
    return Stabilised(paulis, qubits) if paulis else Whole()


def _without(rows: list[_Pauli], places: list[int]) -> list[_Pauli]:
    """Generators of the subgroup that is the identity at these places."""
    for bit in (half for k in places for half in ((1 << k, 0), (0, 1 << k))):
        acting = [row for row in rows if row.x & bit[0] or row.z & bit[1]]
        rows = [row for row in rows if not (row.x & bit[0] or row.z & bit[1])]
        rows += [acting[0] * row for row in acting[1:]]
    return rows


def _pauli(sign: int, text: str) -> _Pauli:
    x = sum(1 << k for k, letter in enumerate(text) if letter in "XY")
    z = sum(1 << k for k, letter in enumerate(text) if letter in "ZY")
    return _Pauli(((0 if sign > 0 else 2) + (x & z).bit_count()) % 4, x, z)


def _text(row: _Pauli, places: list[int | None]) -> tuple[int, str]:
    """Sign and letters, those of qubits that the code does not mention being I."""
    letters = "".join("I" if k is None else "IXZY"[(row.x >> k & 1) | (row.z >> k & 1) << 1] for k in places)
    return (1 if (row.phase - (row.x & row.z).bit_count()) % 4 == 0 else -1), letters
