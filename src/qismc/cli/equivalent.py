"""`qismc equivalent`: two programs on every input."""

from __future__ import annotations

import json
import sys

import click

from qismc.cli.asking import cut_short
from qismc.cli.options import limit_options, open_for_writing, watched
from qismc.common.arguments import write_text
from qismc.common.choices import ENGINES, STORES
from qismc.errors import Undecided


@click.command()
@click.argument("program")
@click.argument("reference")
@click.option("--on", metavar="QUBITS", help="a register, or q[0], q[2]: the input; the others start in |0>")
@click.option("--to", metavar="QUBITS", help="where the result is, if elsewhere; '' for outcomes alone")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", show_default=True)
@click.option("--store", type=click.Choice(STORES), default="auto", show_default=True)
@click.option("--seed", type=int, metavar="N", help="of random choices")
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
    engine: str,
    store: str,
    seed: int | None,
    timeout: float | None,
    memory: float | None,
    as_json: bool,
    html: str | None,
    verbose: bool,
    quiet: bool,
) -> None:
    """Does every execution of PROGRAM do to every input state what REFERENCE does?

    \b
      qismc equivalent optimised.qasm original.qasm
      qismc equivalent teleport.py:teleport wire.qasm --on message --to bob

    Exit status: 0 equivalent, 1 not (with an input that shows it), 3 unknown, 2 wrong input.
    """
    from rich.console import Console  # noqa: PLC0415 - `qismc --help` should be quick

    import qismc  # noqa: PLC0415
    from qismc.report.text import report  # noqa: PLC0415

    open_for_writing(html)
    limits = qismc.Limits(seconds=timeout, memory_mb=memory)
    where = None if to is None else to.strip() or ()
    options = {"engine": engine, "store": store, "seed": seed, "limits": limits}
    with watched(limits) as watch:
        result = qismc.equivalent(program, reference, on, to=where, **options)
        try:
            with watch.finishing("the report"):
                if html is not None:
                    write_text(html, result.to_html())
                if as_json:
                    click.echo(json.dumps(result.to_json(), indent=1))
                elif not quiet:
                    Console(highlight=False).print(report(result, verbose=verbose))
        except (Undecided, MemoryError, KeyboardInterrupt) as reason:  # a verdict is never lost
            click.echo(f"{result.verdict.name}: {cut_short(reason)}", err=True)
    sys.exit(result.verdict.exit_status)
