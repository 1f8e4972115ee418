"""The transition system that a certificate claims: every edge and every kept vector is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from qismc.common.lazily import cached_property
from qismc.program import Apply, Branch, Goto, Leaf, Mark, Program
from qismc.verifier.certificate import Certificate, Origin, Place
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.steps import WayOut, reads_and_writes, ways
from qismc.verifier.subspaces import State
from qismc.verifier.vectors import Arena, Echelon, Tally, Vector

MOST_LOCATIONS = 1 << 19
"""More points of places are not looked at."""


class System:
    """The claimed places of a program, over one number system and its conjugate."""

    def __init__(
        self, program: Program, certificate: Certificate, arenas: tuple[Arena, Arena], tally: Tally
    ) -> None:
        self.program = program
        self.places = certificate.places
        self._all_paths = certificate.paths == "all"
        self._arenas = arenas
        self._tally = tally
        self._check_shape()
        self._ways = [ways(program, place.end - 1, place.store) for place in self.places]
        self._vectors: dict[tuple[int, int], State] = {}

    # --- the graph ---------------------------------------------------------------------------------------

    def _check_shape(self) -> None:
        if not self.places or self.places[0].start != self.program.entry:
            raise Refused("the first place is not the start of the program")
        if self.places[0].store != self.program.initial_store & self.places[0].live:
            raise Refused("the first place has another store than the program starts with")
        if sum(max(0, place.end - place.start) for place in self.places) > MOST_LOCATIONS:
            raise NotChecked(f"more than {MOST_LOCATIONS} locations")
        for number, place in enumerate(self.places):
            self._check_run(number, place)
        covered = [(point, place.store) for place in self.places for point in range(place.start, place.end)]
        if len(set(covered)) < len(covered):  # its states would be spread over several
            raise Refused("a location occurs twice")

    def _check_run(self, number: int, place: Place) -> None:
        code = self.program.code
        if not 0 <= place.start < place.end <= len(code):
            raise Refused(f"place {number} has points that the program has not")
        if place.live >> self.program.store_width:
            raise Refused(f"place {number} has bits that the program has not")
        if place.store & ~place.live:
            raise Refused(f"place {number} remembers bits that it says are forgotten")
        for point in range(place.start, place.end - 1):
            if not isinstance(code[point], Apply | Mark) or self.program.settle(point + 1) != point + 1:
                raise Refused(f"place {number} is no straight run: point {point}")

    def check_edges(self) -> None:
        """Every way out leads where the program says, and bits are forgotten only where nobody reads them."""
        for number, place in enumerate(self.places):
            reads, writes = reads_and_writes(self.program.code[place.end - 1])
            if reads & ~place.live:
                raise Refused(f"place {number} forgot a bit that its last statement reads")
            if len(place.ways) != len(self._ways[number]):
                raise Refused(f"place {number} has {len(self._ways[number])} ways out")
            for way, target in zip(self._ways[number], place.ways, strict=True):
                if target is not None:
                    self._check_target(number, way, target, place.live | writes)

    def _check_target(self, number: int, way: WayOut, target: int, known: int) -> None:
        if not 0 <= target < len(self.places):
            raise Refused(f"an edge of place {number} leads nowhere")
        there = self.places[target]
        if (there.start, there.store) != (way.point, way.store & there.live):
            raise Refused(f"an edge leads from place {number} to place {target}, the program goes elsewhere")
        if there.live & ~known:
            raise Refused(f"place {target} remembers a bit that place {number} forgot")

    # --- vectors -----------------------------------------------------------------------------------------

    def check_vectors(self, starts: Sequence[State]) -> None:
        """sp is what is claimed: kept vectors come from executions, and all images lie in their spans."""
        self._recompute(starts)
        spans = [self._span(number) for number in range(len(self.places))]
        if not all(spans[0].contains(state.vector) for state in starts):
            raise Refused("a start is outside of the span at the first place")
        for number, place in enumerate(self.places):
            for way, target in zip(self._ways[number], place.ways, strict=True):
                self._check_images(number, way, None if target is None else spans[target])

    def _recompute(self, starts: Sequence[State]) -> None:
        """Every vector from its origin, in an order such that parents come first."""
        for number, place in enumerate(self.places):
            for k in range(len(place.vectors)):
                chain = {(number, k): None}
                while chain and (number, k) not in self._vectors:
                    key = next(reversed(chain))
                    parent = self._parent(key, len(starts))
                    if parent is None or parent in self._vectors:
                        self._vectors[key] = self._made(key, starts)
                        self._tally.keep(2 * len(self._vectors[key].vector.entries))
                        del chain[key]
                    elif parent in chain:
                        raise Refused(f"a vector of place {number} comes from itself")
                    else:
                        chain[parent] = None

    def _parent(self, key: tuple[int, int], starts: int) -> tuple[int, int] | None:
        number, k = key
        origin = self.places[number].vectors[k]
        if origin.start is not None:
            if number or not 0 <= origin.start < starts:
                raise Refused(f"a vector of place {number} is no start")
            return None
        if not 0 <= origin.place < len(self.places):
            raise Refused(f"a vector of place {number} comes from nowhere")
        place = self.places[origin.place]
        known = 0 <= origin.number < len(place.vectors) and 0 <= origin.way < len(place.ways)
        if not known or place.ways[origin.way] != number:
            raise Refused(f"a vector of place {number} comes over an edge that leads elsewhere")
        return origin.place, origin.number

    def _made(self, key: tuple[int, int], starts: Sequence[State]) -> State:
        number, k = key
        origin = self.places[number].vectors[k]
        if origin.start is not None:
            return starts[origin.start]
        parent = self._vectors[origin.place, origin.number]
        return self._both(parent, lambda arena, vector: self._image(arena, origin, vector))

    def _both(self, state: State, act: Callable[[Arena, Vector], Vector]) -> State:
        """What becomes of a state, and of the image of its conjugate."""
        both = zip(self._arenas, (state.vector, state.conjugated), strict=True)
        return State(*(act(arena, vector) for arena, vector in both))

    def _image(self, arena: Arena, origin: Origin, vector: Vector) -> Vector:
        place, way = self.places[origin.place], self._ways[origin.place][origin.way]
        if not way.has(origin.choices):
            raise Refused(f"a vector comes by operators that point {place.end - 1} does not have")
        vector = self._through(arena, vector, place.start, place.end)
        return self._acted(arena, way, origin.choices, vector)

    def _acted(self, arena: Arena, way: WayOut, choice: tuple[int, ...], vector: Vector) -> Vector:
        for operator, qubits in way.actions(choice):
            vector = arena.apply(operator, qubits, vector)
        return vector

    def _through(self, arena: Arena, vector: Vector, first: int, last: int) -> Vector:
        """The image under the gates at the points first <= p < last."""
        self._tally.spend(last - first)
        for statement in self.program.code[first:last]:
            if isinstance(statement, Apply):
                vector = arena.apply(statement.operator, statement.qubits, vector)
        return vector

    def _span(self, number: int) -> Echelon:
        span = Echelon(self._arenas[0].ring.p, self._tally)
        for k in range(len(self.places[number].vectors)):
            if not span.add(self._vectors[number, k].vector):
                raise Refused(f"the vectors of place {number} depend on each other")
        self._tally.keep(span.size)
        return span

    def _check_images(self, number: int, way: WayOut, span: Echelon | None) -> None:
        place, arena = self.places[number], self._arenas[0]
        some = False
        for k in range(len(place.vectors)):
            ready = self._through(arena, self._vectors[number, k].vector, place.start, place.end)
            for choice in way.choices():
                image = self._acted(arena, way, choice, ready)
                self._tally.spend(len(image.entries))
                self._tally.asked(1, image.weight)
                some = some or bool(image)
                if image and (span is None or not span.contains(image)):
                    what = "an impossible outcome is possible" if span is None else "an image is outside"
                    raise Refused(f"{what} at point {place.end - 1} of place {number}")
        if self._all_paths and span is None:
            raise Refused(f"a way out of place {number} is left out, although paths=all")
        if span is not None and not some and not self._all_paths:
            raise Refused(f"an edge of place {number} carries no state")

    @property
    def arena(self) -> Arena:
        return self._arenas[0]

    @cached_property
    def weight(self) -> float:
        """A bound on the bits of every determinant of rows of coordinates, for chains without repetition."""
        kept = [state.vector.weight for state in self._vectors.values()]
        vectors = len(kept) + 1
        step = max((v.weight for k in range(len(self.places)) for _, v in self._leaving(k)), default=0.0)
        return 2 * vectors * (sum(kept) + vectors * (step + 1))

    def _leaving(self, number: int) -> Iterator[tuple[int, Vector]]:
        """The images of a vector without weight: what they weigh, the step weighs."""
        vectors = [Vector(s.vector.entries) for s in self.states(number, self.places[number].start)]
        start = self.places[number].start
        return ((t, v) for t, images in self.images(number, start, vectors) for v in images)

    def images(
        self, number: int, point: int, vectors: Sequence[Vector]
    ) -> Iterator[tuple[int, list[Vector]]]:
        """For each edge and each choice of its operators: where it leads, and the images of vectors."""
        place = self.places[number]
        ready = [self._through(self.arena, vector, point, place.end) for vector in vectors]
        for way, target in zip(self._ways[number], place.ways, strict=True):
            for choice in way.choices() if target is not None else ():
                assert target is not None
                yield target, [self._acted(self.arena, way, choice, vector) for vector in ready]

    # --- locations ---------------------------------------------------------------------------------------

    @cached_property
    def locations(self) -> list[tuple[int, int]]:
        """(place, point), the points of a place one after the other."""
        return [(k, p) for k, place in enumerate(self.places) for p in range(place.start, place.end)]

    @cached_property
    def index(self) -> dict[tuple[int, int], int]:
        return {location: k for k, location in enumerate(self.locations)}

    def successors(self) -> Iterator[list[int]]:
        for number, point in self.locations:
            place = self.places[number]
            if point + 1 < place.end:
                yield [self.index[number, point + 1]]
            else:
                targets = [target for target in place.ways if target is not None]
                yield [self.index[target, self.places[target].start] for target in targets]

    def states(self, number: int, point: int) -> list[State]:
        """The states that span sp at a location."""
        place = self.places[number]
        states = (self._vectors[number, k] for k in range(len(place.vectors)))
        return [self._both(one, lambda a, v: self._through(a, v, place.start, point)) for one in states]

    def selects(self, name: str, location: int) -> bool:
        """Does a mark, `leaf`, `loop` or `init` mean this location?"""
        point = self.locations[location][1]
        if name == "init":
            return location == 0
        if name in self.program.marks:
            return name in self.program.marked.get(point, ())
        statement = self.program.code[point]
        if isinstance(statement, Leaf):
            return name == "leaf"
        return name == "loop" and isinstance(statement, Branch | Goto) and statement.loop
