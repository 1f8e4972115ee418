"""Measurements at the end: two circuits of gates that measure alike do the same if their gates do."""

from __future__ import annotations

from dataclasses import replace

from qismc.equivalence.sides import Side
from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Leaf, Mark, Measure

NOTHING = Operator("id", 1, ())
Records = dict[int, tuple[str, int]]
"""Which bit of which register each qubit of the result is measured into."""


def before_measuring(own: Side, other: Side) -> tuple[Side, Side] | None:
    """Both sides without their last measurements, if these are the same on both."""
    records = [_records(side) for side in (own, other)]
    if None in records or records[0] != records[1] or not records[0]:
        return None
    return _unmeasured(own), _unmeasured(other)


def _records(side: Side) -> Records | None:
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
                found[side.outputs.index(qubit)] = _place(side.program, bit)
            case Mark() | Leaf():
                pass
            case _:
                return None
    return found


def _place(program: Program, bit: int) -> tuple[str, int]:
    return next((v.name, v.bits.index(bit)) for v in program.variables.values() if bit in v.bits)


def _unmeasured(side: Side) -> Side:
    """The points stay what they are: where a measurement stood, nothing happens."""
    code = [Apply(NOTHING, (s.qubit,)) if isinstance(s, Measure) else s for s in side.program.code]
    return replace(side, program=replace(side.program, code=code))
