"""What a check answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

from qismc.certify.soundness import Soundness
from qismc.common import arguments
from qismc.common.defaults import warn
from qismc.common.files import write_text
from qismc.common.loading import loading
from qismc.ctl.truths import Truth
from qismc.evidence.arrived import Arrived
from qismc.evidence.execution import Execution
from qismc.evidence.hints.findings import Findings
from qismc.evidence.hints.hint import Hint
from qismc.evidence.later import Late, Later
from qismc.fixpoint.shadow import Shadow
from qismc.fixpoint.solve import Solved
from qismc.limits import peak_memory_mb
from qismc.model.model import Model
from qismc.program.program import Program
from qismc.quantities.likelihood import Likelihood
from qismc.spec.printer import to_text
from qismc.spec.syntax import Formula, Probability
from qismc.subspace.reading import Replaced
from qismc.system.backdrop import Backdrop
from qismc.system.columns import crossings
from qismc.trials.question import Question
from qismc.trials.suspects import Suspects
from qismc.verdict import Verdict

if TYPE_CHECKING:
    from qismc.repair.repairs import Repairs

SEARCH_SECONDS = 30.0
"""A search for repairs ends after this time."""
NO_ENGINE = "none"
"""The engine of a check that needed no states."""
NO_SPECIFICATION = "no specification"
"""Why nothing is known of a program of which nothing was asked."""


class PropertyViolated(AssertionError):  # noqa: N818 - the name says what happened
    """Raised by `raise_if_violated` and `assert_holds`; its text is the report."""

    headline = "violated"
    """The first formula that does not hold."""


class SaysLittle(UserWarning):
    """Issued by `raise_if_violated` and `assert_holds` where what holds says less than it seems."""


@dataclass(frozen=True)
class FormulaResult:
    """The answer for one formula: a counterexample if VIOLATED, a witness if an existential formula HOLDS."""

    name: str
    spec: str
    verdict: Verdict
    reason: str | None = None
    counterexample: Late[Execution] = Late()  # noqa: RUF009 - a descriptor, not a value
    witness: Late[Execution] = Late()  # noqa: RUF009 - a descriptor, not a value
    """Both may be given as `Later`: most evidence is never looked at."""
    probability: Likelihood | None = None
    """Of the path that `P=?` asks about or a threshold bounds: an interval with an error bound."""
    warnings: tuple[str, ...] = ()
    """Why it may say less than it seems: premises that are never true, parts that read otherwise."""
    suspects: Suspects = field(default_factory=Suspects, repr=False, compare=False)
    """Changes of the program after which a violated formula holds; looked for when first asked for."""
    truths: Mapping[Formula, Truth] = field(default_factory=dict, repr=False, compare=False)
    """What was found out about the formula (the first key) and its parts."""

    @property
    def truth(self) -> dict[str, list[bool | None]]:
        """For each sub-formula its value per location; None where the value was not needed."""
        return {to_text(part): truth.values() for part, truth in self.truths.items()}

    @property
    def asks(self) -> bool:
        """Is it the question `P=?`, whose answer is `probability`, rather than a claim?"""
        root = next(iter(self.truths), None)
        return isinstance(root, Probability) and root.bound == "=?"

    @property
    def hints(self) -> tuple[Hint, ...]:
        """What may have caused the violation: changes that were tried, and what the counterexample shows."""
        shown = () if self.counterexample is None else self.counterexample.hints
        return (*self.suspects.found(), *shown)

    @property
    def evidence(self) -> Execution | None:
        """The counterexample with all hints, or the witness."""
        if self.counterexample is None:
            return self.witness
        return replace(self.counterexample, hints=self.hints)

    def but(self, **changes: Any) -> FormulaResult:
        """The same with other fields; unlike `replace`, it does not look at the evidence."""
        found = object.__new__(FormulaResult)
        vars(found).update(vars(self))
        for name, value in changes.items():
            object.__setattr__(found, name, value)
        return found

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS

    def __repr__(self) -> str:
        return f"<{self.name} {self.verdict.name}: {self.spec}>"


@dataclass(frozen=True)
class Statistics:
    """Sizes and times of a check."""

    seconds: dict[str, float] = field(default_factory=dict)
    peak_mb: float = 0.0
    max_dimension: int = 0
    engine: dict[str, Any] = field(default_factory=dict)
    store: str = "explicit"
    """How classical values were kept: "explicit", or all of them at once on "levels" or as "symbols"."""
    level_bits: int = 0
    """How many values one vector carries in all combinations."""


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
    backdrop: Backdrop = field(default_factory=Backdrop, repr=False, compare=False)
    soundness: Soundness | None = None
    """The primes of the exact engine and a bound on its probability of error."""
    arrived: Arrived = field(default_factory=Arrived, repr=False, compare=False)
    """The states at every location, for pages that show them."""
    observations: Findings = field(default_factory=Findings, repr=False, compare=False)
    replaced: tuple[Replaced, ...] = ()
    """Numbers that were read as nicer ones: (source, written, read, difference)."""
    question: Question = field(default_factory=Question, repr=False, compare=False)
    suggestions: Repairs | None = field(default=None, repr=False, compare=False)
    """Repairs, where they were asked for; reports show them."""

    @property
    def findings(self) -> tuple[Hint, ...]:
        """Observations about the program, whatever the formulas say; made when first asked for."""
        return self.observations.found()

    @property
    def verdict(self) -> Verdict:
        return Verdict.together(r.verdict for r in self.results)

    @property
    def reason(self) -> str | None:
        """Why the verdict is UNKNOWN."""
        if not self.results:
            return NO_SPECIFICATION
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

    def __repr__(self) -> str:
        answers = ", ".join(f"{r.name} {r.verdict.name}" for r in self.results) or NO_SPECIFICATION
        return f"<Result {self.verdict.name}: {answers}>"

    def __str__(self) -> str:
        with loading():
            from qismc.report.text import render_plain  # noqa: PLC0415 - reports build on results

        return render_plain(self)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data, as `qismc check --json` prints it."""
        with loading():
            from qismc.report.json import to_json  # noqa: PLC0415 - reports build on results

        return to_json(self)

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The interactive report as one self-contained page; written to `path` if one is given."""
        with loading():
            from qismc.report.html import to_html  # noqa: PLC0415 - reports build on results

        arguments.path("path", path)
        page = to_html(self)
        if path is not None:
            write_text(path, page)
        return page

    def to_sarif(self) -> dict[str, Any]:
        """The verdicts in SARIF 2.1.0, so that code hosts annotate the lines."""
        with loading():
            from qismc.report.sarif import to_sarif  # noqa: PLC0415 - reports build on results

        return to_sarif(self)

    def repairs(
        self, limit: int = 5, *, pairs: bool = False, seconds: float | None = SEARCH_SECONDS
    ) -> Repairs:
        """Edits after which all formulas hold, found while one iterates: nearest to the evidence first."""
        with loading():
            from qismc.repair.repairs import Repairs  # noqa: PLC0415 - repairs build on results

        return Repairs(self, self.question, limit=limit, pairs=pairs, seconds=seconds)

    def with_repairs(self, limit: int = 5, **how: Any) -> Result:
        """The same result with repairs, which all reports then show."""
        return replace(self, suggestions=self.repairs(limit, **how))

    def _repr_html_(self) -> str:
        with loading():
            from qismc.report.notebook import result_html  # noqa: PLC0415 - reports build on results

        return result_html(self)

    def warn(self) -> None:
        """Issue the warnings of formulas that hold, once, at the line that called the library."""
        if self and "_warned" not in vars(self):
            vars(self)["_warned"] = True
            for text in self.warnings:
                warn(text, SaysLittle)

    def raise_if_violated(self) -> None:
        """Raise PropertyViolated with the report unless everything holds; unknown counts as not holding.

        What holds with warnings issues them as `SaysLittle`.
        """
        __tracebackhide__ = True
        self.warn()
        if not self:
            failed = next((r for r in self.results if r.verdict is self.verdict), None)
            error = PropertyViolated(str(self))
            error.headline = f"{self.verdict.name} {NO_SPECIFICATION}"
            if failed is not None:
                error.headline = f"{failed.verdict.name} {failed.name}: {failed.spec}"
            raise error


@dataclass(frozen=True)
class LevelSizes:
    """The system with the store on levels: points instead of locations, and `bits` values carried at once."""

    points: int
    edges: int
    bits: int
    dimension: int
    engine: dict[str, Any]
    name: str | None = None
    """The engine, if it is none that computes with vectors."""
    store: str = "levels"


STAGES = ("build", "fixpoint", "check")


def summary(
    model: Model,
    solved: Solved | None,
    results: list[FormulaResult],
    assurance: Soundness | None,
    *,
    notes: tuple[str, ...],
    clock: list[float],
    levels: LevelSizes | None = None,
) -> Result:
    """The answers with the sizes of the system; `clock` holds the times between the stages."""
    seconds = {stage: b - a for stage, a, b in zip(STAGES, clock, clock[1:], strict=False)}
    system = None if solved is None else solved.system
    dimension = 0 if solved is None else solved.posts.spread.max_dimension
    question = Question({r.name: r.spec for r in results}, model.options, model.given_program)
    return Result(
        model.program,
        tuple(_suspecting(result, results, question) for result in results),
        levels.name if solved is None and levels is not None and levels.name else model.engine.name,
        model.engines.order_seed if levels is not None and levels.name else model.seed,
        locations=(system.num_locations if system else 0) if levels is None else levels.points,
        edges=(system.num_edges if system else 0) if levels is None else levels.edges,
        gates=len(model.program.code) - len(crossings(model.program)),
        statistics=Statistics(
            seconds,
            peak_memory_mb(),
            dimension if levels is None else max(dimension, levels.dimension),
            model.engine.statistics() if levels is None else levels.engine,
            "explicit" if levels is None else levels.store,
            0 if levels is None else levels.bits,
        ),
        warnings=model.program.warnings + tuple(f"{r.name}: {text}" for r in results for text in r.warnings),
        notes=model.notes + notes,
        backdrop=Backdrop(system, 0 if solved is None else solved.observed),
        soundness=assurance,
        arrived=Arrived(solved, None if solved is None or levels is not None else _shadow(model, solved)),
        observations=Findings(solved, model.budget),
        replaced=model.replaced,
        question=question,
    )


def _shadow(model: Model, solved: Solved) -> Later[Shadow]:
    """The numeric shadow of a solution, for those who look at states."""
    return Later(lambda: model.simulation.shadow(solved))


def _suspecting(result: FormulaResult, results: Sequence[FormulaResult], question: Question) -> FormulaResult:
    """The answer that can look for causes: changes after which it holds, and what held before still does."""
    if result.verdict is not Verdict.VIOLATED or question.program is None:
        return result
    kept = [r.name for r in results if r.verdict is Verdict.HOLDS and not r.asks]
    asked = question.about([result.name, *kept], question.program)
    return result.but(suspects=Suspects(asked, result.name, Later(lambda: result.counterexample)))
