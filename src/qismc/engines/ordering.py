"""Level orders: qubits that interact stand near each other, because bonds grow with what crosses a cut."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.program import Channel, Initialize, Program, Statement
from qismc.system import columns, crossed

Integers = npt.NDArray[np.int32]

FEWEST_ORDERED = 3
"""Fewest things that are worth ordering: two are neighbours in any order."""


class Sets(NamedTuple):
    """Sets of things that are together, end to end: set k is members[ends[k] : ends[k + 1]]."""

    ends: Integers
    members: Integers


def _end_to_end(sets: Collection[tuple[int, ...]]) -> Sets:
    ends = np.cumsum([0, *map(len, sets)], dtype=np.int32)
    return Sets(ends, np.fromiter(chain.from_iterable(sets), dtype=np.int32))


def interactions(program: Program) -> Sets:
    """The sets of qubits that gates act on together: one for each gate."""
    gates = Sets(*columns(program).table.interactions())
    others = _end_to_end([together for statement in crossed(program) for together in _joined(statement)])
    if not len(others.members):
        return gates
    ends = np.concatenate((gates.ends, gates.ends[-1] + others.ends[1:]))
    return Sets(ends, np.concatenate((gates.members, others.members)))


def _joined(statement: Statement) -> Iterator[tuple[int, ...]]:
    """The sets of qubits that a statement which is no gate acts on together."""
    if isinstance(statement, Initialize):
        for factor in statement.preparation.factors:
            placed = factor.on(statement.qubits)
            yield (*placed.targets, *(control for control, _ in placed.controls))
    elif isinstance(statement, Channel):
        yield statement.qubits


def level_order(program: Program, seed: int, *, natural: bool = False) -> list[int]:
    """order[k] is the qubit at level k."""
    own = len(program.own_qubits)
    natural = natural or own < FEWEST_ORDERED
    order = list(range(own)) if natural else program.once(("order", seed), lambda p: _near(p, seed))
    return beside_partners(program, [*order, *program.partners.values()])


class Guess(NamedTuple):
    """An order of the levels that was found at once."""

    order: list[int]
    settled: bool
    """True if a search cannot find a better order."""


def guessed_order(program: Program) -> Guess:
    """The order that `level_order` begins with."""
    own = len(program.own_qubits)
    order, settled = program.once("guess", _guessed) if own >= FEWEST_ORDERED else (list(range(own)), True)
    return Guess(beside_partners(program, [*order, *program.partners.values()]), settled)


def _guessed(program: Program) -> Guess:
    order, settled = _core.quick_order(len(program.own_qubits), *interactions(program))
    return Guess(order.tolist(), settled)


def _near(program: Program, seed: int) -> list[int]:
    guess = program.once("guess", _guessed)
    return guess.order if guess.settled else nearest(len(program.own_qubits), interactions(program), seed)


def beside_partners(program: Program, order: list[int]) -> list[int]:
    """Every partner right behind its input, so that only one cut parts the pair."""
    partners = program.partners
    idle = set(partners.values())
    if not idle:
        return order
    return [level for q in order if q not in idle for level in ((q, partners[q]) if q in partners else (q,))]


def order_of(
    count: int, together: Mapping[tuple[int, ...], int], seed: int, method: str = "auto"
) -> list[int]:
    """An order of things 0 .. count-1 in which those that are often together stand near each other."""
    weights = np.fromiter(together.values(), dtype=np.float64)
    return nearest(count, _end_to_end(together), seed, method, weights)


def nearest(
    count: int,
    together: Sets,
    seed: int,
    method: str = "auto",
    weights: npt.NDArray[np.float64] | None = None,
) -> list[int]:
    """An order in which things of one set stand near each other; each set counts once, or by its weight."""
    if count < FEWEST_ORDERED:
        return list(range(count))
    order: list[int] = _core.level_order(count, *together, weights, seed=seed, method=method).tolist()
    return order
