"""The search for repairs: every candidate is checked against all formulas, and so is every suggestion."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from qismc.common import arguments
from qismc.common.lazily import cached_property
from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.edits import Edit, Patch, patch, source_of
from qismc.errors import LimitReached, QismcError, Undecided
from qismc.limits import SEARCH_SECONDS, UNLIMITED, check_memory
from qismc.program import Program
from qismc.repairs.branches import one_gate_repairs
from qismc.repairs.edit_order import candidates
from qismc.repairs.screening import Screen, screen
from qismc.results import Result
from qismc.verdict import Verdict
from qismc.whatif import Variants, same_ends

EARLY = 200
"""So many single edits are tried before one gate for each of several branches is."""
PATIENCE = 300
"""Once a repair is found, the search goes on for as many edits as that took, at least for so many."""


@dataclass(frozen=True, repr=False)
class Repair:
    """Edits after which every formula holds; that was checked."""

    original: Program = field(repr=False)
    edits: tuple[Edit, ...]
    program: Program = field(repr=False)
    """The repaired program."""
    result: Result = field(repr=False)
    """The check of the repaired program."""
    same: list[str] = field(default_factory=list, repr=False)
    """Texts of other edits that lead to the same states at the end."""

    @property
    def text(self) -> str:
        """`rus.qasm:24: insert reset q[0] before 'h q[0]'`."""
        return "; ".join(edit.text(self.original) for edit in self.edits)

    @property
    def source(self) -> Source | None:
        return source_of(self.original, min(edit.point for edit in self.edits))

    @property
    def line(self) -> int | None:
        return None if self.source is None else self.source.line

    @cached_property
    def patch(self) -> Patch | None:
        """The change of the source text, where it can be said there."""
        joint = Edit("repair", tuple(action for edit in self.edits for action in edit.actions))
        return patch(self.original, joint)

    @property
    def diff(self) -> str | None:
        """A unified diff of the source text."""
        return None if self.patch is None else self.patch.diff

    def __repr__(self) -> str:
        return f"<Repair {self.text}>"

    def __str__(self) -> str:
        return self.text


class Repairs:
    """Repairs of a violated check, found while one iterates; equivalent ones are one repair."""

    def __init__(
        self,
        result: Result,
        question: Variants,
        *,
        limit: int = 5,
        pairs: bool = False,
        seconds: float | None = SEARCH_SECONDS,
    ) -> None:
        arguments.whole("limit", limit, 1)
        arguments.flag("pairs", pairs)
        arguments.positive("seconds", seconds)
        self.tried = 0
        self.seconds = 0.0
        self.stopped: str | None = None
        """Why the search ended before all candidates were tried."""
        self._result, self._question = result, question
        self._limit, self._pairs = limit, pairs
        self._wanted = math.inf if seconds is None else seconds
        self._allowed = min(self._wanted, question.seconds)
        self.watch: Callable[[], None] | None = None
        """Called after every edit that was tried, to show progress."""
        self._found: list[Repair] = []
        self._search: Iterator[Repair] | None = None
        self._last = 0
        self._screens: list[Screen] = []

    @property
    def _program(self) -> Program:
        return self._question.program or self._result.program

    def __iter__(self) -> Iterator[Repair]:
        """What was found before, then what is found now."""
        for number in range(self._limit):
            if number >= len(self._found) and not self._advance():
                return
            yield self._found[number]

    def _advance(self) -> bool:
        if self._search is None:
            self._search = self._run()
        found = next(self._search, None)
        if found is not None:
            self._found.append(found)
        return found is not None

    def __reduce__(self) -> tuple[type[_Found], tuple[Any, ...]]:
        """What is found travels, the search does not."""
        return _Found, (tuple(self), self.tried, self.seconds, self.stopped)

    def __repr__(self) -> str:
        return f"<Repairs: {self.progress}>"

    @property
    def progress(self) -> str:
        """How far the search is, in words."""
        return f"{counted(self.tried, 'edit')} tried, {counted(len(self._found), 'repair')} found"

    @property
    def note(self) -> str:
        """What was done, in words."""
        found = f"{counted(len(self._found), 'repair')} found" if self._found else "no repair was found"
        extent = "all single edits" if self.stopped is None else self.stopped
        if self.stopped is None and self._pairs:
            extent = "all single edits and the nearest pairs"
        return f"{found}; {counted(self.tried, 'edit')} tried in {self.seconds:.1f} s ({extent})"

    def to_json(self) -> dict[str, Any]:
        """The repairs as plain data, as `qismc repair --json` prints them."""
        rows = [_row(repair) for repair in list(self)]  # the search is over before the first row is made
        return {"repairs": rows, "tried": self.tried, "note": self.note}

    def _run(self) -> Iterator[Repair]:
        if self._result.verdict is not Verdict.VIOLATED:
            return
        self._start = time.monotonic()
        violated = [r.name for r in self._result.results if r.verdict is Verdict.VIOLATED]
        ends = self._hurried.ends(self._program)
        self._screens = self._screened(violated)
        for edit in self._candidates(violated):
            if self._is_over():
                return
            self.tried += 1
            found = self._try(edit, violated, ends=ends)
            self.seconds = self._elapsed
            if self.watch is not None:
                self.watch()
            if found is not None:
                self._last = self.tried
                yield found
        self.stopped = None

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    @property
    def _hurried(self) -> Variants:
        """The question about variants that take no longer than what is left of the time."""
        return self._question.within(self._allowed - self._elapsed)

    def _candidates(self, violated: list[str]) -> Iterator[Edit]:
        """One gate by comparison of states; near edits; a gate for each failing branch; all others."""
        faulty = self._question.has_faults
        likely = [] if faulty else list(one_gate_repairs(self._hurried, self._program, violated))
        searched = candidates(self._program, self._result, pairs=self._pairs)
        yield from (edit for edit in likely if len(edit.actions) == 1)
        yield from islice(searched, EARLY)
        yield from (edit for edit in likely if len(edit.actions) > 1)
        yield from searched

    def _screened(self, violated: list[str]) -> list[Screen]:
        """What tells wrong edits without checking them."""
        if self._question.has_faults:
            return []
        question, program = self._hurried, self._program
        return [screen(question.model(program), question.trees[name]) for name in violated]

    def _is_over(self) -> bool:
        self.seconds = self._elapsed
        full = self._out_of_memory()
        if self.seconds > self._allowed:
            whose = "" if self._allowed == self._wanted else ", the time limit of the check"
            self.stopped = f"stopped after {self._allowed:g} s{whose}"
        elif full is not None:
            self.stopped = f"stopped: {full}"
        elif self._found and self.tried >= self._last + max(self._last, PATIENCE):
            self.stopped = "stopped where nothing more came"
        else:
            self.stopped = "stopped where enough were found"
            return False
        return True

    def _out_of_memory(self) -> str | None:
        """Why there is no room for further variants."""
        try:
            check_memory(self._question.options.get("limits") or UNLIMITED, "the search for repairs")
        except LimitReached as limit:
            return limit.reason
        return None

    def _try(self, edit: Edit, violated: list[str], *, ends: bool) -> Repair | None:
        original = self._program
        if not all(sieve.may_repair(edit) for sieve in self._screens):
            return None
        edited = edit.apply(original)
        if not self._hurried.holds(edited, violated, ends=ends) or not self._passes(edited):
            return None
        checked = self._hurried.check(edited)
        if not checked or set(checked.warnings) - set(self._result.warnings):
            return None  # it would say less than it seems
        for known in self._found:
            if not self._question.has_faults and same_ends(known.program, edited, self._question.options):
                text = edit.text(original)
                if text not in (known.text, *known.same):
                    known.same.append(text)
                return None
        return Repair(original, (edit,), edited, checked)

    def _passes(self, edited: Program) -> bool:
        """Does a candidate that may pass really do?"""
        try:
            return self._hurried.verdict(edited)[0] is Verdict.HOLDS
        except (QismcError, Undecided):
            return False


class _Found(Repairs):
    """Repairs that were found in another process."""

    def __init__(self, found: tuple[Repair, ...], tried: int, seconds: float, stopped: str | None) -> None:
        self._found, self._limit, self._pairs = list(found), len(found), False
        self.tried, self.seconds, self.stopped = tried, seconds, stopped


def _row(repair: Repair) -> Mapping[str, Any]:
    source = None if repair.source is None else repair.source._asdict()
    return {"text": repair.text, "source": source, "diff": repair.diff, "same": list(repair.same)}
