"""Parts of formulas that are certain whatever a program does, by what their atoms mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from qismc.language import MOST_ATOMS, Table, syntax, tautologies, to_text
from qismc.program import Store
from qismc.propositions import Extent, extent, subspace_of
from qismc.questions.names import Names, atoms_of

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
            found = None if _says_so(subspace_of(atom, self._names.scope)) else self._extent(atom)
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
        if tree is None or self._bounded or self._names.mentions_post(atom):
            return None
        return extent(self._names.meaning(tree), self._names.program.num_qubits)

    def _classical(self, atoms: Sequence[syntax.Formula]) -> dict[syntax.Formula, Callable[[Store], int]]:
        """Atoms about few bits, as functions of the store."""
        kinds = (syntax.Compare, syntax.Bit, syntax.Atom)
        reading = [atom for atom in atoms if isinstance(atom, kinds) and self._names.observed(atom)]
        return {atom: self._value(atom) for atom in reading} if len(self._bits(reading)) <= MOST_BITS else {}

    def _value(self, atom: syntax.Formula) -> Callable[[Store], int]:
        match atom:
            case syntax.Compare():
                return self._names.comparison(atom)
            case syntax.Bit(ref):
                return self._names.bits(ref).value
            case syntax.Atom(name):
                return self._names.bits(syntax.Ref(name)).value
        raise AssertionError(f"{atom} reads no bits")

    def _bits(self, atoms: Sequence[syntax.Formula]) -> list[int]:
        read = 0
        for atom in atoms:
            read |= self._names.observed(atom)
        return [bit for bit in range(read.bit_length()) if read >> bit & 1]

    def _stores(self, atoms: Sequence[syntax.Formula]) -> Iterator[Store]:
        """All values of the bits that atoms read."""
        bits = self._bits(atoms)
        for values in product((0, 1), repeat=len(bits)):
            yield sum(value << bit for value, bit in zip(values, bits, strict=True))


def _says_so(tree: syntax.Subspace | None) -> bool:
    """Is it called the whole space, or zero?"""
    return isinstance(_local(tree), syntax.Full | syntax.Zero)


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
