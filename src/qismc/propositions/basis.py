"""A readable basis of a computed subspace: rows in reduced echelon form, as sums of kets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from qismc.engines import DenseEngine, NativeEngine
from qismc.limits import Budget, Limits
from qismc.numbers import ComplexForm
from qismc.propositions.states import State, make

Array = npt.NDArray[np.complex128]
Terms = tuple[list[tuple[str, complex]], int]
"""The largest terms of a state, and how many others there are."""
SMALL = 10
"""Of so many qubits states are written out and reduced; of more they are shown as they were found."""
SECONDS = 5.0
ZERO = 1e-9


def basis(states: Sequence[State], num_qubits: int, most: int, terms: int) -> Iterator[Terms]:
    """At most so many states with the same span, each by its largest terms; raises Undecided."""
    budget = Budget(Limits(seconds=SECONDS))
    if num_qubits > SMALL:
        trains = NativeEngine(ComplexForm(), list(range(num_qubits)), budget)
        span = trains.span()
        found = (vector for vector in (make(trains, state) for state in states) if span.add(vector))
        yield from (trains.largest(vector, terms) for vector, _ in zip(found, range(most), strict=False))
        return
    engine = DenseEngine(num_qubits, budget)
    rows = echelon(np.array([make(engine, state) for state in states]).reshape(-1, 2**num_qubits))
    for row in rows[:most]:
        yield engine.largest(row, terms)


def echelon(rows: Array) -> Array:
    """The rows of the reduced echelon form, without zero rows, each of length 1.

    >>> echelon(np.array([[1, 1], [1, -1]], dtype=complex)).real.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    left = np.array(rows, dtype=complex)
    lengths = np.linalg.norm(left, axis=1, keepdims=True)
    left = left / np.where(lengths > ZERO, lengths, 1)
    done = 0
    for column in range(left.shape[1]):
        if done == len(left):
            break
        pivot = done + int(np.argmax(np.abs(left[done:, column])))
        if abs(left[pivot, column]) <= ZERO:
            continue
        left[[done, pivot]] = left[[pivot, done]]
        left[done] /= left[done, column]
        others = np.arange(len(left)) != done
        left[others] -= np.outer(left[others, column], left[done])
        done += 1
    found = left[:done]
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True) + 0.0)
