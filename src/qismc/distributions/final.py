"""Outcomes at the end of a program, without a location for each of them.

Measurements at the end only read: with the states that arrive before them, as operators rho(x) for each store
x, an outcome b has the probability  sum <b|rho(x)|b>. A program that measures 16 qubits has 65,536 outcomes
and one state. Where outcomes steer the program and are too many to list, the store on levels has them all in
one vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.deciders import check_likely, exact_engine, task
from qismc.distributions.survey import Survey
from qismc.engines import DenseBlocks, Exact
from qismc.levels import ControlGraph, Histogram, NumericRun, answer
from qismc.limits import Trial
from qismc.model import Model
from qismc.probability import DENSE_ROUNDING, NEW_DIRECTION
from qismc.program import Variable, final_measurements
from qismc.questions import Reading
from qismc.symbolic import NotSymbolic, positions
from qismc.system import roundings

Array = npt.NDArray[np.complex128]
Reals = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Key = tuple[int, ...]

FEW_BITS = 6
"""With so many measurements at the end or fewer, outcomes are followed one by one."""
MOST_QUBITS = 20
MOST_AMPLITUDES = 1 << 22
"""Of all states that span sp before the measurements."""
MACHINE_BITS = 62
"""Wider values are Python's own integers."""
PORTION = 1 << 14
"""Number of outcomes written between two checks of the limits."""
CERTAIN = 4.0
"""Factor over the rounding above which a length counts as not zero."""


@dataclass(frozen=True, eq=False)
class Table:
    """The probability of every possible combination of values, and how wrong each may be."""

    chances: Mapping[Key, float]
    error: float
    survey: Survey | None = None
    """The visits of what stands before the measurements, where they were read off its states."""


def distribution_at_the_end(
    model: Model, variables: Sequence[Variable], observed: int, trial: Trial | None = None
) -> Table | None:
    """None where measurements must be followed one by one, or rounding leaves open what is possible.

    Raises StoreGrows where a trial ends before the states before the measurements are known.
    """
    program = model.given_program
    if model.faults is not None or model.needs_graph or model.program.num_qubits > MOST_QUBITS:
        return None
    final = final_measurements(program)
    if final is None:
        return None
    qubit_of = {bit: qubit for bit, qubit in final.qubit_of.items() if observed >> bit & 1}
    if len(qubit_of) <= FEW_BITS or any(v.signed for v in variables):
        return None
    before = Model.of(final.before, **model.options)
    kept = observed & ~sum(1 << bit for bit in qubit_of)
    with before.budget.trying(trial):
        before.solved(kept)
    survey = Survey.of(before, final.place, kept)
    if survey.solved.engine.exact is None or survey.arrivals.size != 1:
        return None
    return _Reading(survey, variables, qubit_of).result()


class _Digits(NamedTuple):
    """Of every outcome: its probability, and whether it is possible."""

    weights: Reals
    lengths: Reals
    """The squared lengths of what the vectors of a frame have of it, summed up."""
    possible: Mask


class _Reading:
    """Reads qubits off the states at the end of a program."""

    def __init__(self, survey: Survey, variables: Sequence[Variable], qubit_of: Mapping[int, int]) -> None:
        self._survey = survey
        self._variables = variables
        self._qubit_of = qubit_of
        self._axes = sorted(set(qubit_of.values()))
        self._num_qubits = survey.model.program.num_qubits
        self._budget = survey.model.budget
        self._blocks = DenseBlocks(self._num_qubits, self._budget)

    def result(self) -> Table | None:
        arrivals = self._survey.arrivals
        dimensions = sum(len(arrivals.frames.bases[vertex]) for vertex in arrivals.goals)
        if dimensions << self._num_qubits > MOST_AMPLITUDES:
            return None
        table: dict[Key, float] = {}
        error = 0.0
        for vertex in arrivals.goals:
            operators, states = self._states(vertex)
            rounding = CERTAIN * (1 + operators) * DENSE_ROUNDING
            error = max(error, 2 * rounding)
            digits = self._digits(vertex, states)
            if not self._is_clear(digits, len(states), rounding):
                return None
            for number, (key, weight) in enumerate(self._keys(vertex, digits)):
                if number % PORTION == 0:
                    self._look()
                table[key] = table.get(key, 0.0) + weight
        table = dict(sorted(table.items()))
        self._look()
        return Table(table, error + arrivals.error, self._survey)

    def _look(self) -> None:
        """Raise LimitReached where time or memory is used up."""
        self._budget.spend("reading outcomes")

    def _states(self, vertex: int) -> tuple[float, Array]:
        """How much the factors from a frame to the end round, and its vectors there."""
        gates, frames = self._survey.gates(vertex), self._survey.arrivals.frames
        block = self._blocks.compile(gates)
        listed = (state / np.linalg.norm(state) for state in map(frames.engine.listed, frames.bases[vertex]))
        return roundings(gates), np.array([self._blocks.run(block, state) for state in listed])

    def _digits(self, vertex: int, states: Array) -> _Digits:
        """With rho = sum of w |u><u| in the coordinates of the frame."""
        weights = np.zeros((2,) * len(self._axes))
        ((visits,),) = self._survey.arrivals.visits
        if vertex in visits.values:
            lengths, directions = np.linalg.eigh(visits.values[vertex])
            for length, direction in zip(lengths, directions.T, strict=True):
                self._look()
                weights += max(length, 0.0) * self._marginal(np.abs(direction @ states) ** 2)
        lengths = self._marginal(np.sum(np.abs(states) ** 2, axis=0))
        return _Digits(weights, lengths, self._possible(vertex))

    def _possible(self, vertex: int) -> Mask:
        """The outcomes for which some state of sp has an amplitude that is not zero, exactly."""
        exact, survey = self._survey.solved.engine.exact, self._survey
        assert exact is not None
        node, point = survey.solved.system.node_of(survey.location(vertex))
        found = np.zeros((2,) * len(self._axes), dtype=bool)
        for vector, _ in survey.solved.posts.at(node, point):
            self._look()
            found |= self._marginal(exact.possible(vector)) > 0
        return found

    def _marginal(self, values: npt.NDArray[Any]) -> Reals:
        """Summed over all qubits but those that are read, in ascending order."""
        others = tuple(q for q in range(self._num_qubits) if q not in set(self._axes))
        return np.asarray(values.reshape((2,) * self._num_qubits).sum(axis=others, dtype=float))

    def _is_clear(self, digits: _Digits, dimensions: int, rounding: float) -> bool:
        """Do numbers contradict no exact decision, and confirm those that are tentative?

        A probability that is lost in the rounding of others is confirmed by states of the frame with more
        of it than noise, and than what frames count as a direction.
        """
        error = self._survey.arrivals.error
        clear = digits.weights > error + dimensions * rounding**2
        if np.any(clear & ~digits.possible):
            return False
        seen = clear | (digits.lengths > max(NEW_DIRECTION, error + rounding) ** 2)
        return not self._survey.solved.engine.assumed.tentative or bool(np.all(seen | ~digits.possible))

    def _keys(self, vertex: int, digits: _Digits) -> Iterator[tuple[Key, float]]:
        """The values of the variables for every possible outcome."""
        store = self._survey.station(vertex).node.store
        places = np.nonzero(digits.possible)
        axis_of = {qubit: axis for axis, qubit in enumerate(self._axes)}
        columns = []
        for variable in self._variables:
            read = {k: self._qubit_of[bit] for k, bit in enumerate(variable.bits) if bit in self._qubit_of}
            fixed = variable.value(store) & ~sum(1 << k for k in read)
            wide = len(variable.bits) > MACHINE_BITS
            values = np.full(len(places[0]), fixed, dtype=object if wide else np.int64)
            for k, qubit in read.items():
                values |= places[axis_of[qubit]].astype(values.dtype) << k
            columns.append(values)
            self._look()
        order = np.lexsort(columns[::-1])  # most of the sorting, done by machine integers
        keys = zip(*(values[order].tolist() for values in columns), strict=True)
        return zip(keys, digits.weights[places][order].tolist(), strict=True)


class LevelOutcomes:
    """The values of registers at the end of a model's program; raises NotSymbolic if they need the graph."""

    def __init__(self, model: Model, observed: int) -> None:
        check_likely(model, "the distribution of outcomes")
        if not ControlGraph(model.program).is_acyclic:
            raise NotSymbolic("loops may go on for ever")
        self._model = model
        self._engine: Exact = exact_engine(model)
        self._observed = observed

    def table(self, variables: Sequence[Variable]) -> Table | None:
        """None where numbers do not confirm what is possible for generic angles."""
        model = self._model
        read = tuple(positions(self._observed))
        asked = task(model, self._engine, [Reading(read)], self._observed)
        answers = answer(asked, model.budget)
        assert answers is not None, "nobody answers it between rounds"
        (decisive, *_) = answers.decisive[0]
        run = NumericRun(answers.translation.levels.count, answers.engine.order, model.budget)
        ((_, end),) = run.through(answers.translation, model.init, {0})
        table: dict[Key, float] = {}
        error = 0.0
        for number, chance, wrong in Histogram(answers, decisive.probe, run).values(decisive.kept, end):
            if self._engine.assumed.tentative and chance <= wrong:
                return None
            store = sum((number >> k & 1) << position for k, position in enumerate(read))
            key = tuple(variable.value(store) for variable in variables)
            table[key] = table.get(key, 0.0) + chance
            error = max(error, wrong)
        return Table(dict(sorted(table.items())), error)
