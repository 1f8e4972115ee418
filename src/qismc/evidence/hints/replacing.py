"""The state of one execution with some of its qubits as in another one.

Replacing the qubits S of psi by those of phi gives tr_S(psi) (x) tr_rest(phi), a mixture. A claim holds of
it iff it holds of every product of an eigenvector of one with an eigenvector of the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from qismc.engines import DenseEngine, Numeric, Vector
from qismc.evidence.hints.reduced import PURE, SMALLEST, density
from qismc.program import Base, Factor, Operator, single
from qismc.system import Application

Array = npt.NDArray[np.complex128]
PAULIS = {
    "x": np.array([[0, 1], [1, 0]], dtype=complex),
    "y": np.array([[0, -1j], [1j, 0]], dtype=complex),
    "z": np.array([[1, 0], [0, -1]], dtype=complex),
}
MOST_PRODUCTS = 64


def reduced(engine: Numeric, state: Vector, qubits: Sequence[int]) -> Array | None:
    """The reduced density matrix on some qubits; of long trains, on one qubit only."""
    if isinstance(engine, DenseEngine):
        return density(np.asarray(state), engine.num_qubits, qubits)
    if len(qubits) != 1:
        return None
    unit = engine.run(engine.compile([]), state)
    found = np.eye(2, dtype=complex)
    for name, matrix in PAULIS.items():
        image = engine.run(engine.compile([Application(single(name, 1), tuple(qubits))]), unit)
        found += np.real(engine.inner(unit, image)) * matrix
    return np.asarray(found / 2)


def replaced(engine: Numeric, here: Vector, there: Vector, qubits: Sequence[int]) -> list[Vector] | None:
    """States whose mixture is `here` with these qubits as they are in `there`; None if there are too many."""
    if isinstance(engine, DenseEngine):
        return _products(np.asarray(here), np.asarray(there), engine.num_qubits, tuple(qubits))
    mine, other = reduced(engine, here, qubits), reduced(engine, there, qubits)
    if mine is None or other is None:
        return None
    (first, one), (second, two) = _heaviest(mine), _heaviest(other)
    if min(first, second) < PURE:
        return None
    return [engine.run(engine.compile([Application(_turn(one, two), tuple(qubits))]), here)]


def _products(here: Array, there: Array, count: int, qubits: tuple[int, ...]) -> list[Vector] | None:
    rest = tuple(q for q in range(count) if q not in qubits)
    outer = _eigenvectors(density(here, count, rest)) if rest else [np.ones(1, dtype=complex)]
    inner = _eigenvectors(density(there, count, qubits))
    if len(outer) * len(inner) > MOST_PRODUCTS:
        return None
    back = np.argsort([*qubits, *rest])
    return [np.kron(a, b).reshape((2,) * count).transpose(back).reshape(-1) for a in inner for b in outer]


def _eigenvectors(matrix: Array) -> list[Array]:
    weights, vectors = np.linalg.eigh(matrix)
    return [vectors[:, k] for k in range(len(weights)) if weights[k] > SMALLEST]


def _heaviest(matrix: Array) -> tuple[float, Array]:
    weights, vectors = np.linalg.eigh(matrix)
    return float(weights[-1]), vectors[:, -1]


def _turn(one: Array, two: Array) -> Operator:
    """A unitary that maps one unit vector of a qubit to another."""
    bases = [np.array([[v[0], -v[1].conjugate()], [v[1], v[0].conjugate()]]) for v in (one, two)]
    matrix = bases[1] @ bases[0].conj().T
    entries = tuple(tuple(complex(z) for z in row) for row in matrix)
    return Operator("turn", 1, (Factor(Base("turn", (), entries), (0,)),))
