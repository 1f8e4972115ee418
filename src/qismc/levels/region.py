"""The control graph over program points: where vectors are kept, and the acyclic regions between.

*Stations* are the entry, the heads of loops and the points where loops are left. A region holds the points
that a station reaches without passing another one; in it control never comes back, so each point is decided
by the branches in front of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from qismc.common.graphs import strong_components
from qismc.program import Leaf, Program
from qismc.system import successors

Decision = tuple[int, int]
"""The branch at a point goes to its k-th successor."""
Decisions = tuple[Decision, ...]
Guard = frozenset[Decisions]
"""Alternatives that exclude each other: control comes here iff all decisions of one of them are taken."""
ALWAYS: Guard = frozenset({()})


@dataclass(frozen=True)
class Region:
    """Points in an order in which control goes forwards, each with its guard; exits lead to stations."""

    station: int
    points: tuple[int, ...]
    guards: dict[int, Guard]
    exits: dict[int, Guard]


@dataclass
class ControlGraph:
    """Points and their successors; `component[p]` numbers the strongly connected component of p."""

    program: Program
    following: dict[int, tuple[int, ...]] = field(default_factory=dict)
    component: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    stations: frozenset[int] = frozenset()
    arriving: dict[int, set[int]] = field(default_factory=dict)
    """The stations from which control comes to a station."""
    _regions: dict[int, Region] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._explore()
        self._components()
        self.stations = frozenset(self._stations())
        self.arriving = {station: set() for station in self.stations}
        for station in self.stations:
            self._regions[station] = self._region(station)
            for target in self._regions[station].exits:
                self.arriving[target].add(station)

    def region(self, station: int) -> Region:
        """The acyclic region that a station opens."""
        return self._regions[station]

    @property
    def num_edges(self) -> int:
        return sum(map(len, self.following.values()))

    def in_loop(self, point: int) -> bool:
        """Can control come back to the point? (The end, which it never leaves, does not count.)"""
        members = self.members[self.component[point]]
        return len(members) > 1 or (point in self.following[point] and not self._is_leaf(point))

    @property
    def is_acyclic(self) -> bool:
        return not any(self.in_loop(point) for point in self.following)

    def _is_leaf(self, point: int) -> bool:
        return isinstance(self.program.code[point], Leaf)

    def _explore(self) -> None:
        pending = [self.program.entry]
        for point in pending:
            if point not in self.following:
                self.following[point] = successors(self.program, point)
                pending += self.following[point]

    def _components(self) -> None:
        for name, part in enumerate(strong_components(list(self.following), self.following.__getitem__)):
            self.members[name] = part
            self.component.update(dict.fromkeys(part, name))

    def _stations(self) -> Iterable[int]:
        yield self.program.entry
        yield from self._turned_back_to()
        for point, targets in self.following.items():
            if self.in_loop(point):
                yield from (t for t in targets if self.component[t] != self.component[point])

    def _turned_back_to(self) -> Iterable[int]:
        """Targets of edges that go back in a depth-first search: every cycle passes one of them."""
        for point, target in depth_first(self.program.entry, self.following.__getitem__):
            if target is not None and not (target == point and self._is_leaf(point)):
                yield target

    # --- regions -----------------------------------------------------------------------------------------

    def _region(self, station: int) -> Region:
        points = self._forwards(station)
        arriving: dict[int, list[Decisions]] = {point: [] for point in points}
        leaving: dict[int, list[Decisions]] = {}
        arriving[station] = [()]
        guards: dict[int, Guard] = {}
        for point in points:
            guards[point] = self._simplified(arriving[point])
            targets = self.following[point]
            for k, target in enumerate(targets):
                step: Decisions = ((point, k),) if len(targets) > 1 else ()
                chains = [(*chain, *step) for chain in guards[point]]
                if target in self.stations:
                    leaving.setdefault(target, []).extend(chains)
                elif target != point:
                    arriving[target] += chains
        exits = {target: self._simplified(chains) for target, chains in leaving.items()}
        return Region(station, points, guards, exits)

    def _forwards(self, station: int) -> tuple[int, ...]:
        """The points of the region, each behind all that lead to it."""

        def inside(point: int) -> list[int]:
            return [target for target in reversed(self.following[point]) if target not in self.stations]

        left = [point for point, target in depth_first(station, inside) if target is None]
        return tuple(reversed(left))

    def _simplified(self, chains: Iterable[Decisions]) -> Guard:
        """Where every way out of a branch leads here, the branch does not matter."""
        left = set(chains)
        pending = sorted(left, key=len, reverse=True)
        for chain in pending:
            if chain not in left or not chain:
                continue
            *front, (point, _) = chain
            siblings = [(*front, (point, k)) for k in range(len(self.following[point]))]
            if all(sibling in left for sibling in siblings):
                left.difference_update(siblings)
                left.add(tuple(front))
                # its turn comes with its length: the list is being walked from long to short
                turn = bisect_left(pending, -len(front), key=lambda other: -len(other))
                pending.insert(turn, tuple(front))
        return frozenset(left)


def depth_first(start: int, following: Callable[[int], Iterable[int]]) -> Iterator[tuple[int, int | None]]:
    """A depth-first search: (point, None) when a point is left, (point, target) for an edge back."""
    open_now: dict[int, bool] = {start: True}
    work = [(start, iter(following(start)))]
    while work:
        point, rest = work[-1]
        for target in rest:
            if target not in open_now:
                open_now[target] = True
                work.append((target, iter(following(target))))
                break
            if open_now[target]:
                yield point, target
        else:
            open_now[point] = False
            work.pop()
            yield point, None
