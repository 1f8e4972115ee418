"""Boolean functions of symbols: the signs of stabilisers and the classical bits of a program.

A *symbol* is a coin that a measurement tossed, a value that the start left open, or a choice of the
environment. Signs are sums modulo 2 of *atoms*, kept as masks of bits; an atom is the constant 1 (bit 0), a
symbol, or a conjunction that some condition needed. So the group itself never has to know what conditions
say; that is worked out where a question is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from typing_extensions import assert_never

from qismc.limits import Budget
from qismc.stabiliser.solutions import Solutions
from qismc.symbolic import And, Bool, Literal, Logic, NotSymbolic, Xor, evaluate, levels_of, positions

ONE = 1
"""The mask of the constant 1."""


class SymbolKind(Enum):
    """Where a symbol comes from."""

    COIN = "coin"
    """A fair coin, independent of all others."""
    OPEN = "open"
    """What a measurement finds where the start leaves it open."""
    CHOICE = "choice"
    """A value that the environment chooses."""


@dataclass
class Functions:
    """Hands out symbols and atoms."""

    budget: Budget
    logic: Logic = field(default_factory=Logic)
    solutions: Solutions = field(init=False)
    kinds: list[SymbolKind] = field(default_factory=list)
    """Of each symbol."""
    _atoms: list[Literal | And] = field(default_factory=list)
    _numbers: dict[Literal | And, int] = field(default_factory=dict)
    _made: dict[int, Bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.solutions = Solutions(self.budget)

    def symbol(self, kind: SymbolKind) -> int:
        """The mask of a new symbol."""
        self.kinds.append(kind)
        return self.mask(self.logic.literal(len(self.kinds) - 1))

    @property
    def next_atom(self) -> int:
        """The number that a new atom would have."""
        return len(self._atoms) + 1

    def mask(self, function: Bool) -> int:
        """The function as a sum of atoms."""
        match function:
            case bool():
                return ONE if function else 0
            case Literal(level, value):
                return self._atom(self.logic.literal(level)) ^ (0 if value else ONE)
            case And():
                return self._atom(function)
            case Xor(parts, flipped):
                total = ONE if flipped else 0
                for part in parts:
                    total ^= self.mask(part)
                return total
        assert_never(function)

    def _atom(self, node: Literal | And) -> int:
        if node not in self._numbers:
            self._atoms.append(node)
            self._numbers[node] = len(self._atoms)
        return 1 << self._numbers[node]

    def function(self, mask: int) -> Bool:
        """The sum of atoms as a function."""
        if mask not in self._made:
            atoms = (self._atoms[k - 1] if k else True for k in positions(mask))
            self._made[mask] = self.logic.parity(*atoms)
        return self._made[mask]

    def true_atoms(self, values: Mapping[int, int], known: dict[Bool, bool]) -> int:
        """The mask of all atoms that are 1 where symbols have these values; those that are missing have 0.

        A sum of atoms is then the parity of what it shares with this mask. `known` keeps what was found out.
        """
        digits = ("1" if evaluate(atom, values, known) else "0" for atom in reversed(self._atoms))
        return int("".join((*digits, "1")), 2)

    def check_coins(self, *wanted: Bool) -> None:
        """Raise NotSymbolic unless all functions depend on coins alone."""
        symbols = (symbol for function in wanted for symbol in levels_of(function))
        if any(self.kinds[symbol] is not SymbolKind.COIN for symbol in symbols):
            raise NotSymbolic("a probability depends on inputs or on the state of the start")


def atoms_of(mask: int) -> list[int]:
    """The atoms of a sum, as the native tableau wants them."""
    return positions(mask)


def mask_of(atoms: list[int]) -> int:
    """The sum of atoms that the native tableau gives."""
    mask = 0
    for atom in atoms:
        mask |= 1 << atom
    return mask
