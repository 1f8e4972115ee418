"""What is read off a numeric state: how much of it lies in a proposition, and what some of its qubits are.

A reduced state is shown as a ket where it is pure, else as a mixture of kets with their weights. Replacing
the qubits S of psi by those of phi gives tr_S(psi) (x) tr_rest(phi), a mixture: a claim holds of it iff it
holds of every product of an eigenvector of one with an eigenvector of the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.common.lazily import cached_property
from qismc.common.scalars import COMPLEX
from qismc.engines import DenseEngine, Engine, Numeric, Vector
from qismc.evidence.execution import Hint
from qismc.language import Rational
from qismc.limits import Budget, Limits
from qismc.program import Base, Factor, Operator, single
from qismc.propositions import (
    KetSum,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Whole,
    expand,
    ket_text,
    make,
    relabel,
    stabiliser_generators,
    support,
)
from qismc.propositions import letter as amplitudes_of
from qismc.system import Application

Array = npt.NDArray[np.complex128]
SMALLEST_LENGTH = 1e-12
"""Projections that are shorter are zero."""
RANK_FROM = 1e-9
DENSE_WIDTH = 8
TRAIN_WIDTH = 4
"""Local propositions on so many qubits have their projector written out as a matrix."""


STEP, BYTES = 200, 8
"""Scalar operations of an operator on a state: some, and one for so many bytes."""


def work_of(engine: Engine, steps: int, states: Iterable[Vector]) -> float:
    """Scalar operations of so many operators on some states."""
    return steps * sum(STEP + engine.bytes_of(state) / BYTES for state in states)


def unit(engine: Numeric, vector: Vector) -> Vector:
    """The vector of length 1 along a vector."""
    return engine.run(engine.compile([]), vector)


def _applied(engine: Numeric, name: str, matrix: Array, qubits: Sequence[int], vector: Vector) -> Vector:
    """The image under a matrix on few qubits, of which the first one is most significant."""
    entries = tuple(tuple(complex(z) for z in row) for row in matrix)
    targets = tuple(reversed(range(len(qubits))))  # the first target is the least significant
    operator = Operator(name, len(qubits), (Factor(Base(name, (), entries), targets),), unitary=False)
    return engine.run(engine.compile([Application(operator, tuple(qubits))]), vector)


def overlap(engine: Numeric, proposition: Proposition, vector: Vector) -> float | None:
    """|| P v ||^2 for a unit vector v, or None where the projection is not at hand."""
    found = projected(engine, proposition, vector)
    return None if found is None else engine.length(found) ** 2


def projected(engine: Numeric, proposition: Proposition, vector: Vector) -> Vector | None:
    """P v for the unit vector v along a vector, or None where the projection is not at hand."""
    along = unit(engine, vector)
    if isinstance(proposition, Whole | Nothing):
        return along if isinstance(proposition, Whole) else engine.combine([0.0], [along])
    if isinstance(proposition, Perp):
        inside = projected(engine, proposition.operand, along)
        return None if inside is None else engine.combine([1.0, -1.0], [along, inside])
    if isinstance(proposition, Stabilised):
        return _on_code(engine, proposition, along)
    if isinstance(proposition, SpanOf) and proposition.qubits in (None, tuple(range(engine.num_qubits))):
        return _on_span(engine, proposition, along)
    return _on_few(engine, proposition, along)


def _on_span(engine: Numeric, proposition: SpanOf, along: Vector) -> Vector:
    """With the Gram matrix G of the states and b_j = <s_j, v>: the sum of the s_j with coefficients G^+ b."""
    states = [make(engine, state) for state in proposition.states]
    gram = np.array([[engine.inner(a, b) for b in states] for a in states])
    products = np.array([engine.inner(a, along) for a in states])
    coefficients = np.linalg.pinv(gram, hermitian=True) @ products
    return engine.combine([complex(c) for c in coefficients], states)


def _on_code(engine: Numeric, proposition: Stabilised, along: Vector) -> Vector:
    """The product of the projectors (1 + g)/2, one generator after the other."""
    vector, length = along, 1.0
    for generator in stabiliser_generators(proposition):
        same = unit(engine, vector)
        image = engine.run(engine.compile([generator]), vector)
        vector = engine.combine([0.5, 0.5], [same, image])
        length *= engine.length(vector)
        if length < SMALLEST_LENGTH:
            return engine.combine([0.0], [along])
    return engine.combine([length], [unit(engine, vector)])


def _on_few(engine: Numeric, proposition: Proposition, along: Vector) -> Vector | None:
    """The projector of a proposition about few qubits, applied to them as one small matrix."""
    qubits = tuple(sorted(support(proposition, engine.num_qubits)))
    if not 0 < len(qubits) <= (DENSE_WIDTH if engine.dense else TRAIN_WIDTH):
        return None
    places = {qubit: k for k, qubit in enumerate(qubits)}
    local = DenseEngine(len(qubits), Budget(Limits()))
    spanned = np.array(expand(local, relabel(proposition, places)), dtype=complex)
    columns = spanned.reshape(-1, 2 ** len(qubits)).T
    left, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    basis = left[:, lengths > RANK_FROM]
    return _applied(engine, "projector", basis @ basis.conj().T, qubits, along)


PURE = 1 - 1e-9
SMALLEST = 1e-9
TERMS_SHOWN = 8
KETS_SHOWN = 4
WIDEST = 8
"""Reduced states of more qubits are not readable."""


def density(state: Array, num_qubits: int, qubits: Sequence[int]) -> Array:
    """The reduced density matrix of a state vector on some qubits; the first one is most significant."""
    tensor = (state / np.linalg.norm(state)).reshape((2,) * num_qubits)
    rest = [q for q in range(num_qubits) if q not in set(qubits)]
    flat = tensor.transpose([*qubits, *rest]).reshape(2 ** len(qubits), -1)
    return np.asarray(flat @ flat.conj().T)


def mixture(matrix: Array) -> list[tuple[float, str]]:
    """(weight, ket) for the eigenvectors of a density matrix, the heaviest first.

    >>> mixture(np.array([[0, 0], [0, 1]], dtype=complex))
    [(1.0, '|1>')]
    """
    if _is_diagonal(matrix):  # then the basis states are eigenvectors, and easier to read than others
        weights, vectors = np.real(np.diag(matrix)), np.eye(len(matrix), dtype=complex)
    else:
        weights, vectors = np.linalg.eigh(matrix)
    heaviest = sorted(range(len(weights)), key=lambda k: -round(float(weights[k]), 9))
    return [
        (float(weights[k]), ket_of(vectors[:, k], TERMS_SHOWN)) for k in heaviest if weights[k] > SMALLEST
    ]


def _is_diagonal(matrix: Array) -> bool:
    return bool(np.all(np.abs(matrix - np.diag(np.diag(matrix))) < SMALLEST))


def named(names: Sequence[str], qubits: Sequence[int]) -> str:
    """Qubits by their names."""
    return ", ".join(names[q] for q in qubits)


def ket_of(vector: Array, most: int | None = None) -> str:
    """The ket of an array, or so many of its largest terms."""
    width = len(vector).bit_length() - 1
    places = [k for k in range(len(vector)) if abs(vector[k]) > SMALLEST]
    largest = sorted(sorted(places, key=lambda k: -abs(vector[k]))[:most])
    terms = [(format(k, f"0{width}b"), complex(vector[k])) for k in largest]
    return ket_text(terms, len(places) - len(largest))


def mixture_text(matrix: Array) -> str:
    """A density matrix in words."""
    parts = mixture(matrix)
    if parts[0][0] > PURE:
        return parts[0][1]
    shown = [f"{ket} ({weight:.4g})" for weight, ket in parts[:KETS_SHOWN]]
    more = [f"{len(parts) - KETS_SHOWN} more"] if len(parts) > KETS_SHOWN else []
    return "mixed: " + " or ".join(shown + more)


def reduced_state(state: Array, names: Sequence[str], qubits: Sequence[int], step: int) -> Iterator[Hint]:
    """The state of the qubits that a proposition speaks of, if these are some of many."""
    if not 0 < len(qubits) <= WIDEST or len(qubits) == len(names):
        return
    shown = named(names, qubits)
    text = mixture_text(density(state, len(names), qubits))
    how = "" if text.startswith("mixed") else ", not entangled with the others"
    yield Hint("reduced", f"at the end {shown}: {text}{how} (reduced state)", steps=(step,))


PAULIS = {
    "x": np.array([[0, 1], [1, 0]], dtype=complex),
    "y": np.array([[0, -1j], [1j, 0]], dtype=complex),
    "z": np.array([[1, 0], [0, -1]], dtype=complex),
}
MOST_PRODUCTS = 64


def reduced(engine: Numeric, state: Vector, qubits: Sequence[int]) -> Array | None:
    """The reduced density matrix on some qubits; of long trains, on one qubit only."""
    if engine.dense:
        return density(np.asarray(state), engine.num_qubits, qubits)
    if len(qubits) != 1:
        return None
    along = unit(engine, state)
    found = np.eye(2, dtype=complex)
    for name, matrix in PAULIS.items():
        image = engine.run(engine.compile([Application(single(name, 1), tuple(qubits))]), along)
        found += np.real(engine.inner(along, image)) * matrix
    return np.asarray(found / 2)


def replaced(engine: Numeric, here: Vector, there: Vector, qubits: Sequence[int]) -> list[Vector]:
    """States whose mixture is `here` with these qubits as they are in `there`; none if there are too many."""
    if engine.dense:
        return _products(np.asarray(here), np.asarray(there), engine.num_qubits, tuple(qubits))
    mine, other = reduced(engine, here, qubits), reduced(engine, there, qubits)
    if mine is None or other is None:
        return []
    (first, one), (second, two) = _heaviest(mine), _heaviest(other)
    if min(first, second) < PURE:
        return []
    return [_applied(engine, "turn", _turn(one, two), qubits, here)]


def _products(here: Array, there: Array, count: int, qubits: tuple[int, ...]) -> list[Vector]:
    rest = tuple(q for q in range(count) if q not in qubits)
    outer = _eigenvectors(density(here, count, rest)) if rest else [np.ones(1, dtype=complex)]
    inner = _eigenvectors(density(there, count, qubits))
    if len(outer) * len(inner) > MOST_PRODUCTS:
        return []
    back = np.argsort([*qubits, *rest])
    return [np.kron(a, b).reshape((2,) * count).transpose(back).reshape(-1) for a in inner for b in outer]


def _eigenvectors(matrix: Array) -> list[Array]:
    weights, vectors = np.linalg.eigh(matrix)
    return [vectors[:, k] for k in range(len(weights)) if weights[k] > SMALLEST]


def _heaviest(matrix: Array) -> tuple[float, Array]:
    weights, vectors = np.linalg.eigh(matrix)
    return float(weights[-1]), vectors[:, -1]


def _turn(one: Array, two: Array) -> Array:
    """A unitary that maps one unit vector of a qubit to another."""
    bases = [np.array([[v[0], -v[1].conjugate()], [v[1], v[0].conjugate()]]) for v in (one, two)]
    return np.asarray(bases[1] @ bases[0].conj().T)


class Singles:
    """The qubits of one state."""

    def __init__(self, engine: Numeric, state: Vector) -> None:
        self._engine = engine
        self._state = state
        self._place = list(range(engine.num_qubits))
        """The digit of an array's index that belongs to a qubit."""
        for place, qubit in enumerate(engine.order):
            self._place[qubit] = place

    def inside(self, qubit: int, letter: str) -> float | None:
        """The probability to find a qubit in the ket of a letter, or None where it is not at hand."""
        if self._unit is None:
            line = SpanOf((KetSum(((Rational(Fraction(1)), letter),)),), (qubit,))
            return overlap(self._engine, line, self._state)
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
