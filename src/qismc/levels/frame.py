"""Levels, and what they hold at one place of a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from qismc.symbolic import Bool, Xor, levels_of


@dataclass
class Levels:
    """Hands out levels; a new one stands beside the level that it has most to do with.

    The first levels are the qubits of the program. Flags carry parities while gates are controlled by them,
    views are copies of records that stand for measured qubits in propositions.
    """

    beside: list[int | None]
    flags: dict[Xor, int] = field(default_factory=dict)
    views: dict[int, int] = field(default_factory=dict)
    classical: set[int] = field(default_factory=set)
    """The levels that hold outcomes, choices, or what a reset threw away."""
    bonds: Counter[tuple[int, ...]] = field(default_factory=Counter)
    """The levels that statements act on together, conditions left aside."""

    @property
    def count(self) -> int:
        return len(self.beside)

    def bind(self, *levels: int) -> None:
        """Note that levels act together."""
        if len(levels) > 1:
            self.bonds[tuple(sorted(set(levels)))] += 1

    def fresh(self, beside: int | None = None) -> int:
        self.beside.append(beside)
        return len(self.beside) - 1

    def flag(self, function: Xor) -> int:
        """The level that carries a parity."""
        if function not in self.flags:
            self.flags[function] = self.fresh(next(levels_of(function)))
        return self.flags[function]

    def view(self, qubit: int, record: int) -> int:
        """The level that stands for a measured qubit where somebody asks for its state."""
        if qubit not in self.views:
            self.views[qubit] = self.fresh(record)
        return self.views[qubit]

    def storage(self, first: int) -> list[int]:
        """The levels from number `first` on that are neither flags nor views."""
        borrowed = {*self.flags.values(), *self.views.values()}
        return [level for level in range(first, self.count) if level not in borrowed]

    def natural_order(self) -> list[int]:
        """The qubits in their order, each level behind the one that it stands beside."""
        followers: dict[int | None, list[int]] = {}
        for level, beside in enumerate(self.beside):
            followers.setdefault(beside, []).append(level)
        order: list[int] = []
        pending = followers.get(None, [])[::-1]
        while pending:
            level = pending.pop()
            order.append(level)
            pending += followers.get(level, [])
        return order


@dataclass
class Frame:
    """Which level is which qubit, and what the bits are as functions of levels.

    A qubit in `records` was measured and not changed since: its level is the record of the outcome, which
    bits may refer to. A qubit in `clean` is |0>. Bits that are missing are 0.
    """

    qubits: list[int]
    records: set[int] = field(default_factory=set)
    clean: set[int] = field(default_factory=set)
    bits: dict[int, Bool] = field(default_factory=dict)

    def copy(self) -> Frame:
        return Frame(self.qubits.copy(), self.records.copy(), self.clean.copy(), self.bits.copy())

    def bit(self, position: int) -> Bool:
        return self.bits.get(position, False)

    def quantum(self) -> Iterable[int]:
        """The levels that hold states of qubits, not records."""
        return (level for qubit, level in enumerate(self.qubits) if qubit not in self.records)
