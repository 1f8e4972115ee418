"""The inject-a-Pauli workflow: a program without its final measurements, and the same with one fault."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qismc.program.operators import single
from qismc.program.program import Program
from qismc.program.statements import Apply, Branch, Goto, Jump, Leaf, Measure, Statement, Switch

PAULIS = "XYZ"


@dataclass(frozen=True)
class Fault:
    """A Pauli gate on a qubit, before the statement at `point`."""

    pauli: str
    qubit: int
    point: int


def without_final_measurements(program: Program) -> Program:
    """The program without the run of measurements at its end, which nothing can read any more."""
    end = len(program.code) - 1
    while end > 0 and isinstance(program.code[end - 1], Measure):
        end -= 1
    code = [retarget(statement, lambda target: min(target, end)) for statement in program.code[:end]]
    return _with_code(program, [*code, Leaf()], program.sources[: end + 1], program.texts[: end + 1])


def random_fault(program: Program, seed: int) -> Fault:
    """A Pauli, a qubit and a place, all uniformly drawn."""
    rng = random.Random(f"{program.name} {seed}")
    points = [p for p, statement in enumerate(program.code) if not isinstance(statement, Jump)]
    return Fault(rng.choice(PAULIS), rng.randrange(program.num_qubits), rng.choice(points))


def inject(program: Program, fault: Fault) -> Program:
    """The program in which whatever arrives at the fault's point goes through the Pauli gate first."""
    at = fault.point
    code = [
        retarget(statement, lambda target: target + 1 if target > at else target)
        for statement in program.code
    ]
    gate = Apply(single(fault.pauli.lower(), 1), (fault.qubit,))
    sources = [*program.sources[:at], None, *program.sources[at:]]
    texts = [*program.texts[:at], None, *program.texts[at:]]
    return _with_code(program, [*code[:at], gate, *code[at:]], sources, texts)


def retarget(statement: Statement, new: Callable[[int], int]) -> Statement:
    """The statement with every successor that it names renumbered."""
    if isinstance(statement, Branch):
        return replace(statement, then=new(statement.then), otherwise=new(statement.otherwise))
    if isinstance(statement, Switch):
        cases = {value: new(target) for value, target in statement.cases.items()}
        return replace(statement, default=new(statement.default), cases=cases)
    if isinstance(statement, Goto | Jump):
        return replace(statement, target=new(statement.target))
    return statement


def _with_code(
    program: Program, code: Sequence[Statement], sources: Sequence[Any], texts: Sequence[str | None]
) -> Program:
    return replace(program, code=tuple(code), sources=tuple(sources), texts=tuple(texts))
