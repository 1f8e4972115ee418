"""What the text of a formula tells, before any state is computed.

*Classical* formulas speak of points and classical values only. *Merging* joins locations that differ in
unread classical bits: it joins their sp and the ways out of them. It keeps which points are reached with
which observed bits, and a proposition holds at the merged location iff it holds at all of them. It does not
keep paths, negated propositions or disjunctions of propositions: for those the bits stay apart.

A formula is *robust* if its verdict needs only that what is zero is zero. A check with generic angles sees
all that can happen, and perhaps more: more edges, larger sp. A formula that holds of more paths and of larger
subspaces holds of fewer and smaller ones: universal quantifiers only, propositions never negated. Its HOLDS
is then valid for all values of the angles.

Parts of a formula are *certain* if what their atoms mean makes them true, or false, whatever a program does.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import product

from typing_extensions import assert_never

from qismc.language import MOST_ATOMS, Table, syntax, tautologies, to_text
from qismc.program import LOCATION, Store
from qismc.propositions import Extent, extent, subspace_of
from qismc.questions.names import Names, atoms_of, mentions_post


def merging_is_safe(formula: syntax.Formula, propositions: Container[str]) -> bool:
    """Is the truth at the start the same with and without merging? (Names of propositions are given.)"""
    if isinstance(formula, syntax.Temporal):
        operator, body = formula.quantifier + formula.op, formula.operands[0]
        if operator == "AG":
            return _is_joint(body, propositions)
        return operator == "EF" and is_classical(body, propositions)
    if isinstance(formula, syntax.Probability):
        return all(is_classical(part, propositions) for part in formula.operands)
    parts = syntax.operands(formula)
    if parts:
        return all(merging_is_safe(part, propositions) for part in parts)
    return is_classical(formula, propositions)


def _is_joint(body: syntax.Formula, propositions: Container[str]) -> bool:
    """Does it hold for several locations together iff it holds at each of them?

    Connectives come first: what is classical is made of classical parts, and long conjunctions are common.
    """
    match body:
        case syntax.And(left, right):
            return _is_joint(left, propositions) and _is_joint(right, propositions)
        case syntax.Or(left, right):
            sides = ((left, right), (right, left))
            return any(is_classical(a, propositions) and _is_joint(b, propositions) for a, b in sides)
        case syntax.Implies(left, right):
            return is_classical(left, propositions) and _is_joint(right, propositions)
        case syntax.Atom(name) if name in propositions:
            return True
    return isinstance(body, syntax.Quantum) or is_classical(body, propositions)


def is_classical(formula: syntax.Formula, propositions: Container[str]) -> bool:
    """Does it speak of a location's point and observed bits only? Location numbers depend on merging."""
    if isinstance(formula, syntax.Temporal | syntax.Probability | syntax.Quantum):
        return False
    if isinstance(formula, syntax.Atom):
        special = formula.name in ("reached", "init") or LOCATION.match(formula.name) is not None
        return not special and formula.name not in propositions
    return all(is_classical(part, propositions) for part in syntax.operands(formula))


def is_robust(formula: syntax.Formula, propositions: Container[str], *, positive: bool = True) -> bool:
    """Does the formula (or, if not `positive`, its negation) survive fewer edges and smaller subspaces?"""

    def robust(part: syntax.Formula, positive: bool = positive) -> bool:
        return is_robust(part, propositions, positive=positive)

    match formula:
        case syntax.Quantum():
            return positive
        case syntax.Atom(name):
            return _is_robust_name(name, propositions, positive=positive)
        case syntax.Bit() | syntax.Compare() | syntax.Constant():
            return True
        case syntax.Not() | syntax.And() | syntax.Or() | syntax.Implies() | syntax.Iff():
            return all(robust(part, sign) for part, sign in syntax.signed(formula, positive))
        case syntax.Temporal():
            return (formula.quantifier == "A") == positive and all(map(robust, formula.operands))
        case syntax.Probability():
            return False
    assert_never(formula)


def _is_robust_name(name: str, propositions: Container[str], *, positive: bool) -> bool:
    """Numbers of locations depend on all edges; what is reached in truth is reached for generic angles."""
    if name in propositions:
        return positive
    return not positive if name == "reached" else LOCATION.match(name) is None


MOST_BITS = 8
"""Largest number of classical bits whose values are all enumerated."""
SAID: dict[Extent, str] = {
    "whole": "is the whole space, so every state is in it",
    "zero": "is the zero space, so no state is in it",
}


class Certain:
    """The atoms of formulas about one program; `bounded` if more matters than what can be reached.

    (Annotations bound what is true, and at locations that no execution reaches `zero` is true.)
    """

    def __init__(self, names: Names, *, bounded: bool) -> None:
        self._names = names
        self._bounded = bounded

    def warnings(self, formula: syntax.Formula) -> list[str]:
        """Parts that are true whatever the program does; propositions that do not look trivial and are."""
        return [*tautologies(formula, self.tables), *self.trivial(formula)]

    def trivial(self, formula: syntax.Formula) -> list[str]:
        """Propositions that do not look trivial and are."""
        told: dict[str, None] = {}
        for atom in atoms_of(formula):
            looks_so = isinstance(_local(subspace_of(atom, self._names.scope)), syntax.Full | syntax.Zero)
            found = None if looks_so else self._extent(atom)
            if found is not None:
                told[f"'{to_text(atom)}' {SAID[found]}"] = None
        return list(told)

    def tables(self, atoms: Sequence[syntax.Formula]) -> Iterator[Table] | None:
        """Truth values that the atoms may have together, none that occurs left out; None if too many."""
        fixed = {atom: found == "whole" for atom in atoms if (found := self._extent(atom)) is not None}
        classical = self._classical(atoms)
        free = [atom for atom in atoms if atom not in fixed and atom not in classical]
        if len(free) > MOST_ATOMS:
            return None
        readings = {tuple(bool(value(s)) for value in classical.values()) for s in self._stores([*classical])}
        tables = (
            {**fixed, **dict(zip(classical, reading, strict=True)), **dict(zip(free, chosen, strict=True))}
            for reading in sorted(readings)
            for chosen in product((False, True), repeat=len(free))
        )
        return (table for table in tables if self._bounded or not _contradicts(table))

    def _extent(self, atom: syntax.Formula) -> Extent | None:
        tree = subspace_of(atom, self._names.scope)
        if tree is None or self._bounded or mentions_post(atom, self._names.scope):
            return None
        return extent(self._names.meaning(tree), self._names.program.num_qubits)

    def _classical(self, atoms: Sequence[syntax.Formula]) -> dict[syntax.Formula, Callable[[Store], int]]:
        """Atoms about few bits, as functions of the store."""
        kinds = (syntax.Compare, syntax.Bit, syntax.Atom)
        reading = [atom for atom in atoms if isinstance(atom, kinds) and self._names.observed(atom)]
        return {atom: self._value(atom) for atom in reading} if len(self._bits(reading)) <= MOST_BITS else {}

    def _value(self, atom: syntax.Formula) -> Callable[[Store], int]:
        if isinstance(atom, syntax.Compare):
            return self._names.comparison(atom)
        (ref,) = self._names.refs(atom)
        return self._names.bits(ref).value

    def _bits(self, atoms: Sequence[syntax.Formula]) -> list[int]:
        return sorted(
            {bit for atom in atoms for ref in self._names.refs(atom) for bit in self._names.bits(ref).bits}
        )

    def _stores(self, atoms: Sequence[syntax.Formula]) -> Iterator[Store]:
        """All values of the bits that atoms read."""
        bits = self._bits(atoms)
        for values in product((0, 1), repeat=len(bits)):
            yield sum(value << bit for value, bit in zip(values, bits, strict=True))


def _local(tree: syntax.Subspace | None) -> syntax.Subspace | None:
    """A subspace without the qubits that it is said of."""
    return tree.subspace if isinstance(tree, syntax.On) else tree


def _contradicts(table: Table) -> bool:
    """Is a state of a mark outside of sp(mark)?"""
    for atom, value in table.items():
        tree = _local(atom.subspace) if isinstance(atom, syntax.Quantum) else None
        if isinstance(tree, syntax.SpOf) and not value and table.get(syntax.Atom(tree.mark)):
            return True
    return False
