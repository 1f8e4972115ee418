"""The report for a terminal: verdicts first, then the execution that proves them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import groupby

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from qismc.certify.soundness import Soundness
from qismc.evidence.execution import Execution, Step
from qismc.result import FormulaResult, Result
from qismc.verdict import Verdict

STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
FOLD_FROM = 12
"""Straight runs of this many steps and more are folded in the compact report."""
KEPT_AT_ENDS = 3
PLAIN_WIDTH = 100


def render_plain(result: Result, *, verbose: bool = False, width: int = PLAIN_WIDTH) -> str:
    """The report without colours."""
    stream = io.StringIO()
    Console(file=stream, width=width, no_color=True, highlight=False).print(report(result, verbose=verbose))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def report(result: Result, *, verbose: bool = False) -> RenderableType:
    """Everything about a result."""
    parts: list[RenderableType] = [_formula(r, verbose=verbose) for r in result.results]
    parts += [Text(f"warning: {warning}", style="yellow") for warning in result.warnings]
    parts += [Text(f"note: {note}", style="dim") for note in result.notes]
    if result.soundness is not None and result.soundness.note:
        parts.append(Text(f"note: {result.soundness.note}", style="dim"))
    parts.append(_sizes(result))
    return Group(*parts)


def _formula(result: FormulaResult, *, verbose: bool) -> RenderableType:
    line = Text()
    line.append(result.verdict.name, style=STYLES[result.verdict])
    line.append(f"  {result.name}: {result.spec}")
    parts: list[RenderableType] = [line]
    if result.reason:
        parts.append(Padding(Text(result.reason, style="yellow"), (0, 0, 0, 2)))
    evidence = result.counterexample or result.witness
    if evidence is not None:
        parts.append(Padding(execution(evidence, verbose=verbose), (0, 0, 0, 2)))
    return Group(*parts)


def _sizes(result: Result) -> Text:
    program = result.program
    seconds = sum(result.statistics.seconds.values())
    return Text(
        f"{program.name}: {program.num_qubits} qubits, {result.gates} gates, {result.locations} locations, "
        f"{result.edges} edges, {result.engine} engine{_assurance(result.soundness)}, {seconds:.3f} s",
        style="dim",
    )


def _assurance(soundness: Soundness | None) -> str:
    """The primes that were drawn, and how improbable an error is."""
    if soundness is None or soundness.certified or soundness.error_bound is None:
        return ""
    count = len(soundness.primes)
    return f" ({count} random prime{'s' if count > 1 else ''}, error < {soundness.error_bound:.0e})"


def execution(evidence: Execution, *, verbose: bool = False) -> RenderableType:
    """The steps of an execution as a table; long straight runs are folded unless verbose."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_edge=False, header_style="dim")
    table.add_column("step", no_wrap=True)
    table.add_column("where", no_wrap=True)
    table.add_column("statement")
    table.add_column("classical", no_wrap=True)
    table.add_column("state before it (qubit 0 first)", ratio=1)
    previous: Step | None = None
    for number, step in _folded(evidence, verbose=verbose):
        table.add_row(*_row(number, step, previous, evidence))
        previous = step if step is not None else previous
    parts: list[RenderableType] = [Text(_headline(evidence), style="italic")]
    if evidence.steps:
        parts.append(table)
    if evidence.loop_start is not None:
        parts.append(Text(f"... and for ever round from step {evidence.loop_start}*", style="dim"))
    for number, child in evidence.children:
        parts.append(Text(f"at step {number}: {child.claim}", style="italic"))
        parts.append(Padding(execution(child, verbose=verbose), (0, 0, 0, 2)))
    return Group(*parts)


def _headline(evidence: Execution) -> str:
    text = evidence.claim or "an execution"
    if evidence.probability is not None:
        upto = "" if evidence.loop_start is None else " of one turn"
        text += f", probability{upto} {evidence.probability:.4g}"
    if not evidence.replayed and evidence.steps:
        text += " (a path of the transition system, not simulated)"
    return text


def _folded(evidence: Execution, *, verbose: bool) -> Iterator[tuple[int, Step | None]]:
    """(number, step), with None for the middle of a folded run."""
    numbered = list(enumerate(evidence.steps))
    for plain, group in groupby(numbered, key=lambda item: _is_plain(item[1])):
        run = list(group)
        if verbose or not plain or len(run) < FOLD_FROM:
            yield from run
            continue
        yield from run[:KEPT_AT_ENDS]
        yield len(run) - 2 * KEPT_AT_ENDS, None
        yield from run[-KEPT_AT_ENDS:]


def _is_plain(step: Step) -> bool:
    return not step.labels and step.outcome is None and step.choice is None


def _row(
    number: int, step: Step | None, previous: Step | None, evidence: Execution
) -> tuple[RenderableType, ...]:
    if step is None:
        return "", "", Text(f"... {number} more steps ...", style="dim"), "", ""
    where = f"{step.source.line}" if step.source is not None else step.location
    mark = "*" if evidence.loop_start == number else ""
    statement = Text(step.statement)
    if step.outcome is not None:
        statement.append(f"  = {step.outcome}", style="bold")
    elif step.choice:
        statement.append("  (was |1>)", style="bold")
    changed = previous is None or previous.store != step.store
    store = Text(_store(step.store), style="bold" if changed else "")
    labels = Text(f" [{', '.join(step.labels)}]" if step.labels else "", style="cyan")
    return f"{number}{mark}", where, Text.assemble(statement, labels), store, Text(step.state or "")


def _store(store: dict[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in store.items())
