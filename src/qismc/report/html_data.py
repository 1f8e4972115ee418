"""What the HTML report shows, as plain data that its script reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from qismc.common.version import VERSION
from qismc.common.wording import plain_number, store_text
from qismc.evidence import Beside, Execution, Hint, Step
from qismc.program import Apply, Jump, Program
from qismc.propositions import Term, amplitude_text
from qismc.report import replaced
from qismc.report.html_formula import formula_data
from qismc.report.html_program import acts, file_numbers, source_files
from qismc.report.show_blocks import BlockRow, Diagram, LocationBlock, by_point, diagram
from qismc.report.show_layout import layout
from qismc.report.show_svg import block_width
from qismc.report.text_steps import POINTING
from qismc.results import FormulaResult, Result

LOCATIONS_KEPT = 20_000
"""Larger systems are drawn with folded runs only, and sub-formulas are coloured on the executions only."""
BLOCKS_DRAWN = 20_000
STEPS_KEPT = 10_000
MARKS = 16.0
LETTERS_KEPT = 1_000_000
KETS_EACH = 8
"""States of all locations are written down where their kets have about so many letters together."""
BLOCKS_APART = 150
"""Systems with more blocks are folded by program point."""


def result_data(result: Result) -> dict[str, Any]:
    """Everything that a page about a result shows."""
    picture = None if result._backdrop.system is None else diagram(result._backdrop)
    sizes = {"locations": result.locations, "edges": result.edges, "gates": result.gates}
    return {
        **_head(result.program, sizes),
        "verdict": result.verdict.value if result.results else None,
        "engine": result.engine,
        "store": result.statistics.store,
        "seconds": round(sum(result.statistics.seconds.values()), 3),
        "warnings": [*result.warnings, *result.notes, *replaced.notes(result.replaced, everything=True)],
        "findings": [_hint(finding) for finding in result.findings],
        "repairs": _repairs(result),
        "formulas": [_formula(r, large=result.locations > LOCATIONS_KEPT) for r in result.results],
        "arrived": _arrived(result),
        **_body(result.program, picture, {s.point for r in result.results for s in _steps(r)}),
    }


def _arrived(result: Result) -> dict[int, Any]:
    """The states at the locations, as far as there is room."""
    found: dict[int, Any] = {}
    width = max(1, result.program.num_qubits)
    for index in range(min(result.locations, LETTERS_KEPT // (KETS_EACH * width))):
        here = result._arrived.at(index)
        if here is None:
            break
        states = [{"terms": _written(ket.terms), "more": ket.left_out} for ket in here.states]
        found[index] = {"dimension": here.dimension, "states": states}
    return found


def _repairs(result: Result) -> dict[str, Any] | None:
    """What to change, where that was asked for."""
    if result._suggestions is None:
        return None
    rows = [{"text": repair.text, "diff": repair.diff} for repair in result._suggestions]
    return {"rows": rows, "note": result._suggestions.note}


def diagram_data(picture: Diagram) -> dict[str, Any]:
    """A page that shows a transition system without any formula."""
    system = picture.system
    gates = sum(isinstance(statement, Apply) for statement in system.program.code)
    sizes = {"locations": system.num_locations, "edges": system.num_edges, "gates": gates}
    return {
        **_head(system.program, sizes),
        "verdict": None,
        "engine": None,
        "store": "explicit",
        "seconds": None,
        "warnings": list(system.program.warnings),
        "findings": [],
        "repairs": None,
        "formulas": [],
        "arrived": {},
        **_body(system.program, picture, set()),
    }


def _head(program: Program, sizes: dict[str, int]) -> dict[str, Any]:
    groups = [list(qubits) for qubits in program.quantum_registers.values()]
    apart = [q for group in groups for q in group] == list(range(program.num_qubits))
    return {
        "qismc": VERSION,
        "program": program.name,
        "qubits": list(program.qubits),
        "groups": groups if apart else [],
        **sizes,
    }


# --- formulas and executions ------------------------------------------------------------------------------


def _steps(result: FormulaResult) -> Iterator[Step]:
    for _, execution in _flat("", result.evidence):
        yield from execution.steps


def _flat(title: str, execution: Execution | None) -> Iterator[tuple[str, Execution]]:
    """An execution and the executions inside it, each with a title."""
    if execution is None:
        return
    yield title or execution.claim or "execution", execution
    for number, child in execution.children:
        yield from _flat(f"from step {number}: {child.claim}", child)
    for number, other in enumerate(execution.further, start=2):
        yield from _flat(f"execution {number}", other)


def _formula(result: FormulaResult, *, large: bool) -> dict[str, Any]:
    visited = {_number(step) for step in _steps(result)} | {0}
    executions = [_execution(title, execution) for title, execution in _flat("", result.evidence)]
    return {
        **formula_data(result, visited if large else None),
        "executions": executions,
        "hints": [_hint(hint) for hint in result.hints],
    }


def _hint(hint: Hint) -> dict[str, Any]:
    return {"text": hint.text, "steps": list(hint.steps), "points": hint.kind in POINTING}


def _execution(title: str, execution: Execution) -> dict[str, Any]:
    half = STEPS_KEPT // 2
    steps = list(enumerate(execution.steps))
    kept = steps if len(steps) <= STEPS_KEPT else steps[:half] + steps[-half:]
    return {
        "title": title,
        "kind": execution.kind,
        "probability": execution.probability,
        "replayed": execution.replayed,
        "note": execution.note,
        "loop": execution.loop_start,
        "omitted": len(steps) - len(kept),
        "beside": None if execution.passing is None else _beside(execution, execution.passing),
        "steps": [{"number": number, **_step(step)} for number, step in kept],
    }


def _beside(execution: Execution, passing: Beside) -> dict[str, Any]:
    """The nearest passing execution, and which of its steps goes with which of the failing one."""
    steps = passing.execution.steps[:STEPS_KEPT]
    align = passing.align(len(execution.steps))
    return {
        "steps": [{"number": number, **_step(step)} for number, step in enumerate(steps)],
        "align": {k: other for k, other in enumerate(align) if other is not None and other < len(steps)},
    }


def _number(step: Step) -> int:
    return int(step.location.removeprefix("l"))


def _step(step: Step) -> dict[str, Any]:
    return {
        "location": _number(step),
        "point": step.point,
        "store": {name: plain_number(value) for name, value in step.store.items()},
        "labels": list(step.labels),
        "outcome": step.outcome,
        "choice": step.choice,
        "probability": step.probability,
        "terms": None if step.terms is None else _terms(step),
        "more": step.terms_left_out,
        "stabilisers": None if step.stabilisers is None else list(step.stabilisers),
        "relevant": step.relevant,
    }


def _terms(step: Step) -> list[list[Any]]:
    return _written(step.terms or ())


def _written(terms: Sequence[Term]) -> list[list[Any]]:
    """[bits, probability, angle in turns, amplitude]; the first term is made positive."""
    phase = terms[0][1] / abs(terms[0][1]) if terms else 1
    return [
        [bits, abs(a) ** 2, [(a / phase).real, (a / phase).imag], amplitude_text(a / phase).strip() or "1"]
        for bits, a in terms
    ]


# --- program and picture ----------------------------------------------------------------------------------


def _body(program: Program, picture: Diagram | None, visited: set[int]) -> dict[str, Any]:
    """Statements with their source lines, and the blocks of the transition system."""
    few = len(program.code) <= LOCATIONS_KEPT
    points = range(len(program.code)) if few else sorted(visited)
    shown = [p for p in points if not isinstance(program.code[p], Jump)]
    files = file_numbers(program)
    return {
        "files": source_files(program),
        "statements": [[p, program.text(p), _place(program, p, files), acts(program.code[p])] for p in shown],
        "picture": None if picture is None or len(picture.blocks) > BLOCKS_DRAWN else _picture(picture),
    }


def _place(program: Program, point: int, files: dict[str, int]) -> list[int] | None:
    source = program.sources[point]
    return None if source is None else [files[source.file], source.line]


def _picture(picture: Diagram) -> dict[str, Any]:
    """Blocks with ranks and horizontal places; the page computes heights, since blocks unfold."""
    members: tuple[tuple[LocationBlock, ...], ...] = tuple((block,) for block in picture.blocks)
    folded = len(picture.blocks) > BLOCKS_APART
    if folded:
        picture, members = by_point(picture)
    unfold = picture.system.num_locations <= LOCATIONS_KEPT and not folded
    rows = [picture.rows(block) for block in picture.blocks]
    widths = [_width(picture, b, r, unfold=unfold) for b, r in zip(picture.blocks, rows, strict=True)]
    plan = layout(widths, [(a.source, a.target) for a in picture.arrows])
    return {
        "unfold": unfold,
        "byPoint": folded,
        "blocks": [
            {
                **_block(picture, block, rows[k], members[k]),
                "rank": plan.ranks[k],
                "middle": round(plan.middles[k], 1),
                "width": round(widths[k], 1),
            }
            for k, block in enumerate(picture.blocks)
        ],
        "arrows": [
            [a.source, a.target, a.label, plan.bends.get(pair, []), round(plan.ports.get(pair, 0.0), 1)]
            for a, pair in ((a, (a.source, a.target)) for a in picture.arrows)
        ],
    }


def _width(picture: Diagram, block: LocationBlock, folded: list[BlockRow], *, unfold: bool) -> float:
    """Enough for the block folded and unfolded, its mark for folding and a dot at the end of each row."""
    forms = [folded] + ([picture.rows(block, fold=False)] if unfold else [])
    return max(block_width(rows, block) for rows in forms) + MARKS


def _block(
    picture: Diagram, block: LocationBlock, rows: list[BlockRow], members: Sequence[LocationBlock]
) -> dict[str, Any]:
    """`runs` are [first location, last location, first point, classical values]."""
    system = picture.system
    several = len(members) > 1
    return {
        "name": f"{len(members)} stores" if several else block.name,
        "store": "" if several else store_text(block.store),
        "kind": block.kind,
        "runs": [
            [run[0], run[-1], system.location(run[0]).point, store_text(member.store)]
            for member in members
            for run in member.runs
        ],
        "rows": [[row.first, row.last, row.text, row.where] for row in rows],
    }
