"""Results in SARIF 2.1.0, the format that code hosts turn into annotations beside the lines."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from qismc.common.source import Source
from qismc.common.version import VERSION
from qismc.common.wording import chance_text, counted, plain_number
from qismc.edits import Hunk, Patch
from qismc.evidence import Execution, Step
from qismc.results import FormulaResult, Result
from qismc.verdict import Verdict

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {Verdict.VIOLATED: "error", Verdict.UNKNOWN: "warning"}
STEPS_KEPT = 1_000
"""Code hosts refuse long flows; the last steps matter most."""


def to_sarif(result: Result) -> dict[str, Any]:
    """One run; a rule per formula, a finding per formula that is violated or unknown."""
    rules = [_rule(formula) for formula in result.results]
    findings = [
        _finding(result, formula, number)
        for number, formula in enumerate(result.results)
        if formula.verdict is not Verdict.HOLDS
    ]
    findings += [
        _doubt(result, formula, number, text)
        for number, formula in enumerate(result.results)
        for text in formula.warnings
    ]
    told = {f"{formula.name}: {text}" for formula in result.results for text in formula.warnings}
    about = [("warning", text) for text in result.warnings if text not in told]
    return _log(rules, findings, about, successful=True)


def failure(message: str) -> dict[str, Any]:
    """The log of a program about which there is no verdict, with the reason."""
    return _log([], [], [("error", message)], successful=False)


def _log(
    rules: list[dict[str, Any]],
    findings: list[dict[str, Any]],
    notifications: list[tuple[str, str]],
    *,
    successful: bool,
) -> dict[str, Any]:
    """A log of one run; notifications are (level, text) and speak of the whole program."""
    notes = [{"level": level, "message": {"text": text}} for level, text in notifications]
    driver = {"name": "QisMC", "version": VERSION, "rules": rules}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": successful, "toolExecutionNotifications": notes}],
        "columnKind": "unicodeCodePoints",
        "results": findings,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(formula: FormulaResult) -> dict[str, Any]:
    return {
        "id": formula.name,
        "shortDescription": {"text": formula.spec},
        "fullDescription": {"text": f"The program must satisfy {formula.spec}"},
        "defaultConfiguration": {"level": "error"},
    }


def _finding(result: Result, formula: FormulaResult, number: int) -> dict[str, Any]:
    execution = formula.counterexample
    found: dict[str, Any] = {
        "ruleId": formula.name,
        "ruleIndex": number,
        "level": LEVELS[formula.verdict],
        "message": {"text": _message(formula)},
        "locations": [{"physicalLocation": _physical(_where(result, execution))}],
        "partialFingerprints": {"formula/v1": f"{result.program.name}: {formula.name}: {formula.spec}"},
    }
    if formula.verdict is Verdict.VIOLATED and result._suggestions is not None:
        found["fixes"] = [_fix(r.text, r.patch) for r in result._suggestions if r.patch is not None]
    if execution is not None and execution.steps:
        found["codeFlows"] = [_flow(execution, _where(result, execution))]
    return found


def _doubt(result: Result, formula: FormulaResult, number: int, text: str) -> dict[str, Any]:
    """A warning: the formula says less than it seems."""
    return {
        "ruleId": formula.name,
        "ruleIndex": number,
        "level": "warning",
        "message": {"text": f"{formula.spec} is {formula.verdict.value}, but {text}"},
        "locations": [{"physicalLocation": _physical(_where(result, None))}],
        "partialFingerprints": {"warning/v1": f"{result.program.name}: {formula.name}: {text}"},
    }


def _fix(text: str, patch: Patch) -> dict[str, Any]:
    """The replacements of lines that make a repair."""
    replacements = [_replacement(patch, hunk) for hunk in patch.hunks]
    change = {"artifactLocation": {"uri": _uri(patch.file)}, "replacements": replacements}
    return {"description": {"text": text}, "artifactChanges": [change]}


def _replacement(patch: Patch, hunk: Hunk) -> dict[str, Any]:
    """Whole lines; what comes after the last line, which has no end of line, begins with one."""
    last = hunk.first + hunk.removed
    start: tuple[int, int] = (hunk.first, 1)
    end: tuple[int, int] = (last, 1)
    text = "".join(f"{line}\n" for line in hunk.added)
    if last > len(patch.before):
        end = (len(patch.before), len(patch.before[-1]) + 1)
        text = "\n".join(hunk.added)
        if hunk.first > len(patch.before):
            start, text = end, f"\n{text}"
    region = {"startLine": start[0], "startColumn": start[1], "endLine": end[0], "endColumn": end[1]}
    return {"deletedRegion": region, "insertedContent": {"text": text}}


def _message(formula: FormulaResult) -> str:
    if formula.verdict is Verdict.UNKNOWN:
        return f"It is unknown whether {formula.spec} holds: {formula.reason}"
    text = f"{formula.spec} is violated"
    execution = formula.counterexample
    shown = "" if execution is None or not execution.steps else _shown(execution)
    if formula.probability is None:
        return f"{text} by {shown}" if shown else text
    text += f": the probability is {formula.probability.text}"
    return f"{text}; against it is {shown}" if shown else text


def _shown(execution: Execution) -> str:
    """The execution in one sentence; one that goes round for ever has no end."""
    text = f"an execution of {counted(len(execution.steps), 'step')}"
    chance = "" if execution.probability is None else f" {chance_text(execution.probability)}"
    if execution.loop_start is not None:
        turn = f" (probability of one turn{chance})" if chance else ""
        return f"{text}, for ever round from step {execution.loop_start}{turn}"
    last = execution.steps[-1]
    state = "" if last.state is None else f"; at the end the state is {last.state} (qubit 0 first)"
    return f"{text}{', probability' if chance else ''}{chance}{state}"


def _where(result: Result, execution: Execution | None) -> Source:
    """The last step with a source line, else the first statement with one, else the program itself."""
    steps = execution.steps if execution is not None else ()
    sources = [*(step.source for step in reversed(steps)), *result.program.sources]
    return next((s for s in sources if s is not None), Source(result.program.name, 1))


def _flow(execution: Execution, fallback: Source) -> dict[str, Any]:
    """The steps in order; a step without a source line stands where the step before it stands."""
    dropped = max(0, len(execution.steps) - STEPS_KEPT)
    locations, place = [], fallback
    for number, step in enumerate(execution.steps):
        place = step.source or place
        if number >= dropped:
            locations.append(_flow_step(number, step, place))
    return {"threadFlows": [{"locations": locations}]}


def _flow_step(number: int, step: Step, place: Source) -> dict[str, Any]:
    outcome = "" if step.outcome is None else f" = {step.outcome}"
    state = "" if step.state is None else f"  [{step.state}]"
    message = {"text": f"{step.location}: {step.statement}{outcome}{state}"}
    values = {name: {"text": str(plain_number(value))} for name, value in step.store.items()}
    return {
        "executionOrder": number + 1,
        "location": {"physicalLocation": _physical(place), "message": message},
        "state": values,
    }


def _physical(source: Source) -> dict[str, Any]:
    region = {"startLine": source.line}
    if source.column is not None:
        region["startColumn"] = source.column
    return {"artifactLocation": {"uri": _uri(source.file)}, "region": region}


def _uri(file: str) -> str:
    """Relative to the working directory where possible: code hosts match paths of the repository."""
    path = PurePath(file)
    if path.is_absolute():
        here = Path.cwd()
        if not path.is_relative_to(here):
            return path.as_uri()
        path = path.relative_to(here)
    return quote(os.fsencode(path.as_posix()))  # names of files are any bytes
