"""Tells, by the numbers of a few violating executions alone, which edits cannot repair them.

An execution v_0, v_1, .. , v_m with v_(k+1) = M_k v_k breaks the claim "v_m is in psi". Take any w_m
orthogonal to psi and go back: w_k = M_k^dagger w_(k+1), so that <w_k, v_k> is the same for all k. An edit
that puts E in the place of M_k, and keeps the outcomes, leads to a state of psi only if <w_(k+1), E v_k> =
0. For a random w_m the converse holds with probability 1. One inner product thus screens one edit; what
passes has still to be checked.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product

import numpy as np
from typing_extensions import assert_never

from qismc.common.lazily import cached_property
from qismc.ctl import Evaluation, Graph, Labels
from qismc.edits import Action, Edit, Exchange, Insert, Remove, Replace, heads_loop
from qismc.engines import Numeric, Vector
from qismc.errors import QismcError, Undecided
from qismc.evidence import Stage, Violation, Visit, acting, invariant, projected, replay, violations
from qismc.fixpoint import Starts, adjoint
from qismc.language import Formula
from qismc.limits import Trial
from qismc.model import Model
from qismc.program import Apply, Leaf, Measure, Program, Reset, Statement
from qismc.questions import mentions_post
from qismc.repairs.rerun import Original, Reruns, choices_of
from qismc.system import Application, families

EXECUTIONS = 8
"""Maximum number of violating executions that screen edits (benchmark `hints`, as for all numbers here)."""
RERUN = 3
"""Maximum number of violating executions whose outcomes an edited program is run with."""
DRAWN = 4
"""Number of runs with random outcomes that follow, for programs whose check takes long."""
MOST_CHOICES = 200
"""Number of random outcomes that are drawn for a run; after them it takes 0 where 0 is possible."""
SCREENED, SCREENED_LARGE, LARGE_QUBITS = Trial(4_000, 128), Trial(), 12
"""How far the transition system may grow in the search for executions; the second one above LARGE_QUBITS."""
MOST_STEPS = 800
"""Maximum number of steps of an execution that screens edits."""
MOST_AMPLITUDES, MOST_AS_ARRAYS = 1 << 26, 26
"""Maximum number of amplitudes kept for one execution. States above MOST_AS_ARRAYS qubits are tensor trains,
of which only the steps are counted."""
VANISHES = 1e-6
"""An inner product below this fraction of the violation may be zero, so the edit is checked."""
NOISE = 3e-13
"""Inner products up to this size may be rounding alone."""
FAINT = 1e-11
"""An execution whose violation floating point sees with a smaller inner product screens nothing."""
WORK_PER_STATEMENT, BYTES_PER_OPERATION = 500, 16
"""Effort of a run and of a screening: scalar operations of a statement besides those on the state, and the
number of bytes of a state that cost one scalar operation."""
MOST_ALTERNATIVES = 4
"""Maximum number of combinations of Kraus operators of an edit that inserts resets at several visits."""

Operators = tuple[Application, ...]
Alternatives = tuple[Operators, ...]
"""What may act in the place of a step: the claim is kept if it is for each of them."""


@dataclass(frozen=True)
class Trace:
    """A violating execution: stages before its steps, what acts there, functionals that see the violation.

    Nothing acts at the last step.
    """

    visits: tuple[Visit, ...]
    stages: tuple[Stage, ...]
    functionals: tuple[Vector, ...]
    moves: tuple[Operators, ...]

    def onward(self, step: int, choices: tuple[int, ...] | None = None) -> Original:
        """The execution from a step on, with its own choices or with others."""
        chosen = choices_of(self.visits[step:]) if choices is None else choices
        return Original(self.visits[step].point, self.stages[step].state, self.stages[step].store, chosen)

    @cached_property
    def steps_at(self) -> dict[int, list[int]]:
        """point -> the steps that are there."""
        found: dict[int, list[int]] = {}
        for step, visit in enumerate(self.visits):
            found.setdefault(visit.point, []).append(step)
        return found


@dataclass(frozen=True, eq=False)
class Screen:
    """Tells edits that cannot repair some violating executions."""

    program: Program
    engine: Numeric
    traces: Sequence[Trace]
    reruns: Reruns
    first: int
    """Changes before this point may change what the formula means."""
    drawn: int
    """Number of runs of an edited program with random outcomes."""
    _before: dict[tuple[int, int, int], float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.traces)

    @cached_property
    def look_work(self) -> float:
        """Scalar operations of a look at an edit: a few gates on a state of some execution."""
        largest = max((self.engine.bytes_of(t.stages[-1].state) for t in self.traces), default=0)
        return largest / BYTES_PER_OPERATION

    @property
    def run_work(self) -> float:
        """Scalar operations of running an edited program again, with all outcomes that are tried."""
        if not self.traces:
            return 0.0
        runs = min(len(self.traces), RERUN) + self.drawn
        return runs * len(self.program.code) * (WORK_PER_STATEMENT + self.look_work / 4)

    def may_repair(self, edit: Edit) -> bool:
        """False if an execution goes on as before after the edit, and still breaks the claim."""
        try:
            return edit.point < self.first or all(self._mends(trace, edit) for trace in self.traces)
        except Undecided:  # the time for simulations is over
            return True

    @property
    def ends(self) -> bool:
        """Is it known that an execution reaches the end of the program?"""
        return any(isinstance(self.program.code[t.visits[-1].point], Leaf) for t in self.traces)

    @property
    def passed(self) -> Container[int]:
        """The points that every known violating execution passes, or that tell what the claim means."""
        ways = [frozenset(visit.point for visit in trace.visits) for trace in self.traces]
        everywhere = frozenset(range(len(self.program.code)))
        return everywhere.intersection(*ways) | frozenset(range(self.first))

    @property
    def way(self) -> list[int]:
        """The points of a violating execution, from its end."""
        return [visit.point for trace in self.traces[:1] for visit in reversed(trace.visits)]

    def can_tell(self, edit: Edit) -> bool:
        """Do numbers say something about the edit?"""
        return bool(self.traces) and edit.point >= self.first

    def fails_again(self, edit: Edit, edited: Program) -> bool:
        """Does the edited program, run with the outcomes of such an execution, break the claim at its end?"""
        if edit.point < self.first:
            return False
        ending = [trace for trace in self.traces if _ends(self.program, trace)]
        same = (_onward(trace, edit) for trace in ending[:RERUN])
        return self.reruns.fails(edited, chain(same, self._drawn(ending)))

    def _drawn(self, ending: Sequence[Trace]) -> Iterator[Original]:
        """Runs from the start with outcomes drawn at random: what broke elsewhere falls here."""
        rng = np.random.default_rng(len(self.program.code))
        choosing = [trace for trace in ending if choices_of(trace.visits)]
        for number in range(self.drawn if choosing else 0):
            trace = choosing[number % len(choosing)]
            choices = tuple(int(bit) for bit in rng.integers(2, size=MOST_CHOICES))
            yield trace.onward(0, choices)

    def _mends(self, trace: Trace, edit: Edit) -> bool:
        changed: dict[int, Alternatives] = {}
        for action in edit.actions:
            if not self._change(trace, action, changed):
                return True
        if not changed:
            return False  # the execution does not pass there
        first, last = min(changed), max(changed)
        choices = [changed.get(k, (trace.moves[k],)) for k in range(first, last + 1)]
        if np.prod([len(c) for c in choices], dtype=float) > MOST_ALTERNATIVES:
            return True
        return all(
            self._vanishes(trace, first, last, [a for part in chosen for a in part])
            for chosen in product(*choices)
        )

    def _vanishes(self, trace: Trace, first: int, last: int, acting: list[Application]) -> bool:
        """Is the violation gone if this acts from the first to the last step?"""
        key = (id(trace), first, last)
        if key not in self._before:
            moves = [application for move in trace.moves[first : last + 1] for application in move]
            self._before[key] = self._seen(trace, first, last, moves)
        return self._seen(trace, first, last, acting) <= max(VANISHES * self._before[key], NOISE)

    def _seen(self, trace: Trace, first: int, last: int, acting: list[Application]) -> float:
        image = self.engine.run(self.engine.compile(acting), trace.stages[first].state)
        return abs(self.engine.inner(trace.functionals[last + 1], image))

    def _change(self, trace: Trace, action: Action, changed: dict[int, Alternatives]) -> bool:
        """Note what acts at the visits of an action; False if the execution may take another way."""
        for step in trace.steps_at.get(action.point, ()):
            if step in changed:
                return False
            found = self._instead(trace, action, step)
            if found is None:
                return False
            changed[step] = found
            if isinstance(action, Exchange):
                changed[step + 1] = ((),)
        return True

    def _instead(self, trace: Trace, action: Action, step: int) -> Alternatives | None:
        """What acts at a step after an action; None if that is not known."""
        here, old = trace.moves[step], self.program.code[action.point]
        if step + 1 == len(trace.visits) and not isinstance(old, Leaf):
            return None  # what is claimed here may be claimed elsewhere after the edit
        match action:
            case Insert(_, statement, condition, after):
                new = _alternatives(statement)
                if new is None or condition is not None or heads_loop(old):
                    return None
                return tuple((*here, *kraus) if after else (*kraus, *here) for kraus in new)
            case Remove():
                return ((),) if isinstance(old, Apply | Reset) else None
            case Replace(_, statement):
                return self._replaced(old, statement, trace.visits[step])
            case Exchange(point):
                following = trace.visits[step + 1].point if step + 2 < len(trace.visits) else None
                return (trace.moves[step + 1] + here,) if following == point + 1 else None
            case _:
                assert_never(action)

    def _replaced(self, old: Statement, new: Statement, visit: Visit) -> Alternatives | None:
        match old, new:
            case Measure(_, bit), Measure(_, other) if bit == other and visit.hop is not None:
                return tuple(families(new, visit.hop.way.outcome))
            case ((Apply() | Reset()), _):
                return _alternatives(new)
        return None


def _onward(trace: Trace, edit: Edit) -> Original:
    """The execution from where it first comes to the edit; statements before that keep their numbers."""
    changed = {action.point for action in edit.actions}
    step = next((k for k, visit in enumerate(trace.visits) if visit.point in changed), 0)
    return trace.onward(step if trace.visits[step].point == edit.point else 0)


def _ends(program: Program, trace: Trace) -> bool:
    """Does the execution go from the start of the program to its end?"""
    points = trace.visits[0].point, trace.visits[-1].point
    return points[0] == program.entry and isinstance(program.code[points[1]], Leaf)


def _alternatives(statement: Statement) -> Alternatives | None:
    match statement:
        case Apply():
            return ((Application(*statement),),)
        case Reset():
            (family,) = families(statement, None)
            return tuple((kraus,) for kraus in family)
    return None


def screen(model: Model, formula: Formula, executions: int = EXECUTIONS, drawn: int = 0) -> Screen:
    """The screen of a violated invariant; that of another formula, or of no execution, stops nothing."""
    body = invariant(formula)
    try:
        wanted = 0 if body is None else executions
        traces = list(islice(_traces(model, formula), wanted)) if wanted else []
    except (QismcError, Undecided):  # then every edit has to be checked
        traces = []
    engine = model.simulation.engine
    reruns = Reruns(engine, model.names, formula if body is None else body)
    return Screen(model.program, engine, traces, reruns, _first_screened(model, formula), drawn)


def _first_screened(model: Model, formula: Formula) -> int:
    """Edits before this point may change what sp(mark) in the formula means."""
    program = model.program
    if not mentions_post(formula, model.scope):
        return 0
    return max(program.marked, default=0) if program.goes_forwards else len(program.code)


def _traces(model: Model, formula: Formula) -> Iterator[Trace]:
    model = model.asking([formula])
    observed = model.observed([formula])
    large = model.program.num_qubits > LARGE_QUBITS
    with model.budget.trying(SCREENED_LARGE if large else SCREENED):
        solved = model.solved(observed)
    labels = Labels(solved, model.names, model.simulation.replay(solved))
    evaluation = Evaluation(Graph(*solved.system.successor_arrays), labels, labels.cost)
    if evaluation.holds(formula):
        return
    starts = Starts(solved, model.simulation.engine)
    shortest = sorted(islice(violations(formula, evaluation, labels), 4 * EXECUTIONS), key=len)
    for found in shortest:
        trace = _trace(model, found, labels, starts) if len(found) <= _longest(model) else None
        if trace is not None:
            yield trace


def _longest(model: Model) -> int:
    """The longest execution whose states can all be kept, were they arrays."""
    count = model.program.num_qubits
    return MOST_STEPS if count > MOST_AS_ARRAYS else min(MOST_STEPS, MOST_AMPLITUDES >> count)


def _trace(model: Model, found: Violation, labels: Labels, starts: Starts) -> Trace | None:
    program, engine, visits = model.program, model.simulation.engine, found.path.visits
    if found.kept or not found.alone or len(found.atoms) > 1:
        return None
    start, store = starts(found.path.seed)
    stages = tuple(replay(program, engine, visits, start, store))
    if len(stages) < len(visits):
        return None
    end = _outside(engine, found, labels, stages[-1].state)
    if end is None or abs(engine.inner(end, stages[-1].state)) < FAINT:
        return None
    moves = tuple(acting(program, visit) for visit in visits[:-1])
    functionals = [end, end]
    for move in reversed(moves):
        functionals.append(engine.run(engine.compile(adjoint(move)), functionals[-1]))
    return Trace(visits, stages, tuple(reversed(functionals)), (*moves, ()))


def _outside(engine: Numeric, found: Violation, labels: Labels, end: Vector) -> Vector | None:
    """A random vector near the end; orthogonal to the proposition that fails, unless bits alone do."""
    rng = np.random.default_rng(len(found))
    numbers = [complex(*pair) for pair in rng.normal(size=(2 * engine.num_qubits, 2))]
    parts = [engine.product(list(zip(numbers[::2], numbers[1::2], strict=True))), end]
    vector = engine.combine([1.0, 1.0], [engine.run(engine.compile([]), part) for part in parts])
    if not found.atoms:
        return vector
    unit = engine.run(engine.compile([]), vector)
    inside = projected(engine, labels.proposition(found.atoms[0]), unit)
    return None if inside is None else engine.combine([1.0, -1.0], [unit, inside])
