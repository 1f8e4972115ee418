"""A fingerprint of what a program does: two programs with one fingerprint have the same transition system."""

from __future__ import annotations

import hashlib

from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize, Statement


def fingerprint(program: Program) -> str:
    """Of code, registers, variables and start; names of files and places in them do not matter."""
    return program.once("fingerprint", _fingerprint)


def _fingerprint(program: Program) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(setting_text(program).encode())
    digest.update(f"[{', '.join(_texts(program))}]".encode())
    return digest.hexdigest()


def setting_text(program: Program) -> str:
    """All that is no code: qubits, registers, variables, the store at the start, marks."""
    layout = (program.qubits, dict(program.quantum_registers), dict(program.variables), program.store_width)
    return repr((layout, program.initial_store, sorted(program.marked.items())))


def _texts(program: Program) -> list[str]:
    """What each statement does, as text."""
    operators: dict[int, int] = {}
    places: dict[tuple[int, ...], str] = {}
    found: list[str] = []
    for statement in program.code:
        if type(statement) is not Apply:
            found.append(text_of_crossing(statement))
            continue
        operator, qubits = statement
        number = operators.get(id(operator))
        if number is None:  # long programs repeat few operators: each is spelled out where it first occurs
            number = operators[id(operator)] = len(operators)
            found.append(repr(_factors(operator)))
        place = places.get(qubits)
        if place is None:
            place = places[qubits] = repr(qubits)
        found.append(f"({number}, {place})")
    return found


def text_of_crossing(statement: Statement) -> str:
    """What a statement does that is no gate."""
    match statement:
        case Initialize(qubits, preparation):
            return repr(("initialize", qubits, _factors(preparation)))
        case Channel(qubits, kraus):
            return repr(("channel", qubits, [_factors(operator) for operator in kraus]))
        case _:
            return repr(statement)


def _factors(operator: Operator) -> tuple[object, ...]:
    """What an operator does, whatever it is called."""
    return operator.width, operator.factors
