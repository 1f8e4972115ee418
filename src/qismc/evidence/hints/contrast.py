"""Where a violating execution leaves the behaviour of the nearest passing one.

The nearest passing execution is another arrival at the same program point. Two comparisons are made.
*Parting*: the first statement at which they choose differently. *Contrast*: the longest common end of both
executions consists of the same statements with the same choices, so what differs at its first step is the
state alone. Which qubits of it decide is tried: those whose replacement by the passing execution's value lets
the violating one pass. Only qubits on which the claim depends there are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.ctl import Labels
from qismc.engines import Numeric, Vector
from qismc.evidence.execution import Hint
from qismc.evidence.hints.cone import Influence
from qismc.evidence.hints.reduced import mixture_text, reduced, replaced
from qismc.evidence.replaying import Path, Visit, moves, path_to
from qismc.evidence.safety import Violation
from qismc.fixpoint import Arrival, LocatedState, Shadow
from qismc.program import Program, Reset
from qismc.system import At

CANDIDATES = 64
STEPS_COMPARED = 200_000
"""Long executions are compared with fewer others."""
PLACES = 8
"""Other locations of the same program point that are searched."""


class Passing(NamedTuple):
    """A passing execution, and how far it agrees with the violating one at both ends."""

    path: Path
    found: LocatedState
    prefix: int
    """The executions start alike: so many steps have the same statement and the same choices."""
    suffix: int
    """They end alike: so many steps, the last one included."""


def nearest(violation: Violation, labels: Labels) -> Passing | None:
    """The passing execution that shares most steps with the violating one, at its ends."""
    count = min(CANDIDATES, max(1, STEPS_COMPARED // len(violation.path.visits)))
    candidates = [
        _compare(violation.path, path_to(found, point), found)
        for point, found in islice(_passing(violation, labels), count)
    ]
    return max(candidates, key=lambda p: (p.prefix + p.suffix, -len(p.path.visits)), default=None)


def _passing(violation: Violation, labels: Labels) -> Iterator[tuple[int, LocatedState]]:
    """States inside all propositions that fail; at the same location, else at the same program point."""
    point = labels.system.node_of(violation.location)[1]
    bad = {id(found.arrival) for found in violation.outside}
    here = [f for f in labels.arrived(violation.location) if id(f.arrival) not in bad]
    if here:
        yield from ((point, found) for found in here)
        return
    for index in _same_point(violation.location, point, labels):
        outside = {id(f.arrival) for atom in violation.atoms for f in labels.outside(atom, index)}
        for found in labels.arrived(index):
            if id(found.arrival) not in outside:
                yield point, found


def _same_point(index: int, point: int, labels: Labels) -> list[int]:
    system = labels.system
    nodes = (node for node in system.nodes if node.start <= point < node.end)
    others = (system.first(node) + point - node.start for node in nodes)
    return [k for k in others if k != index][:PLACES]


def _compare(bad: Path, good: Path, found: LocatedState) -> Passing:
    shortest = min(len(bad.visits), len(good.visits))
    mine, others = [_choice(v) for v in bad.visits], [_choice(v) for v in good.visits]
    suffix = next((k for k in range(shortest) if mine[-1 - k] != others[-1 - k]), shortest)
    same = next((k for k in range(shortest) if mine[k] != others[k]), shortest)
    return Passing(good, found, same if bad.seed == good.seed else 0, suffix)


def _choice(visit: Visit) -> tuple[int, int | None, tuple[int, ...]]:
    """The statement and everything that was open at it."""
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    return visit.point, outcome, visit.choices


Array = npt.NDArray[np.complex128]
DIFFERENT = 1e-6
NAMED = 3
SIZES = ((1, "is"), (2, "are"))
"""So many qubits together are compared."""
MOST_GROUPS = 100
POSSIBLE = 1e-7
"""Shorter images mean that the outcomes are impossible."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class BesidePassing(NamedTuple):
    """A violating execution beside a passing one."""

    program: Program
    violation: Violation
    passing: Passing
    goal: str
    engine: Numeric
    passes: Callable[[Vector], bool]
    """Is a final state where it should be?"""


class Differing(NamedTuple):
    """Some qubits, and their reduced states in the violating and in the passing execution."""

    qubits: tuple[int, ...]
    here: Array
    there: Array


def parting(pair: BesidePassing) -> Hint | None:
    """The first statement where the executions choose differently."""
    step, bad, good = pair.passing.prefix, pair.violation.path, pair.passing.path
    if bad.seed != good.seed or step >= min(len(bad.visits), len(good.visits)):
        return None
    mine, other = _outcome(pair.program, bad, step), _outcome(pair.program, good, step)
    if mine is None or other is None:
        return None
    point = bad.visits[step].point
    text = (
        f"step {step}: '{pair.program.text(point)}' {mine}; in the nearest passing execution "
        f"({len(good.visits)} steps, it ends in {pair.goal}) it {other}"
    )
    return Hint("parting", text, pair.program.sources[point], (step,))


def _outcome(program: Program, path: Path, step: int) -> str | None:
    visit = path.visits[step]
    if isinstance(program.code[visit.point], Reset) and visit.choices:
        return f"finds |{visit.choices[0]}>"
    if visit.hop is not None and visit.hop.way.outcome is not None:
        return f"gives {visit.hop.way.outcome}"
    return None


def contrast(pair: BesidePassing, shadow: Shadow, influence: Sequence[Influence]) -> Hint | None:
    """The first step of the common end, and the qubits whose states differ there."""
    bad, good = pair.violation.path, pair.passing.path
    mine, other = len(bad.visits) - pair.passing.suffix, len(good.visits) - pair.passing.suffix
    at_once = mine == other == pair.passing.prefix + 1
    if pair.passing.suffix < 2 or at_once:
        return None
    here = _state(shadow, pair.violation.found, bad, mine)
    there = _state(shadow, pair.passing.found, good, other)
    point = bad.visits[mine].point
    found = _difference(pair, mine, (here, there), sorted(influence[mine].qubits))
    if found is None:
        return None
    visit = _ordinal(sum(v.point == point for v in bad.visits[: mine + 1]))
    its_visit = _ordinal(sum(v.point == point for v in good.visits[: other + 1]))
    text = (
        f"step {mine}: at the {visit} visit of '{pair.program.text(point)}' "
        f"{found.text} in the nearest passing execution (its {its_visit} visit, step {other}); from there on "
        f"both run the same statements with the same outcomes{found.decides}"
    )
    return Hint("contrast", text, pair.program.sources[point], (mine,))


def _ordinal(count: int) -> str:
    return ORDINALS[count - 1] if count <= len(ORDINALS) else f"{count}th"


def _state(shadow: Shadow, found: LocatedState, path: Path, step: int) -> Vector:
    """The numeric state before a step: the arrival at the last station before it, and the gates since."""
    covered = list(_links(found.arrival))
    start, link = next((s, a) for s, a in reversed(covered) if s <= step)
    point = link.station.point + step - start
    assert path.visits[step].point == point
    return shadow.at(LocatedState(link.vector, link), point)


def _links(arrival: Arrival) -> Iterator[tuple[int, Arrival]]:
    """(number of the step, arrival there) along a chain."""
    step = 0
    chain = arrival.chain()
    for link, following in zip(chain, [*chain[1:], None], strict=True):
        yield step, link
        if following is not None and following.way is not None:
            node, point = link.station
            hop = following.way
            step += (hop.point if isinstance(hop, At) else node.end) - point


class QubitDifference(NamedTuple):
    """Which qubits differ, and what was tried with them, in words."""

    text: str
    decides: str


def _difference(
    pair: BesidePassing, step: int, states: tuple[Vector, Vector], qubits: list[int]
) -> QubitDifference | None:
    """Single qubits that decide, else two together, else what differs; None if nothing does that matters."""
    names = pair.program.qubits
    differing: dict[int, list[Differing]] = {}
    for size, verb in SIZES:
        differing[size] = _differing(pair.engine, size, states, qubits)
        for found in differing[size]:
            if _decides(pair, step, states, found.qubits):
                tried = f". With that value of {_named(names, found.qubits)} this execution passes, too"
                return QubitDifference(_described(names, [found], verb, 1), tried)
    for size, verb in SIZES:
        if differing[size]:
            return QubitDifference(_described(names, differing[size], verb, NAMED if size == 1 else 1), "")
    if not pair.engine.dense:
        return None
    return QubitDifference("all qubits together have another state, though no two of them do, than", "")


def _decides(pair: BesidePassing, step: int, states: tuple[Vector, Vector], qubits: tuple[int, ...]) -> bool:
    """Does the violating execution pass with the passing one's value of these qubits?"""
    engine, visits = pair.engine, pair.violation.path.visits[step:]
    others = replaced(engine, *states, qubits)
    acting = [application for move in moves(pair.program, visits) for application in move]
    ends = [engine.run(engine.compile(acting), state) for state in others or ()]
    possible = [end for end in ends if engine.length(end) > POSSIBLE]
    return bool(possible) and all(pair.passes(end) for end in possible)


def _described(names: tuple[str, ...], differing: list[Differing], verb: str, most: int) -> str:
    shown = differing[:most]
    mine = [f"{_named(names, d.qubits)} {verb} {mixture_text(d.here)}" for d in shown]
    more = f" (and {len(differing) - most} more differ)" if len(differing) > most else ""
    heads = [f"{_named(names, d.qubits)} " if len(shown) > 1 else "" for d in shown]
    others = [f"{head}{mixture_text(d.there)}" for head, d in zip(heads, shown, strict=True)]
    return f"{' and '.join(mine)}{more}, but {' and '.join(others)}"


def _named(names: tuple[str, ...], qubits: tuple[int, ...]) -> str:
    return ", ".join(names[q] for q in qubits)


def _differing(
    engine: Numeric, size: int, states: tuple[Vector, Vector], qubits: list[int]
) -> list[Differing]:
    """The groups of `size` of the qubits whose reduced states differ."""
    found = []
    for group in islice(combinations(qubits, size), MOST_GROUPS):
        here, there = (reduced(engine, state, group) for state in states)
        if here is not None and there is not None and np.max(np.abs(here - there)) > DIFFERENT:
            found.append(Differing(group, here, there))
    return found
