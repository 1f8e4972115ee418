"""Where control can go from each program point, and which classical bits are still read from there."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

from typing_extensions import assert_never

from qismc.program.classical import mask
from qismc.program.program import Program
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Statement,
    Switch,
)
from qismc.system.columns import crossings


def successors(program: Program, point: int) -> tuple[int, ...]:
    """The points that control may reach next, jumps followed."""
    statement = program.code[point]
    match statement:
        case (
            Apply()
            | Measure()
            | Reset()
            | Initialize()
            | Channel()
            | Assign()
            | AssignAt()
            | Havoc()
            | Mark()
        ):
            return (program.settle(point + 1),)
        case Branch(_, then, otherwise):
            first, second = program.settle(then), program.settle(otherwise)
            return (first,) if first == second else (first, second)
        case Switch():
            following = [program.settle(p) for p in (*statement.cases.values(), statement.default)]
            return tuple(dict.fromkeys(following))
        case Goto(target) | Jump(target):
            return (program.settle(target),)
        case Leaf():
            return (point,)
    assert_never(statement)


def leaders(program: Program) -> frozenset[int]:
    """The points where a run must start anew: the entry and every target of a transfer of control."""
    found = {program.entry}
    for point in crossings(program):
        statement = program.code[point]
        if isinstance(statement, Jump | Goto):
            found.add(program.settle(statement.target))
        elif isinstance(statement, Branch):
            found |= {program.settle(statement.then), program.settle(statement.otherwise)}
        elif isinstance(statement, Switch):
            found |= {program.settle(p) for p in (*statement.cases.values(), statement.default)}
        elif isinstance(statement, Leaf):  # its own successor
            found.add(point)
    return frozenset(found)


class Runs:
    """Splits the code into maximal straight runs.

    A run starts at any point and takes in gates and marks up to and including the first other statement, or
    up to a leader or a jump.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._leaders = leaders(program)
        self._stops = sorted(self._leaders.union(crossings(program)))
        """Between these there are gates alone."""
        self._ends: dict[int, int] = {}

    def end(self, start: int) -> int:
        """One past the last point of the run that starts at `start`."""
        if start not in self._ends:
            self._ends[start] = self._end(start)
        return self._ends[start]

    def _end(self, start: int) -> int:
        code = self._program.code
        for k in range(bisect_left(self._stops, start), len(self._stops)):
            stop = self._stops[k]
            statement = code[stop]
            if stop > start and (stop in self._leaders or type(statement) is Jump):
                return stop
            if type(statement) is not Apply and type(statement) is not Mark:
                return stop + 1
        raise AssertionError("a program ends with a leaf")


def _bits(bits: tuple[int, ...]) -> int:
    return sum(1 << bit for bit in set(bits))


def reads_and_kills(statement: Statement) -> tuple[int, int]:
    """Masks of the store positions that a statement reads, and that it overwrites for sure."""
    match statement:
        case Apply() | Reset() | Initialize() | Channel() | Goto() | Jump() | Mark() | Leaf():
            return 0, 0
        case Measure(_, bit):
            return 0, 1 << bit
        case Branch(condition):
            return condition.reads, 0
        case Switch(target):
            return target.reads, 0
        case Assign(bits, value):
            return value.reads, _bits(bits)
        case AssignAt(_, index, value):
            return value.reads | index.reads, 0
        case Havoc(bits):
            return 0, _bits(bits)
    assert_never(statement)


def live_bits(program: Program, runs: Runs, always: int = 0) -> dict[int, int]:
    """For each point where a run can start: the mask of the bits whose value may still matter there.

    A bit is live if some path reads it before it is overwritten; the bits of `always` (those that a formula
    speaks of) are live everywhere. The least solution of the usual backward equations, over runs.
    """
    if always == all_bits(program):
        return defaultdict(lambda: always)
    after = _run_graph(program, runs)
    live = dict.fromkeys(after, always)
    order = sorted(after, reverse=True)
    returns = any(target < start for start, targets in after.items() for target in targets)
    changed = True
    while changed:  # without loops all that follows a run is known before the run
        changed = False
        for start in order:
            reads, kills = reads_and_kills(program.code[runs.end(start) - 1])
            value = always
            for target in after[start]:
                value |= live[target]
            if kills:
                value &= ~kills | always
            value |= reads
            if value != live[start]:
                live[start] = value
                changed = returns
    return live


def _run_graph(program: Program, runs: Runs) -> dict[int, tuple[int, ...]]:
    """The starts of all runs reachable from the entry, breadth first, and those that follow each."""
    starts = [program.entry]
    after: dict[int, tuple[int, ...]] = {}
    seen = {program.entry}
    for start in starts:
        after[start] = targets = successors(program, runs.end(start) - 1)
        for target in targets:
            if target not in seen:
                seen.add(target)
                starts.append(target)
    return after


def all_bits(program: Program) -> int:
    """The mask of the whole store."""
    return mask(program.store_width)
