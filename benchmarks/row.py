"""What is measured (jobs) and what comes out (rows), both plain data that cross process borders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Kind = Literal["case", "text", "graph", "clean", "faulty", "quantity", "clifford"]

STAGES = ("build", "fixpoint", "check")


@dataclass(frozen=True)
class Job:
    """One row to measure: a construction by name with its arguments, or a file below a folder."""

    name: str
    kind: Kind
    construction: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    family: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Bounds:
    """What one row may use."""

    seconds: float = 60.0
    memory_mb: float = 4000.0
    repeats: int = 1
    """How often a check is measured; the best time counts."""


@dataclass(frozen=True)
class Row:
    """One line of the table; None and empty mean: not measured, not known."""

    name: str
    verdict: str
    expected: str | None = None
    reason: str | None = None
    qubits: int | None = None
    gates: int | None = None
    locations: int | None = None
    edges: int | None = None
    engine: str = ""
    store: str = ""
    level_bits: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    """load, qiskit (its own loader), record (sp of the clean program), build, fixpoint, check, look (at the
    first execution that breaks a formula)."""
    cpu: float | None = None
    """Processor time of build, fixed point and check, the best of several."""
    peak_mb: float | None = None
    peak_nodes: int | None = None
    peak_bond: int | None = None
    peers: Mapping[str, float | None] = field(default_factory=dict)
    """Processor seconds of other tools on the same circuit; None if there was no answer within the bounds."""
    family: str | None = None
    size: int | None = None
    """Of the suite `scaling`: whose growth is measured, and at which size."""

    @property
    def answered(self) -> bool:
        return self.verdict in ("holds", "violated")

    @property
    def wrong(self) -> bool:
        """A verdict that mathematics or an independent simulation contradicts."""
        return self.answered and self.expected is not None and self.verdict != self.expected

    @property
    def total(self) -> float | None:
        """Build, fixed point and check together; None where a stage is missing."""
        if not all(stage in self.seconds for stage in STAGES):
            return None
        return sum(self.seconds[stage] for stage in STAGES)

    @property
    def ratio(self) -> float | None:
        """Our processor time in units of the best peer's: below 1 we are ahead, with a verdict."""
        times = [seconds for seconds in self.peers.values() if seconds]
        return self.cpu / min(times) if times and self.cpu is not None and self.answered else None

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "wrong": self.wrong, "ratio": self.ratio}


def unanswered(name: str, verdict: Literal["unknown", "error"], reason: str) -> Row:
    """The row of a job that ended without a verdict."""
    return Row(name, verdict, reason=reason)
