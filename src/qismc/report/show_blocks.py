"""The transition system for human eyes: blocks of consecutive locations, and arrows between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePath
from typing import Literal

from qismc.common.source import Source
from qismc.common.wording import plain_number
from qismc.errors import UsageError
from qismc.program import Apply, Branch, Leaf, Switch
from qismc.system import Backdrop, Node, TransitionSystem, live_bits

Kind = Literal["plain", "init", "loop", "leaf"]
Shown = dict[str, "int | None"]
"""The user's classical names with their values; None where nobody reads the value again."""
Place = tuple[int, int]
"""A location's number and its program point."""
FOLD_FROM = 4
"""Straight runs of this many gates and more become one row."""
NAMES_SHOWN = 5


@dataclass(frozen=True)
class LocationBlock:
    """Consecutive locations with one store and one way through, as runs of location numbers."""

    number: int
    runs: tuple[range, ...]
    store: Shown
    kind: Kind

    @property
    def locations(self) -> Iterator[int]:
        return (index for run in self.runs for index in run)

    @property
    def name(self) -> str:
        """`l3`, or `l3 … l9` for several locations."""
        first, last = self.runs[0][0], self.runs[-1][-1]
        return f"l{first}" if first == last else f"l{first} … l{last}"


@dataclass(frozen=True)
class BlockArrow:
    """From the end of a block to the start of another; labelled by the outcome or the condition's value."""

    source: int
    target: int
    label: str


@dataclass(frozen=True)
class BlockRow:
    """One line of a block: a location, or a folded run of gates."""

    first: int
    last: int
    text: str
    where: str

    @property
    def name(self) -> str:
        return f"l{self.first}" if self.first == self.last else f"l{self.first}-l{self.last}"


@dataclass(frozen=True)
class Diagram:
    """Blocks and arrows of a transition system; block 0 holds the initial location."""

    system: TransitionSystem
    blocks: tuple[LocationBlock, ...]
    arrows: tuple[BlockArrow, ...]
    several_files: bool = False

    def rows(self, block: LocationBlock, *, fold: bool = True) -> list[BlockRow]:
        """What a block says, line by line."""
        found: list[BlockRow] = []
        for is_gate, group in groupby(self._places(block), key=self._is_gate):
            run = list(group)
            if fold and is_gate and len(run) >= FOLD_FROM:
                found.append(self._folded(run))
            else:
                found += [self._row(place) for place in run]
        return found

    def _places(self, block: LocationBlock) -> Iterator[Place]:
        for run in block.runs:
            first = self.system.node_of(run[0])[1]
            yield from zip(run, range(first, first + len(run)), strict=True)

    def _is_gate(self, place: Place) -> bool:
        return isinstance(self.system.program.code[place[1]], Apply)

    def _row(self, place: Place) -> BlockRow:
        index, point = place
        program = self.system.program
        return BlockRow(index, index, program.text(point), self._where([program.sources[point]]))

    def _folded(self, run: Sequence[Place]) -> BlockRow:
        program = self.system.program
        shown = [program.text(point).split()[0] for _, point in run[:NAMES_SHOWN]]
        more = " …" if len(run) > NAMES_SHOWN else ""
        ends = [program.sources[point] for _, point in (run[0], run[-1])]
        return BlockRow(
            run[0][0], run[-1][0], f"{len(run)} gates: {' '.join(shown)}{more}", self._where(ends)
        )

    def _where(self, sources: Sequence[Source | None]) -> str:
        lines = sorted({source.line for source in sources if source is not None})
        if not lines or sources[0] is None:
            return ""
        text = f"{lines[0]}" if len(lines) == 1 else f"{lines[0]}-{lines[-1]}"
        return f"{PurePath(sources[0].file).name}:{text}" if self.several_files else text


def diagram(backdrop: Backdrop) -> Diagram:
    """Nodes that can only follow one another, without a choice or a change of the store, become one block."""
    if backdrop.system is None:
        raise UsageError("there is no transition system to draw", hint="it was not built, or did not travel")
    return _Joiner(backdrop.system, backdrop.kept).diagram()


class _Joiner:
    """Joins the nodes of a system to blocks."""

    def __init__(self, system: TransitionSystem, always: int) -> None:
        self._system = system
        self._code = system.program.code
        self._live = live_bits(system.program, always)

    def diagram(self) -> Diagram:
        system, chains = self._system, self._chains()
        number = {id(node): k for k, chain in enumerate(chains) for node in chain}
        labels: dict[tuple[int, int], list[str]] = {}
        for chain in chains:
            for hop in chain[-1].hops:
                if hop.taken and hop.target is not None:
                    pair = number[id(chain[-1])], number[id(hop.target)]
                    labels.setdefault(pair, []).append(self._label(chain[-1], hop.way.outcome))
        blocks = tuple(self._block(k, chain) for k, chain in enumerate(chains))
        arrows = tuple(BlockArrow(a, b, ", ".join(texts)) for (a, b), texts in labels.items())
        files = {source.file for source in system.program.sources if source is not None}
        return Diagram(system, blocks, arrows, len(files) > 1)

    def _chains(self) -> list[list[Node]]:
        """The nodes in order, joined to chains where nothing else leads in or out in between."""
        nodes = self._system.nodes
        arriving = Counter(id(hop.target) for node in nodes for hop in node.hops if hop.taken)
        arriving[id(nodes[0])] += 1
        following = {id(node): self._only_successor(node, arriving) for node in nodes}
        inside = {id(node) for node in following.values() if node is not None}
        chains = []
        for node in nodes:
            if id(node) not in inside:
                chain = [node]
                while (after := following[id(chain[-1])]) is not None:
                    chain.append(after)
                chains.append(chain)
        return chains

    def _only_successor(self, node: Node, arriving: Counter[int]) -> Node | None:
        """The node that follows silently: one way in and out, no label, the same store."""
        taken = [hop for hop in node.hops if hop.taken]
        target = taken[0].target if len(taken) == 1 else None
        if target is None or target is node or arriving[id(target)] > 1:
            return None
        silent = not self._label(node, taken[0].way.outcome) and self._shown(target) == self._shown(node)
        return target if silent else None

    def _label(self, node: Node, outcome: int | None) -> str:
        """The outcome of a measurement or input, or the value of a condition."""
        statement = self._code[node.last]
        if isinstance(statement, Branch):
            return "true" if statement.condition.evaluate(node.store) else "false"
        if isinstance(statement, Switch):
            return str(plain_number(statement.target.evaluate(node.store)))
        return "" if outcome is None else str(outcome)

    def _shown(self, node: Node) -> Shown:
        live = self._live[node.start]
        return {
            v.name: v.value(node.store) if all(live >> bit & 1 for bit in v.bits) else None
            for v in self._system.program.variables.values()
            if not v.hidden
        }

    def _block(self, number: int, chain: list[Node]) -> LocationBlock:
        first = self._system.first
        runs = tuple(range(first(node), first(node) + node.size) for node in chain)
        return LocationBlock(number, runs, self._shown(chain[0]), self._kind(number, chain))

    def _kind(self, number: int, chain: list[Node]) -> Kind:
        last = self._code[chain[-1].last]
        if isinstance(last, Leaf):
            return "leaf"
        if isinstance(last, Branch) and last.loop:
            return "loop"
        return "init" if number == 0 else "plain"


LABELS_SHOWN = 3


def by_point(picture: Diagram) -> tuple[Diagram, tuple[tuple[LocationBlock, ...], ...]]:
    """Blocks that visit the same points, joined, as are the arrows between them; and what is behind each."""
    groups: dict[tuple[tuple[int, int], ...], list[LocationBlock]] = {}
    for block in picture.blocks:
        groups.setdefault(_points(picture, block), []).append(block)
    members = tuple(tuple(group) for group in groups.values())
    number = {block.number: k for k, group in enumerate(members) for block in group}
    blocks = tuple(replace(group[0], number=k) for k, group in enumerate(members))
    return replace(picture, blocks=blocks, arrows=tuple(_joined(picture.arrows, number))), members


def _points(picture: Diagram, block: LocationBlock) -> tuple[tuple[int, int], ...]:
    return tuple((picture.system.location(run[0]).point, len(run)) for run in block.runs)


def _joined(arrows: Sequence[BlockArrow], number: dict[int, int]) -> list[BlockArrow]:
    labels: dict[tuple[int, int], dict[str, None]] = {}
    for arrow in arrows:
        pair = (number[arrow.source], number[arrow.target])
        labels.setdefault(pair, {})[arrow.label] = None
    return [BlockArrow(source, target, _ways(list(found))) for (source, target), found in labels.items()]


def _ways(labels: Sequence[str]) -> str:
    shown = [label for label in labels if label]
    return ", ".join(shown) if len(shown) <= LABELS_SHOWN else f"{len(shown)} ways"
