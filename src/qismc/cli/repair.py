"""What `qismc repair` prints."""

from __future__ import annotations

import json
from contextlib import nullcontext

import click
from rich.console import Console

from qismc.repairs import Repairs
from qismc.report import repairs
from qismc.results import Result
from qismc.verdict import Verdict

INTERRUPTED = 130


def _searched(found: Repairs) -> bool:
    """Look for all repairs; was the search interrupted? Then there is what was found before."""
    try:
        list(found)
    except KeyboardInterrupt:
        found.interrupted()
        return True
    return False


def run(result: Result, found: Repairs, *, as_json: bool) -> int:
    """Print the repairs of a check; the exit status."""
    if as_json:
        click.echo(json.dumps({"verdict": result.verdict.value, **found.to_json()}, indent=1))
    elif result.verdict is Verdict.VIOLATED:
        console = Console(highlight=False)
        screen = Console(stderr=True)
        with screen.status("trying edits") if screen.is_terminal else nullcontext() as status:
            if status is not None:
                found.watch = lambda: status.update(found.progress)
            interrupted = _searched(found)
        console.print(repairs(found))
        if interrupted:
            return INTERRUPTED
    else:
        reason = f": {result.reason}" if result.reason else ""
        said = "all formulas hold" if result else f"it is unknown whether the formulas hold{reason}"
        click.echo(f"nothing to repair: {said}")
    if result.verdict is not Verdict.VIOLATED:
        return result.verdict.exit_status
    return 0 if any(True for _ in found) else Verdict.VIOLATED.exit_status
