"""Where everything stands at stations, and how arriving vectors are brought into that shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qismc.levels.region import ControlGraph
from qismc.levels.script import Exit
from qismc.levels.writer import SWAP, Frame, Levels, Writer
from qismc.program import (
    Program,
)
from qismc.symbolic import Bool, Literal, Logic, NotSymbolic, levels_of
from qismc.system import live_bits


@dataclass(frozen=True)
class StationLayout:
    """Where everything stands at a station; `stored` are the bits that have a level of their own there."""

    frame: Frame
    stored: dict[int, int] = field(default_factory=dict)

    def classical(self) -> tuple[int, ...]:
        """The levels that hold values of bits."""
        return tuple(
            sorted({level for function in self.frame.bits.values() for level in levels_of(function)})
        )

    def levels(self) -> set[int]:
        """The levels that matter at the station."""
        return {*self.frame.qubits, *self.classical()}


@dataclass
class Layouts:
    """The layouts of all stations, made by the first arrival at each."""

    program: Program
    graph: ControlGraph
    levels: Levels
    logic: Logic
    observed: int
    found: dict[int, StationLayout] = field(default_factory=dict)
    owned: dict[int, list[int]] = field(default_factory=dict)
    """The levels that the scripts of a component have taken for themselves."""
    _live: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self._live = live_bits(self.program, self.observed)

    def exit(self, source: int | None, target: int, writer: Writer, local: Sequence[int]) -> Exit:
        """The exit to a station, for a writer that has kept the stores that go there.

        `local` are the levels that the writer's script has taken.
        """
        first = self.levels.count
        new = target not in self.found
        moved = self._enter(target, writer) if new else self._return(target, writer, local)
        graph, forgotten = self.graph, tuple[int, ...]()
        if source is not None and graph.component[source] == graph.component[target]:
            own = self.owned.setdefault(graph.component[source], [])
            own += [*local, *self.levels.storage(first)]
            kept = self.found[target].levels()
            forgotten = tuple(level for level in dict.fromkeys(own) if level not in kept)
        classical = self.found[target].classical() if forgotten else ()
        return Exit(target, tuple(writer.factors), forgotten, classical, moved)

    def _enter(self, target: int, writer: Writer) -> dict[int, int]:
        """The first arrival decides; what other arrivals may have in another shape is written out."""
        bits, qubits = self._varying(target)
        frame = writer.frame
        for qubit in sorted(qubits & frame.records):
            writer.own(qubit)
        frame.clean -= qubits
        stored = {
            bit: self.levels.fresh(_beside(frame.bit(bit))) for bit in sorted(bits & self._read(target))
        }
        for bit, level in stored.items():
            writer.add(frame.bit(bit), level)
        for bit in bits:
            frame.bits[bit] = self.logic.literal(stored[bit]) if bit in stored else False
        writer.clear_flags()
        self.found[target] = StationLayout(frame, stored)
        return {}

    def _read(self, point: int) -> set[int]:
        """The positions of the store that matter behind a point."""
        live = self._live.get(point, (1 << self.program.store_width) - 1)
        return {k for k in range(self.program.store_width) if live >> k & 1}

    def _varying(self, target: int) -> tuple[set[int], set[int]]:
        """Bits and qubits that arrivals at a station may have on different levels."""
        graph, code = self.graph, self.program.code
        home = graph.component[target]
        if len([s for s in graph.arriving[target] if graph.component[s] != home]) > 1:
            return set(range(self.program.store_width)), set(range(self.program.num_qubits))
        members = graph.members[home] if graph.in_loop(target) else []
        bits = {bit for point in members for bit in code[point].bits}
        return bits, {qubit for point in members for qubit in code[point].qubits}

    def _return(self, target: int, writer: Writer, local: Sequence[int]) -> dict[int, int]:
        """A later arrival moves everything to where the first one put it."""
        layout, frame = self.found[target], writer.frame
        moves = list(self._new_values(layout, writer, set(local)))
        for bit in self._read(target) - layout.stored.keys():
            if frame.bit(bit) is not layout.frame.bit(bit):
                raise NotSymbolic(f"bit {bit} of the store comes to point {target} in two shapes")
        for qubit, home in enumerate(layout.frame.qubits):
            if qubit in frame.records and qubit not in layout.frame.records:
                writer.own(qubit)
            if frame.qubits[qubit] != home:
                moves.append((frame.qubits[qubit], home))
        writer.clear_flags()
        return _swap(writer, moves)

    def _new_values(
        self, layout: StationLayout, writer: Writer, local: set[int]
    ) -> Iterator[tuple[int, int]]:
        """Levels that hold the bits of a station now, and where they belong: a record itself, or a copy."""
        frame = writer.frame
        taken = set(frame.qubits)
        for bit, home in layout.stored.items():
            value = frame.bit(bit)
            if value is self.logic.literal(home):
                continue
            if isinstance(value, Literal) and value.value and value.level in local - taken:
                source = value.level
            else:
                source = self.levels.fresh(home)
                writer.add(value, source)
            taken.add(source)
            yield source, home


def _beside(function: Bool) -> int | None:
    return next(levels_of(function), None)


def _swap(writer: Writer, moves: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Bring contents to their homes; where everything that was displaced stands now."""
    place: dict[int, int] = {}
    holds: dict[int, int] = {}
    for content, home in moves:
        here, other = place.get(content, content), holds.get(home, home)
        if here != home:
            writer.emit(SWAP, (here, home), ())
            place[content], holds[home] = home, content
            place[other], holds[here] = here, other
    return place
