"""A mutant to be checked, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from qismc.common.wording import quoted
from qismc.edits import Edit, source_of
from qismc.errors import UsageError
from qismc.limits import Limits
from qismc.program import Program

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
