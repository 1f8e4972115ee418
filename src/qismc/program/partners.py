"""Partners of qubits: idle qubits, each entangled with one whose every state is meant.

One vector of a qubit and its partner, |00> + |11>, stands for all states of the qubit at once: projecting the
partner on the conjugate of a state leaves that state. Because nothing ever acts on partners, every execution
from a state is such a projection of an execution of the pair, so what the program does to all states, with
their relative phases, is what it does to one vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from qismc.program.program import Program

REGISTER = "ref"


def with_partners(program: Program, inputs: tuple[int, ...]) -> Program:
    """The same program beside a register of idle qubits, which comes last: one for each input."""
    if not inputs:
        return program
    name, first, count = partner_register(program), program.num_qubits, len(inputs)
    return replace(
        program,
        qubits=(*program.qubits, *(f"{name}[{k}]" for k in range(count))),
        quantum_registers={**program.quantum_registers, name: tuple(range(first, first + count))},
        inputs=inputs,
    )


def partner_register(program: Program) -> str:
    """What the register of partners is called: `ref`, or a variant that no register of the program has."""
    virtual = program.virtual.first if program.virtual else ()
    taken: Sequence[str] = [*program.quantum_registers, *program.variables, *virtual]
    name = REGISTER
    while name in taken:
        name += "_"
    return name
