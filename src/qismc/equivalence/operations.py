"""What a program does to its input, store by store: operators on the result and the partners of the input.

From the vector |00> + |11> + … of inputs and partners, normed, a program arrives at its end with a store x in
the states of an operator C_x of trace P(x). These operators (of Choi) determine, for every input, how likely
x is and which mixture of states is left then; so two programs do the same iff they have the same operators.
They are computed in floating point: the expected visits of the end, unbounded loops included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qismc.common.wording import counted, plain_number
from qismc.distributions import Survey
from qismc.engines import Numeric, Vector
from qismc.errors import LimitReached
from qismc.model import Model
from qismc.program import Variable
from qismc.propositions import Qubits

Matrix = npt.NDArray[np.complex128]
Store = tuple[int, ...]
MOST_ENTRIES = 1 << 25
"""The vectors of an operator may have so many entries together."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """sum over i, j of weights[i, j] |v_i><v_j|, with the v_i as columns."""

    columns: Matrix
    weights: Matrix

    @classmethod
    def nothing(cls, size: int) -> Mixture:
        return cls(np.zeros((size, 0), dtype=complex), np.zeros((0, 0), dtype=complex))

    @classmethod
    def written_out(cls, matrix: Matrix) -> Mixture:
        return cls(np.eye(len(matrix), dtype=complex), matrix)

    @property
    def matrix(self) -> Matrix:
        return np.asarray(self.columns @ self.weights @ self.columns.conj().T)

    @classmethod
    def sum(cls, parts: Sequence[Mixture]) -> Mixture:
        """The sum, written out if it has more vectors than dimensions."""
        counts = [len(part.weights) for part in parts]
        if sum(counts) > len(parts[0].columns):
            return cls.written_out(np.sum([part.matrix for part in parts], axis=0))
        weights = np.zeros((sum(counts), sum(counts)), dtype=complex)
        first = 0
        for part, count in zip(parts, counts, strict=True):
            weights[first : first + count, first : first + count] = part.weights
            first += count
        return cls(np.hstack([part.columns for part in parts]), weights)


def on_one_basis(left: Mixture, right: Mixture) -> tuple[Matrix, Matrix]:
    """Two operators as matrices on an orthonormal basis of what both are made of."""
    triangle = np.asarray(np.linalg.qr(np.hstack([left.columns, right.columns]), mode="r"))
    first, second = np.hsplit(triangle, [len(left.weights)])
    return first @ left.weights @ first.conj().T, second @ right.weights @ second.conj().T


@dataclass(frozen=True, eq=False)
class Operations:
    """C_x by the values of some registers; `error` bounds the error of tr(C_x E) for every effect E."""

    found: dict[Store, Mixture]
    error: float

    def at(self, store: Store, size: int) -> Mixture:
        return self.found.get(store) or Mixture.nothing(size)


def store_text(registers: Sequence[str], store: Store) -> str:
    """`c = 1, d = 0`."""
    return ", ".join(f"{name} = {plain_number(value)}" for name, value in zip(registers, store, strict=True))


def arrivals(model: Model, registers: Sequence[Variable]) -> tuple[Survey, dict[Store, list[int]]]:
    """The first visits of the end, and the vertices where they are by the values of some registers."""
    observed = sum({1 << bit for variable in registers for bit in variable.bits})
    model.budget.restart()
    survey = Survey.of(model, "leaf", observed)
    found: dict[Store, list[int]] = {}
    for vertex in survey.arrivals.goals:
        store = survey.station(vertex).node.store
        found.setdefault(tuple(variable.value(store) for variable in registers), []).append(vertex)
    return survey, found


def probability(model: Model, registers: Sequence[Variable], store: Store) -> float:
    """How likely the program ends with a store."""
    survey, vertices = arrivals(model, registers)
    return survey.arrivals.weight(vertices.get(store, [])).value("the probability of an end")


def operations(model: Model, registers: Sequence[Variable], kept: Qubits) -> Operations:
    """The operators on `kept` qubits, all others traced out; raises Undecided."""
    survey, vertices = arrivals(model, registers)
    frames = survey.arrivals.frames
    widest = max((sum(len(frames.bases[k]) for k in ks) for ks in vertices.values()), default=0)
    if widest << frames.engine.num_qubits > MOST_ENTRIES:
        raise LimitReached(
            f"in floating point the ends are too large to compare: {counted(widest, 'state')} of "
            f"{frames.engine.num_qubits} qubits, partners of the input included",
            hint="compare on fewer qubits, or with a reference of gates alone",
        )
    found = {x: Mixture.sum([_arriving(survey, k, kept) for k in ks]) for x, ks in vertices.items()}
    return Operations(found, survey.error())


def _amplitudes(engine: Numeric, vector: Vector) -> Matrix:
    return np.asarray(engine.listed(vector))


def _arriving(survey: Survey, vertex: int, kept: Qubits) -> Mixture:
    """sum over the basis of the others of <r| B R B^dagger |r>, with B the frame at the end."""
    frames = survey.arrivals.frames
    block, count = frames.engine.compile(survey.gates(vertex)), frames.engine.num_qubits
    rest = [q for q in range(count) if q not in kept]
    ends = (frames.engine.run(block, v) for v in frames.bases[vertex])
    vectors = [_amplitudes(frames.engine, v).reshape((2,) * count) for v in ends]
    columns = np.array([v.transpose([*kept, *rest]).reshape(2 ** len(kept), -1) for v in vectors])
    visits = survey.arrivals.visits[0][0].values.get(vertex)
    if visits is None:
        return Mixture.nothing(2 ** len(kept))
    if len(vectors) << len(rest) > 2 ** len(kept):
        return Mixture.written_out(
            np.asarray(np.einsum("iar,ij,jbr->ab", columns, visits, columns.conj(), optimize=True))
        )
    return Mixture(np.hstack(list(columns)), np.asarray(np.kron(visits, np.eye(2 ** len(rest)))))
