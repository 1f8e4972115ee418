"""The passing execution that is nearest to a violating one: another arrival at the same program point."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from qismc.evidence.path import Path, Visit, path_to
from qismc.evidence.safety import Violation
from qismc.fixpoint import Found
from qismc.labels import Labels

CANDIDATES = 64
STEPS_COMPARED = 200_000
"""Long executions are compared with fewer others."""
PLACES = 8
"""Other locations of the same program point that are searched."""


class Passing(NamedTuple):
    """A passing execution, and how far it agrees with the violating one at both ends."""

    path: Path
    found: Found
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


def _passing(violation: Violation, labels: Labels) -> Iterator[tuple[int, Found]]:
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


def _compare(bad: Path, good: Path, found: Found) -> Passing:
    shortest = min(len(bad.visits), len(good.visits))
    mine, others = [_choice(v) for v in bad.visits], [_choice(v) for v in good.visits]
    suffix = next((k for k in range(shortest) if mine[-1 - k] != others[-1 - k]), shortest)
    same = next((k for k in range(shortest) if mine[k] != others[k]), shortest)
    return Passing(good, found, same if bad.seed == good.seed else 0, suffix)


def _choice(visit: Visit) -> tuple[int, int | None, tuple[int, ...]]:
    """The statement and everything that was open at it."""
    outcome = visit.hop.way.outcome if visit.hop is not None else None
    return visit.point, outcome, visit.choices
