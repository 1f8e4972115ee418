"""A fingerprint of what a program does: two programs with one fingerprint have the same transition system."""

from __future__ import annotations

import hashlib

from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize


def fingerprint(program: Program) -> str:
    """Of code, registers, variables and start; names of files and places in them do not matter."""
    digest = hashlib.blake2b(digest_size=16)
    layout = (program.qubits, dict(program.quantum_registers), dict(program.variables), program.store_width)
    digest.update(repr((layout, program.initial_store)).encode())
    operators: dict[int, int] = {}
    code: list[object] = []
    for statement in program.code:
        match statement:
            case Apply(operator, qubits):
                code.append((_number(operator, operators, code), qubits))
            case Initialize(qubits, preparation):
                code.append(("initialize", _number(preparation, operators, code), qubits))
            case Channel(qubits, kraus):
                code.append(("channel", [_number(k, operators, code) for k in kraus], qubits))
            case _:
                code.append(statement)
    digest.update(repr((code, sorted(program.marked.items()))).encode())
    return digest.hexdigest()


def _number(operator: Operator, known: dict[int, int], code: list[object]) -> int:
    """Long programs repeat few operators: each is spelled out where it first occurs."""
    if id(operator) not in known:
        known[id(operator)] = len(known)
        code.append((operator.width, operator.factors))
    return known[id(operator)]
