"""What a check answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from qismc.certify import Soundness
from qismc.common.defaults import warn
from qismc.common.process import peak_memory_mb
from qismc.common.showing import Shown, sarif
from qismc.ctl import Truth
from qismc.edits import Patch
from qismc.evidence import Arrived, Execution, Hint, Late, Later, findings, no_hints
from qismc.fixpoint import FloatReplay, Solved
from qismc.language import Formula, Probability, to_text
from qismc.model import Model
from qismc.probability import Likelihood
from qismc.program import Program
from qismc.propositions import Replaced
from qismc.results.question import Question
from qismc.system import Backdrop, crossings
from qismc.verdict import Verdict

NO_ENGINE = "none"
"""The engine of a check that needed no states."""
METHOD_OF_STORE = {"explicit": "graph", "levels": "levels", "symbols": "stabiliser"}
NO_SPECIFICATION = "no specification"
"""Why nothing is known of a program of which nothing was asked."""


class Suggestion(Protocol):
    """A change of the program after which all formulas hold."""

    @property
    def text(self) -> str: ...
    @property
    def patch(self) -> Patch | None: ...
    @property
    def diff(self) -> str | None: ...
    @property
    def same(self) -> Sequence[str]: ...


class Suggestions(Protocol):
    """Repairs as reports show them, and what was done to find them."""

    def __iter__(self) -> Iterator[Suggestion]: ...
    @property
    def note(self) -> str: ...
    def to_json(self) -> dict[str, Any]: ...


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
    suspects: Later[tuple[Hint, ...]] = field(default_factory=no_hints, repr=False, compare=False)
    """Changes of the program after which a violated formula holds; looked for when first asked for."""
    explained: bool = field(default=True, repr=False, compare=False)
    """Are these changes looked for at all?"""
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
        return (*(self.suspects() if self.explained else ()), *shown)

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
class Tried:
    """An attempt to decide formulas, and what it came to."""

    decider: str
    numbers: str
    came: str

    def __str__(self) -> str:
        return f"{self.decider}, {self.numbers} -> {self.came}"


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
class Result(Shown):
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
    _backdrop: Backdrop = field(default_factory=Backdrop, repr=False, compare=False)
    soundness: Soundness | None = None
    """The primes of the exact engine and a bound on its probability of error."""
    _arrived: Arrived = field(default_factory=Arrived, repr=False, compare=False)
    """The states at every location, for pages that show them."""
    _observations: Later[tuple[Hint, ...]] = field(default_factory=no_hints, repr=False, compare=False)
    replaced: tuple[Replaced, ...] = ()
    """Numbers that were read as nicer ones: (source, written, read, difference)."""
    tried: tuple[Tried, ...] = ()
    """The attempts to decide the formulas, in their order."""
    _question: Question = field(default_factory=Question, repr=False, compare=False)
    _suggestions: Suggestions | None = field(default=None, repr=False, compare=False)
    """Repairs, where they were asked for; reports show them."""

    @property
    def findings(self) -> tuple[Hint, ...]:
        """Observations about the program, whatever the formulas say; made when first asked for."""
        return self._observations()

    @property
    def method(self) -> str:
        """What decided the last formulas: `"graph"`, `"levels"` or `"stabiliser"`."""
        return METHOD_OF_STORE[self.statistics.store]

    @property
    def numbers(self) -> str | None:
        """What amplitudes were: `"exact"` or `"float"`; None where no states were needed."""
        if self.engine == NO_ENGINE:
            return None
        return "float" if self.engine == "float" else "exact"

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

    def to_sarif(self) -> dict[str, Any]:
        """The verdicts in SARIF 2.1.0, so that code hosts annotate the lines."""
        return sarif(self)

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
    tried: Sequence[Tried] = (),
) -> Result:
    """The answers with the sizes of the system; `clock` holds the times between the stages."""
    seconds = {stage: b - a for stage, a, b in zip(STAGES, clock, clock[1:], strict=False)}
    system = None if solved is None else solved.system
    dimension = 0 if solved is None else solved.posts.spread.max_dimension
    question = Question({r.name: r.spec for r in results}, model.options, model.given_program)
    return Result(
        model.program,
        tuple(results),
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
        _backdrop=Backdrop(system, 0 if solved is None else solved.observed),
        soundness=assurance,
        _arrived=Arrived(solved, None if solved is None or levels is not None else _replay(model, solved)),
        _observations=findings(solved, model.budget),
        replaced=model.replaced,
        tried=tuple(tried),
        _question=question,
    )


def _replay(model: Model, solved: Solved) -> Later[FloatReplay]:
    """The replay of a solution in floating point, for those who look at states."""
    return Later(lambda: model.simulation.replay(solved))
