"""Formulas as nested text, so that a page can colour every sub-formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qismc.ctl import Truth
from qismc.language import syntax, to_text
from qismc.results import FormulaResult

SYMBOLS = {True: "1", False: "0", None: "?"}


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
