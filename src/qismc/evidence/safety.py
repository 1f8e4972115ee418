"""Violated invariants: the shortest real execution, among those found, that ends in a bad state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from qismc.common.lazily import cached_property
from qismc.ctl import Evaluation, Labels
from qismc.evidence.proof import Signed, blamed, invariant, is_timeless
from qismc.evidence.replaying import Path, length_of, path_of
from qismc.fixpoint import LocatedState
from qismc.language import is_true, syntax

LOCATIONS_TRIED = 200
"""Bad locations are tried in their order; further ones are rarely nearer."""


@dataclass(frozen=True, eq=False)
class Violation:
    """A concrete state that breaks an invariant `body` at a location. Its path is found when asked for."""

    found: LocatedState
    alone: bool
    """Is the body false of the state by itself? Otherwise several states are needed, or wp is to blame."""
    body: syntax.Formula
    location: int
    blame: Sequence[Signed]
    """The atoms that make the body false."""
    labels: Labels

    @property
    def _point(self) -> int:
        return self.labels.system.node_of(self.location)[1]

    def __len__(self) -> int:
        """Number of visits of its path."""
        return length_of(self.found.arrival, self._point)

    @cached_property
    def path(self) -> Path:
        """How the state came to the location."""
        return path_of(self.found.arrival, self._point)

    @cached_property
    def atoms(self) -> tuple[syntax.Quantum, ...]:
        """The propositions that should be true at the location, and are false."""
        return _propositions(self.blame, self.labels, truth=False)

    @cached_property
    def kept(self) -> tuple[syntax.Quantum, ...]:
        """The propositions that should be false at the location, and are true."""
        return _propositions(self.blame, self.labels, truth=True)

    @cached_property
    def outside(self) -> tuple[LocatedState, ...]:
        """The concrete states at the location that are outside one of them."""
        return _outside(self.atoms, self.location, self.labels)

    @property
    def bounded(self) -> bool:
        """All states are inside, so it is the other half of sp(l) <= psi <= wp(l) that fails."""
        return bool(self.atoms) and not self.outside


def violation(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Violation | None:
    """A state that breaks the invariant, with a shortest provenance path."""
    found = min(violations(formula, evaluation, labels), key=len, default=None)
    _ = found and found.outside  # the error bound of the check counts what hints ask of the exact engine
    return found


def violations(formula: syntax.Formula, evaluation: Evaluation, labels: Labels) -> Iterator[Violation]:
    """All states found that break the invariant, location by location; none of another formula."""
    body = invariant(formula)
    if body is None:
        return
    known = evaluation.known(body) & ~evaluation.truth(body, evaluation.known(body))
    bad = [0] if body is formula else [int(k) for k in known.nonzero()[0][:LOCATIONS_TRIED]]
    for index in bad:
        yield from _at(body, index, evaluation, labels)


def reached(formula: syntax.Formula, holds: bool, evaluation: Evaluation, labels: Labels) -> Path | None:
    """A shortest provenance path to a location where `EF phi` finds phi, or where `AG phi` misses it.

    phi has no temporal operator, so that the location alone decides, however it was reached.
    """
    match formula, holds:
        case (syntax.Temporal("E", "F", (body,)), True) | (syntax.Temporal("A", "G", (body,)), False):
            if not is_timeless(body):
                return None
        case _:
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


def _at(body: syntax.Formula, index: int, evaluation: Evaluation, labels: Labels) -> Iterator[Violation]:
    """States at a bad location: those that break the body alone, else those outside a part of it."""
    blame = list(blamed(body, lambda atom: evaluation.holds(atom, index)))
    arrived = labels.arrived(index)
    found = [one for one in arrived if not _holds_alone(body, index, one, evaluation, labels)]
    alone = bool(found)
    if not alone:
        found = list(_outside(_propositions(blame, labels, truth=False), index, labels)) or arrived[:1]
    for one in found:
        yield Violation(one, alone, body, index, blame, labels)


def _outside(atoms: Iterable[syntax.Quantum], index: int, labels: Labels) -> tuple[LocatedState, ...]:
    return tuple(found for atom in atoms for found in labels.outside(atom, index))


def _propositions(blame: Sequence[Signed], labels: Labels, *, truth: bool) -> tuple[syntax.Quantum, ...]:
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
