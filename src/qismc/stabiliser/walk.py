"""Walks through a program with all values of the symbols at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from typing_extensions import assert_never

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
    Leaf,
    Measure,
    Program,
    Reset,
    Statement,
    Switch,
)
from qismc.stabiliser.amplitudes import recipe_of
from qismc.stabiliser.control import ControlFacts
from qismc.stabiliser.functions import Functions, SymbolKind
from qismc.stabiliser.gates import Gates
from qismc.stabiliser.loops import Heads
from qismc.stabiliser.state import SymbolicState, joined
from qismc.symbolic import Bool, NotSymbolic

MOST_STATES = 64
"""Largest number of states that are followed side by side; above it NotSymbolic is raised."""
Ask = Callable[[int, SymbolicState, Bool], None]
"""Asks the questions about a point, a state that comes there, and when it does."""


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

    def run(self, start: SymbolicState) -> None:
        """Follow the program to its ends; raises NotSymbolic also where classical values nest too deeply."""
        try:
            self._run(start)
        except RecursionError:
            raise NotSymbolic("a classical value that depends on too many others") from None

    def _run(self, start: SymbolicState) -> None:
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
                point = self._gates(point, state)
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
            else:
                if not self._act(point, statement, state):
                    return
                (following,) = statement.targets or (point + 1,)
                target = self.program.settle(following)
            if not self._goes_on(point, target, state):
                return
            if target <= point or target in self.control.joins:
                yield target, state
                return
            point = target

    def _gates(self, point: int, state: SymbolicState) -> int:
        """Apply gates up to a point that may have a name, or behind which control may meet others."""
        return self.gates.run(state.tableau, self.program.code, point, self.control.pause(point))

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
        if isinstance(statement, Control):
            return True
        match statement:
            case Apply(operator, qubits):
                action = self.gates.action(operator)
                if action is None:
                    return self._leave(point, "is no Clifford gate")
                for gate, local in action.steps:
                    state.tableau.apply(gate, [qubits[k] for k in local])
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
                state.note(point, tuple(state.reset(qubit) for qubit in qubits))
                state.prepare(recipe.on(qubits))
            case Channel():
                return self._leave(point, "is a channel")
            case Assign() | AssignAt() | Havoc():
                self._compute(point, statement, state, True)
            case _:
                assert_never(statement)
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
        ways = self._ways(statement, state)
        if len(ways) == 1:
            yield next(iter(ways)), state
            return
        meeting = self.control.meeting(point)
        if meeting is not None:
            self._through(ways, meeting, state, True)
            yield meeting, state
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

    def _ways(self, statement: Branch | Switch, state: SymbolicState) -> dict[int, Bool]:
        """The points where control goes on, and when: conditions that exclude each other."""
        ways = state.arithmetic.ways(statement, self.program.settle)
        possible = {target: condition for target, condition in ways.items() if condition is not False}
        return {target: condition if len(possible) > 1 else True for target, condition in possible.items()}

    def _through(self, ways: dict[int, Bool], meeting: int, state: SymbolicState, guard: Bool) -> None:
        """Walk the arms of a branch up to where they meet, each statement under its condition."""
        logic = self.functions.logic
        pending = {target: logic.conjunction(guard, way) for target, way in ways.items()}
        pending.pop(meeting, None)
        while pending:
            here = min(pending)
            inner = pending.pop(here)
            self.functions.budget.spend("the walk through the program")
            if self.quiet:
                here = self._paulis(here, meeting, state, inner)
            for target, condition in self._lightly(here, state, inner).items():
                if target != meeting:
                    pending[target] = logic.parity(pending.get(target, False), condition)

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
        logic, statement = self.functions.logic, self.program.code[point]
        self.ask(point, state, logic.conjunction(state.guard, guard))
        match statement:
            case Branch() | Switch():
                ways, meeting = self._ways(statement, state), self.control.meeting(point)
                if len(ways) > 1 and meeting is not None:
                    self._through(ways, meeting, state, guard)
                    return {meeting: guard}
                return {target: logic.conjunction(guard, way) for target, way in ways.items()}
            case Apply():
                state.flip(self._pauli(statement), self.functions.mask(guard))
            case Assign() | AssignAt() | Havoc():
                self._compute(point, statement, state, guard)
            case _:
                pass
        (following,) = statement.targets or (point + 1,)
        return {self.program.settle(following): guard}
