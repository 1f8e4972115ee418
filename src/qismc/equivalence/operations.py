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

from qismc.errors import LimitReached
from qismc.model.model import Model
from qismc.outcomes.survey import Survey
from qismc.program.program import Variable
from qismc.subspace.dense import DenseEngine
from qismc.subspace.resolve import Qubits

Matrix = npt.NDArray[np.complex128]
Store = tuple[int, ...]
WIDEST = 10
"""Results and partners together may have so many qubits."""


@dataclass(frozen=True, eq=False)
class Operations:
    """C_x by the values of some registers; `error` bounds the probability of any event."""

    found: dict[Store, Matrix]
    error: float

    def at(self, store: Store, size: int) -> Matrix:
        return self.found.get(store, np.zeros((size, size), dtype=complex))


def store_text(registers: Sequence[str], store: Store) -> str:
    """`c = 1, d = 0`."""
    return ", ".join(f"{name} = {value}" for name, value in zip(registers, store, strict=True))


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
    if len(kept) > WIDEST:
        raise LimitReached(
            f"results and inputs have {len(kept)} qubits together, at most {WIDEST} can be compared in "
            "floating point",
            hint="compare on fewer qubits, or with a reference of gates alone",
        )
    survey, vertices = arrivals(model, registers)
    engine = survey.arrivals.frames.engine
    if not isinstance(engine, DenseEngine):
        raise LimitReached(f"the program has {engine.num_qubits} qubits with the partners of its input")
    found = {
        store: np.sum([_arriving(survey, k, kept) for k in ks], axis=0) for store, ks in vertices.items()
    }
    return Operations(found, survey.error())


def _arriving(survey: Survey, vertex: int, kept: Qubits) -> Matrix:
    """sum over the basis of the others of <r| B R B^dagger |r>, with B the frame at the end."""
    frames = survey.arrivals.frames
    block, count = frames.engine.compile(survey.gates(vertex)), frames.engine.num_qubits
    rest = [q for q in range(count) if q not in kept]
    vectors = [np.asarray(frames.engine.run(block, v)).reshape((2,) * count) for v in frames.bases[vertex]]
    columns = np.array([v.transpose([*kept, *rest]).reshape(2 ** len(kept), -1) for v in vectors])
    visits = survey.arrivals.visits[0][0].values.get(vertex)
    size = 2 ** len(kept)
    if visits is None:
        return np.zeros((size, size), dtype=complex)
    return np.asarray(np.einsum("iar,ij,jbr->ab", columns, visits, columns.conj(), optimize=True))
