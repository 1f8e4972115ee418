"""Re-checks a solved system edge by edge, apart from the solver.

The claim "sp is this" is checked by its definition: the seeds lie in it, and every image over every edge lies
in the span at the edge's target (a way that is no edge has image zero). The claim "these labels hold" is
checked vector by vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from qismc.fixpoint.propagate import Arrival, Place
from qismc.fixpoint.shadow import Shadow
from qismc.fixpoint.stations import At
from qismc.solve import Solved
from qismc.subspace.engine import Span, Vector
from qismc.subspace.membership import Membership
from qismc.subspace.propositions import Proposition, SpanOf
from qismc.subspace.spanning import covers_all
from qismc.subspace.states import make
from qismc.subspace.trains import TrainEngine
from qismc.system.edges import Application
from qismc.system.explorer import Hop

Labelled = Mapping[tuple[Proposition, int], bool]
"""(proposition, location) -> is it true there, as the labels said."""


class Refuted(Exception):  # noqa: N818 - an outcome of the check
    """A claim of the solver does not stand on this engine."""


class EdgeChecker:
    """Checks the claims about a solved system with the numbers of another exact engine."""

    def __init__(self, solved: Solved, engine: TrainEngine) -> None:
        self._solved = solved
        self._engine = engine
        self._shadow = Shadow(solved.explorer, engine, lambda seed: solved.seeds[seed].vector(engine))
        self._membership = Membership(engine)
        self._spans: dict[At, tuple[Span, list[Vector]]] = {}
        self.evaluated = False
        """Did a label rest on a random evaluation, right but for a chance of about n/p^2?"""

    def check(self, labelled: Labelled) -> None:
        """Raise Refuted at the first claim that fails."""
        places: dict[At, Place] = self._solved.posts.spread.places
        for station, place in places.items():
            self._spans[station] = self._span(place)
        for seed in self._solved.seeds:
            self._require(seed.station, seed.vector(self._engine), "a start")
        for station, place in places.items():
            for arrival in place.arrivals:
                self._check_images(station, arrival)
        for (proposition, index), truth in labelled.items():
            self._check_label(proposition, index, truth)

    def _span(self, place: Place) -> tuple[Span, list[Vector]]:
        span = self._engine.span()
        vectors = [self._shadow.arrived(arrival) for arrival in place.arrivals]
        if not all(span.add(vector) for vector in vectors):
            raise Refuted("independent states became dependent: an unlucky prime")
        return span, vectors

    def _check_images(self, station: At, arrival: Arrival) -> None:
        vector = self._shadow.arrived(arrival)
        for steps, target in self._ways(station):
            image = self._engine.run(self._engine.compile(steps), vector)
            if target is not None:
                self._require(target, image, f"the image over an edge to point {target.point}")
            elif not self._engine.is_zero(image):
                raise Refuted(f"an outcome at point {station.node.last} that should be impossible is not")

    def _ways(self, station: At) -> Iterator[tuple[list[Application], At | None]]:
        """What acts on each way out of a station, and where it leads (None: it must be impossible)."""
        node, point = station
        explorer = self._solved.explorer
        cut = self._solved.posts.next_cut(station)
        if cut is not None:
            yield explorer.gates(point, cut.point), cut
            return
        gates = explorer.gates(point, node.end)
        for hop in node.hops:
            for kraus in _choices(hop):
                reached = hop.taken and hop.target is not None
                target = At(hop.target, hop.target.start) if reached and hop.target is not None else None
                yield [*gates, *kraus], target if target in self._spans else None

    def _require(self, station: At, vector: Vector, what: str) -> None:
        """The vector is a combination of the kept ones: the difference itself is computed and must vanish."""
        if self._engine.is_zero(vector):
            return
        self._require_in(*self._spans[station], vector, what)

    def _require_in(self, span: Span, kept: list[Vector], vector: Vector, what: str) -> None:
        coordinates = span.coordinates(vector)
        if coordinates is None:
            raise Refuted(f"{what} is outside the span")
        rest = self._engine.combine(
            [-self._engine.ring.rational(1), *self._engine.form.numbers(coordinates)], [vector, *kept]
        )
        if not self._engine.is_zero(rest):
            raise Refuted(f"{what} differs from its combination: an unlucky random point")

    def _check_label(self, proposition: Proposition, index: int, truth: bool) -> None:
        node, point = self._solved.system.node_of(index)
        states = [self._shadow.at(found, point) for found in self._solved.posts.at(node, point)]
        inside = all(self._membership.contains(proposition, state) for state in states)
        if truth and not inside:
            raise Refuted(f"a proposition fails at l{index}")
        if not truth and inside and self._solved.pres is None:
            raise Refuted(f"a proposition holds at l{index}")
        if truth:
            self._check_surely(proposition, states, index)

    def _check_surely(self, proposition: Proposition, states: list[Vector], index: int) -> None:
        """Spans on all qubits are compared exactly; other kinds rest on random evaluation."""
        if not isinstance(proposition, SpanOf) or not covers_all(proposition, self._engine.num_qubits):
            self.evaluated = True
            return
        span = self._engine.span()
        kept = [v for v in (make(self._engine, state) for state in proposition.states) if span.add(v)]
        for state in states:
            self._require_in(span, kept, state, f"a state at l{index}")


def _choices(hop: Hop) -> Iterator[tuple[Application, ...]]:
    """One operator of each Kraus family."""
    chosen: list[tuple[Application, ...]] = [()]
    for family in hop.way.families:
        chosen = [(*earlier, operator) for earlier in chosen for operator in family]
    return iter(chosen)
