"""The search for edits after which all formulas hold: hints are its first answers, repairs are their list.

Edits come in one order, likely ones first. Each is screened with the states of violating executions, run once
with the outcomes of these, and checked if it is left. Every step is counted as effort, so the search ends at
the same edit on every machine; the time and the memory that the user allows end it, too.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import NamedTuple

from qismc.common.lazily import cached_property
from qismc.edits import Edit, source_of
from qismc.errors import LimitReached, QismcError, Undecided
from qismc.evidence import Execution, invariant
from qismc.limits import UNLIMITED, check_memory
from qismc.program import Program
from qismc.repairs.branches import one_gate_repairs
from qismc.repairs.edit_order import EditOrder, near_first
from qismc.repairs.screening import DRAWN, EXECUTIONS, Screen, screen
from qismc.results import Result
from qismc.whatif import Variants

TRIAL = 20.0
"""Effort of checking an edit, in units of screening one (a screening costs about 1/20 of a check)."""
BLIND_TRIALS = 20
"""Maximum number of checked edits that the screening says nothing about, unless everything is to be tried."""
DEAR = 1e6
"""Scalar operations of a check above which runs with random outcomes are made before it."""
PLAIN_WORK = 5e5
"""Scalar operations of a plain check (about 20 ms). A check with more counts for as many plain ones."""
FEWEST_TRIALS = 4
"""Minimum number of checks that the effort is enough for; fewer where these would exceed MOST_WORK."""
MOST_WORK = 1.6e8
"""Maximum scalar operations of one check for which FEWEST_TRIALS checks are promised."""
HANGS = 60.0
"""Maximum seconds for one variant, whatever effort is counted for it."""
AS_LONG_AGAIN = 2.0
PATIENCE = 20 * TRIAL
"""Once an answer is found, the search ends after AS_LONG_AGAIN times the effort so far plus its patience:
what is likely is tried early."""
SIMULATED_QUBITS = 12
"""Executions of more qubits are not simulated where stabiliser groups decide."""
PLACES = 4
"""Maximum number of further lines at which an insertion is tried that holds at one."""
PAIRED = 150
"""Number of single edits, the first ones, that pairs are made of."""


ENOUGH = "stopped where enough were found"


class Answer(NamedTuple):
    """An edit after which all formulas hold; that was checked."""

    edit: Edit
    program: Program
    """The edited program."""
    result: Result
    """The check of it."""
    elsewhere: tuple[Edit, ...] = ()
    """The same at other lines, to the same effect."""


@dataclass
class Search:
    """Looks for edits of the program of a question after which all of its formulas hold."""

    question: Variants
    violated: Sequence[str]
    """Names of the formulas that fail now."""
    executions: Mapping[str, Execution] = field(default_factory=dict)
    """Counterexamples by name; edits near to them come first."""
    effort: float = math.inf
    """The most that is spent."""
    patience: float = PATIENCE
    """What is spent in any case once an answer is found."""
    seconds: float = math.inf
    """The time that there is, whatever is counted."""
    whose: str = ""
    """Whose limit that is, in words."""
    everything: bool = False
    """Are all edits tried, also those about which nothing is known?"""
    pairs: bool = False
    """Are pairs of edits tried after all single ones?"""
    watch: Callable[[], None] | None = None
    """Called before every edit, to show progress."""
    tried: int = 0
    """Edits that were looked at."""
    checked: int = 0
    """Edits of which a check was made."""
    stopped: str | None = None
    """Why the search ended before everything was tried; None before it began, or where all was tried."""
    took: float = 0.0
    """Seconds, when it was looked at last."""
    _spent: float = 0.0
    _start: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._enough = self.effort
        """The effort after which further answers are not looked for."""

    def answers(self) -> Iterator[Answer]:
        """Likely ones first; at last those that change some copies of a statement, or leave others dead."""
        doubtful: list[Answer] = []
        self.stopped = ENOUGH
        try:
            for places in self._holding():
                empties = self._empties(places[0].edit)
                clear = [one for one in places if not (empties or one.edit.is_of_some_copies(self._program))]
                doubtful += _together([one for one in places if one not in clear])
                if clear:
                    again = AS_LONG_AGAIN * self._spent + self.patience * self._dear
                    self._enough = min(self._enough, again)
                yield from _together(clear)
        except (QismcError, Undecided) as doubt:
            self.stopped = f"stopped: {doubt}"
        yield from doubtful
        if self.stopped == ENOUGH:
            self.stopped = None

    # --- what is spent -----------------------------------------------------------------------------------

    @cached_property
    def work(self) -> float:
        """Scalar operations of a check of the program as it is."""
        return self._rest.looked_at(self._program)[1]

    @cached_property
    def _dear(self) -> float:
        """So many plain checks each check is worth, if the effort is enough for the fewest that there are."""
        most = self.effort / (min(FEWEST_TRIALS, MOST_WORK / self.work) * TRIAL)
        return min(max(self.work / PLAIN_WORK, 1.0), most)

    @property
    def _rest(self) -> Variants:
        """The question, about variants that take no longer than what is left of the time."""
        left = self.seconds - (time.monotonic() - self._start)
        return self.question.within(min(HANGS, left))

    def _is_over(self) -> bool:
        """Note why, if it is."""
        self.took, full = time.monotonic() - self._start, self._is_full()
        if self.took > self.seconds:
            self.stopped = f"stopped after {self.seconds:g} s{self.whose}"
        elif full is not None:
            self.stopped = f"stopped: {full}"
        elif self._spent > self._enough:
            self.stopped = "stopped where nothing more came"
        return self.stopped != ENOUGH

    def _is_full(self) -> str | None:
        """Why there is no room for further variants."""
        try:
            check_memory(self.question.options.get("limits") or UNLIMITED, "the search for repairs")
        except LimitReached as limit:
            return limit.reason
        return None

    # --- what is tried -----------------------------------------------------------------------------------

    @property
    def _program(self) -> Program:
        assert self.question.program is not None
        return self.question.program

    def _holding(self) -> Iterator[list[Answer]]:
        """Answers; those that insert the same at several lines, to the same effect, come together."""
        if self._is_over():
            return
        sieve = self._screen
        if self._is_over():
            return  # variants would take as long
        order = EditOrder(
            self._program,
            self._points(sieve),
            sieve.first,
            self._corrections,
            everything=self.everything,
        )
        ends = sieve.ends or self._rest.ends(self._program)
        for edit in self._candidates(order, sieve):
            if self._is_over():
                return
            answer = self._answer(edit, ends=ends)
            if answer is not None:
                others = _by_line(self._program, order.elsewhere(edit))
                places = (answer if other == edit else self._answer(other, ends=ends) for other in others)
                yield [place for place in places if place is not None]

    @cached_property
    def _screen(self) -> Screen:
        """Numbers of violating executions; of many qubits only where stabiliser groups are not quicker."""
        many = self._program.num_qubits > SIMULATED_QUBITS
        unneeded = self.question.has_faults or (many and self._rest.is_for_stabilisers(self._program))
        model, found = self._rest.model(self._program), list[Screen]()
        for name in self.violated:
            count, drawn = 0 if unneeded else EXECUTIONS, DRAWN if self.work > DEAR else 0
            found.append(screen(model, self.question.trees[name], count, drawn))
            if found[-1]:
                break
        return found[-1]

    def _points(self, sieve: Screen) -> list[int]:
        """The points at which a change can stop every violating execution that is known, nearest first."""
        if sieve and self._program.num_qubits > SIMULATED_QUBITS:  # pictures of states take longer
            near = list(dict.fromkeys([*sieve.way, *range(len(self._program.code))]))
        else:
            by_line = self.question.has_faults
            near = near_first(self._program, list(self.executions.values()), by_line=by_line)
        if self.pairs:
            return near
        needed = [] if sieve or sieve.first else list(self._needed())
        return [point for point in near if point in sieve.passed and all(point in way for way in needed)]

    def _needed(self) -> Iterator[frozenset[int]]:
        """The points of each execution that makes a formula fail as long as the program has it."""
        for name, execution in self.executions.items():
            universal = invariant(self.question.trees[name]) is not None
            if universal and execution.kind == "path" and not self.question.has_faults:
                yield frozenset(step.point for step in execution.steps)

    def _candidates(self, order: EditOrder, sieve: Screen) -> Iterator[Edit]:
        """What the numbers allow; then what they say nothing about; then pairs."""
        later: list[Edit] = []
        for edit in order.edits():
            if self._is_over():
                return
            if not self._may_hold(edit, sieve):
                continue
            if sieve.can_tell(edit) or not sieve:
                yield edit
            else:
                later.append(edit)
        yield from later if self.everything else later[:BLIND_TRIALS]
        if self.pairs:
            yield from self._of_pairs(order, sieve)

    def _of_pairs(self, order: EditOrder, sieve: Screen) -> Iterator[Edit]:
        for first, second in combinations(islice(order.edits(), PAIRED), 2):
            if self._is_over():
                return
            pair = Edit("pair", first.actions + second.actions)
            apart = {a.point for a in first.actions}.isdisjoint(a.point for a in second.actions)
            if apart and self._may_hold(pair, sieve):
                yield pair

    def _may_hold(self, edit: Edit, sieve: Screen) -> bool:
        """Do no numbers say that a formula fails again?"""
        self.tried += 1
        if self.watch is not None:
            self.watch()
        self._spent += max(1.0, TRIAL * sieve.look_work / PLAIN_WORK)
        if not sieve.may_repair(edit):
            return False
        self._spent += TRIAL * sieve.run_work / PLAIN_WORK
        return not sieve.fails_again(edit, edit.apply(self._program))

    def _corrections(self) -> list[Edit]:
        """Gates at the end, below a condition where one is needed."""
        if self.question.has_faults:
            return []
        return list(one_gate_repairs(self._rest, self._program, self.violated))

    # --- what holds --------------------------------------------------------------------------------------

    def _answer(self, edit: Edit, *, ends: bool) -> Answer | None:
        """The edit, if all holds after it and says as much as before."""
        edited = edit.apply(self._program)
        self.checked += 1
        passed, work = self._rest.looked_at(edited, self.violated, ends=ends)
        self._spent += TRIAL * max(self._dear, work / PLAIN_WORK)
        if not passed:
            return None
        said, result = self._said, self._check(edited)
        return Answer(edit, edited, result) if result and said.issuperset(result.warnings) else None

    @cached_property
    def _said(self) -> frozenset[str]:
        """Why the formulas say less than they seem before any change."""
        return frozenset(self._check(self._program).warnings)

    def _check(self, program: Program) -> Result:
        self._spent += TRIAL * self._dear
        return self._rest.check(program)

    @cached_property
    def _unreached(self) -> int:
        """Number of statements that no execution comes to."""
        return self._rest.unreached(self._program) or 0

    def _empties(self, edit: Edit) -> bool:
        """Are statements never reached any more? A program that does less satisfies more."""
        if self._program.num_qubits > SIMULATED_QUBITS:
            return False
        self._spent += TRIAL * self._dear
        return (self._rest.unreached(edit.apply(self._program)) or 0) > self._unreached


def _together(answers: Sequence[Answer]) -> list[Answer]:
    """The first answer with the edits of the others, if there is one."""
    return [one._replace(elsewhere=tuple(other.edit for other in answers[1:])) for one in answers[:1]]


def _by_line(program: Program, edits: Sequence[Edit]) -> list[Edit]:
    """The first edits of some lines, one of each."""
    found: dict[int | None, Edit] = {}
    for edit in edits:
        source = source_of(program, edit.point)
        found.setdefault(None if source is None else source.line, edit)
    return list(found.values())[: PLACES + 1]
