"""The numeric shadow of a fixed point: every concrete vector computed once more in floating point."""

from __future__ import annotations

from collections.abc import Callable

from qismc.engines import Numeric, Vector, behind, through
from qismc.fixpoint.memory import Memory
from qismc.fixpoint.post import Blocks, Found
from qismc.fixpoint.propagate import Arrival
from qismc.fixpoint.trail import acted
from qismc.system import Explorer


class Shadow:
    """Follows provenance in floating point; asking along a run of gates goes on where it stopped."""

    def __init__(self, explorer: Explorer, engine: Numeric, start: Callable[[int], Vector]) -> None:
        self.engine = engine
        self._explorer = explorer
        self._start = start
        self._memory = Memory(engine, self._image)
        self._blocks = Blocks(engine)
        self._cursor: dict[Arrival, tuple[int, Vector]] = {}

    def at(self, found: Found, point: int) -> Vector:
        """The state that a found vector stands for, at a point of its node."""
        arrival = found.arrival
        here, vector = self._cursor.get(arrival, (arrival.station.point, None))
        if vector is None or here > point:
            here, vector = arrival.station.point, self.arrived(arrival)
        vector = behind(self.engine, self._explorer.gates(here, point), vector)
        self._cursor[arrival] = (point, vector)
        return vector

    def arrived(self, arrival: Arrival) -> Vector:
        """The state of an arrival at its station."""
        return self._memory.vector(arrival)

    def _image(self, arrival: Arrival, before: Vector | None) -> Vector:
        if arrival.parent is None:
            return self._start(arrival.seed or 0)
        gates, chosen = acted(self._explorer, arrival)
        prefix = self._blocks.stretch(self._explorer, *gates.key)
        vector = before if prefix is None else through(self.engine, prefix, [before])[0]
        if not chosen:
            return vector
        block = self._blocks.short(chosen) if len(chosen) == 1 else self.engine.compile(chosen)
        return self.engine.run(block, vector)
