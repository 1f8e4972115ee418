"""Repairs: the answers of the search for edits, those that lead to the same states as one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from qismc.common import arguments
from qismc.common.lazily import cached_property
from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.edits import Edit, Patch, patch, source_of
from qismc.limits import SEARCH_SECONDS
from qismc.program import Program
from qismc.repairs.search import TRIAL, Answer, Search
from qismc.results import Result
from qismc.verdict import Verdict
from qismc.whatif import Variants, same_ends

PATIENCE = 100 * TRIAL
"""Effort that is spent in any case once a repair is found: a list is worth a longer search than a hint."""


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

    def add(self, edits: Iterable[Edit]) -> None:
        """Edits that lead to the same states at the end."""
        texts = (edit.text(self.original) for edit in edits)
        self.same.extend(text for text in dict.fromkeys(texts) if text not in (self.text, *self.same))

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
        wanted = math.inf if seconds is None else seconds
        self._limit, self._pairs = limit, pairs
        violated = [r for r in result.results if r.verdict is Verdict.VIOLATED]
        self._search = Search(
            question.about(question.formulas, question.program or result.program),
            [r.name for r in violated] if result.verdict is Verdict.VIOLATED else [],
            {r.name: r.counterexample for r in violated if r.counterexample is not None},
            patience=PATIENCE,
            seconds=min(wanted, question.seconds),
            whose="" if wanted <= question.seconds else ", the time limit of the check",
            everything=True,
            pairs=pairs,
            watch=self._looked,
        )
        self.watch: Callable[[], None] | None = None
        """Called before every edit that is tried, to show progress."""
        self._answers = self._repairs()
        self._found: list[Repair] = []

    def __iter__(self) -> Iterator[Repair]:
        """What was found before, then what is found now."""
        for number in range(self._limit):
            if number >= len(self._found):
                self._found += islice(self._answers, 1)
            if number >= len(self._found):
                return
            yield self._found[number]

    def _repairs(self) -> Iterator[Repair]:
        """Answers of the search that lead to other states at the end than those before them."""
        search, program = self._search, self._search.question.program
        assert program is not None
        if not search.violated:
            return
        _ = search.question.trees  # raises where these are not known any more
        for answer in search.answers():
            same = self._alike(answer)
            if same is None:
                same = Repair(program, (answer.edit,), answer.program, answer.result)
                same.add(answer.elsewhere)
                yield same
            else:
                same.add((answer.edit, *answer.elsewhere))

    def _alike(self, answer: Answer) -> Repair | None:
        """A repair that leads to the same states at the end."""
        question = self._search.question
        if question.has_faults:
            return None
        ends = (one for one in self._found if same_ends(one.program, answer.program, question.options))
        return next(ends, None)

    @property
    def tried(self) -> int:
        """Edits that were looked at."""
        return self._search.tried

    @property
    def seconds(self) -> float:
        """How long the search took."""
        return self._search.took

    @property
    def stopped(self) -> str | None:
        """Why the search ended before all candidates were tried."""
        return self._search.stopped

    def interrupted(self) -> None:
        """Note that the user ended the search."""
        self._search.stopped = "interrupted"

    def _looked(self) -> None:
        if self.watch is not None:
            self.watch()

    def __getstate__(self) -> dict[str, Any]:
        """What is found travels, the search does not."""
        found = list(self)
        ended = Search(Variants(), [], tried=self.tried, stopped=self.stopped, took=self.seconds)
        return {**vars(self), "watch": None, "_found": found, "_search": ended, "_answers": iter(())}

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


def _row(repair: Repair) -> Mapping[str, Any]:
    source = None if repair.source is None else repair.source._asdict()
    return {"text": repair.text, "source": source, "diff": repair.diff, "same": list(repair.same)}
