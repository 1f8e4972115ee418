"""Toy programs: a syntax tree that becomes a Qiskit circuit, and that the reference walks by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qiskit.circuit import Gate as QiskitGate

from qismc import QuantumCircuit


@dataclass(frozen=True, eq=False)
class Gate:
    """A unitary gate of Qiskit on some qubits."""

    operation: QiskitGate
    qubits: tuple[int, ...]

    def __repr__(self) -> str:
        state = getattr(self.operation, "ctrl_state", "")
        return f"Gate({self.operation.name}{self.operation.params}{state}, {self.qubits})"


@dataclass(frozen=True)
class Measure:
    """Measure a qubit into a bit."""

    qubit: int
    bit: int


@dataclass(frozen=True)
class Reset:
    """Put a qubit to |0>."""

    qubit: int


@dataclass(frozen=True)
class Mark:
    """A named point."""

    name: str


@dataclass(frozen=True)
class Break:
    """Leave the innermost loop."""


@dataclass(frozen=True)
class Test:
    """Is the bit (None: the whole register) equal to the value?"""

    __test__ = False

    bit: int | None
    value: int

    def holds(self, store: int) -> bool:
        return (store if self.bit is None else store >> self.bit & 1) == self.value


@dataclass(frozen=True)
class If:
    """if test: then else: otherwise."""

    test: Test
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True)
class While:
    """while test: body."""

    test: Test
    body: Block


Statement = Gate | Measure | Reset | Mark | Break | If | While
Block = tuple[Statement, ...]


@dataclass(frozen=True)
class Toy:
    """A program over qubits and one register of bits that starts at 0."""

    num_qubits: int
    num_bits: int
    body: Block

    @property
    def marks(self) -> list[str]:
        return sorted({s.name for s in flatten(self.body) if isinstance(s, Mark)})

    def circuit(self) -> QuantumCircuit:
        """The same program for Qiskit."""
        circuit = QuantumCircuit(self.num_qubits, self.num_bits)
        _append(circuit, self.body)
        return circuit


def arms(statement: Statement) -> tuple[Block, ...]:
    """The blocks inside a statement."""
    if isinstance(statement, If):
        return statement.then, statement.otherwise
    return (statement.body,) if isinstance(statement, While) else ()


def flatten(block: Block) -> list[Statement]:
    """All statements, outer ones before inner ones."""
    return [
        s for statement in block for s in (statement, *(x for arm in arms(statement) for x in flatten(arm)))
    ]


def _append(circuit: QuantumCircuit, block: Sequence[Statement]) -> None:
    for statement in block:
        if isinstance(statement, Gate):
            circuit.append(statement.operation, statement.qubits)
        elif isinstance(statement, Measure):
            circuit.measure(statement.qubit, statement.bit)
        elif isinstance(statement, Reset):
            circuit.reset(statement.qubit)
        elif isinstance(statement, Mark):
            circuit.mark(statement.name)
        elif isinstance(statement, Break):
            circuit.break_loop()
        elif isinstance(statement, If):
            _branch(circuit, statement)
        else:
            with circuit.while_loop(_condition(circuit, statement.test)):
                _append(circuit, statement.body)


def _branch(circuit: QuantumCircuit, statement: If) -> None:
    with circuit.if_test(_condition(circuit, statement.test)) as otherwise:
        _append(circuit, statement.then)
    if statement.otherwise:
        with otherwise:
            _append(circuit, statement.otherwise)


def _condition(circuit: QuantumCircuit, test: Test) -> tuple[object, int]:
    return (circuit.cregs[0] if test.bit is None else circuit.clbits[test.bit]), test.value
