"""The whole pipeline on one screen."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from qismc.ctl.evaluate import Evaluation
from qismc.ctl.graph import Graph
from qismc.ctl.truths import truths
from qismc.errors import Undecided
from qismc.evidence.explanation import Explainer
from qismc.fixpoint.shadow import Shadow
from qismc.labels import Labels
from qismc.limits import Limits
from qismc.model import Model, Order
from qismc.probability import Chances
from qismc.result import FormulaResult, Result, summary
from qismc.solve import Paths
from qismc.spec.specification import Specification, read_specification
from qismc.spec.syntax import Formula
from qismc.verdict import Verdict


def check(
    program: Any,
    spec: Specification = None,
    *,
    init: Any = None,
    props: Mapping[str, Any] | None = None,
    annotations: Mapping[str | int, Any] | None = None,
    engine: str = "auto",
    paths: Paths = "feasible",
    limits: Limits | None = None,
    seed: int = 0,
    keep_dead: bool = False,
    order: Order = "auto",
) -> Result:
    """Decide whether a program satisfies qCTL formulas (default: those of its own `//@ spec` lines)."""
    clock = [time.perf_counter()]
    model = Model(
        program,
        init=init,
        props=props,
        annotations=annotations,
        engine=engine,
        paths=paths,
        limits=limits,
        seed=seed,
        keep_dead=keep_dead,
        order=order,
    )
    return check_model(model, spec, clock)


def check_model(model: Model, spec: Specification = None, clock: list[float] | None = None) -> Result:
    """Program and specification -> solved system -> labels -> CTL -> evidence, for each formula."""
    clock = clock or [time.perf_counter()]
    formulas = read_specification(spec, model.program)
    for _, formula in formulas.values():
        model.names.check(formula)
    model.observe(formula for _, formula in formulas.values())
    clock.append(time.perf_counter())
    try:
        solved = model.solved()
    except Undecided as doubt:
        return summary(model, [_unknown(name, text, doubt) for name, (text, _) in formulas.items()], clock)
    clock.append(time.perf_counter())
    shadow = Shadow(solved.explorer, model.simulator, lambda seed: solved.seeds[seed].vector(model.simulator))
    labels = Labels(solved.system, model.names, solved.posts, solved.pres, shadow)
    evaluation = Evaluation(Graph(*solved.system.successor_arrays), labels, labels.cost)
    labels.chances = Chances(solved, model.budget, evaluation.truth)
    explainer = Explainer(solved, labels, evaluation, model.simulator, shadow)
    results = [
        _decide(name, text, formula, evaluation, explainer) for name, (text, formula) in formulas.items()
    ]
    clock.append(time.perf_counter())
    return summary(model, results, clock)


def _decide(
    name: str, text: str, formula: Formula, evaluation: Evaluation, explainer: Explainer
) -> FormulaResult:
    try:
        holds = evaluation.holds(formula)
        return FormulaResult(
            name,
            text,
            Verdict.HOLDS if holds else Verdict.VIOLATED,
            counterexample=None if holds else explainer.counterexample(formula),
            witness=explainer.witness(formula) if holds else None,
            truths=truths(evaluation, formula),
        )
    except Undecided as doubt:
        return _unknown(name, text, doubt)


def _unknown(name: str, text: str, doubt: Undecided) -> FormulaResult:
    return FormulaResult(name, text, Verdict.UNKNOWN, reason=str(doubt))


def assert_holds(program: Any, spec: Specification = None, **options: Any) -> Result:
    """For tests: raise PropertyViolated, an AssertionError with the report, unless everything holds."""
    result = check(program, spec, **options)
    result.raise_if_violated()
    return result
