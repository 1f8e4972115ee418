"""Levels, and statements as operators on them.

Nothing classical is ever overwritten: a new value is a new function of recorded outcomes. A measured qubit
becomes the record of its outcome; only a gate that changes it takes a copy. What a reset throws away stays
behind on its level. A statement under a condition acts as an operator that is controlled by levels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from typing_extensions import assert_never

from qismc.levels.script import NOTHING, Choices, Digits
from qismc.program import (
    Apply,
    Assign,
    AssignAt,
    Base,
    Channel,
    Control,
    Factor,
    Havoc,
    Initialize,
    Measure,
    Operator,
    Reset,
    Statement,
)
from qismc.symbolic import BitArithmetic, Bool, Literal, Logic, Xor, levels_of

Controls = tuple[tuple[int, int], ...]
FLIP, HADAMARD, SWAP = Base("x"), Base("h"), Base("swap")
PROJECT = (Base("project0"), Base("project1"))


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


class Writer:
    """Writes operators on levels and keeps track of what the levels hold."""

    def __init__(self, levels: Levels, logic: Logic, frame: Frame) -> None:
        self.levels = levels
        self.logic = logic
        self.frame = frame
        self.factors: list[Factor] = []
        self._flags: dict[Xor, None] = {}

    def fork(self) -> Writer:
        """A writer that goes on from here for itself."""
        other = Writer(self.levels, self.logic, self.frame.copy())
        other._flags = self._flags.copy()
        return other

    @property
    def arithmetic(self) -> BitArithmetic:
        return BitArithmetic(self.logic, self.frame.bit)

    # --- conditions --------------------------------------------------------------------------------------

    def controls(self, function: Bool) -> Controls | None:
        """Values of levels that say the same as the function, parities on flags; None if it is false."""
        if isinstance(function, bool):
            return () if function else None
        if isinstance(function, Literal):
            return ((function.level, function.value),)
        if isinstance(function, Xor):
            return ((self._flag(function), 1),)
        return merged(*(self.controls(part) for part in function.parts))

    def _flag(self, function: Xor) -> int:
        level = self.levels.flag(function)
        if function not in self._flags:
            self.add(function, level)
            self._flags[function] = None
        return level

    def add(self, function: Bool, level: int) -> None:
        """level := level xor function."""
        flipped = isinstance(function, Xor) and function.flipped
        for part in function.parts if isinstance(function, Xor) else (function,):
            self.emit(FLIP, (level,), self.controls(part))
        if flipped:
            self.emit(FLIP, (level,), ())

    def clear_flags(self) -> None:
        """Put the flags back to 0: they are functions of levels that never change."""
        for function in reversed(list(self._flags)):
            del self._flags[function]
            self.add(function, self.levels.flag(function))

    def emit(self, base: Base, targets: tuple[int, ...], controls: Controls | None) -> None:
        if controls is not None:
            self.factors.append(Factor(base, targets, controls))

    def project(self, function: Bool) -> bool:
        """Keep the stores where the function is true; False if there are none."""
        controls = self.controls(function)
        for level, value in controls or ():
            self.emit(PROJECT[value], (level,), ())
        return controls is not None

    # --- statements --------------------------------------------------------------------------------------

    def write(self, statement: Statement, guard: Bool) -> Choices:
        """What the statement does where the guard is true; what it chooses there, as functions of levels."""
        if isinstance(statement, Control):
            return NOTHING
        match statement:
            case Apply(operator, qubits):
                self.apply(operator, qubits, guard)
            case Measure(qubit, bit):
                return Choices((self._measure(qubit, bit, guard),), ((),))
            case Reset(qubit):
                return Choices(kraus=(self._reset(qubit, guard),))
            case Initialize(qubits, preparation):
                found = tuple(self._reset(qubit, guard) for qubit in qubits)
                self.apply(preparation, qubits, guard)
                return Choices(kraus=(*found, ()))
            case Channel(qubits, kraus):
                return Choices(kraus=(self._channel(qubits, kraus, guard),))
            case Assign() | AssignAt():
                for bit, digit, here in self.arithmetic.writes(statement):
                    self._set([(bit, digit)], self.logic.conjunction(guard, here))
            case Havoc(bits):
                return Choices(self._havoc(bits, guard))
            case _:
                assert_never(statement)
        return NOTHING

    def apply(self, operator: Operator, qubits: Sequence[int], guard: Bool) -> None:
        controls = self.controls(guard)
        if controls is None:
            return
        guarded = {level for level, _ in controls}
        for place, qubit in enumerate(qubits):
            self.frame.clean.discard(qubit)
            kept = operator.keeps_basis(place) and self.frame.qubits[qubit] not in guarded
            if qubit in self.frame.records and not kept:
                self.own(qubit)
        levels = tuple(self.frame.qubits[qubit] for qubit in qubits)
        for factor in operator.factors:
            placed = factor.on(levels)
            self.levels.bind(*placed.targets, *(level for level, _ in placed.controls))
            if placed.targets or placed.controls:  # a phase that bits alone decide changes no state
                self.emit(placed.base, placed.targets, merged(placed.controls, controls))

    def own(self, qubit: int) -> None:
        """Give a measured qubit a level of its own: a copy of the record."""
        record = self.frame.qubits[qubit]
        copy = self.levels.fresh(record)
        self.levels.bind(record, copy)
        self.emit(FLIP, (copy,), ((record, 1),))
        self.frame.qubits[qubit] = copy
        self.frame.records.discard(qubit)

    def _measure(self, qubit: int, bit: int, guard: Bool) -> Bool:
        frame = self.frame
        if qubit in frame.clean:
            outcome: Bool = False
        elif qubit in frame.records or guard is True:
            frame.records.add(qubit)
            self.levels.classical.add(frame.qubits[qubit])
            outcome = self.logic.literal(frame.qubits[qubit])
        else:
            record = self.levels.fresh(frame.qubits[qubit])
            self.levels.classical.add(record)
            controls = merged(self.controls(guard), ((frame.qubits[qubit], 1),))
            self.levels.bind(frame.qubits[qubit], record)
            self.emit(FLIP, (record,), controls)
            outcome = self.logic.literal(record)
            kept = self.logic.conjunction(self.logic.negation(guard), frame.bit(bit))
            frame.bits[bit] = self.logic.parity(outcome, kept)  # the record is 0 where nothing was measured
            return outcome
        self._set([(bit, outcome)], guard)
        return outcome

    def _set(self, values: Iterable[tuple[int, Bool]], guard: Bool) -> None:
        for bit, value in values:
            self.frame.bits[bit] = self.logic.choice(guard, value, self.frame.bit(bit))

    def _reset(self, qubit: int, guard: Bool) -> Digits:
        """What the qubit is found in is the value of the level that is left behind."""
        frame = self.frame
        controls = self.controls(guard)
        if qubit in frame.clean or controls is None:
            return ()
        old, new = frame.qubits[qubit], self.levels.fresh(frame.qubits[qubit])
        if guard is not True:
            self.levels.bind(old, new)
        self.levels.classical.add(old if guard is True else new)
        if guard is True:
            frame.qubits[qubit] = new
            frame.clean.add(qubit)
            frame.records.discard(qubit)
        elif qubit in frame.records:  # a copy of the record where it is not reset
            self.emit(FLIP, (new,), ((old, 1),))
            self.emit(FLIP, (new,), merged(controls, ((old, 1),)))
            frame.qubits[qubit] = new
            frame.records.discard(qubit)
        else:
            self.emit(SWAP, (old, new), controls)
            return (self.logic.literal(new),)
        return (self.logic.literal(old),)

    def _channel(self, qubits: tuple[int, ...], kraus: Sequence[Operator], guard: Bool) -> Digits:
        """The environment chooses: a register in all states at once controls the Kraus operators."""
        width = (len(kraus) - 1).bit_length()
        chosen = [self.levels.fresh(self.frame.qubits[qubits[0]]) for _ in range(width)]
        self.levels.classical.update(chosen)
        for level in chosen:
            self.emit(HADAMARD, (level,), ())
        for number in range(1 << width):
            here = (self.logic.literal(level, number >> k & 1) for k, level in enumerate(chosen))
            self.apply(kraus[number % len(kraus)], qubits, self.logic.conjunction(guard, *here))
        return tuple(self.logic.literal(level) for level in chosen)

    def _havoc(self, bits: tuple[int, ...], guard: Bool) -> Digits:
        chosen: list[Bool] = []
        for bit in bits:
            level = self.levels.fresh(next(levels_of(self.frame.bit(bit)), None))
            self.levels.classical.add(level)
            self.emit(HADAMARD, (level,), ())
            chosen.append(self.logic.literal(level))
        self._set(zip(bits, chosen, strict=True), guard)
        return tuple(chosen)


def merged(*lists: Controls | None) -> Controls | None:
    """All controls together; None if they contradict each other."""
    values: dict[int, int] = {}
    for controls in lists:
        if controls is None:
            return None
        for level, value in controls:
            if values.setdefault(level, value) != value:
                return None
    return tuple(values.items())
