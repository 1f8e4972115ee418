"""`qismc check`: one program or many."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from qismc.cli import options as given
from qismc.cli.asking import (
    Files,
    ProgramCheck,
    ProgramReport,
    Terminal,
    json_text,
    lost,
    report_on,
    sarif_text,
)
from qismc.cli.options import limits_of, named, watched
from qismc.cli.status import HOLDS, INTERRUPTED, WRONG_INPUT, located, together
from qismc.cli.terminal import progress_bar, standard_console
from qismc.common.choices import CTLS
from qismc.common.files import check_writable, write_text
from qismc.common.wording import counted
from qismc.errors import UsageError

STYLES = {"HOLDS": "green", "VIOLATED": "bold red", "UNKNOWN": "yellow"}


@click.command()
@click.argument("programs", nargs=-1, required=True, metavar="PROGRAM...")
@given.MODEL
@click.option(
    "--spec",
    "specs",
    multiple=True,
    metavar="[NAME:] FORMULA",
    help="a formula; default: the program's //@ spec lines",
)
@given.one_of("--ctl", CTLS, "compare the temporal part with NuSMV's answer")
@click.option(
    "--recheck", type=click.IntRange(0), default=0, metavar="K", help="check again with K more primes"
)
@click.option("--certify", is_flag=True, help="check edge by edge with enough primes for a proof")
@given.written("--certificate", "write what `qismc verify-certificate` checks")
@click.option(
    "--faults", metavar="at-most=N[,kinds=XZ][,where=…]", help="under every combination of so many faults"
)
@click.option("--strict", is_flag=True, help="what holds with a warning is unknown: exit status 3")
@click.option("--explain/--no-explain", default=True, show_default=True, help="look for causes of violations")
@click.option("--repair", is_flag=True, help="look for edits after which all formulas hold")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="programs at the same time"
)
@given.JSON
@given.REPORT
@given.written("--sarif", "write SARIF for code hosts")
@given.written("--smv", "write a NuSMV model per formula")
@click.option("--verbose", is_flag=True, help="show every step, and the reports of all programs")
@given.QUIET
def check(
    programs: tuple[str, ...],
    *,
    specs: tuple[str, ...],
    faults: str | None,
    repair: bool,
    jobs: int,
    as_json: bool,
    sarif: str | None,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Decide formulas about each PROGRAM: file.qasm, file.py:name, package.module:name, file.qpy, a folder or
    a pattern of files, or - for the standard input.

    \b
      qismc check bell.qasm
      qismc check bell.qasm --spec "AG (leaf -> |00> + |11>)"
      qismc check experiment.py:teleport --spec "AG (leaf -> target)" --prop "target=|0>" --html report.html
      qismc check "programs/**/*.qasm" --jobs 4 --timeout 60 --sarif findings.sarif

    Exit status: 0 all hold, 1 some violated, 3 some unknown (or, with --strict, doubtful or without formulas)
    and none violated, 2 wrong input, 70 internal error, 130 interrupted without a verdict.
    """
    from qismc.program import files_of, standard_input  # noqa: PLC0415 - `qismc --help` should be quick

    how = {name: options.pop(name) for name in ("ctl", "recheck", "certify", "strict", "explain")}
    files = Files(*(options.pop(name) for name in ("html", "smv", "certificate")))
    model = named(options)
    with watched(limits_of(model)):
        wanted = [name for program in programs for name in files_of(program)]
        texts = [standard_input() if name == "-" else None for name in wanted]
    console = standard_console()
    debug = bool(click.get_current_context().find_root().params.get("debug"))
    seen = Console(stderr=True).is_terminal and not quiet and len(wanted) == 1
    screen = Terminal(console.width, console.is_terminal, verbose, debug, seen)
    _check_names(files, len(wanted))
    check_writable(sarif, *(f for name in wanted for f in vars(files.of(name)).values()))
    further = (specs, model, how, faults, repair)
    asked = [
        ProgramCheck(name, text, *further, files.of(name), as_json, sarif is not None, screen)
        for name, text in zip(wanted, texts, strict=True)
    ]
    reports: list[ProgramReport] = []
    for found in _reports(asked, jobs, quiet):
        reports.append(found)
        _show(found, quiet=quiet or as_json, alone=len(asked) == 1, verbose=verbose)
    _finish(asked, reports, console, quiet=quiet, as_json=as_json, sarif=sarif)


def _check_names(files: Files, programs: int) -> None:
    """Each program needs files of its own."""
    for option, file in vars(files).items():
        if programs > 1 and file is not None and "{program}" not in file:
            raise UsageError(
                f"--{option} {file} is one file for {programs} programs",
                hint="write {program} into its name: each program then has its own",
            )


def _reports(asked: Sequence[ProgramCheck], jobs: int, quiet: bool) -> Iterator[ProgramReport]:
    """The reports in order; Ctrl-C ends them."""
    from qismc.parallel import Inline, Runner, processes  # noqa: PLC0415 - `qismc --help` should be quick

    workers = min(jobs, len(asked))
    pool = Inline if workers == 1 else processes(workers, ("qismc.cli.asking", "qismc.api.functions"))
    runner = Runner(report_on, lost, pool, under_way=1 if workers == 1 else 2 * workers)
    with progress_bar("programs", len(asked), quiet=quiet or len(asked) == 1) as advance:
        try:
            for found in runner.run(asked):
                advance()
                yield found
                if found.status == INTERRUPTED:
                    return
        except KeyboardInterrupt:
            return


def _show(found: ProgramReport, *, quiet: bool, alone: bool, verbose: bool) -> None:
    """Reports of what does not hold; of one program, or if asked for, all reports."""
    if found.error is not None:
        click.echo(found.error, err=True)
    if found.text and not quiet and (alone or verbose or found.status != HOLDS):
        click.echo(found.text, nl=False)


def _finish(
    asked: Sequence[ProgramCheck],
    reports: list[ProgramReport],
    console: Console,
    *,
    quiet: bool,
    as_json: bool,
    sarif: str | None,
) -> None:
    statuses = [report.status for report in reports]
    if len(reports) < len(asked):
        statuses.append(INTERRUPTED)
    if sarif is not None:
        try:
            write_text(sarif, sarif_text(reports))
        except UsageError as error:
            click.echo(located(error), err=True)
            statuses.append(WRONG_INPUT)
    if not reports:
        click.echo("interrupted: there is no verdict", err=True)
    if as_json and (len(asked) > 1 or (reports and reports[0].json is not None)):
        click.echo(json_text(reports))
    elif len(asked) > 1 and not quiet:
        console.print(_summary(reports, len(asked)))
    sys.exit(together(statuses))


def _summary(reports: Sequence[ProgramReport], asked: int) -> Group:
    """A line for each program, then one for all."""
    table = Table.grid(padding=(0, 2))
    for found in reports:
        word = Text(found.word, style=STYLES.get(found.word, "red"))
        table.add_row(word, Text(found.program), Text(found.remark))
    words = [found.word for found in reports]
    counts = ", ".join(f"{words.count(word)} {word}" for word in dict.fromkeys(sorted(words)))
    missing = "" if len(reports) == asked else f" (interrupted: {asked - len(reports)} were not checked)"
    seconds = sum(found.seconds for found in reports)
    line = f"{counted(asked, 'program')}: {counts}, {seconds:.3f} s{missing}"
    return Group(table, Text(line, style="dim"))
