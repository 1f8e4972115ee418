"""A fingerprint of what a program does: two programs with one fingerprint have the same transition system."""

from __future__ import annotations

import hashlib

from qismc.program.operators import Operator
from qismc.program.program import Program
from qismc.program.statements import Apply, Channel, Initialize


def fingerprint(program: Program) -> str:
    """The hash of code, registers, variables and start; file names and source positions are left out."""
    return program.once("fingerprint", _fingerprint)


def _fingerprint(program: Program) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(_layout_text(program).encode())
    marks = sorted(program.marked.items())
    digest.update(f"([{', '.join(_texts(program))}], {marks!r})".encode())
    return digest.hexdigest()


def _layout_text(program: Program) -> str:
    """Qubits, registers, variables, and the store at the start."""
    layout = (program.qubits, dict(program.quantum_registers), dict(program.variables), program.store_width)
    return repr((layout, program.initial_store))


def _texts(program: Program) -> list[str]:
    """What each statement does, as text."""
    operators: dict[int, int] = {}
    places: dict[tuple[int, ...], str] = {}
    found: list[str] = []
    for statement in program.code:
        if type(statement) is Apply:  # by far the most
            operator, qubits = statement
            number = operators.get(id(operator))
            if number is None:
                number = _number(operator, operators, found)
            place = places.get(qubits)
            if place is None:
                place = places[qubits] = repr(qubits)
            found.append(f"({number}, {place})")
            continue
        match statement:
            case Initialize(qubits, preparation):
                found.append(repr(("initialize", _number(preparation, operators, found), qubits)))
            case Channel(qubits, kraus):
                found.append(repr(("channel", [_number(k, operators, found) for k in kraus], qubits)))
            case _:
                found.append(repr(statement))
    return found


def _number(operator: Operator, known: dict[int, int], found: list[str]) -> int:
    """The number of an operator. Its factors are written to `found` where it first occurs."""
    if id(operator) not in known:
        known[id(operator)] = len(known)
        found.append(repr((operator.width, operator.factors)))
    return known[id(operator)]
