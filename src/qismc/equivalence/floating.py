"""Two programs compared in floating point: the largest difference of their operators, store by store.

From the vector |00> + |11> + … of inputs and partners, normed, a program arrives at its end with a store x in
the states of an operator C_x of trace P(x). These operators (of Choi) determine, for every input, how likely
x is and which mixture of states is left then; so two programs do the same iff they have the same operators.
They are computed in floating point: the expected visits of the end, unbounded loops included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.common.wording import counted, plain_number
from qismc.deciders import worded
from qismc.distributions import Survey
from qismc.equivalence.exact import Found, Kind
from qismc.equivalence.inputs import EVERY
from qismc.equivalence.joint import Pair
from qismc.equivalence.registers import EndValues, Registers
from qismc.errors import LimitReached, NumericDoubt
from qismc.limits import Tolerance
from qismc.model import Model
from qismc.program import Variable
from qismc.propositions import Qubits

Matrix = npt.NDArray[np.complex128]
TOLERANCE = Tolerance()
ROUNDING = 1e-11
"""Operators that differ by no more are the same: so much rounding is in angles that transpilers compute."""
MOST_ENTRIES = 1 << 25
"""The vectors of an operator may have so many entries together."""


@dataclass(frozen=True)
class Difference:
    """Where two programs are farthest from each other: on a store, with these operators."""

    registers: tuple[str, ...]
    store: EndValues
    own: Matrix
    other: Matrix
    """On one orthonormal basis of what both are made of."""
    error: float
    """A bound on the error of `size`."""
    suspect: str | None
    """Angles of the programs that are probably meant to be others, slightly."""

    @cached_property
    def size(self) -> float:
        """The norm of the difference of the operators: how much likelier an event may be in one of them."""
        return float(np.linalg.norm(self.own - self.other, 2)) if self.own.size else 0.0

    @property
    def is_clear(self) -> bool:
        """Is it too large for rounding, and for angles that somebody rounded?"""
        return self.size - self.error > (TOLERANCE.clear if self.suspect else TOLERANCE.zero)

    @property
    def found(self) -> Found | None:
        """None if the operators are equal; raises NumericDoubt where rounding would decide."""
        if self.is_clear:
            return Found(Kind.WEIGHTS, self.store)
        if self.size <= ROUNDING and self.size + self.error <= TOLERANCE.zero:
            return None
        size = f"the operations differ by {self.size:.1e}, with an error of up to {self.error:.0e}"
        raise NumericDoubt(f"{size}: too much for rounding, too little to be sure", hint=self.suspect)

    @property
    def text(self) -> str:
        """What differs: how often the store occurs, or the states that are left then."""
        what = store_text(self.registers, self.store)
        own, other = (float(np.trace(operator).real) for operator in (self.own, self.other))
        if abs(own - other) > TOLERANCE.zero + self.error:
            return unlike_text(what, own, other)
        where = f"with {what}" if self.registers else "at the end"
        return f"{where}, as likely as in the reference, the states differ by {self.size:.2g}"


def store_text(registers: Sequence[str], store: EndValues) -> str:
    """`c = 1, d = 0`; without registers `the end`."""
    parts = [f"{name} = {plain_number(value)}" for name, value in zip(registers, store, strict=True)]
    return ", ".join(parts) or "the end"


def unlike_text(what: str, own: float, other: float) -> str:
    """How likely an end is on both sides, with as many digits as it takes to see which number is larger.

    >>> unlike_text("c = 1", 0.25, 0.25000004)
    'the probability of c = 1 is 0.25, in the reference 0.25000004'
    """
    pairs = ((f"{own:.{digits}g}", f"{other:.{digits}g}") for digits in range(6, 18))
    shown = next((pair for pair in pairs if pair[0] != pair[1]), (repr(own), repr(other)))
    return f"the probability of {what} is {', in the reference '.join(shown)}"


def largest_difference(
    pair: Pair, registers: Registers, letters: str, options: dict[str, Any]
) -> tuple[Difference, Model]:
    """The farthest operators on an input, and the model of the program; raises Undecided."""
    models = [Model.of(side.program, init=side.start(letters), **options) for side in pair.sides]
    (own, left), (other, right) = (
        operators(model, registers.of(k), (*side.outputs, *model.program.partners.values()))
        for k, (side, model) in enumerate(zip(pair.sides, models, strict=True))
    )
    nothing = np.zeros((2 ** (len(pair.own.outputs) + letters.count(EVERY)), 0), dtype=complex)
    names, suspect = registers.names, _suspect(pair)
    stores = sorted({*own, *other}) or [(0,) * len(names)]
    pairs = ((x, on_one_basis(own.get(x, nothing), other.get(x, nothing))) for x in stores)
    found = [Difference(names, x, *both, left + right, suspect) for x, both in pairs]
    return max(found, key=lambda one: one.size), models[0]


def _suspect(pair: Pair) -> str | None:
    """Angles near to nicer ones, of either side, in words."""
    doubts = (worded(NumericDoubt(""), side.program) for side in pair.sides)
    return next((doubt.hint for doubt in doubts if doubt.hint), None)


# --- operators ----------------------------------------------------------------------------------------------


def joined(parts: Sequence[Matrix]) -> Matrix:
    """A with  A A^dagger = the sum of the products of the parts, and with no more columns than rows."""
    columns = np.hstack(parts)
    wide = columns.shape[1] > columns.shape[0]
    return np.asarray(np.linalg.qr(columns.conj().T, mode="r")).conj().T if wide else columns


def on_one_basis(left: Matrix, right: Matrix) -> tuple[Matrix, Matrix]:
    """left left^dagger and right right^dagger on an orthonormal basis of what both are made of."""
    triangle = np.asarray(np.linalg.qr(np.hstack([left, right]), mode="r"))
    first, second = np.hsplit(triangle, [left.shape[1]])
    return first @ first.conj().T, second @ second.conj().T


def arrivals(model: Model, registers: Sequence[Variable]) -> tuple[Survey, dict[EndValues, list[int]]]:
    """The first visits of the end, and the vertices where they are by the values of some registers."""
    observed = sum({1 << bit for variable in registers for bit in variable.bits})
    model.budget.restart()
    survey = Survey.of(model, "leaf", observed)
    return survey, survey.grouped(registers)


def probability(model: Model, registers: Sequence[Variable], store: EndValues) -> float:
    """How likely the program ends with a store."""
    survey, vertices = arrivals(model, registers)
    return survey.arrivals.weight(vertices.get(store, [])).value("the probability of an end")


def operators(
    model: Model, registers: Sequence[Variable], kept: Qubits
) -> tuple[dict[EndValues, Matrix], float]:
    """For C_x on `kept` qubits, all others traced out, A with C_x = A A^dagger, by the values of registers.

    The number bounds the error of tr(C_x E) for every effect E. Raises Undecided.
    """
    survey, vertices = arrivals(model, registers)
    frames = survey.arrivals.frames
    widest = max((sum(len(frames.bases[k]) for k in ks) for ks in vertices.values()), default=0)
    if widest << frames.engine.num_qubits > MOST_ENTRIES:
        raise LimitReached(
            f"in floating point the ends are too large to compare: {counted(widest, 'state')} of "
            f"{frames.engine.num_qubits} qubits, partners of the input included",
            hint="compare on fewer qubits, or with a reference of gates alone",
        )
    parts = {x: [_arriving(survey, k, kept) for k in ks] for x, ks in vertices.items()}
    lost = sum(weight for some in parts.values() for _, weight in some)
    found = {x: joined([columns for columns, _ in some]) for x, some in parts.items()}
    return found, survey.error() + lost


def _arriving(survey: Survey, vertex: int, kept: Qubits) -> tuple[Matrix, float]:
    """A matrix A with  A A^dagger = sum over the basis of the others of <r| B R B^dagger |r>, where B is the
    frame at the end; and the weight of what rounding has made negative in R, which is left out."""
    visits = survey.arrivals.visits[0][0].values.get(vertex)
    if visits is None:
        return np.zeros((2 ** len(kept), 0), dtype=complex), 0.0
    engine, basis = survey.arrivals.frames.engine, survey.arrivals.frames.bases[vertex]
    block, count = engine.compile(survey.gates(vertex)), engine.num_qubits
    rest = [q for q in range(count) if q not in kept]
    vectors = [np.asarray(engine.listed(engine.run(block, v))).reshape((2,) * count) for v in basis]
    states = np.array([v.transpose([*kept, *rest]).reshape(2 ** len(kept), -1) for v in vectors])
    weights, directions = np.linalg.eigh((visits + visits.conj().T) / 2)
    columns = np.tensordot(states, directions * np.sqrt(np.maximum(weights, 0.0)), axes=(0, 0))
    return joined([columns.reshape(2 ** len(kept), -1)]), float(-weights[weights < 0].sum())
