"""Single qubits of a state, against density matrices of Qiskit."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import DensityMatrix, Statevector, partial_trace, random_statevector

from qismc.engines.dense import DenseEngine
from qismc.engines.engine import Vector
from qismc.engines.native import TrainEngine
from qismc.engines.numeric import Numeric
from qismc.evidence.hints.singles import Singles
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm

COUNT = 8
ORDER = [2, 0, 1, 7, 5, 6, 3, 4]
RANDOM = random_statevector(2**COUNT, seed=1).data
PLAIN = 3 * Statevector.from_label("0+1r" + "01-l").data


def states(amplitudes: np.ndarray) -> list[tuple[Numeric, Vector]]:
    budget = Budget(Limits())
    engines: list[Numeric] = [DenseEngine(COUNT, budget), TrainEngine(ComplexForm(), ORDER, budget)]
    return [(engine, engine.amplitudes(amplitudes)) for engine in engines]


def kept(amplitudes: np.ndarray, qubit: int) -> np.ndarray:
    """Qiskit counts qubits from the other end of our kets."""
    state = DensityMatrix(amplitudes / np.linalg.norm(amplitudes))
    return np.asarray(partial_trace(state, [COUNT - 1 - q for q in range(COUNT) if q != qubit]).data)


@pytest.mark.parametrize("amplitudes", [RANDOM, PLAIN], ids=["random", "plain"])
def test_every_qubit(amplitudes: np.ndarray) -> None:
    for engine, state in states(amplitudes):
        singles = Singles(engine, state)
        for qubit in range(COUNT):
            expected, found = kept(amplitudes, qubit), singles.reduced(qubit)
            assert found is not None and np.allclose(found, expected)
            for letter in "01+-":
                ket = Statevector.from_label(letter).data
                inside = singles.inside(qubit, letter)
                assert inside is not None and np.isclose(inside, (ket.conj() @ expected @ ket).real)


def test_arrays_and_trains_are_both_looked_at() -> None:
    (_, array), (_, train) = states(RANDOM)[1], states(PLAIN)[1]
    assert array.dense and not train.dense
