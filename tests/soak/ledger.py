"""What a soak has covered: counted where models are made and checks are answered, whoever asks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from qismc import Model, Result
from qismc.language.parser import parse_formula
from qismc.language.syntax import Formula, Probability, Quantum, Temporal, Threshold, operands
from qismc.program.program import fingerprint
from qismc.program.statements import Apply

LONGEST = 4_000
SHOWN = 1_500
"""Letters of a failure that are kept, and those of its end that are shown."""


@dataclass
class Ledger:
    """Counts that add up over resumed runs."""

    first_seed: int
    seconds: float = 0.0
    rounds: int = 0
    done: list[str] = field(default_factory=list)
    """Files of the round that is under way."""
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seen: set[str] = set()

    @property
    def seed(self) -> int:
        return self.first_seed + self.rounds

    def count(self, kind: str, *names: str) -> None:
        counter = self.counts.setdefault(kind, {})
        for name in names:
            counter[name] = counter.get(name, 0) + 1

    def save(self, path: Path) -> None:
        fresh = path.with_suffix(".new")
        fresh.write_text(json.dumps(asdict(self), indent=1, sort_keys=True))
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path, seed: int) -> Ledger:
        return cls(**json.loads(path.read_text())) if path.exists() else cls(seed)

    # --- what pytest tells -------------------------------------------------------------------------------

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.failed:
            self.count("tests", report.outcome)
        if report.failed:
            text = report.longreprtext[-LONGEST:]
            self.failures.append({"test": report.nodeid, "seed": self.seed, "text": text})

    # --- what models and checks tell ---------------------------------------------------------------------

    def model(self, model: Model) -> None:
        program = model.program
        self.count("all", "models")
        if (known := fingerprint(program)) not in self._seen:
            self._seen.add(known)
            self.count("all", "programs")
            self.count("statements", *(type(statement).__name__ for statement in program.code))
            gates = [
                program.text(k).split(" ")[0] for k, s in enumerate(program.code) if isinstance(s, Apply)
            ]
            self.count("gates", *(gate.split("(")[0] for gate in gates))

    def result(self, result: Result) -> None:
        engine, store = result.engine, result.statistics.store
        for one in result:
            self.count("verdicts", one.verdict.value)
            self.count("engine, store", f"{engine}, {store}")
            self.count("formulas", *kinds(parse_formula(one.spec)))
            for shown in (one.counterexample, one.witness):
                if shown is not None and shown.steps:
                    self.count("executions", f"{shown.kind}, {'' if shown.replayed else 'not '}replayed")


def kinds(formula: Formula) -> Iterator[str]:
    """The kinds of all parts."""
    match formula:
        case Temporal(quantifier, op, _):
            yield f"{quantifier}{op}"
        case Probability(bound, op, parts):
            yield f"P{bound.relation if isinstance(bound, Threshold) else bound} {op}"
            for part in parts:
                yield from kinds(part)
        case Quantum(subspace):
            yield type(subspace).__name__
        case _:
            yield type(formula).__name__
    for part in operands(formula):
        yield from kinds(part)


@contextmanager
def listening(ledger: Ledger) -> Iterator[None]:
    """Count every model and every answer meanwhile."""
    module = import_module("qismc.deciders.pipeline")
    make, ask = Model.__init__, module.check_model
    Model.__init__ = _after(make, lambda model, *_: ledger.model(model))  # type: ignore[method-assign]
    module.check_model = _after(ask, lambda _, result: ledger.result(result))
    try:
        yield
    finally:
        Model.__init__ = make  # type: ignore[method-assign]
        module.check_model = ask


def _after(function: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
    @wraps(function)
    def wrapped(first: Any, *args: Any, **kwargs: Any) -> Any:
        found = function(first, *args, **kwargs)
        note(first, found)
        return found

    return wrapped


def report(ledger: Ledger) -> str:
    """What was covered, for people."""
    seeds, minutes = f"seeds {ledger.first_seed} to {ledger.seed}", ledger.seconds / 60
    lines = [f"{seeds}, {ledger.rounds} full rounds, {minutes:.0f} minutes"]
    for kind, counts in sorted(ledger.counts.items()):
        shown = ", ".join(f"{name} {count:,}" for name, count in Counter(counts).most_common())
        lines.append(f"{kind}: {shown}")
    lines.append(f"disagreements: {len(ledger.failures)}")
    for failure in ledger.failures:
        lines += [f"  {failure['test']} (seed {failure['seed']})", failure["text"][-SHOWN:]]
    return "\n".join(lines)
