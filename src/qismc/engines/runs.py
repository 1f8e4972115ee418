"""Long runs of gates: gates that two programs begin with are run once for both.

A program is compared with what was recorded of the same program, or of one that a small edit tells apart.
From the same states both go through the same gates up to where their texts part. So the vectors at some
points of a run are kept, and the next run goes on from the last point that it has in common with an earlier
one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from operator import is_
from typing import Any, NamedTuple, Protocol

from qismc.system import Application, Stretch

Vector = Any
Block = Any

WORTH = 16
"""Fewest points of a run that is kept."""
PIECES = 8
PIECE = 512
"""A run is cut into at most PIECES pieces of at least PIECE points, and keeps the vectors at the end of each.
More cuts would part gates that the native core applies together."""
KEPT_RUNS = 2
KEPT_STARTS = 4
KEPT_BYTES = 8 * 2**20
"""Most bytes of all kept vectors; if they take more, only those at the end of the last run are kept."""


class Runner(Protocol):
    """What a run needs of an engine: the maps of programs."""

    runs: PastRuns
    """What was run before, to go on from."""

    def compile(self, applications: Sequence[Application]) -> Block:
        """Operators, first one first, prepared for `run`."""

    def run(self, block: Block, vector: Vector) -> Vector:
        """The image of the vector; the vector itself stays as it is."""

    def run_all(self, block: Block, vectors: Sequence[Vector]) -> list[Vector]:
        """The images of several vectors, on as many threads as the check may use."""

    def bytes_of(self, vector: Vector) -> int:
        """The memory that a vector takes."""


class Passed(NamedTuple):
    """What vectors have become after so many points of a run."""

    points: int
    vectors: Sequence[Vector]


@dataclass(frozen=True, eq=False)
class PastRun:
    """A stretch that some vectors have gone through; the last one of `passed` is its end."""

    stretch: Stretch
    starts: Sequence[Vector]
    passed: tuple[Passed, ...]

    def shared_with(self, stretch: Stretch, starts: Sequence[Vector]) -> tuple[Passed, ...]:
        """The beginning that a run of other gates has in common with this one."""
        if len(starts) != len(self.starts) or not all(map(is_, starts, self.starts)):
            return ()
        common = self.stretch.common_points(stretch)
        return tuple(one for one in self.passed if one.points <= common)


class PastRuns:
    """The latest long runs of an engine from starts that have a name, and these starts."""

    def __init__(self) -> None:
        self._runs: list[PastRun] = []
        self._starts: dict[Hashable, list[Vector]] = {}

    def starts(self, name: Hashable, make: Callable[[], list[Vector]]) -> list[Vector]:
        """Vectors with a name: runs that start alike start from the same ones."""
        if name not in self._starts:
            if len(self._starts) == KEPT_STARTS:
                del self._starts[next(iter(self._starts))]
            self._starts[name] = make()
        return self._starts[name]

    def named(self, vectors: Sequence[Vector]) -> bool:
        """Are all of them starts with a name?"""
        known = {id(vector) for start in self._starts.values() for vector in start}
        return all(id(vector) in known for vector in vectors)

    def shared(self, stretch: Stretch, starts: Sequence[Vector]) -> tuple[Passed, ...]:
        """The longest beginning of a run that is known."""
        return max((run.shared_with(stretch, starts) for run in self._runs), key=_reach, default=())

    def keep(self, engine: Runner, run: PastRun) -> None:
        self._runs = [run, *self._runs[: KEPT_RUNS - 1]]
        kept = (vector for one in self._runs for passed in one.passed for vector in passed.vectors)
        if sum(map(engine.bytes_of, kept)) > KEPT_BYTES:
            self._runs = [PastRun(run.stretch, run.starts, run.passed[-1:])]


class LongRun:
    """A long stretch that vectors of an engine go through."""

    def __init__(self, engine: Runner, stretch: Stretch) -> None:
        self._engine = engine
        self._stretch = stretch
        self._blocks: dict[tuple[int, int], Block | None] = {}

    def images(self, vectors: Sequence[Vector]) -> Sequence[Vector]:
        """What becomes of vectors, as far as possible from what is known."""
        points, runs = self._stretch.points, self._engine.runs
        if not runs.named(vectors):
            return self._run(0, points, vectors)
        passed = [*runs.shared(self._stretch, vectors)]
        here = passed[-1] if passed else Passed(0, vectors)
        for end in _ends(points):
            if end > here.points:
                here = Passed(end, self._run(here.points, end, here.vectors))
                passed.append(here)
        runs.keep(self._engine, PastRun(self._stretch, tuple(vectors), tuple(passed)))
        return here.vectors

    def _run(self, begin: int, end: int, vectors: Sequence[Vector]) -> Sequence[Vector]:
        key = begin, end
        if key not in self._blocks:
            gates = self._stretch.part(begin, end)
            self._blocks[key] = self._engine.compile(gates) if gates else None
        block = self._blocks[key]
        return vectors if block is None else self._engine.run_all(block, vectors)


def behind(engine: Runner, gates: Stretch, vector: Vector) -> Vector:
    """What gates make of a vector; a long run is shared with others."""
    if gates.points >= WORTH:
        return LongRun(engine, gates).images([vector])[0]
    return engine.run(engine.compile(gates), vector) if gates else vector


def through(engine: Runner, gates: Block | LongRun, vectors: Sequence[Vector]) -> Sequence[Vector]:
    """What gates make of vectors."""
    if isinstance(gates, LongRun):
        return gates.images(vectors)
    return [engine.run(gates, vectors[0])] if len(vectors) == 1 else engine.run_all(gates, vectors)


def _ends(points: int) -> list[int]:
    """Where the pieces of a run end."""
    pieces = max(1, min(PIECES, points // PIECE))
    return [points * k // pieces for k in range(1, pieces + 1)]


def _reach(passed: Sequence[Passed]) -> int:
    return passed[-1].points if passed else 0
