"""Executions by brute force: dense states, statement by statement, straight from the syntax tree.

The tree of all executions of a toy program from one state, with equal states at equal places shared; and an
auditor that follows the executions which a result shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from qismc import Model
from qismc.evidence.execution import Execution, Step

from .compare import points
from .ctl.oracle import Structure
from .reference import Matrix, Place, Reference, Walker, below
from .toy import Toy

SAME = 1e-9


def unit(vector: Matrix) -> Matrix:
    return vector / np.linalg.norm(vector)


def parallel(left: Matrix, right: Matrix) -> bool:
    return bool(abs(np.vdot(unit(left), unit(right))) ** 2 > 1 - SAME)


# --- all executions ----------------------------------------------------------------------------------------


@dataclass
class Tree:
    """The executions from one state; `finite` is False if more than `most` states were met."""

    reference: Reference
    start: Matrix
    most: int = 300
    states: list[tuple[Place, Matrix]] = field(default_factory=list)
    successors: list[tuple[int, ...]] = field(default_factory=list)
    finite: bool = True

    def __post_init__(self) -> None:
        self._number(self.reference.start, self.start)
        while len(self.successors) < len(self.states) and self.finite:
            self.successors.append(tuple(self._after(*self.states[len(self.successors)])))
            self.finite = len(self.states) <= self.most

    def _number(self, place: Place, state: Matrix) -> int:
        for k, (other, known) in enumerate(self.states):
            if other == place and parallel(known, state):
                return k
        self.states.append((place, unit(state)))
        return len(self.states) - 1

    def _after(self, place: Place, state: Matrix) -> Iterator[int]:
        for edge in self.reference.walker.edges(place):
            for kraus in edge.kraus:
                image = kraus @ state
                if np.linalg.norm(image) > SAME:
                    yield self._number(edge.target, image)

    def structure(self, graph: Structure, order: list[Place]) -> Structure:
        """The tree with the labels of its places; `order` numbers the places of the graph."""
        number = {place: k for k, place in enumerate(order)}
        where = [number[place] for place, _ in self.states]
        labels = {
            name: frozenset(k for k, place in enumerate(where) if place in members)
            for name, members in graph.labels.items()
        }
        return Structure(tuple(self.successors), labels)


# --- shown executions --------------------------------------------------------------------------------------


@dataclass
class Auditor:
    """Follows shown executions by the reference's own operators."""

    toy: Toy
    model: Model
    init: Matrix
    annotated: dict[str, Matrix] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._paths = points(self.toy, self.model)
        self._reference = Reference(self.toy, self.init, self.annotated)
        self._walker = Walker(self.toy)

    def place(self, step: Step) -> Place:
        return self._paths[step.point], step.store["c"]

    def state(self, step: Step) -> Matrix:
        """The state of a step, whose terms must all be there."""
        assert step.terms is not None
        assert not step.terms_left_out
        vector = np.zeros(2**self.toy.num_qubits, dtype=complex)
        for bits, amplitude in step.terms:
            vector[int(bits, 2)] = amplitude
        assert abs(np.linalg.norm(vector) - 1) < 1e-6
        return vector

    def check(self, execution: Execution, start: Step | None = None) -> None:
        """Possible step by step, with the states, stores and probabilities that are shown."""
        assert execution.replayed, (execution.claim, execution.note)
        first = execution.steps[0]
        if start is None:
            self._is_a_start(first)
        else:
            assert self.place(first) == self.place(start)
            assert parallel(self.state(first), self.state(start))
        taken = [self._step(a, b) for a, b in zip(execution.steps, execution.steps[1:], strict=False)]
        loop = execution.loop_start
        if loop is not None:
            self._goes_on(execution, taken)
        for position, child in execution.children:
            separate = position == 0 and child.steps[0].terms is not None and start is None
            self.check(child, None if separate else execution.steps[position])

    def _is_a_start(self, step: Step) -> None:
        place, column = self.place(step), self.state(step).reshape(-1, 1)
        at_entry = place == self._reference.start and below(column, self._reference._init)
        named = [self.annotated[n] for n in self._reference.names(place) if n in self.annotated]
        assert at_entry or any(below(column, space) for space in named)

    def _step(self, before: Step, after: Step) -> Matrix:
        """The operator that led from one step to the next."""
        state, arrived = self.state(before), self.state(after)
        for edge in self._walker.edges(self.place(before)):
            if edge.target != self.place(after):
                continue
            for kraus in edge.kraus:
                image = kraus @ state
                weight = float(np.linalg.norm(image) ** 2)
                if weight > SAME and parallel(image, arrived):
                    assert before.probability is not None
                    assert after.probability is not None
                    if abs(after.probability - before.probability * weight) < 1e-6:
                        return kraus
        raise AssertionError(f"no operator leads from {before} to {after}")

    def _goes_on(self, execution: Execution, taken: list[Matrix]) -> None:
        """The turn can be taken as often as the dimension, and once more, with the same operators."""
        assert execution.loop_start is not None
        start, last = execution.steps[execution.loop_start], execution.steps[-1]
        closing = [
            kraus
            for edge in self._walker.edges(self.place(last))
            if edge.target == self.place(start)
            for kraus in edge.kraus
        ]
        size = 2**self.toy.num_qubits
        for kraus in closing:
            turn = np.linalg.multi_dot([np.eye(size), *reversed([*taken[execution.loop_start :], kraus])])
            state, chance = self.state(start), float(np.linalg.norm(turn @ self.state(start)) ** 2)
            for _ in range(size + 1):
                state = turn @ state
                if np.linalg.norm(state) < SAME:
                    break
                state = unit(state)
            else:
                if execution.probability is not None and abs(chance - execution.probability) < 1e-6:
                    return
        raise AssertionError("the lasso cannot be repeated for ever")
