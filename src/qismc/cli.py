"""The command line: arguments in, reports out, exit status 0, 1, 2 or 3."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

import qismc
from qismc.bench.command import bench
from qismc.campaign.command import campaign
from qismc.check import check_model
from qismc.errors import QismcError, Undecided, UsageError
from qismc.limits import Limits
from qismc.model import STORES
from qismc.report.show import FORMATS
from qismc.subspace.registry import NAMES
from qismc.verdict import Verdict

INPUT_ERROR = 2


class _Group(click.Group):
    """Our own errors are messages on stderr, never tracebacks."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except QismcError as error:
            click.echo(_located(error), err=True)
            ctx.exit(INPUT_ERROR)


def _located(error: QismcError) -> str:
    where = f"{error.source}: " if error.source is not None else ""
    hint = f" ({error.hint})" if error.hint else ""
    return f"{where}error: {error.message}{hint}"


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """QisMC: a model checker that debugs Qiskit programs."""


def _pairs(_: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """NAME=TEXT options as a dictionary."""
    found: dict[str, str] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise click.BadParameter(f"'{value}' is not of the form NAME=TEXT", param=option)
        found[name.strip()] = text.strip()
    return found


PROGRAM_OPTIONS = (
    click.argument("program"),
    click.option(
        "--prop", "props", multiple=True, callback=_pairs, metavar="NAME=SUBSPACE", help="a proposition"
    ),
    click.option("--init", metavar="SUBSPACE", help="the start, instead of all zero"),
    click.option(
        "--annotate",
        "annotations",
        multiple=True,
        callback=_pairs,
        metavar="WHERE=SUBSPACE",
        help="join sp and bound wp at a mark, leaf, loop, init or location",
    ),
    click.option(
        "--engine",
        type=click.Choice(NAMES),
        default="auto",
        show_default=True,
        help="exact wherever numbers allow it, or one of them always",
    ),
    click.option(
        "--paths",
        type=click.Choice(["feasible", "all"]),
        default="feasible",
        show_default=True,
        help="leave out impossible outcomes, or keep every branch",
    ),
    click.option("--keep-dead", is_flag=True, help="keep locations apart that differ in unread bits only"),
    click.option(
        "--order",
        type=click.Choice(["auto", "natural"]),
        default="auto",
        show_default=True,
        help="how the exact engine orders qubits",
    ),
    click.option(
        "--store",
        type=click.Choice(STORES),
        default="auto",
        show_default=True,
        help="classical values as locations, or on levels that carry all stores at once",
    ),
    click.option(
        "--seed",
        type=int,
        metavar="N",
        help="of random choices; default: a hash of program and specification",
    ),
    click.option("--timeout", type=float, metavar="S", help="seconds, then the verdict is unknown"),
    click.option("--memory", type=float, metavar="MB", help="megabytes, then the verdict is unknown"),
)


def _common(command: Callable[..., None]) -> Callable[..., None]:
    """The options that every command with a program shares."""
    for option in reversed(PROGRAM_OPTIONS):
        command = option(command)
    return command


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """Command-line options as keyword arguments of `qismc.check`."""
    seconds, memory = options.pop("timeout"), options.pop("memory")
    return {**options, "limits": Limits(seconds=seconds, memory_mb=memory)}


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"'{file}' cannot be written: {error.strerror}") from error


def _write_smv(file: str, model: qismc.Model, result: qismc.Result) -> None:
    """One model per formula: the first under the given name, the others with their own names added."""
    path = Path(file)
    for number, formula in enumerate(result.results):
        name = file if number == 0 else str(path.with_stem(f"{path.stem}-{formula.name}"))
        _write(name, model.to_smv(formula.spec))


@main.command()
@_common
@click.option(
    "--spec",
    "specs",
    multiple=True,
    metavar="FORMULA",
    help="a formula; default: the program's //@ spec lines",
)
@click.option(
    "--ctl",
    type=click.Choice(["builtin", "nusmv"]),
    default="builtin",
    show_default=True,
    help="compare the temporal part with NuSMV's answer",
)
@click.option(
    "--recheck", type=click.IntRange(0), default=0, metavar="K", help="check again with K more primes"
)
@click.option("--certify", is_flag=True, help="check edge by edge with enough primes for a proof")
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="write what `qismc verify-certificate` checks",
)
@click.option(
    "--faults",
    metavar="at-most=N[,kinds=XZ][,where=…]",
    help="under every combination of so many faults",
)
@click.option("--repair", is_flag=True, help="look for edits after which all formulas hold")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="write the interactive report")
@click.option("--sarif", type=click.Path(dir_okay=False), metavar="FILE", help="write SARIF for code hosts")
@click.option(
    "--smv", type=click.Path(dir_okay=False), metavar="FILE", help="write a NuSMV model per formula"
)
@click.option("--verbose", is_flag=True, help="show every step")
@click.option("--quiet", is_flag=True, help="print nothing; the exit status tells")
def check(
    program: str,
    *,
    specs: tuple[str, ...],
    faults: str | None,
    repair: bool,
    as_json: bool,
    html: str | None,
    sarif: str | None,
    smv: str | None,
    verbose: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Decide formulas about PROGRAM (file.qasm, file.py:name, package.module:name, file.qpy).

    Exit status: 0 all hold, 1 some violated, 3 some unknown and none violated, 2 wrong input.
    """
    from qismc.report.text import draw, report  # noqa: PLC0415 - `qismc --help` should be quick

    how = {name: options.pop(name) for name in ("ctl", "recheck", "certify", "certificate")}
    allowed = None if faults is None else qismc.Faults.parse(faults)
    model = qismc.Model(program, **_options(options), faults=allowed)
    result = check_model(model, list(specs) or None, **how, interruptible=True)
    if repair:
        result = result.with_repairs()
    if smv is not None:
        _write_smv(smv, model, result)
    if html is not None:
        _write(html, result.to_html())
    if sarif is not None:
        _write(sarif, json.dumps(result.to_sarif(), indent=1))
    if as_json:
        click.echo(json.dumps(result.to_json(), indent=1))
    elif not quiet:
        console = Console(highlight=False)
        console.print(report(result, verbose=verbose))
        if verbose:
            console.print(draw(result))
    sys.exit(result.verdict.exit_status)


@main.command()
@_common
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="of the output"
)
@click.option("--unfold", is_flag=True, help="show every gate of straight runs")
def show(program: str, form: str, unfold: bool, **options: Any) -> None:
    """Draw the transition system of PROGRAM."""
    try:
        click.echo(qismc.Model(program, **_options(options)).draw(form, fold=not unfold))
    except Undecided as doubt:
        click.echo(f"the transition system could not be built: {doubt}", err=True)
        sys.exit(Verdict.UNKNOWN.exit_status)


@main.command()
@_common
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

    Exit status: 0 found, 3 not within the limits, 2 wrong input.
    """
    from qismc.report.outcomes.text import report  # noqa: PLC0415 - `qismc --help` should be quick

    try:
        found = qismc.Model(program, **_options(options)).outcomes(*registers, at=at)
    except Undecided as doubt:
        click.echo(f"the outcomes are unknown: {doubt}", err=True)
        sys.exit(Verdict.UNKNOWN.exit_status)
    if html is not None:
        _write(html, found.to_html())
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1))
    else:
        Console(highlight=False).print(report(found))


@main.command()
@_common
@click.option("--spec", "specs", multiple=True, metavar="FORMULA", help="a formula, as for check")
@click.option("--limit", type=click.IntRange(1), default=5, show_default=True, help="at most so many repairs")
@click.option("--pairs", is_flag=True, help="then try pairs of edits")
@click.option("--seconds", type=float, default=30.0, show_default=True, help="for the whole search")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def repair(
    program: str,
    *,
    specs: tuple[str, ...],
    limit: int,
    pairs: bool,
    seconds: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Look for edits of PROGRAM after which all its formulas hold; each suggestion was checked.

    Exit status: 0 nothing to repair, or a repair was found; 1 none was found; 3 the formulas are unknown;
    2 wrong input.
    """
    from qismc.repair.command import run  # noqa: PLC0415 - `qismc --help` should be quick

    result = qismc.check(program, list(specs) or None, **_options(options))
    sys.exit(run(result, result.repairs(limit, pairs=pairs, seconds=seconds), as_json=as_json))


@main.command()
def demo() -> None:
    """The repeat-until-success bug, found and explained."""
    from qismc.demo import run  # noqa: PLC0415 - `qismc --help` should be quick

    run(Console(highlight=False))


main.add_command(bench)
main.add_command(campaign)


@main.command("verify-certificate")
@click.argument("certificate", metavar="FILE")
@click.argument("program")
def verify_certificate(certificate: str, program: str) -> None:
    """Check a certificate of `qismc check --certificate` against PROGRAM, with a separate small checker.

    Exit status: 0 accepted, 1 refused, 3 not checked, 2 wrong input.
    """
    from qismc.verifier.command import run  # noqa: PLC0415 - `qismc --help` should be quick

    sys.exit(run(certificate, program))


@main.command()
def version() -> None:
    """Print the version."""
    click.echo(f"qismc {qismc.__version__}")


if __name__ == "__main__":
    main()
