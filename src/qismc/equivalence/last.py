"""Measurements at the end: two circuits of gates that measure alike do the same if their gates do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qismc.equivalence.registers import Registers
from qismc.equivalence.sides import Side
from qismc.program import Apply, Leaf, Mark, Measure, Operator, Variable

NOTHING = Operator("id", 1, ())
Places = frozenset[tuple[int, int]]
Records = dict[int, Places]
"""For each qubit of the result, the bits of compared registers that it is measured into."""


def before_measuring(own: Side, other: Side, registers: Registers) -> tuple[Side, Side] | None:
    """Both sides without their last measurements, if these are the same on both."""
    records = [_records(side, registers.of(k)) for k, side in enumerate((own, other))]
    if None in records or records[0] != records[1] or not records[0]:
        return None
    values = [[v.value(s.program.initial_store) for v in registers.of(k)] for k, s in enumerate((own, other))]
    return (_unmeasured(own), _unmeasured(other)) if values[0] == values[1] else None


def _records(side: Side, registers: Sequence[Variable]) -> Records | None:
    """None where a program does more than gates and, after them, at most one measurement of each qubit."""
    found: Records = {}
    done: set[int] = set()
    bits: set[int] = set()
    for statement in side.program.code:
        match statement:
            case Apply(_, qubits):
                if done & set(qubits):
                    return None
            case Measure(qubit, bit):
                if qubit in done or bit in bits or qubit not in side.outputs:
                    return None
                done.add(qubit)
                bits.add(bit)
                found[side.outputs.index(qubit)] = _places(registers, bit)
            case Mark() | Leaf():
                pass
            case _:
                return None
    return found


def _places(registers: Sequence[Variable], bit: int) -> Places:
    return frozenset((k, i) for k, v in enumerate(registers) for i, b in enumerate(v.bits) if b == bit)


def _unmeasured(side: Side) -> Side:
    """The points stay what they are: where a measurement stood, nothing happens."""
    code = [Apply(NOTHING, (s.qubit,)) if isinstance(s, Measure) else s for s in side.program.code]
    return replace(side, program=replace(side.program, code=code))
