"""Where a violating execution leaves the behaviour of the nearest passing one.

Two comparisons. *Parting*: the first statement at which they choose differently. *Contrast*: the longest
common end of both executions consists of the same statements with the same choices, so what differs at its
first step is the state alone, and that difference decides which of them passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.evidence.hints.hint import Hint
from qismc.evidence.hints.passing import Passing
from qismc.evidence.hints.reduced import density, mixture_text
from qismc.evidence.path import Path
from qismc.evidence.safety import Violation
from qismc.fixpoint.post import Found
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.shadow import Shadow
from qismc.fixpoint.stations import At
from qismc.program.program import Program
from qismc.program.statements import Reset

Array = npt.NDArray[np.complex128]
DIFFERENT = 1e-6
NAMED = 3
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Pair(NamedTuple):
    """A violating execution beside a passing one."""

    program: Program
    violation: Violation
    passing: Passing
    goal: str


class Differing(NamedTuple):
    """Some qubits, and their reduced states in the violating and in the passing execution."""

    qubits: tuple[int, ...]
    here: Array
    there: Array


def parting(pair: Pair) -> Hint | None:
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


def contrast(pair: Pair, shadow: Shadow) -> Hint | None:
    """The first step of the common end, and the qubits whose states differ there."""
    bad, good = pair.violation.path, pair.passing.path
    mine, other = len(bad.visits) - pair.passing.suffix, len(good.visits) - pair.passing.suffix
    at_once = mine == other == pair.passing.prefix + 1
    if pair.passing.suffix < 2 or at_once:
        return None
    here = _state(shadow, pair.violation.found, bad, mine)
    there = _state(shadow, pair.passing.found, good, other)
    point = bad.visits[mine].point
    visit = _ordinal(sum(v.point == point for v in bad.visits[: mine + 1]))
    its_visit = _ordinal(sum(v.point == point for v in good.visits[: other + 1]))
    text = (
        f"step {mine}: at the {visit} visit of '{pair.program.text(point)}' "
        f"{_difference(pair.program.qubits, here, there)} in the nearest passing execution "
        f"(its {its_visit} visit, step {other}); from there on both run the same statements with the same "
        f"outcomes, so this difference decides"
    )
    return Hint("contrast", text, pair.program.sources[point], (mine,))


def _ordinal(count: int) -> str:
    return ORDINALS[count - 1] if count <= len(ORDINALS) else f"{count}th"


def _state(shadow: Shadow, found: Found, path: Path, step: int) -> Array:
    """The numeric state before a step: the arrival at the last station before it, and the gates since."""
    covered = list(_links(found.arrival))
    start, link = next((s, a) for s, a in reversed(covered) if s <= step)
    point = link.station.point + step - start
    assert path.visits[step].point == point
    return np.asarray(shadow.at(Found(link.vector, link), point))


def _links(arrival: Arrival) -> Iterator[tuple[int, Arrival]]:
    """(number of the step, arrival there) along a chain."""
    step = 0
    chain = arrival.chain()
    for link, following in zip(chain, [*chain[1:], None], strict=True):
        yield step, link
        if following is not None and following.move is not None:
            node, point = link.station
            hop = following.move.hop
            step += (hop.point if isinstance(hop, At) else node.end) - point


def _difference(names: tuple[str, ...], here: Array, there: Array) -> str:
    """Which qubits differ, and how: single ones if any does, else two together, else all of them."""
    single = _differing(len(names), 1, here, there)
    if single:
        return _described(names, single, "is", NAMED)
    together = _differing(len(names), 2, here, there)
    if together:
        return _described(names, together, "are", 1)
    return "all qubits together have another state, though no two of them do, than"


def _described(names: tuple[str, ...], differing: list[Differing], verb: str, most: int) -> str:
    shown = differing[:most]
    mine = [f"{_named(names, d.qubits)} {verb} {mixture_text(d.here)}" for d in shown]
    more = f" (and {len(differing) - most} more differ)" if len(differing) > most else ""
    heads = [f"{_named(names, d.qubits)} " if len(shown) > 1 else "" for d in shown]
    others = [f"{head}{mixture_text(d.there)}" for head, d in zip(heads, shown, strict=True)]
    return f"{' and '.join(mine)}{more}, but {' and '.join(others)}"


def _named(names: tuple[str, ...], qubits: tuple[int, ...]) -> str:
    return ", ".join(names[q] for q in qubits)


def _differing(count: int, size: int, here: Array, there: Array) -> list[Differing]:
    """The groups of `size` qubits whose reduced states differ."""
    groups = combinations(range(count), size)
    pairs = [Differing(g, density(here, count, g), density(there, count, g)) for g in groups]
    return [d for d in pairs if np.max(np.abs(d.here - d.there)) > DIFFERENT]
