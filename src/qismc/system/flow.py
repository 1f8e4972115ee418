"""Where control can go from each program point, and which classical bits are still read from there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict

from qismc.program import (
    Branch,
    Goto,
    Jump,
    Leaf,
    Mark,
    Program,
    Switch,
    mask,
)
from qismc.system.column_arrays import crossings

TURNING = frozenset({Branch, Goto, Jump, Switch, Leaf})
"""Statements behind which control need not go on to the next point; a leaf is its own successor."""


def successors(program: Program, point: int) -> tuple[int, ...]:
    """The points that control may reach next, jumps followed, each once."""
    statement = program.code[point]
    if isinstance(statement, Leaf):
        return (point,)
    named = statement.targets or (point + 1,)
    if len(named) == 1:
        return (program.settle(named[0]),)
    return tuple(dict.fromkeys(map(program.settle, named)))


def leaders(program: Program) -> frozenset[int]:
    """The points where a run must start anew: the entry and every target of a transfer of control."""
    return program.once("runs", StraightRuns).leaders


class StraightRuns:
    """Splits the code into maximal straight runs.

    A run starts at any point and takes in gates and marks up to and including the first other statement, or
    up to a leader or a jump.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        code, points = program.code, crossings(program)
        self._turns = {p: successors(program, p) for p in points if type(code[p]) in TURNING}
        self.leaders = frozenset({program.entry}.union(*self._turns.values()))
        self._lasts = [p for p in points if type(code[p]) is not Mark]
        """A run ends with the first of these, ..."""
        self._firsts = sorted(self.leaders.union(p for p in self._turns if type(code[p]) is Jump))
        """... or in front of the first of these behind its start."""
        self._ends: dict[int, int] = {}

    def end(self, start: int) -> int:
        """One past the last point of the run that starts at `start`."""
        end = self._ends.get(start)
        if end is None:
            end = self._lasts[bisect_left(self._lasts, start)] + 1  # a program ends with a leaf
            following = bisect_right(self._firsts, start)
            if following < len(self._firsts):
                end = min(end, self._firsts[following])
            self._ends[start] = end
        return end

    def graph(self) -> list[tuple[int, int, tuple[int, ...]]]:
        """All runs that control can enter, last one first: start, last point, and the runs that follow."""
        settle, turns = self._program.settle, self._turns
        starts = self.leaders.union([settle(p + 1) for p in self._lasts if p not in turns])
        found: list[tuple[int, int, tuple[int, ...]]] = []
        for start in sorted(starts, reverse=True):
            end = self.end(start)
            found.append((start, end - 1, turns.get(end - 1) or (settle(end),)))
        return found


def live_bits(program: Program, runs: StraightRuns, always: int = 0) -> dict[int, int]:
    """For each point where a run can start: the mask of the bits whose value may still matter there.

    A bit is live if some path reads it before it is overwritten; the bits of `always` (those that a formula
    speaks of) are live everywhere. The least solution of the usual backward equations, over runs.
    """
    if always == all_bits(program):
        return defaultdict(lambda: always)
    graph = runs.graph()
    live = {start: always for start, _, _ in graph}
    returns = changed = True
    while changed and returns:  # without loops all that follows a run is known before the run
        changed = returns = False
        for start, last, following in graph:
            statement = program.code[last]
            value = always
            for target in following:
                value |= live[target]
                returns = returns or target < start
            if statement.sets:
                value &= ~statement.sets | always
            value |= statement.reads
            if value != live[start]:
                live[start] = value
                changed = True
    return live


def all_bits(program: Program) -> int:
    """The mask of the whole store."""
    return mask(program.store_width)
