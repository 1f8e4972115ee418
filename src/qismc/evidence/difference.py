"""Evidence for a violated bound of a probability: the likeliest executions that make up the difference."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice, pairwise
from typing import NamedTuple

import numpy as np

from qismc.common.wording import counted
from qismc.ctl import Labels
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.execution import Execution
from qismc.evidence.replaying import Path, Visit
from qismc.language import And, Formula, Implies, Not, Or, Probability, Threshold, to_text
from qismc.probability import Arrow, Chances, Matrix, NumericUntil

MOST_SHOWN = 5
"""Nobody reads more executions than this."""
MOST_OF_IT = 0.9
"""Executions that make up so much of the difference are enough."""


class Blamed(NamedTuple):
    """A bound that decides a violation, and whether the probability is too low for it (or too high)."""

    bound: Probability
    low: bool


def blame(formula: Formula, holds: Callable[[Formula], bool], wanted: bool = True) -> Blamed | None:
    """The bound that makes a combination of bounds differ from `wanted`; None for all other formulas."""
    match formula:
        case Probability(Threshold(relation)):
            return Blamed(formula, (relation in (">=", ">")) == wanted)
        case Not(operand):
            return blame(operand, holds, not wanted)
        case And(left, right) | Or(left, right):
            return blame(left if holds(left) != wanted else right, holds, wanted)
        case Implies(_, right) if wanted:
            return blame(right, holds, wanted)
    return None


def against(formula: Formula, blamed: Blamed, chances: Chances, labels: Labels) -> Execution:
    """The likeliest execution that makes the difference to a bound, with the next ones beside it."""
    found = chances.likelihood(blamed.bound)
    text = f"{to_text(formula)} fails: the probability is {found.text}"
    until, negated = chances.path(blamed.bound)
    frames = until.frames
    if frames.entry in until.decided:
        return Execution("none", claim=text)
    reaching = negated == blamed.low
    start = start_column(until, reaching=reaching)
    total = 1 - found.low if blamed.low else found.high
    shown, together = _enough(likely(until, start, reaching=reaching), total)
    if not shown:
        return Execution("none", claim=text)
    origin = frames.vector(frames.entry, start), labels.system.program.initial_store
    builder = ExecutionBuilder(labels.system, labels.names_at, frames.engine, lambda _: origin)
    which = f"{'against' if blamed.low else 'in favour of'} it"
    claim = f"{text}; the likeliest execution {which}"
    if len(shown) > 1:
        claim = f"{text}; {counted(len(shown), 'execution')} {which} have {together:.6g} of {total:.6g}"
    first, *others = (
        builder.execution(path, "the next one" if number else claim) for number, path in enumerate(shown)
    )
    return replace(first, further=tuple(others))


def _enough(executions: Iterator[tuple[float, Path]], total: float) -> tuple[list[Path], float]:
    """The first executions until they make up most of the total, or are too many to be read."""
    shown: list[Path] = []
    together = 0.0
    for probability, path in islice(executions, MOST_SHOWN):
        shown.append(path)
        together += probability
        if together >= MOST_OF_IT * total:
            break
    return shown, together


MOST_EXPANDED = 20_000
"""Steps of the search; a run of a loop may have very many outcomes."""
LEAST = 1e-12
"""Executions that are less likely than this are not followed."""
CLOSE = 1e-9
"""A state that is trapped, or has no way to the goal, up to this probability."""


@dataclass(frozen=True, eq=False)
class _Reached:
    """A vertex that was reached, and how."""

    vertex: int
    column: Matrix
    before: _Reached | None = None
    arrow: Arrow | None = None

    @property
    def weight(self) -> float:
        return float(np.vdot(self.column, self.column).real)


def start_column(until: NumericUntil, *, reaching: bool) -> Matrix:
    """The start state that makes the goal likeliest, or least likely, in coordinates."""
    start = until.frames.start
    _, vectors = np.linalg.eigh(start.conj().T @ until.effects.onwards(until.frames.entry)[0] @ start)
    return np.asarray(start @ vectors[:, -1 if reaching else 0])


def likely(until: NumericUntil, start: Matrix, *, reaching: bool) -> Iterator[tuple[float, Path]]:
    """Executions, with their probabilities, that reach the goal, or that never do, the likeliest first."""
    serial, first = count(), _Reached(until.frames.entry, start)
    heap = [(-1.0, next(serial), first)]
    for _ in range(MOST_EXPANDED):
        if not heap:
            return
        weight, _, trail = heapq.heappop(heap)
        decided = _decided(until, trail, reaching=reaching)
        if decided is True:
            yield -weight, _path(until, trail)
        if decided is not None:
            continue
        frames = until.frames
        for arrow, edge in zip(frames.arrows[trail.vertex], frames.chain.edges[trail.vertex], strict=True):
            following = _Reached(edge.target, edge.matrix @ trail.column, trail, arrow)
            if following.weight > LEAST:
                heapq.heappush(heap, (-following.weight, next(serial), following))


def _decided(until: NumericUntil, trail: _Reached, *, reaching: bool) -> bool | None:
    """Does the execution show what is wanted here (or can it no more)? None: it must go on."""
    k = trail.vertex
    if k in until.decided:
        return (until.decided[k] == 1.0) == reaching
    effect = until.effects.values[k]
    chance = float(np.vdot(trail.column, effect @ trail.column).real) / trail.weight
    if reaching:
        return False if chance < CLOSE else None
    if until.effects.stays(k, trail.column) > 1 - CLOSE:
        return True
    return False if chance > 1 - CLOSE else None


def _path(until: NumericUntil, trail: _Reached) -> Path:
    """The visited locations, up to the one that decides."""
    visits: list[Visit] = []
    chain = [trail]
    while chain[-1].before is not None:
        chain.append(chain[-1].before)
    chain.reverse()
    for here, after in pairwise(chain):
        node, point = until.frames.stations[here.vertex]
        arrow = after.arrow
        assert arrow is not None
        if arrow.hop is None:
            last = until.frames.stations[after.vertex].point
            visits += [Visit(node, p) for p in range(point, last)]
        else:
            visits += [Visit(node, p) for p in range(point, node.last)]
            visits.append(Visit(node, node.last, arrow.hop, arrow.choices))
    station = until.frames.stations[trail.vertex]
    end = until.decisive_point(station) if trail.vertex in until.decided else station.point
    visits += [Visit(station.node, p) for p in range(station.point, end + 1)]
    return Path(tuple(visits), 0)
