"""From values of the symbols to one execution."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, overload

from qismc.program import Apply, Havoc, Initialize, Measure, Program, Reset, Store
from qismc.stabiliser.functions import Functions
from qismc.stabiliser.solutions import Solution
from qismc.stabiliser.state import Chosen, History, Joined
from qismc.symbolic import Bool, evaluate
from qismc.system import Step, crossings, next_point, next_store

Holds = Callable[[Bool], bool]


class Leg(NamedTuple):
    """A step and gates that follow it, so many steps together: the others stand at the next points."""

    step: Step
    length: int = 1


class Journey(Sequence[Step]):
    """The steps of an execution; those of gates are made when somebody looks at them."""

    def __init__(self, legs: Sequence[Leg]) -> None:
        self._legs = legs
        *self._first, self._count = accumulate((leg.length for leg in legs), initial=0)

    @property
    def leading(self) -> Iterator[Step]:
        """The first step of every leg."""
        return (leg.step for leg in self._legs)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Step]:
        for step, length in self._legs:
            yield step
            yield from (Step(step.point + k, step.store, None) for k in range(1, length))

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, int):
            return self._step(range(self._count)[index])
        return [self._step(k) for k in range(self._count)[index]]

    def _step(self, number: int) -> Step:
        leg = bisect_right(self._first, number) - 1
        step, further = self._legs[leg].step, number - self._first[leg]
        return Step(step.point + further, step.store, None) if further else step


def journey(
    program: Program, functions: Functions, solution: Solution, history: History, end: int
) -> Journey:
    """The execution with this history, for these values of the symbols, up to a point."""
    return Journey(list(_legs(program, functions, solution, history, end)))


def _legs(
    program: Program, functions: Functions, solution: Solution, history: History, end: int
) -> Iterator[Leg]:
    known: dict[Bool, bool] = {}

    def holds(function: Bool) -> bool:
        return evaluate(function, solution, known)

    true = functions.true_atoms(solution, known)
    chosen = [
        (entry.point, [(digit & true).bit_count() & 1 for digit in entry.digits])
        for entry in _entries(history, holds)
    ][::-1]
    point, store, turns = program.entry, program.initial_store, crossings(program)
    while chosen or point != end:
        if isinstance(program.code[point], Apply):  # and so are those up to the next crossing
            crossing = turns[bisect_left(turns, point)]
            stop = end if not chosen and point < end < crossing else crossing
            yield Leg(Step(point, store, None), stop - point)
            last, target = stop - 1, program.settle(stop)
        else:
            step = _step(program, point, store, chosen)
            yield Leg(step)
            last, target = point, next_point(program, point, store)
            store = next_store(program.code[point], store, step.outcome)
        if target <= last:
            _taken(chosen, target)
        point = target
    yield Leg(Step(point, store, None))


def _step(program: Program, point: int, store: Store, chosen: list[tuple[int, list[int]]]) -> Step:
    """A step that is no gate."""
    match program.code[point]:
        case Measure() | Havoc():
            return Step(point, store, sum(digit << k for k, digit in enumerate(_taken(chosen, point))))
        case Reset():
            return Step(point, store, None, tuple(_taken(chosen, point)))
        case Initialize():
            return Step(point, store, None, (*_taken(chosen, point), 0))
    return Step(point, store, None)


def _taken(chosen: list[tuple[int, list[int]]], point: int) -> list[int]:
    """What the history says next; it is about this point."""
    at, digits = chosen.pop()
    assert at == point, "an execution takes the choices of its history in turn"
    return digits


def _entries(history: History, holds: Holds) -> list[Chosen]:
    """What happened, in order, for these values of the symbols."""
    found: list[Chosen] = []
    while history is not None:
        if isinstance(history, Joined):
            history = history.first if holds(history.condition) else history.second
            continue
        if holds(history.guard):
            found.append(history)
        history = history.before
    return found[::-1]
