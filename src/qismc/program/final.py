"""The measurements at the end of a program, which nothing reads any more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qismc.program.program import Program
from qismc.program.rewriting import rewritten, targets
from qismc.program.statements import Leaf, Measure


@dataclass(frozen=True)
class Final:
    """A program that ends by measuring: what stands before, and which qubit each bit tells at the end."""

    before: Program
    qubit_of: Mapping[int, int]


def final_measurements(program: Program) -> Final | None:
    """The longest run of measurements at the end that control passes as a whole; None if there is none."""
    end = len(program.code) - 1
    if not isinstance(program.code[end], Leaf) or sum(isinstance(s, Leaf) for s in program.code) > 1:
        return None
    entered = {target for statement in program.code for target in targets(statement)}
    begin = end
    while begin > 0 and isinstance(program.code[begin - 1], Measure) and begin not in entered:
        begin -= 1
    run = range(begin, end)
    if not run or any(point in program.marked for point in run[1:]):
        return None
    last = {s.bit: s.qubit for s in program.code[begin:end] if isinstance(s, Measure)}
    return Final(rewritten(program, dict.fromkeys(run, ())), last)
