"""A random Pauli in a program: what tells whether a checker notices."""

from __future__ import annotations

import random
from dataclasses import dataclass

from qismc.edits.edit import Edit, Insert
from qismc.edits.kinds import gate
from qismc.program import Jump, Program

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


def random_fault(program: Program, seed: int) -> Fault:
    """A Pauli, a qubit and a place, all uniformly drawn."""
    rng = random.Random(f"{program.name} {seed}")
    points = [p for p, statement in enumerate(program.code) if not isinstance(statement, Jump)]
    return Fault(rng.choice(PAULIS), rng.randrange(program.num_qubits), rng.choice(points))
