"""The interactive report: one HTML file that needs no network, with its data inside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from string import Template
from typing import Any

from qismc.common.version import VERSION
from qismc.common.wording import plain_number
from qismc.ctl import Truth
from qismc.evidence import Beside, Execution, Hint, Step
from qismc.language import syntax, to_text
from qismc.program import Apply, Program
from qismc.propositions import Term, amplitude_text
from qismc.report import html_program
from qismc.report.show_blocks import Diagram, diagram
from qismc.report.wording import POINTING, asset, replaced_notes
from qismc.results import FormulaResult, Result

SCRIPTS = (
    "state.js",
    "source.js",
    "graph.js",
    "circuit.js",
    "beside.js",
    "inspector.js",
    "formula.js",
    "main.js",
)
STEPS_KEPT = 10_000
LETTERS_KEPT = 1_000_000
KETS_EACH = 8
"""States of all locations are written down where their kets have about so many letters together."""
SYMBOLS = {True: "1", False: "0", None: "?"}


def to_html(result: Result) -> str:
    """A page that steps through the executions behind the verdicts."""
    return _page(result_data(result))


def diagram_html(picture: Diagram) -> str:
    """A page that shows a transition system without any formula."""
    return _page(diagram_data(picture))


def _page(data: dict[str, Any]) -> str:
    return Template(asset("page.html")).substitute(
        title=escape(f"{data['program']} · QisMC"),
        style=asset("page.css"),
        script="\n".join(map(asset, SCRIPTS)),
        data=_embedded(data),
    )


def _embedded(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def result_data(result: Result) -> dict[str, Any]:
    """Everything that a page about a result shows."""
    picture = None if result._backdrop.system is None else diagram(result._backdrop)
    notes = replaced_notes(result.replaced, everything=True)
    large = result.locations > html_program.LOCATIONS_KEPT
    return {
        **_head(result.program),
        "locations": result.locations,
        "edges": result.edges,
        "gates": result.gates,
        "verdict": result.verdict.value if result.results else None,
        "engine": result.engine,
        "store": result.statistics.store,
        "seconds": round(sum(result.statistics.seconds.values()), 3),
        "warnings": [*result.warnings, *result.notes, *notes],
        "findings": list(map(_hint, result.findings)),
        "repairs": _repairs(result),
        "formulas": [_formula(r, large=large) for r in result.results],
        "arrived": _arrived(result),
        **html_program.program_data(result.program, picture, {s.point for r in result for s in _steps(r)}),
    }


def diagram_data(picture: Diagram) -> dict[str, Any]:
    """The same where nothing was asked about a program."""
    system = picture.system
    return {
        **_head(system.program),
        "locations": system.num_locations,
        "edges": system.num_edges,
        "gates": sum(isinstance(statement, Apply) for statement in system.program.code),
        **html_program.program_data(system.program, picture, set()),
    }


def _head(program: Program) -> dict[str, Any]:
    """What stands on every page, with what a page shows about no result."""
    groups = [list(qubits) for qubits in program.quantum_registers.values()]
    apart = [q for group in groups for q in group] == list(range(program.num_qubits))
    return {
        "qismc": VERSION,
        "program": program.name,
        "qubits": list(program.qubits),
        "groups": groups if apart else [],
        **dict.fromkeys(("verdict", "engine", "seconds", "repairs")),
        "store": "explicit",
        "warnings": list(program.warnings),
        "findings": [],
        "formulas": [],
        "arrived": {},
    }


def _arrived(result: Result) -> dict[int, Any]:
    """The states at the locations, as far as there is room."""
    found: dict[int, Any] = {}
    width = max(1, result.program.num_qubits)
    for index in range(min(result.locations, LETTERS_KEPT // (KETS_EACH * width))):
        here = result._arrived.at(index)
        if here is None:
            break
        dimension, kets = here
        states = [{"terms": _terms(ket.terms or ()), "more": ket.left_out} for ket in kets]
        found[index] = {"dimension": dimension, "states": states}
    return found


def _repairs(result: Result) -> dict[str, Any] | None:
    """What to change, where that was asked for."""
    if result._suggestions is None:
        return None
    rows = [{"text": repair.text, "diff": repair.diff} for repair in result._suggestions]
    return {"rows": rows, "note": result._suggestions.note}


def _hint(hint: Hint) -> dict[str, Any]:
    return {"text": hint.text, "steps": list(hint.steps), "points": hint.kind in POINTING}


# --- formulas ---------------------------------------------------------------------------------------------


def _formula(result: FormulaResult, *, large: bool) -> dict[str, Any]:
    visited = {_number(step) for step in _steps(result)} | {0}
    return {
        **formula_data(result, visited if large else None),
        "executions": [_execution(title, execution) for title, execution in _flat("", result.evidence)],
        "hints": list(map(_hint, result.hints)),
    }


def formula_data(result: FormulaResult, locations: Iterable[int] | None) -> dict[str, Any]:
    """The formula's tree and the truth of its parts, a letter per location (default: all locations)."""
    subs = {formula: k for k, formula in enumerate(result.truths)}
    root = next(iter(result.truths), None)
    if root is not None and any(part not in subs for part in syntax.subformulas(root)):
        root, subs = None, {}  # the answer to `P=?` is all that is known
    chosen = None if locations is None else sorted(set(locations))
    return {
        "name": result.name,
        "spec": result.spec,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "probability": None if result.probability is None else result.probability.text,
        "tree": None if root is None else _tree(root, subs),
        "subs": [{"text": to_text(part), "truth": _letters(result.truths[part], chosen)} for part in subs],
    }


def _letters(truth: Truth, locations: list[int] | None) -> str | dict[int, str]:
    values = truth.values()
    if locations is None:
        return "".join(SYMBOLS[value] for value in values)
    return {k: SYMBOLS[values[k]] for k in locations}


def _tree(formula: syntax.Formula, subs: Mapping[syntax.Formula, int]) -> dict[str, Any]:
    """{"sub": number, "parts": [text, tree, text, …]}: the pieces of the formula's own text, in order."""
    text, pieces, position = to_text(formula), list[Any](), _prefix(formula)
    begin = 0
    for part in syntax.parts(formula):
        inner = to_text(part)
        start = text.index(inner, position)
        pieces += [text[begin:start], _tree(part, subs)]
        begin = position = start + len(inner)
    return {"sub": subs[formula], "parts": [piece for piece in [*pieces, text[begin:]] if piece]}


def _prefix(formula: syntax.Formula) -> int:
    """The letters in front of the first operand that cannot belong to it."""
    if isinstance(formula, syntax.Temporal):
        return 2
    if isinstance(formula, syntax.Probability):
        return to_text(formula).index("[") + (3 if len(formula.operands) == 1 else 1)
    return 0


# --- executions -------------------------------------------------------------------------------------------


def _steps(result: FormulaResult) -> Iterator[Step]:
    return (step for _, execution in _flat("", result.evidence) for step in execution.steps)


def _flat(title: str, execution: Execution | None) -> Iterator[tuple[str, Execution]]:
    """An execution and the executions inside it, each with a title."""
    if execution is None:
        return
    yield title or execution.claim or "execution", execution
    for number, child in execution.children:
        yield from _flat(f"from step {number}: {child.claim}", child)
    for number, other in enumerate(execution.further, start=2):
        yield from _flat(f"execution {number}", other)


def _execution(title: str, execution: Execution) -> dict[str, Any]:
    half, count = STEPS_KEPT // 2, len(execution.steps)
    kept = range(count) if count <= STEPS_KEPT else [*range(half), *range(count - half, count)]
    return {
        "title": title,
        "kind": execution.kind,
        "probability": execution.probability,
        "replayed": execution.replayed,
        "note": execution.note,
        "loop": execution.loop_start,
        "omitted": count - len(kept),
        "beside": None if execution.passing is None else _beside(execution, execution.passing),
        "steps": [_step(k, execution.steps[k]) for k in kept],
    }


def _beside(execution: Execution, passing: Beside) -> dict[str, Any]:
    """The nearest passing execution, and which of its steps goes with which of the failing one."""
    steps = passing.execution.steps[:STEPS_KEPT]
    align = passing.align(len(execution.steps))
    return {
        "steps": [_step(number, step) for number, step in enumerate(steps)],
        "align": {k: other for k, other in enumerate(align) if other is not None and other < len(steps)},
    }


def _number(step: Step) -> int:
    return int(step.location.removeprefix("l"))


def _step(number: int, step: Step) -> dict[str, Any]:
    return {
        "number": number,
        "location": _number(step),
        "point": step.point,
        "store": {name: plain_number(value) for name, value in step.store.items()},
        "labels": list(step.labels),
        "outcome": step.outcome,
        "choice": step.choice,
        "probability": step.probability,
        "terms": None if step.terms is None else _terms(step.terms),
        "more": step.terms_left_out,
        "stabilisers": None if step.stabilisers is None else list(step.stabilisers),
        "relevant": step.relevant,
    }


def _terms(terms: Sequence[Term]) -> list[list[Any]]:
    """[bits, probability, [real, imaginary part], amplitude]; the first term is made positive."""
    phase = terms[0][1] / abs(terms[0][1]) if terms else 1
    return [
        [bits, abs(a) ** 2, [(a / phase).real, (a / phase).imag], amplitude_text(a / phase).strip() or "1"]
        for bits, a in terms
    ]
