"""The report for a terminal: verdicts first, then the execution that proves them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from qismc.certify import Soundness
from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.evidence import Execution, Hint
from qismc.program import Program
from qismc.report.text_steps import execution
from qismc.report.wording import PLAIN_WIDTH, POINTING, lines_of, plain_text, replaced_notes
from qismc.results import NO_ENGINE, FormulaResult, Result, Suggestion, Suggestions
from qismc.verdict import Verdict

STYLES = {Verdict.HOLDS: "bold green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}


def render_plain(result: Result, *, verbose: bool = False, width: int = PLAIN_WIDTH) -> str:
    """The report without colours."""
    return plain_text(report(result, verbose=verbose), width)


def report(result: Result, *, verbose: bool = False) -> RenderableType:
    """Everything about a result."""
    parts: list[RenderableType] = [_formula(r, result.program, verbose=verbose) for r in result.results]
    parts += [Text(f"warning: {warning}", style="yellow") for warning in _untold(result)]
    parts += [Text(f"note: {note}", style="dim") for note in _notes(result, verbose=verbose)]
    if result._suggestions is not None:
        parts.append(repairs(result._suggestions))
    if verbose and result.tried:
        parts.append(Text(f"tried: {'; '.join(map(str, result.tried))}", style="dim"))
    everything = verbose or not result.results
    parts.append(findings(result.findings, verbose=everything, failing=not result))
    parts.append(_sizes(result))
    return Group(*parts)


def _notes(result: Result, *, verbose: bool) -> list[str]:
    """What is worth knowing of how the result was found; proofs tell of every number that was replaced."""
    soundness = result.soundness
    proved = soundness is not None and soundness.certified
    replaced = replaced_notes(result.replaced, everything=verbose or proved)
    return [*result.notes, *replaced, *([soundness.note] if soundness is not None and soundness.note else [])]


def _untold(result: Result) -> list[str]:
    """The warnings that are not the reason of a strict verdict, which stands above."""
    reasons = [r.reason.removeprefix("strict: ") for r in result.results if r.reason]
    return [text for text in result.warnings if not any(text.endswith(reason) for reason in reasons)]


def circuit(result: Result) -> Text:
    """What the exact engine drew, so that it can be drawn again."""
    primes = () if result.soundness is None else result.soundness.primes
    return Text(", modulo ".join([f"seed {result.seed}", *map(str, primes)]), style="dim")


def _formula(result: FormulaResult, program: Program, *, verbose: bool) -> RenderableType:
    line = Text()
    line.append("ANSWER" if result.asks else result.verdict.name, style=STYLES[result.verdict])
    line.append(f"  {result.name}: {result.spec}")
    if result.probability is not None and result.verdict is Verdict.HOLDS:
        line.append(f"  {result.probability.text}", style="bold")
    parts: list[RenderableType] = [line]
    if result.reason:
        parts.append(Padding(Text(result.reason, style="yellow"), (0, 0, 0, 2)))
    evidence = result.evidence
    if evidence is not None:
        shown = Group(execution(evidence, verbose=verbose), hints(evidence, program, verbose=verbose))
        parts.append(Padding(shown, (0, 0, 0, 2)))
    return Group(*parts)


def _sizes(result: Result) -> Text:
    program = result.program
    seconds = sum(result.statistics.seconds.values())
    levels = result.statistics.store != "explicit"
    numbers = (program.num_qubits, result.gates, result.locations, result.edges)
    sizes = ", ".join(map(counted, numbers, ("qubit", "gate", "point" if levels else "location", "edge")))
    sizes += f", 2^{result.statistics.level_bits} stores at once" if levels else ""
    engine = f", {result.engine} engine{_assurance(result.soundness)}"
    if result.engine == NO_ENGINE:
        engine = " of the control graph"
    return Text(
        f"{program.name}: {sizes}{engine}, {seconds:.3f} s",
        style="dim",
    )


def _assurance(soundness: Soundness | None) -> str:
    """The primes that were drawn, and how improbable an error is."""
    if soundness is None or soundness.certified or soundness.error_bound is None:
        return ""
    return f" ({counted(len(soundness.primes), 'random prime')}, error < {rounded_up(soundness.error_bound)})"


def rounded_up(bound: float) -> str:
    """A bound with one digit that is no smaller.

    >>> rounded_up(3.1e-17), rounded_up(3e-17), rounded_up(9.5e-8), rounded_up(1.0)
    ('4e-17', '3e-17', '1e-07', '1e+00')
    """
    shown = float(f"{bound:.0e}")
    if shown < bound:
        shown += 10.0 ** math.floor(math.log10(bound))
    return f"{shown:.0e}"


# --- hints and observations ---

FINDINGS_SHOWN = 3
NEVER_RUN = ("loop", "branch", "unreachable")
"""Kinds of observations that are worth knowing of every program."""
WORTH_KNOWING = (*NEVER_RUN, "measurement", "control")
"""Kinds that may explain why something fails."""
CONE = "cone"


def hints(evidence: Execution, program: Program, *, verbose: bool) -> RenderableType:
    """What may have caused a violation, each with its source line."""
    parts: list[RenderableType] = []
    told: set[Source] = set()
    for hint in evidence.hints:
        if hint.kind == CONE and not verbose:
            continue  # these steps are not shown
        note = " (marked -)" if hint.kind == CONE else ""
        parts.append(Text(f"hint: {hint.text}{note}", style="bold" if hint.kind in POINTING else ""))
        if hint.source is not None and hint.source not in told:
            told.add(hint.source)
            line = source_line(program, hint.source)
            if line is not None:
                shown = f"{_place(hint.source)} | {line}"
                text = Text(shown, no_wrap=True, overflow="ellipsis", style="cyan")
                parts.append(Padding(text, (0, 0, 0, 4)))
    return Group(*parts)


def findings(found: Sequence[Hint], *, verbose: bool, failing: bool) -> RenderableType:
    """Observations about the program: what explains a failure, or where nothing fails what is never run.

    One line of Python that makes several statements, in a loop, is observed several times.
    """
    worth = WORTH_KNOWING if failing else NEVER_RUN
    kept = Counter(_placed(f) for f in found if verbose or f.kind in worth)
    shown = list(kept.items())[: None if verbose else FINDINGS_SHOWN]
    times = (f"{text} ({count} times)" if count > 1 else text for text, count in shown)
    parts = [Text(f"observed: {text}", style="dim") for text in times]
    more = len(kept) - len(shown)
    if more:
        parts.append(Text(f"{counted(more, 'more observation')} with --verbose", style="dim"))
    return Group(*parts)


def _placed(finding: Hint) -> str:
    return finding.text if finding.source is None else f"{_place(finding.source)}: {finding.text}"


def _place(source: Source) -> str:
    return f"{PurePath(source.file).name or source.file}:{source.line}"


def source_line(program: Program, source: Source) -> str | None:
    """The text of a source line without its indentation, or None where the file cannot be read."""
    lines = lines_of(program, source.file)
    if not 1 <= source.line <= len(lines):
        return None
    return lines[source.line - 1].strip() or None


# --- repairs ---

SAME_SHOWN = 3
DIFF_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def repairs(found: Suggestions) -> RenderableType:
    """All repairs, and what was tried."""
    parts = [repair(one) for one in list(found)]  # the search is over before anything is shown
    return Group(*parts, Text(found.note, style="dim"))


def repair(one: Suggestion) -> RenderableType:
    """One repair; edits that come to the same are named after it."""
    parts: list[RenderableType] = [Text(f"repair: {one.text}", style="bold")]
    shown = one.same[:SAME_SHOWN]
    parts += [Padding(Text(f"or {text}", style="dim"), (0, 0, 0, 2)) for text in shown]
    if len(one.same) > len(shown):
        more = f"or {counted(len(one.same) - len(shown), 'other edit')} with the same states at the end"
        parts.append(Padding(Text(more, style="dim"), (0, 0, 0, 2)))
    if one.diff is not None:
        parts.append(diff(one.diff))
    return Group(*parts)


def diff(text: str) -> RenderableType:
    """A unified diff in colours, indented."""
    lines = [Text(line, style=DIFF_STYLES.get(line[:1], "")) for line in text.splitlines()]
    return Padding(Group(*lines), (0, 0, 0, 2))
