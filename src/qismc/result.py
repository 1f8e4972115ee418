"""What a check answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from qismc.evidence.execution import Execution
from qismc.limits import peak_memory_mb
from qismc.model import Model
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.verdict import Verdict


class PropertyViolated(AssertionError):  # noqa: N818 - the name says what happened
    """Raised by `raise_if_violated` and `assert_holds`; its text is the report."""


@dataclass(frozen=True)
class FormulaResult:
    """The answer for one formula: a counterexample if VIOLATED, a witness if an existential formula HOLDS."""

    name: str
    spec: str
    verdict: Verdict
    reason: str | None = None
    counterexample: Execution | None = None
    witness: Execution | None = None

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS


@dataclass(frozen=True)
class Statistics:
    """Sizes and times of a check."""

    seconds: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    max_dimension: int = 0
    engine: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The answers for all formulas of a check, truthy iff all hold."""

    program: Program
    results: tuple[FormulaResult, ...]
    engine: str
    seed: int
    locations: int
    edges: int
    gates: int
    statistics: Statistics
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return Verdict.together(r.verdict for r in self.results)

    @property
    def reason(self) -> str | None:
        """Why the verdict is UNKNOWN."""
        return next((r.reason for r in self.results if r.verdict is self.verdict and r.reason), None)

    @property
    def counterexample(self) -> Execution | None:
        """The first counterexample."""
        return next((r.counterexample for r in self.results if r.counterexample is not None), None)

    def __getitem__(self, name: str) -> FormulaResult:
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(f"no formula is called {name!r}; there are {[r.name for r in self.results]}")

    def __iter__(self) -> Iterator[FormulaResult]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS

    def __str__(self) -> str:
        from qismc.report.text import render_plain  # noqa: PLC0415 - reports build on results

        return render_plain(self)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, as `qismc check --json` prints it."""
        from qismc.report.json import to_json  # noqa: PLC0415 - reports build on results

        return to_json(self)

    def raise_if_violated(self) -> None:
        """Raise PropertyViolated with the report unless everything holds; unknown counts as not holding."""
        if not self:
            raise PropertyViolated(str(self))


STAGES = ("build", "fixpoint", "check")


def summary(model: Model, results: list[FormulaResult], clock: list[float]) -> Result:
    """The answers with the sizes of the system; `clock` holds the times between the stages."""
    seconds = {stage: b - a for stage, a, b in zip(STAGES, clock, clock[1:], strict=False)}
    sizes = model.sizes()
    statistics = Statistics(seconds, peak_memory_mb(), sizes.max_dimension, model.engine.statistics())
    gates = sum(isinstance(statement, Apply) for statement in model.program.code)
    return Result(
        model.program,
        tuple(results),
        model.engine.name,
        model.seed,
        sizes.locations,
        sizes.edges,
        gates,
        statistics,
        model.program.warnings,
        model.notes,
    )
