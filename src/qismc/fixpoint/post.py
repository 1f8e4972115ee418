"""Strongest post-conditions: sp(l) is the span of all states that can arrive at l."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from qismc.engines import WORTH, Block, Engine, LongRun, Vector, through
from qismc.fixpoint.arrivals import Arrival, Cuts, Memory
from qismc.fixpoint.propagate import Families, Spread, WaysOut
from qismc.limits import Budget
from qismc.program import Apply
from qismc.system import LONG, Application, At, Explorer, Family, Hop, Node

ActingGate = Apply | Application
OperatorKey = tuple[tuple[int, tuple[int, ...]], ...]
"""Operators by their identity, and their qubits."""
LONGEST_BLOCK = 256
"""Most operators along one execution that are compiled together."""
KEPT_STRETCHES = 1 << 11
"""Largest number of compiled stretches that are kept, the latest ones."""


UNKNOWN = object()
"""What is not compiled yet."""


class Blocks:
    """Compiled operators by where they stand: stores share them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stretches: dict[tuple[int, int], Block | LongRun | None] = {}
        self._short: dict[OperatorKey, tuple[Sequence[ActingGate], Block]] = {}

    def stretch(self, explorer: Explorer, first: int, last: int) -> Block | LongRun | None:
        """The gates at the points first <= p < last; None if there are none."""
        if last - first == 1 and type(explorer.program.code[first]) is not Apply:  # as at branches
            return None
        key = first, last
        found = self._stretches.get(key, UNKNOWN)
        if found is UNKNOWN:
            if len(self._stretches) == KEPT_STRETCHES:
                self._stretches = dict(list(self._stretches.items())[KEPT_STRETCHES // 2 :])
            found = self._stretches[key] = self._compiled(explorer, first, last)
        return found

    def _compiled(self, explorer: Explorer, first: int, last: int) -> Block | LongRun | None:
        if last - first < LONG:
            gates = [s for s in explorer.program.code[first:last] if type(s) is Apply]
            return self.short(gates) if gates else None
        stretch = explorer.gates(first, last)
        if last - first >= WORTH:
            return LongRun(self._engine, stretch)
        return self._engine.compile(stretch) if stretch else None

    def short(self, gates: Sequence[ActingGate]) -> Block:
        """A few operators, which recur in unrolled loops."""
        key = tuple([(id(operator), qubits) for operator, qubits in gates])
        known = self._short.get(key)
        if known is None:  # the operators are kept, so that no other ones get their identity
            block = self._engine.compile([Application(*gate) for gate in gates])
            known = self._short[key] = gates, block
        return known[1]


class Images:
    """The vectors of arrivals, each from that of its parent; those of seeds by their numbers."""

    def __init__(self, explorer: Explorer, engine: Engine, start: Callable[[int], Vector]) -> None:
        self._explorer = explorer
        self._engine = engine
        self._start = start
        self._blocks = Blocks(engine)

    def __call__(self, arrival: Arrival, before: Vector | None) -> Vector:
        if arrival.parent is None:
            return self._start(arrival.seed or 0)
        first, last, chosen = _passed(arrival.parent, arrival)
        prefix = self._blocks.stretch(self._explorer, first, last)
        vector = before if prefix is None else through(self._engine, prefix, [before])[0]
        if not chosen:
            return vector
        block = self._blocks.short(chosen) if len(chosen) == 1 else self._engine.compile(chosen)
        return self._engine.run(block, vector)


def _passed(parent: Arrival, arrival: Arrival) -> tuple[int, int, list[ActingGate]]:
    """What acts between two arrivals: the gates at points first <= p < last, then these Kraus operators."""
    (node, point), way = parent.station, arrival.way
    if isinstance(way, At):
        return point, way.point, []
    return point, node.end, [family[k] for family, k in zip(way.way.families, arrival.choices, strict=True)]


class ExecutionMemory(Memory):
    """The vectors of the arrivals of one execution.

    Few of them are asked for, so that all operators between two of these are compiled together: a block for
    each arrival takes longer.
    """

    def __init__(self, explorer: Explorer, engine: Engine, start: Callable[[int], Vector]) -> None:
        super().__init__(engine, Images(explorer, engine, start))
        self._explorer = explorer
        self._engine = engine

    def _again(self, arrival: Arrival) -> Vector:
        parts: list[list[Application]] = []
        here = arrival
        while here not in self.held and here.parent is not None:
            first, last, chosen = _passed(here.parent, here)
            parts.append([*self._explorer.gates(first, last), *(Application(*gate) for gate in chosen)])
            here = here.parent
        vector = self.vector(here) if here in self.held else self._image(here, None)
        gates = [gate for part in reversed(parts) for gate in part]
        for k in range(0, len(gates), LONGEST_BLOCK):
            vector = self._engine.run(self._engine.compile(gates[k : k + LONGEST_BLOCK]), vector)
        self.hold(arrival, vector)
        self.leave(arrival)
        return vector


class LocatedState(NamedTuple):
    """A state at a location, and the arrival at the last station before it."""

    vector: Vector
    arrival: Arrival


class Posts:
    """sp of every location, from the vectors kept at stations.

    A hop becomes an edge of the system when a vector goes through it.
    """

    def __init__(
        self, explorer: Explorer, engine: Engine, budget: Budget, cut_points: Iterable[int] = ()
    ) -> None:
        self.engine = engine
        self._explorer = explorer
        self.cuts = Cuts(cut_points)
        self.spread = Spread(engine, budget, self)
        self._blocks = Blocks(engine)
        self._compiled: dict[int, tuple[tuple[Family, ...], Families]] = {}
        """By the identity of what stores have in common, which is kept so that nothing else gets it."""

    # --- the flow: control goes forwards ---

    def leave(self, station: At) -> WaysOut:
        node, point = station
        cut = self.cuts.after(node, point)
        if cut is not None:
            return self._blocks.stretch(self._explorer, point, cut.point), (cut,), ()
        hops = node.hops
        acting = [self.families(hop) for hop in hops] if hops and hops[0].way.families else ()
        return self._blocks.stretch(self._explorer, point, node.end), hops, acting

    def families(self, way: Hop | At) -> Families:
        families = () if isinstance(way, At) else way.way.families
        if not families:
            return ()
        known = self._compiled.get(id(families))
        if known is None:
            blocks = tuple(tuple(self._blocks.short((a,)) for a in family) for family in families)
            known = self._compiled[id(families)] = families, blocks
        return known[1]

    def arrive(self, way: Hop | At) -> At:
        if isinstance(way, At):
            return way
        way.taken = True
        target = self._explorer.target(way)
        return At(target, target.start)

    # --- what arrives ---

    def walk(self, node: Node, points: Iterable[int]) -> Iterator[tuple[int, list[LocatedState]]]:
        """For ascending points of a node: the vectors that span sp, each with the arrival it stems from."""
        station, found = At(node, -1), list[LocatedState]()
        for point in points:
            begin = self.cuts.station_at_or_before(node, point)
            if begin.point > station.point:
                station, found = begin, [LocatedState(a.vector, a) for a in self.spread.arrivals(begin)]
            gates = self._blocks.stretch(self._explorer, station.point, point) if found else None
            if gates is not None:
                images = through(self.engine, gates, [vector for vector, _ in found])
                found = [
                    LocatedState(image, arrival) for image, (_, arrival) in zip(images, found, strict=True)
                ]
            station = At(node, point)
            yield point, found

    def at(self, node: Node, point: int) -> list[LocatedState]:
        """The vectors that span sp at one location."""
        return next(self.walk(node, (point,)))[1]

    def dimension(self, node: Node, point: int) -> int:
        """dim sp; gates in between are unitary and keep it."""
        return len(self.spread.arrivals(self.cuts.station_at_or_before(node, point)))
