"""Checks whose violations can be asked for their causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qismc.common.loading import loading
from qismc.deciders import pipeline
from qismc.evidence import Hint, Later
from qismc.language import Specification
from qismc.results import FormulaResult, Question, Result
from qismc.verdict import Verdict
from qismc.whatif import Variants


def check(program: Any, spec: Specification = None, **options: Any) -> Result:
    """The answers; those that are violated can look for their causes."""
    return suspecting(pipeline.check(program, spec, **options))


def suspecting(result: Result) -> Result:
    """The same answers; those that are violated can look for their causes."""
    if all(one.verdict is not Verdict.VIOLATED for one in result.results):
        return result
    answers, question = result.results, result._question
    return replace(result, results=tuple(_suspecting(one, answers, question) for one in answers))


def _suspecting(result: FormulaResult, results: Sequence[FormulaResult], question: Question) -> FormulaResult:
    """The answer with the search for changes after which it holds, and what held before still does."""
    if result.verdict is not Verdict.VIOLATED or question.program is None:
        return result
    kept = [r.name for r in results if r.verdict is Verdict.HOLDS and not r.asks]
    asked = Variants.of(question).about([result.name, *kept], question.program)

    def causes() -> tuple[Hint, ...]:
        with loading():
            from qismc.repairs.causes import find  # noqa: PLC0415 - few checks are violated

        return find(asked, result.name, result.counterexample)

    return result.but(suspects=Later(causes, unmade=()))
