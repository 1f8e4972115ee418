"""One mutant, checked in whatever process this is called in."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from qismc.campaigns.mutant import Mutant, MutantResult, Outcome, row_of
from qismc.edits import patch
from qismc.errors import QismcError, Undecided
from qismc.model import Model
from qismc.program import Program, fingerprint
from qismc.propositions import Subspace
from qismc.verdict import Verdict
from qismc.whatif import Variants, same_ends

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
