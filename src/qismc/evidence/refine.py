"""Verdicts that rest on paths which no execution was found to take: decided on the states themselves.

The graph of locations forgets which states took which way. So locations are split by the states that
executions have there, a few, then more, until the formula must hold or cannot hold for executions.

The graph of locations, split by the states that executions really have there.

A *ray* is a state that some execution has at a station, up to a factor. Whatever leaves a ray is decided by
the state alone, so every path among rays is an execution; there may be infinitely many, and only so many are
told apart. Where they end, the locations of the solved system take over, which stand for all states in sp:
their edges are all possible, and certain if an operator of the edge sends no state of sp to zero.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
import numpy.typing as npt

from qismc.common.lazily import cached_property
from qismc.ctl import Bounds, Graph, Labels, Mask, PartialEvaluation
from qismc.engines import Directions, Vector, directions, through
from qismc.errors import LimitReached, Undecided
from qismc.evidence.explaining import explain
from qismc.evidence.proof import Evidence, is_timeless
from qismc.evidence.states import work_of
from qismc.fixpoint import Blocks, Solved, Starts
from qismc.language import Formula, Probability, to_text
from qismc.limits import Effort
from qismc.probability import Chances
from qismc.system import At, Hop

Edge = tuple[int, int]


@dataclass(eq=False)
class Ray:
    """A state at a station; its locations up to the next station have consecutive numbers from `first`."""

    station: At
    vector: Vector
    first: int
    size: int

    @property
    def last(self) -> int:
        return self.first + self.size - 1


@dataclass
class Unfolding:
    """Numbers 0 .. n-1 are the locations of the system, then come `root` and the rays, at last `nowhere`."""

    solved: Solved
    effort: Effort
    most: int
    """So many rays are told apart."""
    rays: list[Ray] = field(default_factory=list)
    complete: bool = True
    """Are all states of all executions among the rays?"""
    _by_station: dict[At, tuple[Directions, list[Ray]]] = field(default_factory=dict)
    """The rays at each station, by the numbers of their directions."""
    _certain: list[Edge] = field(default_factory=list)
    _possible: list[Edge] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._starts = Starts(self.solved, self.solved.engine)
        self._blocks = Blocks(self.solved.engine)
        self._count = self.solved.system.num_locations
        self.root = self._number([0])
        self._unfold()
        if not self.complete:
            self._certain += self._kept_by_all()
        self.nowhere = self._number([0])

    def _number(self, places: list[int]) -> int:
        """New numbers for copies of locations."""
        first = self._count
        self._places += places
        self._count += len(places)
        return first

    # --- rays ---

    def _unfold(self) -> None:
        numbers = self._starts.at_entry()
        pending: deque[Ray] = deque()
        for number in numbers:
            self._leave(self.root, self.solved.explorer.start, self._starts.vector(number), 1, pending)
        if len(numbers) > 1:  # superpositions of the starts are starts
            self.complete = False
            self._possible += [
                (self.root, target) for source, target in self.solved.system.edges if source == 0
            ]
        while pending:
            ray = pending.popleft()
            self.effort.spend(work_of(self.solved.engine, ray.size, [ray.vector]))
            self._certain += [(k, k + 1) for k in range(ray.first, ray.last)]
            self._leave(ray.last, ray.station, ray.vector, ray.size, pending)

    def _leave(self, source: int, station: At, vector: Vector, size: int, pending: deque[Ray]) -> None:
        """Edges from `source`, the last of `size` locations that a state passes from its station on."""
        node, point = station
        cut = self.solved.posts.cuts.after(*station)
        end = node.end if cut is None else cut.point
        following = At(node, point + size)
        state = self._behind(point, min(following.point, end), vector)
        if following.point < end:  # the root is a single location: the rest of its run is a ray of its own
            self._arrive(source, following, state, pending)
        elif cut is not None:
            self._arrive(source, cut, state, pending)
            self._join_annotation(source, cut, pending)
        else:
            for hop, image in self._images(node.hops, state):
                assert hop.target is not None
                target = At(hop.target, hop.target.start)
                self._arrive(source, target, image, pending)
                self._join_annotation(source, target, pending)

    def _behind(self, first: int, last: int, vector: Vector) -> Vector:
        """The state at a later point of the same run of gates."""
        gates = self._blocks.stretch(self.solved.explorer, first, last)
        return vector if gates is None else through(self.solved.engine, gates, [vector])[0]

    def _images(self, hops: list[Hop], state: Vector) -> Iterator[tuple[Hop, Vector]]:
        engine = self.solved.engine
        for hop in hops:
            if not hop.taken:
                continue
            for kraus in product(*hop.way.families):
                image = engine.run(self._blocks.short(kraus), state) if kraus else state
                if not engine.is_zero(image):
                    yield hop, image

    def _join_annotation(self, source: int, station: At, pending: deque[Ray]) -> None:
        """At an annotated place an execution may go on from any state of the annotation instead."""
        for number, seed in enumerate(self.solved.seeds):
            if seed.annotated and seed.station == station:
                self._arrive(source, station, self._starts.vector(number), pending)
                self._possible.append((source, self.solved.system.index(*station)))
                self.complete = False

    def _arrive(self, source: int, station: At, vector: Vector, pending: deque[Ray]) -> None:
        if station not in self._by_station:
            self._by_station[station] = directions(self.solved.engine), []
        known, rays = self._by_station[station]
        number = known.number(vector, new=len(self.rays) < self.most)
        if number is None:
            self.complete = False
            self._certain.append((source, self.solved.system.index(*station)))
            return
        if number == len(rays):
            rays.append(self._new(station, vector))
            pending.append(rays[-1])
        self._certain.append((source, rays[number].first))

    def _new(self, station: At, vector: Vector) -> Ray:
        cut = self.solved.posts.cuts.after(*station)
        size = (station.node.end if cut is None else cut.point) - station.point
        place = self.solved.system.index(*station)
        ray = Ray(station, vector, self._number(list(range(place, place + size))), size)
        self.rays.append(ray)
        return ray

    # --- locations of the system ---

    def _kept_by_all(self) -> Iterator[Edge]:
        """The edges of the system that every state of sp can take."""
        system = self.solved.system
        for node in system.nodes:
            last = system.index(node, node.last)
            yield from ((k, k + 1) for k in range(system.first(node), last))
            states = [found.vector for found in self.solved.posts.at(node, node.last)]
            for hop in node.hops:
                if hop.taken and hop.target is not None and states and self._is_kept(node.last, hop, states):
                    yield last, system.first(hop.target)

    def _is_kept(self, point: int, hop: Hop, states: list[Vector]) -> bool:
        """Is one of the hop's operators injective on the span of independent states?"""
        engine = self.solved.engine
        gates = self.solved.explorer.gates(point, hop.source.end)
        for kraus in product(*hop.way.families):
            self.effort.spend(work_of(engine, len(gates) + len(kraus), states))
            block, span = engine.compile([*gates, *kraus]), engine.span()
            images = (engine.run(block, state) for state in states)
            if all(not engine.is_zero(image) and span.add(image) for image in images):
                return True
        return False

    # --- states ---

    def state(self, number: int) -> Vector | None:
        """The state that a number stands for; None where it stands for all states of sp."""
        k = bisect_right(self._firsts, number) - 1
        if k < 0 or number > self.rays[k].last:
            return None
        ray = self.rays[k]
        return self._behind(ray.station.point, ray.station.point + number - ray.first, ray.vector)

    @cached_property
    def _firsts(self) -> list[int]:
        return [ray.first for ray in self.rays]

    # --- graphs ---

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """The location of the system that each number stands for."""
        return np.array([*range(self.solved.system.num_locations), *self._places], dtype=np.int64)

    @cached_property
    def certain(self) -> Graph:
        """Edges that every execution that is at their source can take, or else to nowhere."""
        edges = set(self._certain)
        stuck = set(range(self._count)) - {source for source, _ in edges}
        return self._graph(edges | {(k, self.nowhere) for k in stuck})

    @cached_property
    def possible(self) -> Graph:
        """All edges that executions can take, from the root on."""
        edges = {*self._certain, *self._possible, *self.solved.system.edges, (self.nowhere, self.nowhere)}
        return self._graph(edges)

    def _graph(self, edges: set[Edge]) -> Graph:
        ordered = np.array(sorted(edges), dtype=np.int64)
        return Graph.from_edges(self._count, ordered[:, 0], ordered[:, 1], self.root)


STATES = (0, 64, 1024)
"""So many states of executions are told apart, in turn; at first none: a location stands for all in sp."""
MOST_WORK = 3e9
"""Scalar operations after which telling states apart is given up."""
NOT_WORTH_IT = "more effort than telling executions apart is worth"


class NoExecution(Undecided):
    """The graph has a path that decides a formula, but no execution is known to take such a path."""

    kind = "path"


@dataclass(frozen=True)
class Refined:
    """The verdict for executions, and evidence for it in terms of locations."""

    holds: bool
    evidence: Evidence
    _unfolding: Unfolding
    _numbers: dict[int, int]

    def proves(self, claim: Evidence, state: Vector) -> bool:
        """Was a part of the evidence established for this state at its location?"""
        known = self._unfolding.state(self._numbers[id(claim)])
        return known is None or self._unfolding.solved.engine.aligned(known, state)


@dataclass
class Refiner:
    """Decides formulas about the executions of one solved system."""

    _solved: Solved
    _labels: Labels
    _chances: Chances
    _unfoldings: dict[int, Unfolding] = field(default_factory=dict)
    _evaluations: dict[int, PartialEvaluation] = field(default_factory=dict)

    def decide(self, formula: Formula, holds: bool) -> Refined:
        """The truth of a formula for executions; `holds` is what the graph says."""
        told, reason = 0, ""
        for most in STATES:
            try:
                unfolding = self._unfolding(most)
            except LimitReached as limit:
                reason = f" ({limit.reason})"
                break
            evaluation = self._evaluation(most)
            told = len(unfolding.rays)
            for truth in (True, False):
                if evaluation.says(formula, truth, unfolding.root):
                    numbers: dict[int, int] = {}
                    evidence = _located(explain(formula, evaluation), unfolding, numbers)
                    return Refined(truth, evidence, unfolding, numbers)
            if unfolding.complete:
                break
        raise self.open(formula, holds, f", and telling {told} states apart did not decide it{reason}")

    def open(self, formula: Formula, holds: bool, tried: str = "") -> NoExecution:
        """What is said of a formula that no execution is known to decide."""
        return NoExecution(
            f"the graph of locations says that {to_text(formula)} is {str(holds).lower()}, but no execution "
            f"is known to take the path that it rests on{tried}",
            hint="measure into bits that are not overwritten, or ask the graph with paths='all'",
        )

    def _unfolding(self, most: int) -> Unfolding:
        if most not in self._unfoldings:
            self._unfoldings[most] = Unfolding(self._solved, Effort(MOST_WORK, NOT_WORTH_IT), most)
        return self._unfoldings[most]

    def _evaluation(self, most: int) -> PartialEvaluation:
        unfolding = self._unfolding(most)

        def atoms(atom: Formula, where: Mask) -> Bounds:
            asked = np.zeros(self._solved.system.num_locations, dtype=bool)
            asked[unfolding.places[where]] = True
            if isinstance(atom, Probability) and not is_timeless(atom):
                must, may = self._chance(atom, asked)
                return Bounds(must[unfolding.places], may[unfolding.places])
            truth = self._labels(atom, asked)[unfolding.places]
            return Bounds(truth, truth)

        if most not in self._evaluations:
            self._evaluations[most] = PartialEvaluation(
                unfolding.certain, unfolding.possible, unfolding.nowhere, atoms, self._labels.cost
            )
        return self._evaluations[most]

    # --- probabilities of paths on which others are spoken of ---

    def knows_labels(self, formula: Probability) -> bool:
        """Is the truth of what a path speaks of the same for all states at a location, at every one?"""
        return all(np.array_equal(*self._everywhere(part)) for part in formula.operands)

    def _chance(self, formula: Probability, where: Mask) -> Bounds:
        """The truth at the locations of `where`: probabilities grow with what is true on the way."""
        if formula.bound == "=?":
            return Bounds(np.full_like(where, self.knows_labels(formula)), np.ones_like(where))
        least, most = (chances(formula, where) for chances in self._ends)
        return Bounds(least & most, least | most)

    @cached_property
    def _ends(self) -> tuple[Chances, Chances]:
        """Probabilities where what must hold is all that does, and where all does that may."""
        ask = self._chances.asking
        return ask(lambda part: self._everywhere(part).must), ask(lambda part: self._everywhere(part).may)

    def _everywhere(self, formula: Formula) -> Bounds:
        """By location, for all states that can be there."""
        must, may = self._evaluation(STATES[0]).bounds(formula)
        size = self._solved.system.num_locations
        return Bounds(must[:size], may[:size])


def _located(evidence: Evidence, unfolding: Unfolding, numbers: dict[int, int]) -> Evidence:
    """The same evidence, told by the locations of the system; `numbers` keeps where each part began."""
    steps = tuple(int(unfolding.places[k]) for k in evidence.steps)
    children = tuple((place, _located(child, unfolding, numbers)) for place, child in evidence.children)
    located = replace(evidence, steps=steps, children=children)
    numbers[id(located)] = evidence.location
    return located
