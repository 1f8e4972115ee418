"""What `on` and `to` mean: the qubits that texts, numbers and Qiskit's own objects name."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
import qiskit
from qiskit.circuit import QuantumRegister, Qubit
from qiskit.circuit.exceptions import CircuitError

from qismc.common.wording import counted, quoted
from qismc.errors import SpecError, UsageError
from qismc.language import parse_subspace, syntax
from qismc.program import Moment, Program
from qismc.propositions import Qubits, Scope

WHERE = "a register, qubits such as 'q[0], q[2]', their numbers, or Qiskit's own objects"
LISTS = (list, tuple, range, np.ndarray)
"""Sets are none: the order of the qubits matters."""


def qubits_of(where: Any, program: Program, circuit: Any, moment: Moment) -> Qubits:
    """The qubits of a program that `where` names; `circuit` is what the program was read from."""
    try:
        found = tuple(_listed(where, program, circuit, moment))
    except RecursionError:
        raise UsageError(f"{quoted(where)} names no qubits", hint=f"give {WHERE}") from None
    if len(set(found)) < len(found):
        raise UsageError(f"{quoted(where)} names a qubit twice")
    return found


def name_of(qubit: int, program: Program) -> str:
    """A qubit's name as the language reads it."""
    register, bracket, number = program.qubits[qubit].partition("[")
    return f"'{register}'{bracket}{number}"


def by_name(where: Any, program: Program, circuit: Any) -> Any:
    """The same with names instead of Qiskit's qubits, so that another program can be asked."""
    if isinstance(where, LISTS):
        return [by_name(item, program, circuit) for item in _items(where)]
    if isinstance(where, Qubit):
        return [name_of(q, program) for q in _of_circuit(where, program, circuit, Moment.START)]
    return where


def _items(where: Any) -> list[Any]:
    return np.atleast_1d(where).tolist() if isinstance(where, np.ndarray) else list(where)


def _listed(where: Any, program: Program, circuit: Any, moment: Moment) -> Iterable[int]:
    if isinstance(where, LISTS):
        return [q for item in _items(where) for q in _listed(item, program, circuit, moment)]
    if isinstance(where, str):
        return _written(where, program, moment)
    if isinstance(where, QuantumRegister):
        return _register(where, program, moment)
    if isinstance(where, Qubit):
        return _of_circuit(where, program, circuit, moment)
    return [_numbered(where, program)]


def _numbered(where: Any, program: Program) -> int:
    try:
        number = index(where)
    except TypeError:
        number = None
    if number is None or isinstance(where, bool):
        raise UsageError(f"{quoted(where)} names no qubits", hint=f"give {WHERE}")
    if not 0 <= number < program.num_qubits:
        hint = f"the last one of {program.name} is {program.num_qubits - 1}"
        raise UsageError(f"there is no qubit {quoted(where)}", hint=hint)
    return number


def _register(where: QuantumRegister, program: Program, moment: Moment) -> Qubits:
    found = Scope(program, moment=moment).qubits((syntax.Ref(where.name),))
    if len(found) != where.size:
        here = counted(len(found), "qubit")
        raise UsageError(f"the register '{where.name}' has {where.size} qubits, in {program.name} {here}")
    return found


def _of_circuit(where: Qubit, program: Program, circuit: Any, moment: Moment) -> Qubits:
    """A qubit of the circuit, or of the one that it was transpiled from."""
    if not isinstance(circuit, qiskit.QuantumCircuit):
        raise UsageError(f"{quoted(where)} belongs to a circuit", hint="give its number or its name")
    try:
        return (circuit.find_bit(where).index,)
    except CircuitError:
        number = None
    if program.virtual is not None and circuit.layout is not None:
        number = circuit.layout.input_qubit_mapping.get(where)
    if number is None or program.virtual is None or number >= len(program.virtual.moved):
        raise UsageError(f"{quoted(where)} is no qubit of {program.name}", hint=f"give {WHERE}")
    first, last = program.virtual.moved[number]
    return (first if moment is Moment.START else last,)


def _written(where: str, program: Program, moment: Moment) -> Qubits:
    try:
        tree = parse_subspace(f"full on {where}")
    except SpecError:
        tree = syntax.Full()
    if not isinstance(tree, syntax.On):
        raise UsageError(f"'{where}' names no qubits", hint=f"give {WHERE}")
    return Scope(program, moment=moment).qubits(tree.qubits)
