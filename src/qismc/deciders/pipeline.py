"""From a model and its specification to a result: the strategy run, its verdicts worded and counted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from os import PathLike
from typing import Any

from qismc.certify import check_writable
from qismc.common import arguments
from qismc.common.choices import CTLS, Ctl
from qismc.common.process import blas_threads, rare_collection
from qismc.common.watch import Watch
from qismc.deciders.attempts import Account, How, unknown
from qismc.deciders.confirmation import worded
from qismc.deciders.observing import observed
from qismc.deciders.strategy import Strategy
from qismc.errors import Interrupted, LimitReached, Undecided, UnluckyDraw, UsageError, at_source
from qismc.evidence import Execution, Later, with_faults_named
from qismc.language import Property, Specification, is_specified, read_specification, readings, to_text
from qismc.limits import MORE_MEMORY, MORE_TIME, Limits, out_of_memory
from qismc.model import Model
from qismc.questions import Certain, merging_is_safe, read_off
from qismc.results import FormulaResult, Result, summary
from qismc.verdict import Verdict

LARGE_BOND = 256
"""From here on exact numbers are dear."""
FEW_BITS = 12
"""With so many classical bits or fewer, there are few locations at the end."""
STOPPED = Interrupted("stopped by the user")


def check(
    program: Any,
    spec: Specification = None,
    *,
    ctl: Ctl = "builtin",
    recheck: int = 0,
    certify: bool = False,
    certificate: str | PathLike[str] | None = None,
    strict: bool = False,
    **options: Any,
) -> Result:
    """Read a program and decide formulas about it; further options as in `Model`."""
    clock = [time.perf_counter()]
    limits = options.get("limits")
    arguments.instance("limits", limits, Limits)
    with Watch(limits, guest=True) as watch, rare_collection():
        model = Model.of(program, **options)
        watch.budget = model.budget
        return check_model(
            model,
            spec,
            ctl=ctl,
            recheck=recheck,
            certify=certify,
            certificate=certificate,
            clock=clock,
            strict=strict,
            watch=watch,
        )


def check_model(
    model: Model,
    spec: Specification = None,
    *,
    ctl: Ctl = "builtin",
    recheck: int = 0,
    certify: bool = False,
    certificate: str | PathLike[str] | None = None,
    clock: list[float] | None = None,
    interruptible: bool = False,
    strict: bool = False,
    watch: Watch | None = None,
) -> Result:
    """Program and specification -> solved system -> labels -> CTL -> evidence, for each formula.

    An interruptible check answers Ctrl-C with what it has decided so far. In a strict one nothing holds that
    has a warning.
    """
    arguments.one_of("ctl", ctl, CTLS)
    arguments.whole("recheck", recheck, 0, arguments.MOST_RECHECKS)
    arguments.flag("certify", certify)
    arguments.flag("strict", strict)
    arguments.path("certificate", certificate)
    clock = clock or [time.perf_counter()]
    if spec is None and certificate is None and not is_specified(model.program):
        return observed(model, clock)
    properties = read_specification(spec, model.program)
    for wanted in properties:
        with at_source(wanted.source):
            model.names.check(wanted.formula)
    if certificate is not None and model.faults is not None:
        raise UsageError("certificates do not cover faults", hint="leave one of the two out")
    if certificate is not None:
        check_writable(model, properties)
    asked = properties if certificate is not None else [_with_bits(model, wanted) for wanted in properties]
    model = model.asking(wanted.formula for wanted in asked)
    mask = model.observed(wanted.formula for wanted in asked)
    decided = Account(model, [*clock, time.perf_counter()])
    decided.notes += _said_of_bits(properties, asked)
    strategy = Strategy(decided, asked, mask, How(ctl, recheck, certify, certificate))
    limit = None
    try:
        with blas_threads(model.budget.threads):
            limit = strategy.run()
    except UnluckyDraw as disagreement:
        decided.results = {wanted.name: unknown(wanted, disagreement) for wanted in properties}
    except (Undecided, MemoryError, KeyboardInterrupt) as cause:
        if isinstance(cause, KeyboardInterrupt) and not interruptible:
            raise
        reason = _reason(decided.model, cause)
        for wanted in properties:
            decided.results.setdefault(wanted.name, unknown(wanted, reason))
    if watch is not None:
        watch.rest()
    if limit is not None:
        for wanted in decided.open(properties):
            decided.results[wanted.name] = unknown(wanted, _with_way_out(decided.model, limit))
    strategy.at_last()
    decided.tick()
    model = decided.model
    with blas_threads(model.budget.threads):
        results = [_warned(model, one, _shown(model, decided.results[one.name])) for one in properties]
    return summary(
        model,
        decided.solved,
        _strictly(results, model.program.warnings) if strict else results,
        decided.assurance,
        notes=decided.notes,
        clock=decided.clock,
        levels=decided.levels,
        tried=decided.tried,
    )


def _with_bits(model: Model, wanted: Property) -> Property:
    """The formula with bits in the place of measured qubits, where outcomes would all be locations."""
    few = model.needs_graph or model.program.store_width <= FEW_BITS
    if few or merging_is_safe(wanted.formula, model.scope.props):
        return wanted
    return wanted._replace(formula=read_off(wanted.formula, model.names))


def _said_of_bits(properties: Sequence[Property], asked: Sequence[Property]) -> tuple[str, ...]:
    """Which formulas were asked in another form."""
    return tuple(
        f"{one.name} was asked of the bits that measured qubits were read into: {to_text(other.formula)}"
        for one, other in zip(properties, asked, strict=True)
        if one.formula != other.formula
    )


def _reason(model: Model, cause: Undecided | MemoryError | KeyboardInterrupt) -> Undecided:
    match cause:
        case LimitReached():
            return _with_way_out(model, cause)
        case Undecided():
            return worded(cause, model.program)
        case MemoryError():
            return _with_way_out(model, out_of_memory(model.budget.limits, model.budget.stage))
    return STOPPED


def _with_way_out(model: Model, limit: LimitReached) -> LimitReached:
    """Where exact trains have become large, those of floating point may be small: they drop what is tiny."""
    if limit.hint not in (MORE_TIME, MORE_MEMORY) or (model.engines.peak_bond or 0) < LARGE_BOND:
        return limit
    other = 'try numbers="float", whose states are smaller where most amplitudes are tiny'
    return LimitReached(limit.reason, hint=f"{limit.hint}, or {other}")


def _warned(model: Model, wanted: Property, result: FormulaResult) -> FormulaResult:
    """The answer with what the text alone gives reason to doubt."""
    formula = wanted.formula
    certain = Certain(model.names, bounded=model.needs_graph)
    why = [*model.names.warnings(formula), *result.warnings]
    told = certain.trivial(formula) if why else certain.warnings(formula)
    return result.but(warnings=(*readings(formula, wanted.text), *told, *why))


def _strictly(results: list[FormulaResult], about_program: tuple[str, ...]) -> list[FormulaResult]:
    """What holds with a warning is unknown."""
    found = []
    for result in results:
        doubts = (*result.warnings, *about_program)
        strict = doubts and result.verdict is Verdict.HOLDS
        found.append(result.but(verdict=Verdict.UNKNOWN, reason=f"strict: {doubts[0]}") if strict else result)
    return found


def _shown(model: Model, result: FormulaResult) -> FormulaResult:
    """The answer whose executions name the faults on them, where there may be some."""
    if model.faults is None:
        return result

    def named(execution: Execution | None) -> Execution | None:
        return None if execution is None else with_faults_named(execution, model.program)

    return result.but(
        counterexample=Later(lambda: named(result.counterexample)),
        witness=Later(lambda: named(result.witness)),
    )
