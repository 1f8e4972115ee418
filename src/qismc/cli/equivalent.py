"""`qismc equivalent`: two programs on every input."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from qismc.cli.asking import cut_short
from qismc.cli.options import (
    INCLUDE_OPTION,
    limit_options,
    limits_of,
    method_options,
    named,
    pairs,
    watched,
    writing,
)
from qismc.cli.output import standard_console
from qismc.common.files import check_writable
from qismc.errors import Undecided


@click.command()
@click.argument("program")
@click.argument("reference")
@click.option("--on", metavar="QUBITS", help="a register, or q[0], q[2]: the input; others start in |0>")
@click.option("--to", metavar="QUBITS", help="where the result is, if elsewhere; '' for outcomes alone")
@click.option(
    "--bits",
    multiple=True,
    callback=pairs,
    metavar="OWN=REFERENCE",
    help="a register of PROGRAM and the one of REFERENCE to compare it with, if names differ",
)
@method_options
@click.option("--seed", type=int, metavar="N", help="of random choices")
@INCLUDE_OPTION
@limit_options
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="write the interactive report")
@click.option("--verbose", is_flag=True, help="show every step")
@click.option("--quiet", is_flag=True, help="print nothing; the exit status tells")
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
    import qismc  # noqa: PLC0415
    from qismc.report import report  # noqa: PLC0415

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
