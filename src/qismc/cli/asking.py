"""One program of `qismc check`: what is asked, and what is answered, both plain data that cross processes."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from qismc.cli.status import HOLDS, INTERNAL, INTERRUPTED, UNKNOWN, VIOLATED, WRONG_INPUT, internal, located
from qismc.cli.terminal import Line
from qismc.common.files import write_text
from qismc.common.loading import loading
from qismc.common.watch import Watch
from qismc.common.wording import counted
from qismc.errors import QismcError, Undecided, UsageError
from qismc.limits import SEARCH_SECONDS, Limits, out_of_memory, search_seconds

NO_SPECIFICATION = "no specification"
STATUS_WORDS = {
    HOLDS: "HOLDS",
    VIOLATED: "VIOLATED",
    UNKNOWN: "UNKNOWN",
    WRONG_INPUT: "ERROR",
    INTERNAL: "ERROR",
    INTERRUPTED: "INTERRUPTED",
}


@dataclass(frozen=True)
class Terminal:
    """Where reports are shown."""

    width: int = 80
    colours: bool = False
    verbose: bool = False
    debug: bool = False
    progress: bool = False
    """Is there someone to tell what goes on?"""


@dataclass(frozen=True)
class Files:
    """What is written besides the report."""

    html: str | None = None
    smv: str | None = None
    certificate: str | None = None

    def of(self, program: str) -> Files:
        """With `{program}` replaced by the name of the program's file."""
        name = Path(program).name.replace(":", "-").replace(".", "-")
        given = (self.html, self.smv, self.certificate)
        return Files(*(None if file is None else file.replace("{program}", name) for file in given))


@dataclass(frozen=True)
class ProgramCheck:
    """A check of one program."""

    program: str
    text: str | None = None
    """Of a program that came through the standard input."""
    specs: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of `qismc.Model`."""
    how: Mapping[str, Any] = field(default_factory=dict)
    """Further options of `qismc.check`."""
    faults: str | None = None
    repair: bool = False
    files: Files = Files()
    json: bool = False
    sarif: bool = False
    screen: Terminal = Terminal()


@dataclass(frozen=True)
class ProgramReport:
    """What is shown, and the exit status."""

    program: str
    status: int
    text: str = ""
    """The report, as the screen wants it."""
    error: str | None = None
    verdicts: tuple[str, ...] = ()
    """Of the formulas."""
    seconds: float = 0.0
    json: Mapping[str, Any] | None = None
    sarif: Mapping[str, Any] | None = None

    @property
    def word(self) -> str:
        return STATUS_WORDS[self.status] if self.verdicts or self.error is not None else NO_SPECIFICATION

    @property
    def remark(self) -> str:
        """The formulas in few words, or the error."""
        if self.error is not None:
            return self.error
        if not self.verdicts:
            return "nothing was checked"
        counts = {kind: self.verdicts.count(kind) for kind in ("violated", "unknown")}
        kinds = [f"{count} {kind}" for kind, count in counts.items() if count]
        return ", ".join([counted(len(self.verdicts), "formula"), *kinds])


def report_on(check: ProgramCheck) -> ProgramReport:
    """Check and report; errors are reports, too."""
    line = Line(Console(stderr=True)) if check.screen.progress else None
    watch = Watch(Limits(seconds=check.options.get("timeout"), memory_mb=check.options.get("memory")), line)
    try:
        with watch:
            return _report_on(check, watch)
    except QismcError as error:
        return ProgramReport(check.program, WRONG_INPUT, error=located(error))
    except Undecided as doubt:
        return _undecided(check, str(doubt))
    except MemoryError:
        return _undecided(check, str(out_of_memory(watch.limits, watch.doing)))
    except RecursionError:
        return _undecided(check, f"limit: too deeply nested for {watch.doing}")
    except KeyboardInterrupt:
        return ProgramReport(check.program, INTERRUPTED, error="interrupted: there is no verdict")
    except Exception as error:
        return ProgramReport(check.program, INTERNAL, error=internal(error, debug=check.screen.debug))
    finally:
        if line is not None:
            line.close()


def _undecided(check: ProgramCheck, reason: str) -> ProgramReport:
    """Before there were formulas to speak of."""
    data = {"program": check.program, "verdict": "unknown", "reason": reason, "results": []}
    text = f"UNKNOWN  {check.program}\n  {reason}\n"
    return ProgramReport(check.program, UNKNOWN, text, verdicts=("unknown",), json=data)


def lost(check: ProgramCheck, why: str) -> ProgramReport:
    """The report for a program that no process survives."""
    return ProgramReport(check.program, INTERNAL, error=f"{check.program}: error: its process ended: {why}")


def _report_on(check: ProgramCheck, watch: Watch) -> ProgramReport:
    with loading():
        from qismc import Model, Result  # noqa: PLC0415
        from qismc.deciders import check_model  # noqa: PLC0415
        from qismc.faults import Faults  # noqa: PLC0415
        from qismc.program import STDIN, read_program, read_text  # noqa: PLC0415
        from qismc.repairs import suspecting  # noqa: PLC0415

    include = check.options.get("include", ())
    if check.text is None:
        program = read_program(check.program, include=include)
    else:
        program = read_text(check.text, STDIN, include)
    allowed = None if check.faults is None else Faults.parse(check.faults)
    watch.stage = "preparation"
    model = Model(program, **check.options, faults=allowed)
    watch.budget = model.budget
    how = {**check.how, "certificate": check.files.certificate}
    explain = how.pop("explain", True)
    decided = check_model(model, list(check.specs) or None, **how, interruptible=True, watch=watch)
    result = Result.of(suspecting(decided), explain=explain)
    if check.repair:
        left = min(SEARCH_SECONDS, search_seconds(watch.limits.seconds, watch.elapsed))
        result = result.with_repairs(timeout=left)
    with watch.finishing("the report", silent=False):  # executions are replayed for it
        return _reported(check, model, result)


def _reported(check: ProgramCheck, model: Any, result: Any) -> ProgramReport:
    """All reports; where they take too long, the verdicts alone, which are never lost."""
    verdicts = tuple(formula.verdict.value for formula in result)
    seconds = sum(result.statistics.seconds.values())
    status = exit_status(result, strict=bool(check.how.get("strict")))
    decided = ProgramReport(check.program, status, verdicts=verdicts, seconds=seconds)
    try:
        text = _shown(result, check.screen)
        data = result.to_json() if check.json else None
        sarif = result.to_sarif() if check.sarif else None
        found = replace(decided, text=text, json=data, sarif=sarif)
        try:
            _write(check.files, model, result)
        except UsageError as error:
            return replace(found, status=WRONG_INPUT, error=located(error))
    except (Undecided, MemoryError, RecursionError, KeyboardInterrupt) as reason:
        return _brief(decided, result, cut_short(reason))
    return found


def cut_short(reason: BaseException) -> str:
    """Why there are verdicts only."""
    known = {KeyboardInterrupt: "interrupted", MemoryError: "out of memory"}
    why = next((text for kind, text in known.items() if isinstance(reason, kind)), str(reason))
    return f"the report is cut short: {why}"


def _brief(decided: ProgramReport, result: Any, note: str) -> ProgramReport:
    lines = [f"{formula.verdict.name}  {formula.name}: {formula.spec}" for formula in result]
    found = [{"name": f.name, "spec": f.spec, "verdict": f.verdict.value, "reason": f.reason} for f in result]
    data = {"program": decided.program, "verdict": result.verdict.value, "results": found, "notes": [note]}
    return replace(decided, text="".join(f"{text}\n" for text in [*lines, f"note: {note}"]), json=data)


def exit_status(result: Any, *, strict: bool = False) -> int:
    """Of one program: the verdict, unless the user stopped it before there was any.

    A program without formulas fails where warnings do.
    """
    if not result.results and not strict:
        return HOLDS
    status: int = result.verdict.exit_status
    reasons = {formula.reason or "" for formula in result}
    if status == UNKNOWN and result.results and all(reason.startswith("interrupted") for reason in reasons):
        return INTERRUPTED
    return status


def _shown(result: Any, screen: Terminal) -> str:
    with loading():
        from qismc.report import circuit, report  # noqa: PLC0415 - `qismc --help` should be quick

    stream = io.StringIO()
    console = Console(file=stream, width=screen.width, highlight=False, force_terminal=screen.colours)
    console.print(report(result, verbose=screen.verbose))
    if screen.verbose:
        console.print(circuit(result))
    return stream.getvalue()


def _write(files: Files, model: Any, result: Any) -> None:
    if files.smv is not None:
        _write_smv(files.smv, model, result)
    if files.html is not None:
        write_text(files.html, result.to_html())


def _write_smv(file: str, model: Any, result: Any) -> None:
    """One model per formula: the first under the given name, the others with their own names added."""
    with loading():
        from qismc.deciders import nusmv_model  # noqa: PLC0415

    path = Path(file)
    for number, formula in enumerate(result.results):
        name = file if number == 0 else str(path.with_stem(f"{path.stem}-{formula.name}"))
        write_text(name, nusmv_model(model, formula.spec))


def json_text(reports: list[ProgramReport]) -> str:
    """One object: of the program, or of all programs."""
    return json.dumps(dict(reports[0].json or {}) if len(reports) == 1 else _joined(reports), indent=1)


def _joined(reports: list[ProgramReport]) -> dict[str, Any]:
    programs = [
        {"program": report.program, "verdict": None, "error": report.error}
        if report.json is None
        else {**report.json, "program": report.program, **({"error": report.error} if report.error else {})}
        for report in reports
    ]
    return {"programs": programs}


def sarif_text(reports: list[ProgramReport]) -> str:
    """All runs in one log; a program without a report has one that says why."""
    with loading():
        from qismc.report import failure  # noqa: PLC0415 - `qismc --help` should be quick

    if not reports:
        return json.dumps({"version": "2.1.0", "runs": []}, indent=1)
    logs = [report.sarif or failure(report.error or report.text.strip()) for report in reports]
    return json.dumps({**logs[0], "runs": [run for log in logs for run in log["runs"]]}, indent=1)
