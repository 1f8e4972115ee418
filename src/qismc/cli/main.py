"""The group of all commands, and the small ones."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

import qismc
from qismc.cli.asking import search_seconds
from qismc.cli.check import check
from qismc.cli.equivalent import equivalent
from qismc.cli.options import (
    INCLUDE_OPTION,
    about_a_program,
    limit_options,
    limits_of,
    named,
    outdated,
    watched,
    writing,
)
from qismc.cli.output import standard_console
from qismc.cli.status import Commands
from qismc.common.choices import FORMATS
from qismc.common.files import check_writable
from qismc.errors import SpecError, Undecided
from qismc.limits import Limits
from qismc.verdict import Verdict


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"qismc {qismc.__version__}")
        context.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="print it"
)
@click.option("--debug", is_flag=True, help="show the traceback of an internal error")
def main(debug: bool) -> None:
    """QisMC: a model checker that debugs Qiskit programs.

    \b
      qismc demo                      a bug, found and explained
      qismc check bell.qasm           its own //@ spec lines
      qismc check bell.qasm --spec "AG (leaf -> |00> + |11>)"
      qismc outcomes coin.qasm        the exact distribution of its registers
    """


@contextmanager
def _watched(program: str, options: dict[str, Any]) -> Iterator[qismc.Model]:
    """The model of a program, whose limits are enforced on everything that is done with it."""
    found = named(options)
    with watched(limits_of(found)) as watch:
        model = qismc.Model(program, **found)
        watch.budget = model.budget
        yield model


main.add_command(check)
main.add_command(equivalent)


@main.command()
@about_a_program
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="of the output"
)
@click.option("--unfold", is_flag=True, help="show every gate of straight runs")
def show(program: str, form: str, unfold: bool, **options: Any) -> None:
    """Draw the transition system of PROGRAM.

    \b
      qismc show bell.qasm
      qismc show bell.qasm --format svg > bell.svg
    """
    try:
        with _watched(program, options) as model:
            click.echo(model.draw(form, fold=not unfold))
    except Undecided as doubt:
        click.echo(f"the transition system could not be built: {doubt}", err=True)
        sys.exit(Verdict.UNKNOWN.exit_status)


@main.command()
@about_a_program
@click.option(
    "--register",
    "registers",
    multiple=True,
    metavar="NAME",
    help="a classical register or variable; default: all of them together",
)
@click.option("--at", default="leaf", show_default=True, metavar="MARK", help="when it is visited first")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="write a histogram")
def outcomes(
    program: str, registers: tuple[str, ...], at: str, *, as_json: bool, html: str | None, **options: Any
) -> None:
    """The exact distribution of registers at the end of PROGRAM, loops included, without shots.

    \b
      qismc outcomes coin.qasm
      qismc outcomes coin.qasm --register c --json

    Exit status: 0 found, 3 not within the limits, 2 wrong input.
    """
    from qismc.report import distribution as report  # noqa: PLC0415 - `qismc --help` should be quick

    try:
        check_writable(html)
        with _watched(program, options) as model:
            found = model.outcomes(*registers, at=at)
            with writing(html, found.to_html):
                if as_json:
                    click.echo(json.dumps(found.to_json(), indent=1))
                else:
                    standard_console().print(report(found))
    except Undecided as doubt:
        click.echo(f"the outcomes are unknown: {doubt}", err=True)
        sys.exit(Verdict.UNKNOWN.exit_status)


@main.command()
@about_a_program
@click.option("--spec", "specs", multiple=True, metavar="[NAME:] FORMULA", help="a formula, as for check")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="at most so many repairs")
@click.option("--pairs", is_flag=True, help="then try pairs of edits")
@click.option("--seconds", type=float, hidden=True)
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def repair(
    program: str,
    *,
    specs: tuple[str, ...],
    limit: int,
    pairs: bool,
    seconds: float | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Look for edits of PROGRAM after which all its formulas hold; each suggestion was checked.

    The time limit is one for the check and the search together; without it a search takes at most 30 seconds.

    \b
      qismc repair examples/rus_buggy.qasm
      qismc repair broken.qasm --pairs --timeout 120

    Exit status: 0 nothing to repair, or a repair was found; 1 none was found; 3 the formulas are unknown;
    2 wrong input.
    """
    from qismc.cli.repair import run  # noqa: PLC0415 - `qismc --help` should be quick

    start = time.monotonic()
    if seconds is not None:
        outdated("--seconds", "--timeout, for the check and the search together")
    with _watched(program, options) as model:
        result = model.check(list(specs) or None)
    if not result.results:
        raise SpecError(f"{result.program.name} has no specification", hint="pass --spec")
    left = seconds if seconds is not None else search_seconds(options["timeout"], time.monotonic() - start)
    with watched(Limits(memory_mb=options["memory"])):  # the search looks at its time itself
        sys.exit(run(result, result.repairs(limit, pairs=pairs, timeout=left), as_json=as_json))


@main.command()
def demo() -> None:
    """The repeat-until-success bug, found and explained."""
    from qismc.demo import run  # noqa: PLC0415 - `qismc --help` should be quick

    run(standard_console())


@main.command("verify-certificate")
@click.argument("certificate", metavar="FILE")
@click.argument("program")
@INCLUDE_OPTION
@limit_options
def verify_certificate(
    certificate: str, program: str, *, include: tuple[str, ...], timeout: float | None, memory: float | None
) -> None:
    """Check a certificate of `qismc check --certificate` against PROGRAM, with a separate small checker.

    \b
      qismc check bell.qasm --certificate bell.json
      qismc verify-certificate bell.json bell.qasm

    Exit status: 0 accepted, 1 refused, 3 not checked, 2 wrong input.
    """
    from qismc.verifier import run  # noqa: PLC0415 - `qismc --help` should be quick

    with watched(Limits(seconds=timeout, memory_mb=memory)):
        sys.exit(run(certificate, program, include))


@main.command()
def version() -> None:
    """Print the version."""
    click.echo(f"qismc {qismc.__version__}")
