"""Distributions of registers with the store on levels, where outcomes are too many to list them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qismc.deciders import check_likely, exact_engine, task
from qismc.engines import Exact
from qismc.levels import ControlGraph, Histogram, Run, answer
from qismc.model import Model
from qismc.program import Variable
from qismc.questions import Reading
from qismc.symbolic import NotOnLevels, positions

Key = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """The probability of every possible combination of values, and how wrong each may be."""

    chances: Mapping[Key, float]
    error: float


class LevelOutcomes:
    """The values of registers at the end of a model's program; raises NotOnLevels if they need the graph."""

    def __init__(self, model: Model, observed: int) -> None:
        check_likely(model, "the distribution of outcomes")
        if not ControlGraph(model.program).is_acyclic:
            raise NotOnLevels("loops may go on for ever")
        self._model = model
        self._engine: Exact = exact_engine(model)
        self._observed = observed

    def table(self, variables: Sequence[Variable]) -> Table | None:
        """None where numbers do not confirm what is possible for generic angles."""
        model = self._model
        read = tuple(positions(self._observed))
        asked = task(model, self._engine, [Reading(read)], self._observed)
        answers = answer(asked, model.budget)
        (decisive, *_) = answers.decisive[0]
        run = Run(answers.translation.levels.count, answers.engine.order, model.budget)
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
