"""What notebooks show for models, results and executions: static fragments with their own style."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from qismc.common.wording import counted, store_text
from qismc.errors import Undecided
from qismc.evidence import Execution, Step
from qismc.model import Model
from qismc.propositions import Term
from qismc.report.show_blocks import diagram
from qismc.report.show_svg import svg
from qismc.report.wording import KetRegisters, asset, headline, is_endless, registers_of, replaced_notes
from qismc.results import FormulaResult, Result
from qismc.system import Backdrop, all_bits

STEPS_SHOWN = 60
BLOCKS_SHOWN = 120


def model_html(model: Model) -> str:
    """Sizes and the picture of the transition system."""
    program = model.program
    try:
        picture = diagram(Backdrop(model.system, all_bits(program)))
        solved = model.solved()
    except Undecided as doubt:
        return _wrapped(f"<b>{escape(program.name)}</b> could not be solved: {escape(str(doubt))}")
    line = (
        f"<b>{escape(program.name)}</b> <span class='q-soft'>{counted(program.num_qubits, 'qubit')}, "
        f"{counted(solved.system.num_locations, 'location')}, {counted(solved.system.num_edges, 'edge')}, "
        f"dimension up to {solved.posts.spread.max_dimension}</span>"
    )
    if len(picture.blocks) > BLOCKS_SHOWN:
        return _wrapped(f"{line}<div class='q-soft'>too large to be drawn here; print(model.draw())</div>")
    return _wrapped(f"{line}<div class='q-svg'>{svg(picture, graphviz=False)}</div>")


def result_html(result: Result) -> str:
    """A verdict per formula, with its execution to unfold."""
    first = next((r for r in result.results if r.counterexample is not None), None)
    parts = [_formula(r, unfolded=r is first) for r in result.results]
    parts += [f"<div class='q-soft'>warning: {escape(w)}</div>" for w in result.warnings]
    notes = [*result.notes, *replaced_notes(result.replaced, everything=True)]
    parts += [f"<div class='q-soft'>note: {escape(note)}</div>" for note in notes]
    parts += _repairs(result)
    program = result.program
    parts.append(
        f"<div class='q-soft'>{escape(program.name)}: {counted(program.num_qubits, 'qubit')}, "
        f"{counted(result.gates, 'gate')}, {counted(result.locations, 'location')}, "
        f"{escape(result.engine)} engine</div>"
    )
    return _wrapped("".join(parts))


def _repairs(result: Result) -> Iterator[str]:
    """What to change, where that was asked for."""
    if result._suggestions is None:
        return
    for repair in result._suggestions:
        diff = "" if repair.diff is None else f"<pre>{escape(repair.diff)}</pre>"
        yield f"<div><b>repair:</b> {escape(repair.text)}{diff}</div>"
    yield f"<div class='q-soft'>{escape(result._suggestions.note)}</div>"


def execution_html(execution: Execution) -> str:
    """The steps as a table."""
    return _wrapped(_execution(execution))


def _wrapped(inner: str) -> str:
    return f"<div class='qismc'><style>\n{asset('notebook.css')}</style>{inner}</div>"


def _formula(result: FormulaResult, *, unfolded: bool) -> str:
    kind = result.verdict.value
    line = (
        f"<span class='q-badge q-{kind}'>{'ANSWER' if result.asks else kind.upper()}</span>"
        f"{escape(result.name)} <code>{escape(result.spec)}</code>"
    )
    if result.probability is not None:
        line += f" <b>{escape(result.probability.text)}</b>"
    if result.reason:
        line += f" <span class='q-soft'>{escape(result.reason)}</span>"
    evidence = result.evidence
    if evidence is None:
        return f"<div>{line}</div>"
    opened = " open" if unfolded else ""
    return f"<details{opened}><summary>{line}</summary>{_execution(evidence)}</details>"


def _execution(execution: Execution) -> str:
    registers = registers_of(execution)
    rows = [_row(number, step, registers) for number, step in enumerate(execution.steps) if not step.glue]
    if len(rows) > STEPS_SHOWN:
        half = STEPS_SHOWN // 2
        left_out = f"<tr><td></td><td colspan='4'>… {len(rows) - 2 * half} more steps …</td></tr>"
        rows = [*rows[:half], left_out, *rows[-half:]]
    head = "".join(f"<th>{name}</th>" for name in ("step", "where", "statement", "classical", "state before"))
    text = f"<div>{escape(headline(execution))}</div><table><tr>{head}</tr>{''.join(rows)}</table>"
    if execution.loop_start is not None:
        how = f": {execution.note}" if execution.note and is_endless(execution) else ""
        text += f"<div class='q-soft'>then again from step {execution.loop_start}{escape(how)}</div>"
    if execution.hints:
        text += "<ul>" + "".join(f"<li>{escape(hint.text)}</li>" for hint in execution.hints) + "</ul>"
    for number, child in execution.children:
        text += f"<details><summary>from step {number}</summary>{_execution(child)}</details>"
    for other in execution.further:
        text += f"<details><summary>{escape(headline(other))}</summary>{_execution(other)}</details>"
    return text


def _row(number: int, step: Step, registers: KetRegisters) -> str:
    event = "" if step.outcome is None else f" <span class='q-event'>= {step.outcome}</span>"
    labels = f" <span class='q-soft'>[{escape(', '.join(step.labels))}]</span>" if step.labels else ""
    terms = step.terms
    written = "" if terms is None else registers.text(terms, step.terms_left_out)
    state = "" if terms is None else f"{_bars(terms)}{escape(written)}"
    if step.stabilisers is not None:
        state = escape(", ".join(step.stabilisers))
    where = str(step.source.line) if step.source is not None else step.location
    statement = f"{escape(step.statement)}{event}{labels}"
    cells = [str(number), where, statement, escape(store_text({**step.store})), state]
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _bars(terms: tuple[Term, ...]) -> str:
    """Little columns whose heights are the probabilities of the terms."""
    columns = "".join(
        f"<span class='q-bar' title='|{bits}⟩' style='height:{max(1, round(14 * abs(a) ** 2))}px'></span>"
        for bits, a in terms
    )
    return f"<span>{columns}</span> "
