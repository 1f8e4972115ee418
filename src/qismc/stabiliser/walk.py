"""Walks through a program with all values of the symbols at once.

The arms of a branch in which only Paulis and classical values change need no case distinction: their Paulis
are applied where a function of the symbols is true. Other arms are followed one by one, each with a state of
its own, and states are joined where control meets again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from qismc.common.lazily import cached_property
from qismc.common.paulis import Letters
from qismc.program import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Classical,
    Control,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Measure,
    Program,
    Reset,
    Statement,
    Switch,
)
from qismc.stabiliser.amplitudes import recipe_of
from qismc.stabiliser.functions import Functions, SymbolKind
from qismc.stabiliser.gates import Gates
from qismc.stabiliser.loops import Heads
from qismc.stabiliser.state import SymbolicState, joined
from qismc.symbolic import Bool, NotSymbolic, nested
from qismc.system import crossings, runs_of, successors

MOST_STATES = 64
"""Largest number of states that are followed side by side; above it NotSymbolic is raised."""
Ask = Callable[[int, SymbolicState, Bool], None]
"""Asks the questions about a point, a state that comes there, and when it does."""


@dataclass
class ControlFacts:
    """Facts about the control flow of a program, each found out once."""

    program: Program
    gates: Gates
    _meeting: dict[int, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Inner branches first, so that outer ones step over them."""
        for point in reversed(crossings(self.program)):
            if isinstance(self.program.code[point], Branch | Switch):
                self._meeting[point] = self._search(point)

    def meeting(self, branch: int) -> int | None:
        """The point where all arms of a branch meet, if control only goes forwards to it and all is light."""
        return self._meeting[branch]

    @cached_property
    def joins(self) -> frozenset[int]:
        """The points where control may come from several others, and perhaps further ones."""
        return runs_of(self.program).leaders

    @cached_property
    def _pauses(self) -> list[int]:
        """The points where gates that follow one another end: a name, something else, or others may come."""
        points = crossings(self.program)
        jumps = (point for point in points if isinstance(self.program.code[point], Jump))
        return sorted({*points, *self.program.marked, *(point - 1 for point in (*jumps, *self.joins))})

    def pause(self, point: int) -> int:
        """Up to here there are only gates without names, and control meets no other."""
        return self._pauses[bisect_left(self._pauses, point)]

    @cached_property
    def goes_back(self) -> bool:
        """May control come to a point that is not behind the last one?"""
        code = self.program.code
        return any(target <= point for point in crossings(self.program) for target in code[point].targets)

    def _search(self, branch: int) -> int | None:
        """The first point at which nothing else is pending: runs are walked in the order of their points."""
        last, pending = branch, set(successors(self.program, branch))
        while min(pending) > last:
            start = min(pending)
            if len(pending) == 1:
                return start
            pending.remove(start)
            run = range(start, runs_of(self.program).end(start))
            last = run[-1]
            meeting = self._meeting.get(last)
            if not all(map(self._is_light, run)) or (meeting is None and last in self._meeting):
                return None
            pending.update(successors(self.program, last) if meeting is None else (meeting,))
        return None

    def _is_light(self, point: int) -> bool:
        """Does the statement leave the group as it is, up to signs?"""
        match self.program.code[point]:
            case Apply(operator, _):
                action = self.gates.action(operator)
                return action is not None and action.pauli is not None
            case Leaf() | Jump():
                return False
        return isinstance(self.program.code[point], Classical | Control)

    def after(self, point: int) -> list[range]:
        """The runs of points that control may come to behind a point."""
        return self._runs(successors(self.program, point))

    @property
    def size(self) -> tuple[int, int]:
        """How many points control may come to, and how many ways lead on from them."""
        runs = self._runs((self.program.entry,))
        ways = sum(len(successors(self.program, run[-1])) + len(run) - 1 for run in runs)
        return sum(map(len, runs)), ways

    def _runs(self, starts: Iterable[int]) -> list[range]:
        """Everything from some points on; if runs start there, no point is in two of them."""
        found: dict[int, range] = {}
        pending = list(starts)
        for start in pending:
            if start not in found:
                found[start] = range(start, runs_of(self.program).end(start))
                pending += successors(self.program, found[start][-1])
        return list(found.values())


@dataclass
class Walk:
    """All executions of a program, from a start; raises NotSymbolic where it leaves the formalism."""

    program: Program
    gates: Gates
    functions: Functions
    ask: Ask
    asks_at: Callable[[int], bool]
    """Is anything asked about a point?"""
    observed: int = 0
    quiet: bool = False
    """Is nothing asked about states at points without a name? Gates change no classical answers."""
    last: int | None = None
    """Nothing is asked about points behind this one: they are left out unless control goes back."""
    control: ControlFacts = field(init=False)
    heads: Heads = field(init=False)
    most_states: int = 0
    left_out: bool = False
    """Was something not followed because nothing is asked behind it?"""

    def __post_init__(self) -> None:
        self.control = ControlFacts(self.program, self.gates)
        self.heads = Heads(self.program, self.functions, self.observed)

    @nested()
    def run(self, start: SymbolicState) -> None:
        """Follow the program to its ends."""
        numbers = count()
        pending: list[tuple[int, int, SymbolicState]] = [(self.program.entry, next(numbers), start)]
        end = len(self.program.code) if self.last is None or self.control.goes_back else self.last
        while pending and pending[0][0] <= end:
            self.most_states = max(self.most_states, len(pending))
            if len(pending) > MOST_STATES:
                raise NotSymbolic(f"conditions tell more than {MOST_STATES} cases apart that are no Paulis")
            point, _, state = heappop(pending)
            while pending and pending[0][0] == point:
                together = joined(state, pending[0][2])
                if together is None:
                    break
                heappop(pending)
                state = together
            for target, after in self._onwards(point, state):
                heappush(pending, (target, next(numbers), after))
        self.left_out = self.left_out or bool(pending)

    def _onwards(self, point: int, state: SymbolicState) -> Iterator[tuple[int, SymbolicState]]:
        """Follow a state until it forks, may meet others, goes back, or ends."""
        while True:
            self.functions.budget.spend("the walk through the program")
            if self.quiet and self.control.pause(point) > point:
                self.ask(point, state, state.guard)  # for all of them: no name makes them differ
                point = self.gates.run(state.tableau, self.program.code, point, self.control.pause(point))
            self.ask(point, state, state.guard)
            statement = self.program.code[point]
            if isinstance(statement, Leaf):
                return
            if isinstance(statement, Branch | Switch):
                forks = list(self._fork(point, statement, state))
                if len(forks) != 1:
                    yield from (fork for fork in forks if self._goes_on(point, *fork))
                    return
                ((target, state),) = forks
            elif self._act(point, statement, state):
                (target,) = successors(self.program, point)
            else:
                return
            if not self._goes_on(point, target, state):
                return
            if target <= point or target in self.control.joins:
                yield target, state
                return
            point = target

    def _goes_on(self, point: int, target: int, state: SymbolicState) -> bool:
        """Is there something new behind a step back?"""
        if target > point:
            return True
        new = self.heads.is_new(target, state)
        state.note(target, ())
        return new

    # --- statements --------------------------------------------------------------------------------------

    def _act(self, point: int, statement: Statement, state: SymbolicState) -> bool:
        """What a statement does; False if it cannot be followed and nothing is asked behind it."""
        match statement:
            case Apply():
                if self.gates.run(state.tableau, self.program.code, point, point + 1) == point:
                    return self._leave(point, "is no Clifford gate")
            case Measure(qubit, bit):
                outcome = state.measure(((qubit, 2),))
                state.put(bit, outcome)
                state.note(point, (outcome,))
            case Reset(qubit):
                state.note(point, (state.reset(qubit),))
            case Initialize(qubits, preparation):
                recipe = recipe_of(preparation)
                if recipe is None:
                    return self._leave(point, "prepares no stabiliser state")
                state.note(point, tuple(map(state.reset, qubits)))
                state.prepare(recipe.on(qubits))
            case Channel():
                return self._leave(point, "is a channel")
            case Assign() | AssignAt() | Havoc():
                self._compute(point, statement, state, True)
            case _:
                assert isinstance(statement, Control), "all others have an effect"
        return True

    def _leave(self, point: int, what: str) -> bool:
        if not any(self.asks_at(later) for stretch in self.control.after(point) for later in stretch):
            self.left_out = True
            return False
        source = self.program.sources[point]
        where = f" ({source})" if source is not None else ""
        raise NotSymbolic(f"'{self.program.text(point)}'{where} {what}")

    def _compute(self, point: int, statement: Classical, state: SymbolicState, guard: Bool) -> None:
        functions = self.functions
        if isinstance(statement, Havoc):
            symbols = tuple(functions.symbol(SymbolKind.CHOICE) for _ in statement.bits)
            for bit, symbol in zip(statement.bits, symbols, strict=True):
                state.put(bit, symbol, guard)
            state.note(point, symbols, guard)
            return
        for bit, digit, here in state.arithmetic.writes(statement):
            state.put(bit, functions.mask(digit), functions.logic.conjunction(guard, here))

    # --- branches ----------------------------------------------------------------------------------------

    def _fork(
        self, point: int, statement: Branch | Switch, state: SymbolicState
    ) -> Iterator[tuple[int, SymbolicState]]:
        """The ways out of a branch: one if the condition is constant or the arms are light."""
        ways = self._branch(point, statement, state, True)
        if len(ways) == 1:
            yield next(iter(ways)), state
            return
        possible = []
        for target, condition in ways.items():
            guard = self.functions.logic.conjunction(state.guard, condition)
            if self.functions.solutions.some(guard) is not None:
                possible.append((target, guard))
        for number, (target, guard) in enumerate(possible):
            last = number + 1 == len(possible)
            after = state if last else state.copy()
            after.guard = guard
            yield target, after

    def _branch(
        self, point: int, statement: Branch | Switch, state: SymbolicState, guard: Bool
    ) -> dict[int, Bool]:
        """The points where control goes on, and when: behind arms that are light, which are walked here."""
        ways = state.arithmetic.ways(statement, self.program.settle)
        ways = {target: condition for target, condition in ways.items() if condition is not False}
        if len(ways) == 1:
            return dict.fromkeys(ways, guard)
        arms = {target: self.functions.logic.conjunction(guard, way) for target, way in ways.items()}
        meeting = self.control.meeting(point)
        if meeting is None:
            return arms
        self._through(arms, meeting, state)
        return {meeting: guard}

    def _through(self, pending: dict[int, Bool], meeting: int, state: SymbolicState) -> None:
        """Walk the arms of a branch up to where they meet, each statement under its condition."""
        pending.pop(meeting, None)
        while pending:
            point = min(pending)
            guard = pending.pop(point)
            self.functions.budget.spend("the walk through the program")
            if self.quiet:
                point = self._paulis(point, meeting, state, guard)
            for target, condition in self._lightly(point, state, guard).items():
                if target != meeting:
                    pending[target] = self.functions.logic.parity(pending.get(target, False), condition)

    def _paulis(self, point: int, meeting: int, state: SymbolicState, guard: Bool) -> int:
        """Apply the Paulis before a point that may have a name, or behind which control may meet others."""
        stop = min(self.control.pause(point), meeting - 1)
        letters: list[tuple[int, int]] = []
        if stop > point:
            self.ask(point, state, self.functions.logic.conjunction(state.guard, guard))
        for statement in self.program.code[point:stop]:
            assert isinstance(statement, Apply), "gates"
            letters += self._pauli(statement)
        if letters:
            state.flip(tuple(letters), self.functions.mask(guard))
        return max(point, stop)

    def _pauli(self, gate: Apply) -> Letters:
        action = self.gates.action(gate.operator)
        assert action is not None and action.pauli is not None, "light"
        return tuple((gate.qubits[k], letter) for k, letter in action.pauli)

    def _lightly(self, point: int, state: SymbolicState, guard: Bool) -> dict[int, Bool]:
        """One statement under a condition, and where control goes from there."""
        statement = self.program.code[point]
        self.ask(point, state, self.functions.logic.conjunction(state.guard, guard))
        match statement:
            case Branch() | Switch():
                return self._branch(point, statement, state, guard)
            case Apply():
                state.flip(self._pauli(statement), self.functions.mask(guard))
            case Assign() | AssignAt() | Havoc():
                self._compute(point, statement, state, guard)
        return dict.fromkeys(successors(self.program, point), guard)
