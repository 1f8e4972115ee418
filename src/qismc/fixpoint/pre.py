"""Weakest pre-conditions, by the adjoint identity.

For a Kraus family K the pre-image is  K^-1(X) = { v : K_i v in X for all i } = ( K^dagger (X^perp) )^perp.
So the greatest solution of  wp(l) = A(l) /\\ meet of the pre-images of wp over the edges l -> k  has the
complement  wp(l)^perp = span( A(l)^perp, images of wp(k)^perp under the adjoint operators ): a least fixed
point on the reversed graph, computed by the same routine as sp.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from qismc.common.lazily import cached_method
from qismc.engines import Block, Engine, Vector
from qismc.fixpoint.arrivals import Cuts
from qismc.fixpoint.propagate import Families, Spread, WaysOut
from qismc.limits import Budget
from qismc.system import Application, At, Explorer, Hop, Node


class Pres:
    """wp of every location, kept as spanning vectors of its orthocomplement.

    These flow over the finished system with its edges turned round and adjoint operators.
    """

    def __init__(
        self,
        explorer: Explorer,
        nodes: Iterable[Node],
        engine: Engine,
        budget: Budget,
        cut_points: Iterable[int],
    ) -> None:
        self.engine = engine
        self._explorer = explorer
        self._cuts = Cuts(cut_points)
        self.spread = Spread(engine, budget, self)
        self._prefixes: dict[At, Block | None] = {}
        self._incoming: dict[Node | None, list[Hop]] = {}
        for hop in (hop for node in nodes for hop in node.hops if hop.taken):
            self._incoming.setdefault(hop.target, []).append(hop)

    def leave(self, station: At) -> WaysOut:
        node, point = station
        cut = self._cuts.before(node, point)
        if station not in self._prefixes:
            gates = adjoint(self._explorer.gates(node.start if cut is None else cut.point, point))
            self._prefixes[station] = self.engine.compile(gates) if gates else None
        if cut is not None:
            return self._prefixes[station], (cut,), ()
        ways = self._incoming.get(node, ())
        return self._prefixes[station], ways, [self.families(way) for way in ways]

    @cached_method
    def families(self, way: Hop | At) -> Families:
        return () if isinstance(way, At) else tuple(self._adjoint(way))

    def _adjoint(self, hop: Hop) -> Iterator[tuple[Block, ...]]:
        for family in reversed(hop.way.families):
            yield tuple(self.engine.compile(adjoint([a])) for a in family)
        last = adjoint(self._explorer.gates(hop.source.last, hop.source.end))
        if last:
            yield (self.engine.compile(last),)

    def arrive(self, way: Hop | At) -> At:
        return way if isinstance(way, At) else At(way.source, way.source.last)

    def complement(self, node: Node, point: int) -> list[Vector]:
        """Vectors that span wp(l)^perp."""
        station = self._cuts.station_at_or_after(node, point)
        vectors = [arrival.vector for arrival in self.spread.arrivals(station)]
        gates = adjoint(self._explorer.gates(point, station.point))
        if not gates or not vectors:
            return vectors
        block = self.engine.compile(gates)
        return self.engine.run_all(block, vectors)


def adjoint(applications: Iterable[Application]) -> list[Application]:
    """The adjoint of a product: adjoint operators in reverse order."""
    return [Application(a.operator.adjoint, a.qubits) for a in reversed(list(applications))]
