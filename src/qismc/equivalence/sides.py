"""The two sides of a comparison: programs, the qubits of the input, and where the result is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import qiskit
from qiskit.circuit import Instruction, QuantumRegister, Qubit
from qiskit.quantum_info import Clifford, Operator

from qismc.common.wording import counted, quoted
from qismc.equivalence.inputs import EVERY
from qismc.errors import SpecError, UsageError
from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.read import returned
from qismc.program.statements import Apply, Leaf, Mark
from qismc.program.virtual import Moment
from qismc.spec import syntax
from qismc.spec.parser import parse_subspace
from qismc.subspace.resolve import Qubits, Scope
from qismc.system.edges import Application

WHERE = "a register, qubits such as 'q[0], q[2]', their numbers, or Qiskit's own objects"


@dataclass(frozen=True)
class Side:
    """A program that takes its input on some qubits, the others in |0>, and leaves its result on some."""

    program: Program
    inputs: Qubits
    outputs: Qubits

    @property
    def gates(self) -> tuple[Application, ...] | None:
        """What it applies to its qubits, if that is all it does and all of them are input."""
        code = self.program.code
        if self.inputs != self.outputs or self.inputs != self.program.own_qubits:
            return None
        if not all(isinstance(statement, Apply | Mark | Leaf) for statement in code):
            return None
        return tuple(Application(*statement) for statement in code if isinstance(statement, Apply))

    def start(self, letters: str) -> str | None:
        """`init` for a choice of letters: one per input, EVERY where all states are meant."""
        pairs = list(zip(self.inputs, letters, strict=True))
        fixed, free = ([q for q, a in pairs if (a == EVERY) == free] for free in (False, True))
        parts = [f"(|{letters.replace(EVERY, '')}> on {self._text(fixed)})"] if fixed else []
        parts += [f"(any on {self._text(free)})"] if free else []
        return " /\\ ".join(parts) or None

    def _text(self, qubits: list[int]) -> str:
        """Qubits as a formula names them."""
        return ", ".join(_quoted(self.program.qubits[q]) for q in qubits)


def sides(program: Any, reference: Any, on: Any, to: Any) -> tuple[Side, Side]:
    """Both sides; without `on`, all qubits, those of a transpiled circuit by its layout."""
    given = as_program(program)
    own, model = read_program(given, _name(program)), read_program(as_program(reference), _name(reference))
    if on is None:
        inputs, outputs = _by_layout(own) or (own.own_qubits, own.own_qubits)
    else:
        inputs, outputs = (qubits_of(on, own, given, moment) for moment in Moment)
    outputs = outputs if to is None else qubits_of(to, own, given, Moment.END)
    if outputs and len(inputs) != len(outputs):
        raise UsageError(
            f"the input has {counted(len(inputs), 'qubit')}, the result {counted(len(outputs), 'qubit')}"
        )
    return Side(own, inputs, outputs), _reference(model, inputs, on, to, own)


def _reference(model: Program, inputs: Qubits, on: Any, to: Any, own: Program) -> Side:
    """A reference with as many qubits as the input is meant as it is; a larger one has the same names."""
    outcomes_alone = isinstance(to, list | tuple) and not to
    if model.num_qubits == len(inputs):
        return Side(model, model.own_qubits, () if outcomes_alone else model.own_qubits)
    if on is None:
        message = f"the program has {counted(own.num_qubits, 'qubit')}, the reference {model.num_qubits}"
        raise UsageError(
            message, hint="say with on= (--on) which qubits of the program the reference speaks of"
        )
    start, end = (qubits_of(on, model, None, moment) for moment in Moment)
    return Side(model, start, end if to is None else qubits_of(to, model, None, Moment.END))


def _name(thing: Any) -> str | None:
    """A function's own name; circuits and files have theirs."""
    return getattr(thing, "__name__", None) if callable(thing) else None


def as_program(thing: Any) -> Any:
    """Cliffords, operators, gates and functions as circuits; files are left to the reader of programs."""
    if isinstance(thing, Clifford):
        return thing.to_circuit()
    if isinstance(thing, Operator):
        width = thing.num_qubits
        if width is None or not thing.is_unitary():
            raise UsageError("an Operator that stands for a circuit is a unitary matrix of qubits")
        thing = thing.to_instruction()
    if isinstance(thing, Instruction):
        circuit = qiskit.QuantumCircuit(thing.num_qubits, thing.num_clbits, name=thing.name)
        circuit.append(thing, range(thing.num_qubits), range(thing.num_clbits))
        return circuit
    called = callable(thing) and not isinstance(thing, qiskit.QuantumCircuit)
    return returned(thing) if called else thing


def _by_layout(program: Program) -> tuple[Qubits, Qubits] | None:
    """Where a transpiled circuit takes each qubit of the original, and where it leaves it."""
    if program.virtual is None:
        return None
    first, last = zip(*program.virtual.moved, strict=True)
    return first, last


def qubits_of(where: Any, program: Program, circuit: Any, moment: Moment | None = None) -> Qubits:
    """The qubits that a text, a number, a register, a qubit or a list of these means."""
    if isinstance(where, list | tuple):
        found = tuple(q for item in where for q in qubits_of(item, program, circuit, moment))
        if len(set(found)) < len(found):
            raise UsageError(f"{quoted(where)} names a qubit twice")
        return found
    if isinstance(where, bool) or not isinstance(where, str | int | QuantumRegister | Qubit):
        raise UsageError(f"{quoted(where)} names no qubits", hint=f"give {WHERE}")
    if isinstance(where, int):
        if not 0 <= where < program.num_qubits:
            raise UsageError(
                f"there is no qubit {quoted(where)}", hint=f"the last one is {program.num_qubits - 1}"
            )
        return (where,)
    if isinstance(where, str):
        return _written(where, program, moment)
    if isinstance(where, QuantumRegister):
        return Scope(program, moment=moment).qubits((syntax.Ref(where.name),))
    if not isinstance(circuit, qiskit.QuantumCircuit):
        raise UsageError(f"{quoted(where)} belongs to a circuit", hint="give its number or its name")
    return (circuit.find_bit(where).index,)


def _written(where: str, program: Program, moment: Moment | None) -> Qubits:
    try:
        tree = parse_subspace(f"full on {where}")
    except SpecError:
        tree = syntax.Full()
    if not isinstance(tree, syntax.On):
        raise UsageError(f"'{where}' names no qubits", hint=f"give {WHERE}")
    return Scope(program, moment=moment).qubits(tree.qubits)


def _quoted(name: str) -> str:
    """A qubit's name as the language reads it."""
    register, bracket, index = name.partition("[")
    return f"'{register}'{bracket}{index}"
