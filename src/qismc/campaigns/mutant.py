"""A mutant, what came of it, and the check in whatever process this is called in."""

from __future__ import annotations

import json
import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from qismc.common.wording import quoted
from qismc.edits import Edit, patch, source_of
from qismc.errors import QismcError, Undecided, UsageError
from qismc.limits import Limits
from qismc.model import Model
from qismc.program import Program, fingerprint
from qismc.propositions import Subspace
from qismc.verdict import Verdict
from qismc.whatif import Variants, same_ends

Key = tuple[str, str, str, str]
Outcome = Literal["killed", "survived", "equivalent", "unknown"]
OUTCOMES: tuple[Outcome, ...] = ("killed", "survived", "equivalent", "unknown")

LIMITS = Limits(seconds=10.0)


@dataclass(frozen=True)
class Mutant:
    """An edit of a program, and the question that is asked; it can be sent anywhere."""

    name: str
    """Of the program, as the user gave it."""
    program: Program
    edit: Edit
    formulas: Mapping[str, str] | None
    """None asks whether the states that the program ends in stay the same."""
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: Limits = LIMITS
    asked: str = ""
    """A digest of the program and of what is asked about its mutants."""

    @property
    def seconds(self) -> float:
        """For its check, and as long again to compare its ends."""
        assert self.limits.seconds is not None
        return self.limits.seconds

    @property
    def key(self) -> Key:
        """What tells mutants apart."""
        return self.name, self.asked, self.edit.kind, self.text

    @property
    def text(self) -> str:
        return self.edit.text(self.program)


@dataclass(frozen=True)
class MutantResult:
    """A mutant that was checked.

    It is killed (a formula is violated), survived, equivalent (it ends in the same states), or unknown.
    """

    program: str
    kind: str
    edit: str
    source: dict[str, Any] | None
    outcome: Outcome
    seconds: float
    diff: str | None = None
    """Of a mutant that was not killed, where the source text is at hand."""
    reason: str | None = None
    """Why the outcome is unknown."""

    asked: str = ""
    """A digest of the program and of what was asked about its mutants."""

    @property
    def key(self) -> Key:
        """What tells mutants apart."""
        return self.program, self.asked, self.kind, self.edit

    def to_json(self) -> dict[str, Any]:
        """Plain data; absent things are left out."""
        optional = ("diff", "reason")
        return {k: v for k, v in asdict(self).items() if v is not None or k not in optional}


def row_of(
    mutant: Mutant, outcome: Outcome, seconds: float, diff: str | None = None, reason: str | None = None
) -> MutantResult:
    """The row of a mutant."""
    source = source_of(mutant.program, mutant.edit.point)
    place = None if source is None else source._asdict()
    return MutantResult(
        mutant.name, mutant.edit.kind, mutant.text, place, outcome, seconds, diff, reason, mutant.asked
    )


def read_row(line: str) -> MutantResult:
    """A row from a line of JSON; raises UsageError."""
    try:
        row = MutantResult(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        row = None
    if row is None or not _is_sound(row):
        raise UsageError(f"{quoted(line)} is no row of a campaign") from None
    return row


def _is_sound(row: MutantResult) -> bool:
    """Are all values of the right kind?"""
    texts = (row.program, row.kind, row.edit, row.asked, row.diff or "", row.reason or "")
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(row.source, dict | None)
        and row.outcome in OUTCOMES
        and isinstance(row.seconds, int | float)
    )


# --- checks -----------------------------------------------------------------------------------------------

RECORDED = {"recorded": "AG (leaf -> recorded)"}
HARD_LIMIT = 3.0
"""A process that polls no limits is ended after so many times the time limit, and some seconds."""
GRACE_SECONDS = 20.0
RECORDS_KEPT = 8
_records: dict[str, tuple[Subspace, int]] = {}


def measure(mutant: Mutant) -> MutantResult:
    """The row of a mutant; it never raises."""
    start = time.perf_counter()
    try:
        with _hard_limit(HARD_LIMIT * mutant.seconds + GRACE_SECONDS):
            outcome, reason = _outcome(mutant)
            diff = _diff(mutant) if outcome in ("survived", "unknown") else None
    except (QismcError, MemoryError, RecursionError) as error:
        outcome, reason, diff = "unknown", str(error) or type(error).__name__, None
    return row_of(mutant, outcome, time.perf_counter() - start, diff, reason)


def lost(mutant: Mutant, why: str) -> MutantResult:
    """The row of a mutant that no worker survives."""
    return row_of(mutant, "unknown", mutant.seconds, reason=f"its worker ended: {why}")


def question_of(mutant: Mutant) -> Variants:
    """What is asked about a mutant; recorded states are computed once in each process."""
    options = {**mutant.options, "limits": mutant.limits}
    if mutant.formulas is not None:
        return Variants(mutant.formulas, options)
    recorded, seed = _recorded(mutant.program, options)
    props = {**(options.get("props") or {}), "recorded": recorded}
    return Variants(RECORDED, {**options, "props": props, "seed": seed})


def _recorded(program: Program, options: dict[str, Any]) -> tuple[Subspace, int]:
    """sp at the end of the program without the fault, and the seed with which a check can use it as it is."""
    key = f"{fingerprint(program)} {options!r}"
    if key not in _records:
        while len(_records) >= RECORDS_KEPT:
            _records.pop(next(iter(_records)))
        model = Model.of(program, **options)
        _records[key] = model.sp("leaf"), model.seed
    return _records[key]


def _outcome(mutant: Mutant) -> tuple[Outcome, str | None]:
    question, edited = question_of(mutant), mutant.edit.apply(mutant.program)
    try:
        verdict, reason = question.verdict(edited)
    except Undecided as doubt:
        verdict, reason = Verdict.UNKNOWN, str(doubt)
    if verdict is Verdict.VIOLATED:
        return "killed", None
    if verdict is Verdict.UNKNOWN:
        return "unknown", reason
    same = same_ends(mutant.program, edited, {**mutant.options, "limits": mutant.limits})
    return ("equivalent" if same else "survived"), None


def _diff(mutant: Mutant) -> str | None:
    found = patch(mutant.program, mutant.edit)
    return None if found is None else found.diff


@contextmanager
def _hard_limit(seconds: float) -> Iterator[None]:
    """End this process after a time, whatever it does: by a timer, where this thread may set one."""
    alone = threading.current_thread() is threading.main_thread()
    if not alone or not _is_worker() or not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _is_worker() -> bool:
    """Is this a process that was started to work, and not the user's own?"""
    return multiprocessing.parent_process() is not None
