"""The fixed point over stations: lists of vectors that carry all stores at once.

A list V represents sp at a station if, for every store x, the blocks v(x) of its vectors span sp there.
Images of representing lists represent. Vectors that are combinations of others are dropped, and two vectors
that share no store are packed into one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from qismc.engines import Block, Engine, Exact, Span, Vector
from qismc.errors import SpecError
from qismc.language import ONE
from qismc.levels.script import Exit, Factors, Probe, Script
from qismc.limits import Budget
from qismc.program import RESET, Factor, Operator
from qismc.propositions import KetSum, Proposition, SpanOf, spanning, zeros
from qismc.system import Application


def is_all_zero(init: Proposition, num_qubits: int) -> bool:
    return init == SpanOf((KetSum(((ONE, "0" * num_qubits),)),))


def starts(engine: Engine, init: Proposition, num_qubits: int) -> list[Vector]:
    """Vectors over levels, of which the first are the qubits, that span `init`; raises SpecError."""
    if is_all_zero(init, num_qubits):
        return [zeros(engine)]
    qubits = range(num_qubits)
    found = [engine.embedded(vector, qubits) for vector in spanning(engine.sub(qubits), init, "init")]
    if not found:
        raise SpecError("init is the zero space: the program has no start")
    return found


@dataclass(frozen=True, eq=False)
class ExitImage:
    """A vector at an exit, and what was forgotten on the way to it.

    It is `before` with level `level` found in `value` and put to 0, or the sum of `parts` that share no
    store, or, with none of these, what came to the exit.
    """

    vector: Vector
    before: ExitImage | None = None
    level: int = -1
    value: int = 0
    parts: tuple[ExitImage, ...] = ()


@dataclass(frozen=True, eq=False)
class LevelArrival:
    """A vector at a station: seed number `seed`, or what left the station of `parent` through `way`."""

    station: int
    vector: Vector
    seed: int = 0
    parent: LevelArrival | None = None
    way: Exit | None = None
    image: ExitImage | None = None


Ask = Callable[[LevelArrival, Probe, Vector], bool]
"""ask(arrival, probe, what the probe's factors leave of the vector there): go on asking this question?"""


LONGEST_BLOCK = 256
"""Number of factors of a block; longer runs are compiled in parts."""


class Steps:
    """Runs of factors, compiled once."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._blocks: dict[int, tuple[Factors, list[tuple[Factors, Block]]]] = {}
        self.done = 0
        """How many blocks have acted so far: how far an attempt came."""

    def run(self, factors: Factors, vector: Vector) -> Vector:
        for _, block in self.compiled(factors):
            vector = self.engine.run(block, vector)
            self.done += 1
        return vector

    def compiled(self, factors: Factors) -> list[tuple[Factors, Block]]:
        """The parts of a run of factors, each with its block."""
        if id(factors) not in self._blocks:
            parts = [factors[k : k + LONGEST_BLOCK] for k in range(0, len(factors), LONGEST_BLOCK)]
            blocks = [(part, self.engine.compile([whole(self.engine, part)])) for part in parts]
            self._blocks[id(factors)] = (factors, blocks)  # keeps the factors alive, and so their id
        return self._blocks[id(factors)][1]


def whole(engine: Engine, factors: Sequence[Factor]) -> Application:
    """Factors on levels as one operator on all of them."""
    count = engine.num_qubits
    return Application(Operator("script", count, tuple(factors), unitary=False), range(count))  # type: ignore[arg-type]


@dataclass
class LevelSpread:
    """Vectors at stations, spread until nothing new arrives."""

    engine: Exact
    scripts: Mapping[int, Script]
    budget: Budget
    steps: Steps = field(init=False)
    arrivals: dict[int, list[LevelArrival]] = field(default_factory=dict)
    _spans: dict[int, Span] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.steps = Steps(self.engine)

    @property
    def max_dimension(self) -> int:
        return max((len(found) for found in self.arrivals.values()), default=0)

    def run(self, seeds: Iterable[tuple[int, Vector]], ask: Ask, open_questions: set[int]) -> None:
        """Spread from the seeds (station, vector); ends early when no question is open any more."""
        pending: deque[LevelArrival] = deque()
        for number, (station, vector) in enumerate(seeds):
            self._admit(LevelArrival(station, vector, seed=number), pending)
        while pending and open_questions:
            self.budget.spend("the fixed point over levels")
            arrival = pending.popleft()
            script = self.scripts[arrival.station]
            end = self._pass(arrival, script, ask, open_questions)
            for way in script.exits:
                for image in self._images(way, end):
                    self._admit(
                        LevelArrival(way.target, image.vector, arrival.seed, arrival, way, image), pending
                    )

    def _pass(self, arrival: LevelArrival, script: Script, ask: Ask, open_questions: set[int]) -> Vector:
        vector = arrival.vector
        for piece in script.pieces:
            vector = self.steps.run(piece.factors, vector)
            for probe in piece.probes:
                if probe.number not in open_questions:
                    continue
                kept = self.steps.run(probe.factors, vector)
                if not self.engine.is_zero(kept) and not ask(arrival, probe, kept):
                    open_questions.discard(probe.number)
            if not open_questions:
                break
        return vector

    def _admit(self, arrival: LevelArrival, pending: deque[LevelArrival]) -> None:
        span = self._spans.setdefault(arrival.station, self.engine.span())
        if span.add(arrival.vector):
            self.budget.count_dimension(span.dimension)
            self.arrivals.setdefault(arrival.station, []).append(arrival)
            pending.append(arrival)

    # --- forgetting --------------------------------------------------------------------------------------

    def _images(self, way: Exit, vector: Vector) -> Iterator[ExitImage]:
        """What arrives at the exit's target, free of the levels that the next turn needs again."""
        first = self.steps.run(way.factors, vector)
        if self.engine.is_zero(first):
            return
        images = [ExitImage(first)]
        for level in way.forgotten:
            self.budget.spend("forgetting old values")
            span = self.engine.span()
            images = [
                new for image in images for new in self._forget(image, level, way) if span.add(new.vector)
            ]
        yield from images

    def _forget(self, image: ExitImage, level: int, way: Exit) -> list[ExitImage]:
        """The level found in 0 and in 1; as one vector again where no store has both."""
        found = []
        for value, kraus in enumerate(RESET):
            reset = self.engine.compile([Application(kraus, (level,))])
            vector = self.engine.run(reset, image.vector)
            if not self.engine.is_zero(vector):
                found.append(ExitImage(vector, image, level, value))
        vectors = [image.vector for image in found]
        if len(found) == 2 and way.classical and self.engine.disjoint(vectors[0], vectors[1], way.classical):
            one = self.engine.ring.rational(1)
            return [ExitImage(self.engine.combine([one, one], vectors), parts=tuple(found))]
        return found
