"""Violated invariants: the shortest real execution, among those found, that ends in a bad state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from qismc.ctl.evaluate import Evaluation
from qismc.evidence.path import Path, path_to
from qismc.fixpoint.post import Found
from qismc.labels import Labels
from qismc.spec import syntax

LOCATIONS_TRIED = 200
"""Bad locations are tried in their order; further ones are rarely nearer."""


class Violation(NamedTuple):
    """A concrete state that breaks an invariant `body` at a location, and how it came there."""

    path: Path
    location: int
    found: Found
    body: syntax.Formula
    atoms: tuple[syntax.Quantum, ...]
    """The propositions in the body that are false at the location."""
    outside: tuple[Found, ...]
    """The concrete states at the location that are outside one of them."""


def invariant(formula: syntax.Formula) -> syntax.Formula | None:
    """phi of `AG phi` (or of phi itself, at the start) if phi speaks of single locations only."""
    body = formula.operands[0] if _is(formula, "AG") and isinstance(formula, syntax.Temporal) else formula
    return body if _is_local(body) else None


def _is(formula: syntax.Formula, operator: str) -> bool:
    return isinstance(formula, syntax.Temporal) and formula.quantifier + formula.op == operator


def _is_local(formula: syntax.Formula) -> bool:
    if isinstance(formula, syntax.Temporal | syntax.Probability):
        return False
    return all(_is_local(part) for part in syntax.operands(formula))


def violation(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Violation | None:
    """A shortest provenance path to a location where the invariant fails, with a state that breaks it."""
    body = invariant(formula)
    if body is None:
        return None
    culprits = _culprits(formula, body, evaluation, labels)
    return min(culprits, key=lambda culprit: len(culprit.path.visits), default=None)


def _culprits(
    formula: syntax.Formula, body: syntax.Formula, evaluation: Evaluation, labels: Labels
) -> Iterator[Violation]:
    """States at bad locations; a state outside a proposition that fails there is preferred."""
    known = evaluation.known(body) & ~evaluation.truth(body, evaluation.known(body))
    bad = [0] if body is formula else [int(k) for k in known.nonzero()[0][:LOCATIONS_TRIED]]
    for index in bad:
        point = labels.system.node_of(index)[1]
        atoms = tuple(dict.fromkeys(_failing(body, index, evaluation, labels)))
        outside = tuple(found for atom in atoms for found in labels.outside(atom, index))
        for found in outside or labels.arrived(index)[:1]:
            yield Violation(path_to(found, point), index, found, body, atoms, outside)


def _failing(
    formula: syntax.Formula, index: int, evaluation: Evaluation, labels: Labels
) -> Iterator[syntax.Quantum]:
    """The propositions inside the formula that are false at a location."""
    parts = syntax.operands(formula)
    if not parts:
        atom = labels.as_quantum(formula)
        if atom is not None and not evaluation.holds(formula, index):
            yield atom
    for part in parts:
        yield from _failing(part, index, evaluation, labels)
