"""From a vector that decides a question to one execution: which value every level had, station by station."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from qismc.engines import Exact, Vector
from qismc.levels.region import ControlGraph
from qismc.levels.script import NOTHING, Choices, Digits, Probe, Script
from qismc.levels.spread import ExitImage, LevelArrival, LevelSpread, whole
from qismc.levels.writer import PROJECT
from qismc.program import Factor, Program, Statement
from qismc.symbolic import evaluate
from qismc.system import Course, Waypoint, families, next_point, next_store

LevelValues = dict[int, int]
ScriptLeg = tuple[Script, LevelValues]
Decides = Callable[[Vector], bool]
"""Does what a probe left of a vector (it may be nothing) still answer the question in the same way?"""


@dataclass(frozen=True)
class DecisiveVector:
    """A vector at a probe that answers its question: what its factors left, `kept`, says no."""

    arrival: LevelArrival
    probe: Probe
    kept: Vector


def course(
    program: Program,
    graph: ControlGraph,
    spread: LevelSpread,
    found: DecisiveVector,
    decides: Decides,
    *,
    telling: Vector | None = None,
) -> Course:
    """An execution to the point of the probe on which the question is answered in the same way.

    Every store with a component in the vector `telling`, if there is one, is known to decide.
    """
    legs = _legs(spread, found, decides, telling)
    return Course(found.arrival.seed, list(_walk(program, graph, legs, found.probe.point)))


def _legs(
    spread: LevelSpread, found: DecisiveVector, decides: Decides, telling: Vector | None
) -> list[ScriptLeg]:
    """The scripts from the start to the probe, with the values of all classical levels at their ends."""
    classical = [level for level in range(spread.engine.num_qubits) if level not in found.probe.quantum]
    some = None if telling is None else spread.engine.first(telling)
    if some is None:
        _, values = _fixed(spread.engine, found.kept, classical, decides)
    else:
        values = {level: some[level] for level in classical}
    arrival: LevelArrival | None = found.arrival
    legs: list[ScriptLeg] = [(spread.scripts[found.arrival.station], values)]
    while arrival is not None and arrival.parent is not None:
        values = _before(spread.engine, arrival, values)
        arrival = arrival.parent
        legs.append((spread.scripts[arrival.station], values))
    return legs[::-1]


def _fixed(
    engine: Exact, vector: Vector, levels: Sequence[int], decides: Decides
) -> tuple[Vector, LevelValues]:
    """Values of levels with which a vector goes on deciding its question, and what it has there.

    All of them are 0 if that decides, or all of them 1, else one half is fixed after the other. Zeros are
    tried first and early outcomes come first: most of them are free, and late ones decide.
    """
    for value in (0, 1):
        values = dict.fromkeys(levels, value)
        kept = project(engine, vector, values)
        if (value and len(levels) == 1) or decides(kept):
            return kept, values
    half = len(levels) // 2
    vector, first = _fixed(engine, vector, levels[:half], decides)
    vector, second = _fixed(engine, vector, levels[half:], decides)
    return vector, first | second


def project(engine: Exact, vector: Vector, values: LevelValues) -> Vector:
    """What a vector has where the levels have these values."""
    factors = tuple(Factor(PROJECT[value], (level,)) for level, value in values.items())
    return engine.run(engine.compile([whole(engine, factors)]), vector)


def _before(engine: Exact, arrival: LevelArrival, after: LevelValues) -> LevelValues:
    """The values of levels at the end of the script that an arrival came from."""
    assert arrival.image is not None and arrival.way is not None
    places = dict(after)
    store = {level: after[level] for level in arrival.way.classical}
    image: ExitImage | None = arrival.image
    while image is not None:
        if image.parts:
            image = next(
                part for part in image.parts if not engine.is_zero(project(engine, part.vector, store))
            )
        if image.before is not None:
            places[image.level] = image.value
        image = image.before
    moved = arrival.way.moved
    return {
        level: places[moved.get(level, level)]
        for level in places.keys() | moved.keys()
        if moved.get(level, level) in places
    }


def _walk(program: Program, graph: ControlGraph, legs: Sequence[ScriptLeg], end: int) -> Iterator[Waypoint]:
    """The points and stores of the execution; the last one is where the question is asked."""
    point, store = program.entry, program.initial_store
    for number, (script, values) in enumerate(legs):
        last = number + 1 == len(legs)
        begun = False
        while not (last and point == end) and (not begun or point not in graph.stations):
            begun = True
            chosen = script.chosen.get(point, NOTHING)
            outcome = None if chosen.outcome is None else _number(chosen.outcome, values)
            yield Waypoint(point, store, outcome, _kraus(program.code[point], chosen, outcome, values))
            target = next_point(program, point, store)
            store = next_store(program.code[point], store, outcome)
            point = target
    yield Waypoint(point, store, None)


def _kraus(
    statement: Statement, chosen: Choices, outcome: int | None, values: LevelValues
) -> tuple[int, ...]:
    """The Kraus operators that act; a register of choices may have more values than there are operators."""
    pairs = zip(chosen.kraus, families(statement, outcome), strict=True) if chosen.kraus else ()
    return tuple(_number(digits, values) % len(family) for digits, family in pairs)


def _number(digits: Digits, values: LevelValues) -> int:
    return sum(int(evaluate(digit, values)) << k for k, digit in enumerate(digits))
