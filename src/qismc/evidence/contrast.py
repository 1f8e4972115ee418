"""Where a violating execution leaves the behaviour of the nearest passing one.

The nearest passing execution is another arrival at the same program point. Two comparisons are made.
*Parting*: the first statement at which they choose differently. *Contrast*: the longest common end of both
executions consists of the same statements with the same choices, so what differs at its first step is the
state alone. Which qubits of it decide is tried: those whose replacement by the passing execution's value lets
the violating one pass. Only qubits on which the claim depends there are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.ctl import Labels
from qismc.engines import Numeric, Vector
from qismc.evidence.cone import Influence
from qismc.evidence.execution import Hint
from qismc.evidence.replaying import Path, Visit, acting_along, legs, path_of
from qismc.evidence.safety import Violation
from qismc.evidence.states import mixture_text, named, reduced, replaced
from qismc.fixpoint import FloatReplay, LocatedState
from qismc.program import Program, Reset

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
    count = min(CANDIDATES, max(1, STEPS_COMPARED // len(violation)))
    candidates = [_compare(violation.path, found) for found in islice(_passing(violation, labels), count)]
    return max(candidates, key=lambda p: (p.prefix + p.suffix, -len(p.path.visits)), default=None)


def _passing(violation: Violation, labels: Labels) -> Iterator[LocatedState]:
    """States inside all propositions that fail; at the same location, else at the same program point."""
    bad = {found.arrival for found in violation.outside}
    here = [found for found in labels.arrived(violation.location) if found.arrival not in bad]
    if here:
        yield from here
        return
    for index in _same_point(violation.location, labels):
        outside = {found.arrival for atom in violation.atoms for found in labels.outside(atom, index)}
        yield from (found for found in labels.arrived(index) if found.arrival not in outside)


def _same_point(index: int, labels: Labels) -> list[int]:
    """Other locations of the same program point."""
    system, point = labels.system, labels.system.node_of(index)[1]
    nodes = (node for node in system.nodes if node.start <= point < node.end)
    others = (system.index(node, point) for node in nodes)
    return [k for k in others if k != index][:PLACES]


def _compare(bad: Path, found: LocatedState) -> Passing:
    good = path_of(found.arrival, bad.visits[-1].point)
    shortest = min(len(bad.visits), len(good.visits))
    mine, others = [_choice(v) for v in bad.visits], [_choice(v) for v in good.visits]
    suffix = next((k for k in range(shortest) if mine[-1 - k] != others[-1 - k]), shortest)
    same = next((k for k in range(shortest) if mine[k] != others[k]), shortest)
    return Passing(good, found, same if bad.seed == good.seed else 0, suffix)


def _choice(visit: Visit) -> tuple[int, int | None, tuple[int, ...]]:
    """The statement and everything that was open at it."""
    return visit.point, visit.outcome, visit.choices


Array = npt.NDArray[np.complex128]
DIFFERENT = 1e-6
"""Entries of density matrices that differ by less are the same."""
NAMED = 3
SIZES = ((1, "is"), (2, "are"))
"""So many qubits together are compared."""
MOST_GROUPS = 100
POSSIBLE = 1e-7
"""Shorter images mean that the outcomes are impossible."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Differing(NamedTuple):
    """Some qubits, and their reduced states in the violating and in the passing execution."""

    qubits: tuple[int, ...]
    here: Array
    there: Array


@dataclass(frozen=True)
class Contrast:
    """A violating execution beside a passing one."""

    program: Program
    violation: Violation
    passing: Passing
    goal: str
    replay: FloatReplay
    passes: Callable[[Vector], bool]
    """Is a final state where it should be?"""

    def parting(self) -> Hint | None:
        """The first statement where the executions choose differently."""
        step, bad, good = self.passing.prefix, self.violation.path, self.passing.path
        if bad.seed != good.seed or step >= min(len(bad.visits), len(good.visits)):
            return None
        mine, other = self._outcome(bad.visits[step]), self._outcome(good.visits[step])
        if mine is None or other is None:
            return None
        point = bad.visits[step].point
        text = (
            f"step {step}: '{self.program.text(point)}' {mine}; in the nearest passing execution "
            f"({len(good.visits)} steps, it ends in {self.goal}) it {other}"
        )
        return Hint("parting", text, self.program.sources[point], (step,))

    def _outcome(self, visit: Visit) -> str | None:
        if isinstance(self.program.code[visit.point], Reset) and visit.choices:
            return f"finds |{visit.choices[0]}>"
        return None if visit.outcome is None else f"gives {visit.outcome}"

    def common_end(self, influence: Sequence[Influence]) -> Hint | None:
        """The first step of the common end, and the qubits whose states differ there."""
        bad, good = self.violation.path, self.passing.path
        mine, other = len(bad.visits) - self.passing.suffix, len(good.visits) - self.passing.suffix
        at_once = mine == other == self.passing.prefix + 1
        if self.passing.suffix < 2 or at_once:
            return None
        states = self._state(self.violation.found, bad, mine), self._state(self.passing.found, good, other)
        found = self._difference(mine, states, sorted(influence[mine].qubits))
        if found is None:
            return None
        differs, decides = found
        point = bad.visits[mine].point
        text = (
            f"step {mine}: at the {_visit(bad, mine)} visit of '{self.program.text(point)}' "
            f"{differs} in the nearest passing execution (its {_visit(good, other)} visit, step {other}); "
            f"from there on both run the same statements with the same outcomes{decides}"
        )
        return Hint("contrast", text, self.program.sources[point], (mine,))

    def _state(self, found: LocatedState, path: Path, step: int) -> Vector:
        """The numeric state before a step of the execution that a state stems from."""
        passed = 0
        for link, points, _ in legs(found.arrival, path.visits[-1].point):
            if step < passed + len(points):
                return self.replay.at(found._replace(arrival=link), points[step - passed])
            passed += len(points)
        raise IndexError(f"the execution has {passed} steps")

    def _difference(
        self, step: int, states: tuple[Vector, Vector], qubits: list[int]
    ) -> tuple[str, str] | None:
        """Which qubits differ, and what was tried with them, in words; None if nothing does that matters.

        Single qubits that decide come first, then two that decide together, then what merely differs.
        """
        names, engine = self.program.qubits, self.replay.engine
        differing: dict[int, list[Differing]] = {}
        for size, verb in SIZES:
            differing[size] = _differing(engine, size, states, qubits)
            for found in differing[size]:
                if self._decides(step, states, found.qubits):
                    tried = f". With that value of {named(names, found.qubits)} this execution passes, too"
                    return _described(names, [found], verb, 1), tried
        for size, verb in SIZES:
            if differing[size]:
                return _described(names, differing[size], verb, NAMED if size == 1 else 1), ""
        if not engine.dense:
            return None
        return "all qubits together have another state, though no two of them do, than", ""

    def _decides(self, step: int, states: tuple[Vector, Vector], qubits: tuple[int, ...]) -> bool:
        """Does the violating execution pass with the passing one's value of these qubits?"""
        engine = self.replay.engine
        others = replaced(engine, *states, qubits)
        if not others:
            return False
        rest = engine.compile(acting_along(self.program, self.violation.path.visits[step:]))
        ends = [engine.run(rest, state) for state in others]
        possible = [end for end in ends if engine.length(end) > POSSIBLE]
        return bool(possible) and all(self.passes(end) for end in possible)


def _visit(path: Path, step: int) -> str:
    """Which visit of its statement a step is."""
    return ordinal(sum(visit.point == path.visits[step].point for visit in path.visits[: step + 1]))


def ordinal(count: int) -> str:
    """The word for a number in a row."""
    if count <= len(ORDINALS):
        return ORDINALS[count - 1]
    ending = "th" if count % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{ending}"


def _described(names: tuple[str, ...], differing: list[Differing], verb: str, most: int) -> str:
    shown = differing[:most]
    mine = [f"{named(names, d.qubits)} {verb} {mixture_text(d.here)}" for d in shown]
    more = f" (and {len(differing) - most} more differ)" if len(differing) > most else ""
    heads = [f"{named(names, d.qubits)} " if len(shown) > 1 else "" for d in shown]
    others = [f"{head}{mixture_text(d.there)}" for head, d in zip(heads, shown, strict=True)]
    return f"{' and '.join(mine)}{more}, but {' and '.join(others)}"


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
