"""Helper qubits that are not given back: at the end they are entangled with others, or not in |0>.

Which qubits are helpers only the program's words tell: those of an `AncillaRegister`, and of registers that
are called anc, ancilla, aux, helper, scratch, work or the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qismc.engines import Vector
from qismc.errors import LimitReached
from qismc.evidence.hints.hint import Hint
from qismc.fixpoint import Solved
from qismc.limits import Effort
from qismc.program import PROJECT, Leaf, Measure, Program
from qismc.system import Application

HELPER = re.compile(
    r"(anc|ancillas?|ancillae|aux|auxiliary|helpers?|scratch|work|workspace)(_?\d*|_.*)", re.I
)
MOST_QUESTIONS = 2_000
QUESTION = 4
"""Scalar operations of a question for each byte of a state."""


def helpers(program: Program) -> list[int]:
    """The qubits that the program calls helpers."""
    named = {
        q for name, qubits in program.quantum_registers.items() if HELPER.fullmatch(name) for q in qubits
    }
    return sorted((named | set(program.ancillas)) & set(program.own_qubits))


def unclean(solved: Solved, effort: Effort) -> Iterator[tuple[int, Hint]]:
    """(point, remark) for helpers that some execution ends with: measured ones are left as they were found.

    With angles that unknowns stand for, nothing is said: a state may be special for the angles themselves.
    """
    program = solved.system.program
    measured = {statement.qubit for statement in program.code if isinstance(statement, Measure)}
    wanted = [q for q in helpers(program) if q not in measured]
    if not wanted or solved.engine.assumed.tentative:
        return
    asked = 0
    found: dict[int, str] = {}
    end = len(program.code) - 1
    for vector in _ends(solved):
        for qubit in wanted:
            asked += 1
            effort.spend(QUESTION * solved.engine.bytes_of(vector))
            if asked > MOST_QUESTIONS:
                raise LimitReached("more questions about the end than observations are worth")
            if qubit not in found or found[qubit] != ENTANGLED:
                state = _left(solved, vector, qubit)
                if state is not None:
                    found[qubit] = state
    for qubit, state in found.items():
        yield end, Hint("unclean", f"at the end {program.qubits[qubit]} {state}", program.sources[end])


ENTANGLED = "is still entangled with other qubits, in some execution"
NOT_ZERO = "is not |0>, in some execution"


def _ends(solved: Solved) -> Iterator[Vector]:
    """The states of executions at the end."""
    code = solved.system.program.code
    for node in solved.system.nodes:
        if isinstance(code[node.last], Leaf):
            for found in solved.posts.at(node, node.last):
                yield found.vector


def _left(solved: Solved, vector: Vector, qubit: int) -> str | None:
    """What is wrong with a helper: its Schmidt vectors span more than a line, or that is not |0>."""
    engine = solved.engine
    one = engine.compile([Application(PROJECT[1], (qubit,))])
    if engine.is_zero(engine.run(one, vector)):
        return None
    span = engine.sub((qubit,)).span()
    for part in engine.slices(vector, (qubit,)):
        span.add(part)
    return ENTANGLED if span.dimension > 1 else NOT_ZERO
