"""Violated invariants: the shortest real execution, among those found, that ends in a bad state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qismc.ctl import Evaluation, Labels
from qismc.evidence.proof import Signed, blamed, invariant, is_timeless
from qismc.evidence.replaying import Path, length_of, path_of
from qismc.fixpoint import LocatedState
from qismc.language import is_true, syntax

LOCATIONS_TRIED = 200
"""Bad locations are tried in their order; further ones are rarely nearer."""


class Violation(NamedTuple):
    """A concrete state that breaks an invariant `body` at a location, and how it came there."""

    path: Path
    location: int
    found: LocatedState
    body: syntax.Formula
    atoms: tuple[syntax.Quantum, ...]
    """The propositions that should be true at the location, and are false."""
    outside: tuple[LocatedState, ...]
    """The concrete states at the location that are outside one of them."""
    kept: tuple[syntax.Quantum, ...] = ()
    """The propositions that should be false at the location, and are true."""
    alone: bool = True
    """Is the body false of the state by itself? Otherwise several states are needed, or wp is to blame."""

    @property
    def bounded(self) -> bool:
        """All states are inside, so it is the other half of sp(l) <= psi <= wp(l) that fails."""
        return bool(self.atoms) and not self.outside


def violation(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Violation | None:
    """A shortest provenance path to a location where the invariant fails, with a state that breaks it."""
    shortest = min(_all_culprits(formula, evaluation, labels), key=_Culprit.length, default=None)
    return None if shortest is None else shortest.violation()


def violations(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Iterator[Violation]:
    """All states found that break the invariant, location by location; none of another formula."""
    return (culprit.violation() for culprit in _all_culprits(formula, evaluation, labels))


@dataclass(frozen=True)
class _Culprit:
    """A state at a bad location, before anybody asks how it came there."""

    found: LocatedState
    alone: bool
    body: syntax.Formula
    location: int
    blame: Sequence[Signed]
    labels: Labels

    @property
    def _point(self) -> int:
        return self.labels.system.node_of(self.location)[1]

    def length(self) -> int:
        """Of its path."""
        return length_of(self.found.arrival, self._point)

    def violation(self) -> Violation:
        """The state with its path, and with all others that are to blame."""
        atoms, kept = (_propositions(self.blame, self.labels, truth) for truth in (False, True))
        outside = _outside(atoms, self.location, self.labels)
        path = path_of(self.found.arrival, self._point)
        return Violation(path, self.location, self.found, self.body, atoms, outside, kept, self.alone)


def _all_culprits(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Iterator[_Culprit]:
    body = invariant(formula)
    if body is None:
        return
    known = evaluation.known(body) & ~evaluation.truth(body, evaluation.known(body))
    bad = [0] if body is formula else [int(k) for k in known.nonzero()[0][:LOCATIONS_TRIED]]
    for index in bad:
        yield from _culprits(body, index, evaluation, labels)


def reached(formula: syntax.Formula, holds: bool, evaluation: Evaluation, labels: Labels) -> Path | None:
    """A shortest provenance path to a location where `EF phi` finds phi, or where `AG phi` misses it.

    phi has no temporal operator, so that the location alone decides, however it was reached.
    """
    if not isinstance(formula, syntax.Temporal) or formula.quantifier + formula.op != (
        "EF" if holds else "AG"
    ):
        return None
    (body,) = formula.operands
    if not is_timeless(body):
        return None
    known = evaluation.known(body)
    good = (known & (evaluation.truth(body, known) == holds)).nonzero()[0][:LOCATIONS_TRIED]
    ends = (
        (found.arrival, labels.system.node_of(int(index))[1])
        for index in good
        for found in labels.arrived(int(index))
    )
    nearest = min(ends, key=lambda end: length_of(*end), default=None)
    return None if nearest is None else path_of(*nearest)


def _culprits(body: syntax.Formula, index: int, evaluation: Evaluation, labels: Labels) -> Iterator[_Culprit]:
    """States at a bad location: those that break the body alone, else those outside a part of it."""
    blame = list(blamed(body, lambda atom: evaluation.holds(atom, index)))
    arrived = labels.arrived(index)
    found = [one for one in arrived if not _holds_alone(body, index, one, evaluation, labels)]
    alone = bool(found)
    if not alone:
        found = list(_outside(_propositions(blame, labels, False), index, labels)) or arrived[:1]
    for one in found:
        yield _Culprit(one, alone, body, index, blame, labels)


def _outside(atoms: Iterable[syntax.Quantum], index: int, labels: Labels) -> tuple[LocatedState, ...]:
    return tuple(found for atom in atoms for found in labels.outside(atom, index))


def _propositions(blame: Sequence[Signed], labels: Labels, truth: bool) -> tuple[syntax.Quantum, ...]:
    found = (labels.as_quantum(atom) for atom, holds in blame if holds == truth)
    return tuple(dict.fromkeys(atom for atom in found if atom is not None))


def _holds_alone(
    body: syntax.Formula, index: int, found: LocatedState, evaluation: Evaluation, labels: Labels
) -> bool:
    """The body's truth if the found state were the only one at the location."""

    def truth(atom: syntax.Formula) -> bool:
        quantum = labels.as_quantum(atom)
        return evaluation.holds(atom, index) if quantum is None else labels.contains(quantum, found.vector)

    return is_true(body, truth)
