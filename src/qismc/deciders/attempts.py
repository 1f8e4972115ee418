"""What strategy and deciders exchange: attempts, what they come to, and the account of a check.

All of it is data. A decider is asked about formulas within an attempt, writes its verdicts into the account
and returns an `Outcome`, which says what it left open and why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Protocol

from qismc.certify import Soundness
from qismc.common.choices import Ctl
from qismc.errors import LimitReached, NumbersDisagree, Undecided
from qismc.fixpoint import Solved
from qismc.language import Property
from qismc.limits import Trial
from qismc.model import Model
from qismc.results import FormulaResult, LevelSizes, Tried
from qismc.verdict import Verdict

CONTROL, GRAPH, LEVELS, STABILISERS = "control graph", "graph", "levels", "stabilisers"
"""The names of the deciders."""
NOTHING_RANDOM = Soundness((), 0.0, certified=True)
"""Of verdicts for which no numbers were needed."""


@dataclass(frozen=True)
class How:
    """Options of a check that do not belong to the model."""

    ctl: Ctl = "builtin"
    recheck: int = 0
    certify: bool = False
    certificate: str | PathLike[str] | None = None


@dataclass(frozen=True)
class Attempt:
    """One decider, asked about all formulas that are open."""

    decider: str
    bound: Trial | None = None
    """How far it may grow before the next attempt is made; None is to its end."""
    rounds: tuple[Trial, ...] = ()
    """While it does not get through, the graph of locations goes so much further between its rounds."""
    last: bool = True
    """Is a limit that it reaches the end of the check?"""


@dataclass
class Outcome:
    """What an attempt left open; its verdicts are in the account already."""

    reasons: Mapping[str, str] = field(default_factory=dict)
    """By the names of formulas: why the decider does not decide them."""
    doubts: Mapping[str, NumbersDisagree] = field(default_factory=dict)
    """Formulas about which numbers and assumptions disagreed."""
    limit: LimitReached | None = None
    """Why it was given up."""
    grew: str | None = None
    """Which bound of the attempt was passed."""


@dataclass
class Account:
    """What is known so far; a check that is stopped reports it."""

    model: Model
    """What answers: the model that was asked about, or the one on floating point after numbers disagreed."""
    clock: list[float]
    results: dict[str, FormulaResult] = field(default_factory=dict)
    solved: Solved | None = None
    levels: LevelSizes | None = None
    assurance: Soundness | None = None
    notes: tuple[str, ...] = ()
    tried: list[Tried] = field(default_factory=list)
    """The attempts that were made, in their order."""

    def tick(self) -> None:
        self.clock.append(time.perf_counter())

    def open(self, wanted: Sequence[Property]) -> list[Property]:
        """The formulas that have no verdict yet."""
        return [one for one in wanted if one.name not in self.results]

    def note(self, attempt: Attempt, numbers: str, wanted: Sequence[Property], outcome: Outcome) -> None:
        """Write down what an attempt came to."""
        left = len(self.open(wanted))
        came = f"decided {len(wanted) - left} of {len(wanted)}" if left else "decided"
        stopped = outcome.grew or (outcome.limit.reason if outcome.limit else None)
        why = [stopped] if stopped else dict.fromkeys(outcome.reasons.values())
        self.tried.append(Tried(attempt.decider, numbers, "; ".join([came, *why])))

    def say(self, what: str, reasons: Mapping[str, str]) -> None:
        """Tell whoever asked for a decider why some formulas were decided otherwise."""
        self.notes += tuple(f"{what}: {reason}" for reason in dict.fromkeys(reasons.values()))

    def assured(self, further: Soundness | None) -> None:
        """Add what is known about further decisions: chances of errors add up."""
        first = self.assurance
        if first is None or further is None:
            self.assurance = first or further
            return
        bounds = (first.error_bound, further.error_bound)
        total = None if None in bounds else sum(b for b in bounds if b is not None)
        notes = dict.fromkeys(note for note in (first.note, further.note) if note)
        certified = first.certified and further.certified
        primes = tuple(dict.fromkeys((*first.primes, *further.primes)))
        self.assurance = Soundness(primes, total, certified, "; ".join(notes) or None)


def unknown(wanted: Property, doubt: Undecided) -> FormulaResult:
    """The answer where a formula could not be decided."""
    return FormulaResult(wanted.name, wanted.text, Verdict.UNKNOWN, reason=str(doubt))


class Decider(Protocol):
    """Decides formulas about one model."""

    def can(self, wanted: Property) -> str | None:
        """Why it cannot decide a formula; None if it may be able to."""

    def decide(
        self,
        wanted: Sequence[Property],
        attempt: Attempt,
        account: Account,
        between: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Add verdicts to the account.

        `between` is called between long rounds; where it says yes, others have decided meanwhile.
        """
