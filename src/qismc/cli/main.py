"""The group of all commands, and those that run in this process as a whole."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

import qismc
from qismc.cli import options as given
from qismc.cli.asking import cut_short
from qismc.cli.check import check
from qismc.cli.options import limits_of, named, watched, writing
from qismc.cli.status import INTERRUPTED, UNKNOWN, Commands
from qismc.cli.terminal import standard_console
from qismc.common.choices import FORMATS
from qismc.common.files import check_writable
from qismc.errors import SpecError, Undecided
from qismc.limits import Limits, search_seconds
from qismc.verdict import Verdict

if TYPE_CHECKING:
    from qismc.repairs import Repairs


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(qismc.__version__, message="qismc %(version)s", help="print it")
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


@contextmanager
def _unknown(what: str) -> Iterator[None]:
    """What could not be found within the limits is said with its reason, and ends the command."""
    try:
        yield
    except Undecided as doubt:
        click.echo(f"{what}: {doubt}", err=True)
        sys.exit(UNKNOWN)


main.add_command(check)


@main.command()
@given.PROGRAM
@given.one_of("--format", FORMATS, "of the output", "form")
@click.option("--unfold", is_flag=True, help="show every gate of straight runs")
def show(program: str, form: str, unfold: bool, **options: Any) -> None:
    """Draw the transition system of PROGRAM.

    \b
      qismc show bell.qasm
      qismc show bell.qasm --format svg > bell.svg
    """
    with _unknown("the transition system could not be built"), _watched(program, options) as model:
        click.echo(model.draw(form, fold=not unfold))


@main.command()
@given.PROGRAM
@click.option(
    "--register",
    "registers",
    multiple=True,
    metavar="NAME",
    help="a classical register or variable; default: all of them together",
)
@click.option("--at", default="leaf", show_default=True, metavar="MARK", help="when it is visited first")
@given.JSON
@given.written("--html", "write a histogram")
def outcomes(
    program: str, registers: tuple[str, ...], at: str, *, as_json: bool, html: str | None, **options: Any
) -> None:
    """The exact distribution of registers at the end of PROGRAM, loops included, without shots.

    \b
      qismc outcomes coin.qasm
      qismc outcomes coin.qasm --register c --json

    Exit status: 0 found, 3 not within the limits, 2 wrong input.
    """
    from qismc.report import distribution  # noqa: PLC0415 - `qismc --help` should be quick

    check_writable(html)
    with _unknown("the outcomes are unknown"), _watched(program, options) as model:
        found = model.outcomes(*registers, at=at)
        with writing(html, found.to_html):
            if as_json:
                click.echo(json.dumps(found.to_json(), indent=1))
            else:
                standard_console().print(distribution(found))


@main.command()
@given.PROGRAM
@click.option("--spec", "specs", multiple=True, metavar="[NAME:] FORMULA", help="a formula, as for check")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="at most so many repairs")
@click.option("--pairs", is_flag=True, help="then try pairs of edits")
@click.option("--seconds", type=float, hidden=True)
@given.JSON
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
    start = time.monotonic()
    if seconds is not None:
        given.outdated("--seconds", "--timeout, for the check and the search together")
    with _watched(program, options) as model:
        result = model.check(list(specs) or None)
    if not result.results:
        raise SpecError(f"{result.program.name} has no specification", hint="pass --spec")
    left = seconds if seconds is not None else search_seconds(options["timeout"], time.monotonic() - start)
    with watched(Limits(memory_mb=options["memory"])):  # the search looks at its time itself
        sys.exit(print_repairs(result, result.repairs(limit, pairs=pairs, timeout=left), as_json=as_json))


def print_repairs(result: qismc.Result, found: Repairs, *, as_json: bool) -> int:
    """Print the repairs of a check; the exit status."""
    if as_json:
        click.echo(json.dumps({"verdict": result.verdict.value, **found.to_json()}, indent=1))
    elif result.verdict is not Verdict.VIOLATED:
        reason = f": {result.reason}" if result.reason else ""
        said = "all formulas hold" if result else f"it is unknown whether the formulas hold{reason}"
        click.echo(f"nothing to repair: {said}")
    elif _is_interrupted(found):
        return INTERRUPTED
    if result.verdict is not Verdict.VIOLATED:
        return result.verdict.exit_status
    return 0 if any(True for _ in found) else Verdict.VIOLATED.exit_status


def _is_interrupted(found: Repairs) -> bool:
    """Look for all repairs and print them; after an interruption, those that were found before."""
    from qismc.report import repairs  # noqa: PLC0415 - `qismc --help` should be quick

    screen, interrupted = Console(stderr=True), False
    with screen.status("trying edits") if screen.is_terminal else nullcontext() as status:
        if status is not None:
            found.watch = lambda: status.update(found.progress)
        try:
            list(found)
        except KeyboardInterrupt:
            found.interrupted()
            interrupted = True
    Console(highlight=False).print(repairs(found))
    return interrupted


@main.command()
@click.argument("program")
@click.argument("reference")
@click.option("--on", metavar="QUBITS", help="a register, or q[0], q[2]: the input; others start in |0>")
@click.option("--to", metavar="QUBITS", help="where the result is, if elsewhere; '' for outcomes alone")
@click.option(
    "--bits",
    multiple=True,
    callback=given.pairs,
    metavar="OWN=REFERENCE",
    help="a register of PROGRAM and the one of REFERENCE to compare it with, if names differ",
)
@given.METHOD
@click.option("--seed", type=int, metavar="N", help="of random choices")
@given.INCLUDE
@given.LIMITS
@given.JSON
@given.REPORT
@click.option("--verbose", is_flag=True, help="show every step")
@given.QUIET
def equivalent(
    program: str,
    reference: str,
    *,
    on: str | None,
    to: str | None,
    bits: dict[str, str],
    as_json: bool,
    html: str | None,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Does every execution of PROGRAM do to every input state what REFERENCE does?

    \b
      qismc equivalent optimised.qasm original.qasm
      qismc equivalent teleport.py:teleport wire.qasm --on message --to bob

    Exit status: 0 equivalent, 1 not (with an input that shows it), 3 unknown, 2 wrong input.
    """
    from qismc.report import report  # noqa: PLC0415 - `qismc --help` should be quick

    check_writable(html)
    found = named(options)
    inputs, results = (None if where is None else where.strip() or () for where in (on, to))
    with watched(limits_of(found)) as watch:
        result = qismc.equivalent(program, reference, inputs, to=results, bits=bits or None, **found)
        try:
            with watch.finishing("the report"), writing(html, result.to_html):
                if as_json:
                    click.echo(json.dumps(result.to_json(), indent=1))
                elif not quiet:
                    standard_console().print(report(result, verbose=verbose))
        except (Undecided, MemoryError, KeyboardInterrupt) as reason:  # a verdict is never lost
            click.echo(f"{result.verdict.name}: {cut_short(reason)}", err=True)
    sys.exit(result.verdict.exit_status)


@main.command()
def demo() -> None:
    """The repeat-until-success bug, found and explained."""
    from qismc.demo import run  # noqa: PLC0415 - `qismc --help` should be quick

    run(standard_console())


@main.command("verify-certificate")
@click.argument("certificate", metavar="FILE")
@click.argument("program")
@given.INCLUDE
@given.LIMITS
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
