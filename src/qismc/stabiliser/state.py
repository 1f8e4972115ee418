"""Everything that can be at a program point, for all values of the symbols at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from qismc._core import Finding, Tableau
from qismc.common.paulis import Letters, Pauli
from qismc.program import Program
from qismc.stabiliser.functions import ONE, Functions, SymbolKind, mask_of
from qismc.symbolic import And, BitArithmetic, Bool, Logic, positions

Bits = dict[int, int]
"""Masks of the classical bits; those that are missing are 0."""


@dataclass(frozen=True, eq=False)
class HistoryEntry:
    """Where the guard is true, the statement at a point chose these digits; none: control came back to it."""

    point: int
    guard: Bool
    digits: tuple[int, ...]
    before: History


@dataclass(frozen=True, eq=False)
class Joined:
    """Two pasts: the first one where the condition is true."""

    condition: Bool
    first: History
    second: History


History = HistoryEntry | Joined | None


@dataclass
class SymbolicState:
    """For values of symbols that make `guard` true: the store, and the code of the stabiliser group.

    All states of the code are possible, and no others.
    """

    functions: Functions
    tableau: Tableau
    guard: Bool = True
    bits: Bits = field(default_factory=dict)
    history: History = None
    open: dict[int, Bool] = field(default_factory=dict)
    """For each event: where it is not decided yet; everywhere if it is missing."""

    def copy(self) -> SymbolicState:
        return replace(self, tableau=self.tableau.copy(), bits=self.bits.copy(), open=self.open.copy())

    @property
    def arithmetic(self) -> BitArithmetic:
        """Expressions over the store."""
        return BitArithmetic(self.functions.logic, self.bit)

    def bit(self, position: int) -> Bool:
        return self.functions.function(self.bits.get(position, 0))

    def put(self, position: int, value: int, guard: Bool = True) -> None:
        """Write a mask to a position of the store where the guard is true."""
        if guard is True:
            self.bits[position] = value
            return
        logic, function = self.functions.logic, self.functions.function
        chosen = logic.choice(guard, function(value), self.bit(position))
        self.bits[position] = self.functions.mask(chosen)

    def flip(self, pauli: Letters, where: int = ONE) -> None:
        """Apply a Pauli where a sum of atoms is 1."""
        if where:
            self.tableau.flip(pauli, positions(where))

    def measure(self, pauli: Letters) -> int:
        """The mask of the outcome (1 is the eigenvalue -1)."""
        number = self.functions.next_atom
        finding = self.tableau.measure(pauli, [number])
        if finding is Finding.fixed:
            sign = self.tableau.sign(pauli)
            assert sign is not None, "what is fixed is in the group"
            return mask_of(sign)
        symbol = self.functions.symbol(SymbolKind.COIN if finding is Finding.coin else SymbolKind.OPEN)
        assert symbol == 1 << number
        return symbol

    def reset(self, qubit: int) -> int:
        """Put a qubit to |0>; the mask of what it was."""
        outcome = self.measure(((qubit, 2),))
        self.flip(((qubit, 1),), outcome)
        return outcome

    def prepare(self, recipe: Iterable[tuple[Pauli, Letters]]) -> None:
        """Put qubits into the state of generators, each with a correction that turns its sign alone."""
        for generator, correction in recipe:
            outcome = self.measure(generator.letters)
            self.flip(correction, outcome ^ (ONE if generator.minus else 0))

    def note(self, point: int, digits: tuple[int, ...], guard: Bool = True) -> None:
        """Remember what a statement chose."""
        self.history = HistoryEntry(point, guard, digits, self.history)


def start_of(program: Program, functions: Functions, tableau: Tableau) -> SymbolicState:
    """The states of a group, with the store that a program starts with."""
    bits = {k: ONE for k in range(program.store_width) if program.initial_store >> k & 1}
    return SymbolicState(functions, tableau, bits=bits)


def joined(first: SymbolicState, second: SymbolicState) -> SymbolicState | None:
    """Both together, if their groups are equal; their guards exclude each other."""
    signs = compared_signs(first.tableau, second.tableau)
    if signs is None:
        return None
    functions = first.functions

    def chosen(ours: int, theirs: int) -> int:
        if ours == theirs:
            return ours
        both = (functions.function(ours), functions.function(theirs))
        return functions.mask(functions.logic.choice(first.guard, *both))

    for row, ours, theirs in signs:
        first.tableau.set_sign(row, positions(chosen(ours, theirs)))
    for position in first.bits.keys() | second.bits.keys():
        first.bits[position] = chosen(first.bits.get(position, 0), second.bits.get(position, 0))
    for event in first.open.keys() | second.open.keys():
        both = first.open.get(event, True), second.open.get(event, True)
        first.open[event] = functions.logic.choice(first.guard, *both)
    first.history = Joined(first.guard, first.history, second.history)
    first.guard = union(functions.logic, first.guard, second.guard)
    return first


def compared_signs(first: Tableau, second: Tableau) -> list[tuple[int, int, int]] | None:
    """Rows of the first with the signs that they have in both groups; None if the groups differ."""
    rows = first.generators
    if len(rows) != len(second.generators):
        return None
    found = []
    for row in rows:
        theirs = second.sign(first.generator(row))
        if theirs is None:
            return None
        found.append((row, mask_of(first.generator_sign(row)), mask_of(theirs)))
    return found


def union(logic: Logic, left: Bool, right: Bool) -> Bool:
    """One of two functions that exclude each other; F and c, F and not c are F."""
    ours, theirs = (list(f.parts) if isinstance(f, And) else [f] for f in (left, right))
    shared = [part for part in ours if part in theirs]
    rests = [logic.conjunction(*(p for p in parts if p not in shared)) for parts in (ours, theirs)]
    if logic.negation(rests[0]) is rests[1]:
        return logic.conjunction(*shared)
    return logic.parity(left, right)
