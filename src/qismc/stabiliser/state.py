"""Everything that can be at a program point, for all values of the symbols at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from qismc._core import Finding, Tableau
from qismc.program import Program
from qismc.stabiliser.functions import ONE, Functions, Kind, atoms_of, mask_of
from qismc.stabiliser.paulis import Letters, Pauli
from qismc.symbolic import Arithmetic, Bool

Bits = dict[int, int]
"""Masks of the classical bits; those that are missing are 0."""


@dataclass(frozen=True, eq=False)
class Chosen:
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


History = Chosen | Joined | None


@dataclass
class State:
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

    def copy(self) -> State:
        return replace(self, tableau=self.tableau.copy(), bits=self.bits.copy(), open=self.open.copy())

    @property
    def arithmetic(self) -> Arithmetic:
        """Expressions over the store."""
        return Arithmetic(self.functions.logic, self.bit)

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
            self.tableau.flip(pauli, atoms_of(where))

    def measure(self, pauli: Letters) -> int:
        """The mask of the outcome (1 is the eigenvalue -1)."""
        number = self.functions.next_atom
        finding = self.tableau.measure(pauli, [number])
        if finding is Finding.fixed:
            sign = self.tableau.sign(pauli)
            assert sign is not None, "what is fixed is in the group"
            return mask_of(sign)
        symbol = self.functions.symbol(Kind.COIN if finding is Finding.coin else Kind.OPEN)
        assert symbol == 1 << number
        return symbol

    def reset(self, qubit: int) -> int:
        """Put a qubit to |0>; the mask of what it was."""
        outcome = self.measure(((qubit, 2),))
        self.flip(((qubit, 1),), outcome)
        return outcome

    def prepare(self, generators: list[Pauli], corrections: list[Letters]) -> None:
        """Put qubits into the state of the generators; correction k turns the sign of generator k alone."""
        for generator, correction in zip(generators, corrections, strict=True):
            outcome = self.measure(generator.letters)
            self.flip(correction, outcome ^ (ONE if generator.minus else 0))

    def note(self, point: int, digits: tuple[int, ...], guard: Bool = True) -> None:
        """Remember what a statement chose."""
        self.history = Chosen(point, guard, digits, self.history)


def start_of(program: Program, functions: Functions, tableau: Tableau) -> State:
    """The states of a group, with the store that a program starts with."""
    bits = {k: ONE for k in range(program.store_width) if program.initial_store >> k & 1}
    return State(functions, tableau, bits=bits)
