"""The two sides of a comparison: programs, the qubits of the input, and where the result is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import Any, NamedTuple

import numpy as np
import qiskit
from qiskit.circuit import Instruction, QuantumRegister, Qubit
from qiskit.circuit.exceptions import CircuitError
from qiskit.quantum_info import Clifford, Operator

from qismc.common.wording import counted, quoted
from qismc.equivalence.inputs import EVERY
from qismc.errors import SpecError, UsageError
from qismc.language import parse_subspace, syntax
from qismc.program import Apply, Leaf, Mark, Moment, Program, read_program, returned
from qismc.propositions import Qubits, Scope, qubit_list
from qismc.system import Application

MOST_PLACES = 8
"""Layouts of more qubits are not written out."""


@dataclass(frozen=True)
class Side:
    """A program that takes its input on some qubits, the others in |0>, and leaves its result on some."""

    program: Program
    inputs: Qubits
    outputs: Qubits

    @property
    def gates(self) -> tuple[Application, ...] | None:
        """What it applies, if that is all and every qubit is one of the result; qubit k is outputs[k]."""
        applies_gates = all(isinstance(statement, Apply | Mark | Leaf) for statement in self.program.code)
        if not applies_gates or sorted(self.outputs) != list(self.program.own_qubits):
            return None
        places = {q: k for k, q in enumerate(self.outputs)}
        applied = (statement for statement in self.program.code if isinstance(statement, Apply))
        return tuple(Application(s.operator, tuple(places[q] for q in s.qubits)) for s in applied)

    @property
    def entries(self) -> Qubits:
        """Where the inputs are among the results."""
        return tuple(self.outputs.index(q) for q in self.inputs)

    @property
    def writes(self) -> bool:
        """Does it ever give a bit or a variable of the user a value?"""
        shown = {bit for v in self.program.variables.values() if not v.hidden for bit in v.bits}
        return any(not shown.isdisjoint(statement.bits) for statement in self.program.code)

    @property
    def inputs_text(self) -> str:
        """`on every input of q`."""
        named = qubit_list(self.program, self.inputs)
        return f"on every input of {named}" if named else "from |0> on all qubits"

    def input_text(self, letters: str) -> str:
        """` on the input |0+> of q`; nothing where there is no such input."""
        if EVERY in letters or not letters:
            return ""
        return f" on the input |{letters}> of {qubit_list(self.program, self.inputs)}"

    def start(self, letters: str) -> str | None:
        """`init` for a choice of letters: one per input, EVERY where all states are meant."""
        pairs = list(zip(self.inputs, letters, strict=True))
        fixed, free = ([q for q, a in pairs if (a == EVERY) == free] for free in (False, True))
        parts = [f"(|{letters.replace(EVERY, '')}> on {self._text(fixed)})"] if fixed else []
        parts += [f"(any on {self._text(free)})"] if free else []
        return " /\\ ".join(parts) or None

    def _text(self, qubits: list[int]) -> str:
        """Qubits as a formula names them."""
        return ", ".join(name_of(q, self.program) for q in qubits)


class Sides(NamedTuple):
    """The program, the reference, and what to say about the qubits that are compared."""

    own: Side
    other: Side
    notes: tuple[str, ...] = ()


def sides(program: Any, reference: Any, on: Any, to: Any) -> Sides:
    """Both sides; without `on`, all qubits, those of a transpiled circuit by its layout."""
    given = as_program(program)
    own, model = read_program(given, _name(program)), read_program(as_program(reference), _name(reference))
    if on is None:
        found = _everything(own, model)
        if to is not None:
            outputs = qubits_of(to, own, given, Moment.END)
            found = found._replace(own=replace(found.own, outputs=outputs))
            found = found if outputs else found._replace(other=replace(found.other, outputs=()))
    else:
        inputs = qubits_of(on, own, given, Moment.START)
        side = Side(own, inputs, qubits_of(on if to is None else to, own, given, Moment.END))
        found = _reference(side, model, (on, on if to is None else to), given)
    have, want = len(found.own.inputs), len(found.own.outputs)
    if have and want and have != want:
        raise UsageError(f"the input has {counted(have, 'qubit')}, the result {counted(want, 'qubit')}")
    return found


# --- qubits by layouts --------------------------------------------------------------------------------------


def _whole(program: Program) -> Side:
    """The qubits of the original where there is a layout, else all qubits."""
    if program.virtual is None:
        return _physical(program)
    moved = program.virtual.moved
    return Side(program, tuple(first for first, _ in moved), tuple(last for _, last in moved))


def _physical(program: Program) -> Side:
    return Side(program, program.own_qubits, program.own_qubits)


def _everything(own: Program, model: Program) -> Sides:
    """All qubits of both, by their layouts; a layout that does not fit the other side is left aside."""
    mine, theirs = _whole(own), _whole(model)
    if len(mine.inputs) == len(theirs.inputs):
        return Sides(mine, theirs, (*_placed("the program", mine), *_placed("the reference", theirs)))
    one_layout = (own.virtual is None) != (model.virtual is None)
    if one_layout and own.num_qubits == model.num_qubits:
        who = "the program" if own.virtual else "the reference"
        return Sides(_physical(own), _physical(model), _aside(who))
    message = f"the program has {_count(own)}, the reference {_count(model)}"
    raise UsageError(message, hint="say with on= (--on) which qubits of the program the reference speaks of")


def _reference(own: Side, model: Program, named: tuple[Any, Any], circuit: Any) -> Sides:
    """A reference with as many qubits as the input is meant as it is; a larger one has the same qubits."""
    width = len(own.inputs) or len(own.outputs)
    whole = _whole(model)
    if len(whole.inputs) != width and model.num_qubits == width:
        other, notes = _physical(model), _aside("the reference")
    elif len(whole.inputs) == width:
        other, notes = whole, _placed("the reference", whole)
    else:
        return Sides(own, _larger(own, model, named, circuit), ())
    other = replace(other, inputs=other.inputs if own.inputs else ())
    return Sides(own, replace(other, outputs=other.outputs if own.outputs else ()), notes)


def _larger(own: Side, model: Program, named: tuple[Any, Any], circuit: Any) -> Side:
    """The qubits of the same names; beside a layout, the same qubits of the original.

    `named` are the qubits of the input and of the result as they were given, perhaps as those of a circuit.
    """
    if own.program.virtual is None and model.virtual is None:
        on, to = (by_name(where, own.program, circuit) for where in named)
        inputs, outputs = qubits_of(on, model, None, Moment.START), qubits_of(to, model, None, Moment.END)
        for mine, theirs in ((own.inputs, inputs), (own.outputs, outputs)):
            if len(mine) != len(theirs):
                what = f"{counted(len(mine), 'qubit')} of the program, {len(theirs)} of the reference"
                raise UsageError(f"the same names mean {what}")
        return Side(model, inputs, outputs)
    return _larger_by_layout(own, model)


def _larger_by_layout(own: Side, model: Program) -> Side:
    mine, theirs = _whole(own.program), _whole(model)
    if len(mine.inputs) != len(theirs.inputs):
        raise UsageError(f"the program has {_count(own.program)}, the reference {_count(model)}")
    inputs = _carried(own.program, own.inputs, mine.inputs, theirs.inputs, "at the start")
    return Side(model, inputs, _carried(own.program, own.outputs, mine.outputs, theirs.outputs, "at the end"))


def _carried(program: Program, named: Qubits, mine: Qubits, theirs: Qubits, when: str) -> Qubits:
    """Where the reference keeps the qubits of the original that the named ones hold."""
    numbers = {q: k for k, q in enumerate(mine)}
    for q in named:
        if q not in numbers:
            raise UsageError(f"{program.qubits[q]} of {program.name} holds no qubit of the original {when}")
    return tuple(theirs[numbers[q]] for q in named)


# --- qubits as they are named ------------------------------------------------------------------------------

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


# --- words --------------------------------------------------------------------------------------------------


def _count(program: Program) -> str:
    """`3 qubits (5 with those that its layout adds)`."""
    count = len(_whole(program).inputs)
    added = f" ({program.num_qubits} with those that its layout adds)"
    return counted(count, "qubit") + (added if count != program.num_qubits else "")


def _placed(who: str, side: Side) -> tuple[str, ...]:
    """Where a layout puts qubits, unless every qubit stays where it was."""
    if side.inputs == side.outputs == tuple(range(len(side.inputs))):
        return ()
    where = f"start on {_places(side.inputs)}"
    if side.outputs != side.inputs:
        where += f" and end on {_places(side.outputs)}"
    return (f"by the layout of {who}, its qubits {where}",)


def _places(qubits: Sequence[int]) -> str:
    """Physical numbers in the original's order."""
    shown = ", ".join(map(str, qubits[:MOST_PLACES]))
    return shown if len(qubits) <= MOST_PLACES else f"{shown}, …"


def _aside(who: str) -> tuple[str, ...]:
    return (f"the layout of {who} was left aside: compared qubit by qubit",)


# --- what stands for a program ------------------------------------------------------------------------------


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
