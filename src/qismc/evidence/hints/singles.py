"""What single qubits of a state are, one by one: how much of each lies in a ket, and its reduced state.

The amplitudes of an array are read once for all qubits; of long trains every qubit is asked for by itself.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.common.scalars import COMPLEX
from qismc.engines import Numeric, TrainEngine, Vector
from qismc.evidence.hints.replacing import Array, reduced
from qismc.evidence.overlaps import overlap
from qismc.language import Rational
from qismc.propositions import KetSum, SpanOf
from qismc.propositions import letter as amplitudes_of


class Singles:
    """The qubits of one state."""

    def __init__(self, engine: Numeric, state: Vector) -> None:
        self._engine = engine
        self._state = state
        self._place = list(range(engine.num_qubits))
        """The digit of an array's index that belongs to a qubit."""
        if isinstance(engine, TrainEngine):
            for place, qubit in enumerate(engine.order):
                self._place[qubit] = place

    def inside(self, qubit: int, letter: str) -> float | None:
        """The probability to find a qubit in the ket of a letter, or None where it is not at hand."""
        if self._unit is None:
            return overlap(self._engine, SpanOf((_ket(letter),), (qubit,)), self._state)
        if letter in "01":
            found = float(self._ones[self._place[qubit]])
            return found if letter == "1" else 1 - found
        ket = np.array(amplitudes_of(COMPLEX, letter), dtype=complex)
        return float(np.real(ket.conj() @ self._density(qubit) @ ket / np.vdot(ket, ket)))

    def reduced(self, qubit: int) -> Array | None:
        """The density matrix of a qubit."""
        if self._unit is None:
            return reduced(self._engine, self._state, (qubit,))
        return self._density(qubit)

    def _density(self, qubit: int) -> Array:
        assert self._unit is not None
        zero, one = np.moveaxis(self._unit.reshape(1 << self._place[qubit], 2, -1), 1, 0)
        corner = np.vdot(one, zero)
        found = float(self._ones[self._place[qubit]])
        return np.array([[1 - found, corner], [corner.conjugate(), found]])

    @cached_property
    def _unit(self) -> Array | None:
        """The amplitudes of an array, of length 1."""
        state = self._state
        if isinstance(state, _core.Vector):
            if not state.dense:
                return None
            state = state.to_numpy()
        return np.asarray(state / np.linalg.norm(state), dtype=complex)

    @cached_property
    def _ones(self) -> npt.NDArray[np.float64]:
        """For each digit of the index the probability of 1; what is left to look at halves each time."""
        assert self._unit is not None
        left = np.abs(self._unit) ** 2
        found = np.empty(self._engine.num_qubits)
        for place in range(len(found)):
            zero, one = left.reshape(2, -1)
            found[place] = one.sum()
            left = zero + one
        return found


def _ket(letter: str) -> KetSum:
    return KetSum(((Rational(Fraction(1)), letter),))
