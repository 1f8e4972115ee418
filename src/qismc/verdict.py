"""The three answers."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """HOLDS, VIOLATED, or UNKNOWN (with a reason, kept beside it)."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNKNOWN = "unknown"

    @property
    def exit_status(self) -> int:
        return {Verdict.HOLDS: 0, Verdict.VIOLATED: 1, Verdict.UNKNOWN: 3}[self]

    @staticmethod
    def together(verdicts: Iterable[Verdict]) -> Verdict:
        """One violation violates all; else one unknown makes all unknown; of none nothing is known."""
        found = set(verdicts)
        if Verdict.VIOLATED in found:
            return Verdict.VIOLATED
        return Verdict.HOLDS if found == {Verdict.HOLDS} else Verdict.UNKNOWN
