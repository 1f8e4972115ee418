"""Flow of control and of classical bits through the code: successors, runs, live bits, records of qubits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict

from qismc.program import Program, mask, statements
from qismc.system.gates import crossings

TURNING = frozenset({statements.Branch, statements.Goto, statements.Jump, statements.Switch, statements.Leaf})
"""Statements behind which control need not go on to the next point; a leaf is its own successor."""


def successors(program: Program, point: int) -> tuple[int, ...]:
    """The points that control may reach next, jumps followed, each once."""
    statement = program.code[point]
    if isinstance(statement, statements.Leaf):
        return (point,)
    named = statement.targets or (point + 1,)
    if len(named) == 1:
        return (program.settle(named[0]),)
    return tuple(dict.fromkeys(map(program.settle, named)))


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
        """The points where a run must start anew: the entry and every target of a transfer of control."""
        self._lasts = [p for p in points if type(code[p]) is not statements.Mark]
        """A run ends with the first of these, ..."""
        self._firsts = sorted(self.leaders.union(p for p in self._turns if type(code[p]) is statements.Jump))
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


def runs_of(program: Program) -> StraightRuns:
    """The runs of a program, found once."""
    return program.once("runs", StraightRuns)


def live_bits(program: Program, always: int = 0) -> dict[int, int]:
    """For each point where a run can start: the mask of the bits whose value may still matter there.

    A bit is live if some path reads it before it is overwritten; the bits of `always` (those that a formula
    speaks of) are live everywhere.
    """
    if always == all_bits(program):
        return defaultdict(lambda: always)
    return program.once(("live", always), lambda _: _live_bits(program, always))


def _live_bits(program: Program, always: int) -> dict[int, int]:
    """The least solution of the usual backward equations, over runs."""
    graph = runs_of(program).graph()
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


Records = dict[int, int]
"""The position of the store that tells the value of a qubit."""


def records_at_the_end(program: Program) -> Records:
    """The qubits whose value the store tells on every way to the end; none without an end."""
    return program.once("records at the end", _records)


def _records(program: Program) -> Records:
    """The largest solution of the forward equations: a record counts where it arrives on all ways."""
    graph = {start: (last, following) for start, last, following in runs_of(program).graph()}
    arriving: dict[int, Records] = {program.entry: {}}
    waiting, ends = [program.entry], dict[int, Records]()
    while waiting:
        start = waiting.pop()
        last, following = graph[start]
        records = dict(arriving[start])
        for statement in program.code[start : last + 1]:
            _pass(statement, records)
        if isinstance(program.code[last], statements.Leaf):
            ends[last] = records
            continue
        for target in following:
            known = arriving.get(target)
            common = records if known is None else dict(known.items() & records.items())
            if common != known:
                arriving[target] = common
                waiting.append(target)
    return dict(set.intersection(*(set(found.items()) for found in ends.values()))) if ends else {}


def _pass(statement: statements.Statement, records: Records) -> None:
    """What a statement leaves of the records, and what it adds."""
    if isinstance(statement, statements.Apply):
        operator, qubits = statement
        for place, qubit in enumerate(qubits):
            if qubit in records and not operator.keeps_basis(place):
                del records[qubit]
        return
    for qubit in statement.qubits:
        records.pop(qubit, None)
    if statement.bits:
        for qubit in [q for q, bit in records.items() if bit in statement.bits]:
            del records[qubit]
    if isinstance(statement, statements.Measure):
        records[statement.qubit] = statement.bit
