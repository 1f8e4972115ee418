"""The states of `init` on levels: all that hold no qubit of the program are |0>."""

from __future__ import annotations

from qismc.engines import Engine, Vector
from qismc.errors import SpecError
from qismc.language import ONE
from qismc.propositions import KetSum, Proposition, SpanOf, spanning, zeros


def is_all_zero(init: Proposition, num_qubits: int) -> bool:
    return init == SpanOf((KetSum(((ONE, "0" * num_qubits),)),))


def starts(engine: Engine, init: Proposition, num_qubits: int) -> list[Vector]:
    """Vectors over levels, of which the first are the qubits, that span `init`; raises SpecError."""
    if is_all_zero(init, num_qubits):
        return [zeros(engine)]
    qubits = range(num_qubits)
    found = [engine.embedded(vector, qubits) for vector in spanning(engine.sub(qubits), init, "init")]
    if not found:
        raise SpecError("init is the zero space: the program has no start")
    return found
