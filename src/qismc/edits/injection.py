"""The inject-a-Pauli workflow: a program without its final measurements, and the same with one fault."""

from __future__ import annotations

import random
from dataclasses import dataclass

from qismc.edits.edit import Edit, Insert
from qismc.edits.kinds import gate
from qismc.program import Jump, Measure, Program, rewritten

PAULIS = "XYZ"


@dataclass(frozen=True)
class Fault:
    """A Pauli gate on a qubit, before the statement at `point`."""

    pauli: str
    qubit: int
    point: int

    @property
    def edit(self) -> Edit:
        """The insertion of the gate."""
        return Edit("insert-pauli", (Insert(self.point, gate(self.pauli.lower(), self.qubit)),))


def without_final_measurements(program: Program) -> Program:
    """The program without the run of measurements at its end, which nothing can read any more."""
    end = len(program.code) - 1
    while end > 0 and isinstance(program.code[end - 1], Measure):
        end -= 1
    return rewritten(program, dict.fromkeys(range(end, len(program.code) - 1), ()))


def random_fault(program: Program, seed: int) -> Fault:
    """A Pauli, a qubit and a place, all uniformly drawn."""
    rng = random.Random(f"{program.name} {seed}")
    points = [p for p, statement in enumerate(program.code) if not isinstance(statement, Jump)]
    return Fault(rng.choice(PAULIS), rng.randrange(program.num_qubits), rng.choice(points))
