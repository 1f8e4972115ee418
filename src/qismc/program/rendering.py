"""Statements as OpenQASM-like text: `cx q[0], q[1]`, `measure q[2] -> c[0]`, `while (c == 1)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import pi
from typing import Protocol

from qismc.common.wording import plain_number
from qismc.program import statements
from qismc.program.classical import Binary, Const, Expression, Read, Unary, Variable


class Named(Protocol):
    """What has names for its qubits and for the positions of its store: a program."""

    @property
    def qubits(self) -> Sequence[str]: ...

    @property
    def variables(self) -> Mapping[str, Variable]: ...


WORDS = {"and": "&&", "or": "||", "not": "!"}


def render(program: Named, statement: statements.Statement) -> str:
    """One statement as the user would write it in OpenQASM."""
    match statement:
        case statements.Apply(operator, qubits):
            return gate_text(operator.label or operator.name, operator.angles, _qubits(program, qubits))
        case statements.Measure(qubit, bit):
            return f"measure {program.qubits[qubit]} -> {bits_text(program, (bit,))}"
        case statements.Reset(qubit):
            return f"reset {program.qubits[qubit]}"
        case statements.Initialize(qubits, preparation):
            name = preparation.label or preparation.name
            return gate_text(name, preparation.angles, _qubits(program, qubits))
        case statements.Channel(qubits, kraus):
            return f"channel({len(kraus)} Kraus operators) {_qubits(program, qubits)}"
        case statements.Assign(bits, value):
            return f"{bits_text(program, bits)} = {expression_text(program, value)}"
        case statements.AssignAt(bits, index, value):
            place = expression_text(program, index)
            return f"{bits_text(program, bits)}[{place}] = {expression_text(program, value)}"
        case statements.Havoc(bits):
            return f"input {bits_text(program, bits)}"
        case _:
            return _control_text(program, statement)


def _control_text(program: Named, statement: statements.Statement) -> str:
    match statement:
        case statements.Branch(condition, loop=loop):
            return f"{'while' if loop else 'if'} ({expression_text(program, condition)})"
        case statements.Switch(target):
            return f"switch ({expression_text(program, target)})"
        case statements.Goto(loop=loop):
            return "for" if loop else "goto"
        case statements.Mark(name):
            return f"mark {name}"
        case statements.Jump() | statements.Leaf():
            return "jump" if isinstance(statement, statements.Jump) else "end"
        case _:
            raise TypeError(f"not a statement: {statement!r}")


def gate_text(name: str, angles: tuple[float, ...], operands: str) -> str:
    """`rx(pi/2) q[0]`."""
    inside = f"({', '.join(map(angle_text, angles))})" if angles else ""
    return f"{name}{inside} {operands}".rstrip()


ROUNDING = 8 * 2.0**-52
"""Largest distance of an angle a from a multiple of pi that is written as such, in units of max(1, |a|)."""


def angle_text(angle: float) -> str:
    """`3*pi/4` where that is what the number is, else its shortest decimal form."""
    ratio = Fraction(angle / pi).limit_denominator(1024)
    if not ratio or abs(float(ratio) * pi - angle) > ROUNDING * max(1.0, abs(angle)):
        return f"{angle:g}" if float(f"{angle:g}") == angle else repr(float(angle))
    top = {1: "pi", -1: "-pi"}.get(ratio.numerator, f"{ratio.numerator}*pi")
    return top if ratio.denominator == 1 else f"{top}/{ratio.denominator}"


def _qubits(program: Named, qubits: tuple[int, ...]) -> str:
    return ", ".join(program.qubits[q] for q in qubits)


def bits_text(program: Named, bits: tuple[int, ...]) -> str:
    """The user's name for some positions of the store."""
    for variable in program.variables.values():
        if variable.bits == bits:
            single = len(bits) == 1 and not variable.is_bit
            return f"{variable.name}[0]" if single else variable.name
    for variable in program.variables.values():
        if len(bits) == 1 and bits[0] in variable.bits:
            return f"{variable.name}[{variable.bits.index(bits[0])}]"
    return "{" + ", ".join(bits_text(program, (bit,)) for bit in bits) + "}" if len(bits) > 1 else "?"


def expression_text(program: Named, expression: Expression) -> str:
    """An expression with every operator but the outermost in parentheses."""
    match expression:
        case Const(value):
            return str(plain_number(value))
        case Read(bits):
            return bits_text(program, bits)
        case Unary("bool", operand):
            return expression_text(program, operand)
        case Unary(op, operand):
            return f"{WORDS.get(op, op)}{_nested(program, operand)}"
        case Binary("index", left, right):
            return f"{_nested(program, left)}[{expression_text(program, right)}]"
        case Binary(op, left, right):
            return f"{_nested(program, left)} {WORDS.get(op, op)} {_nested(program, right)}"


def _nested(program: Named, expression: Expression) -> str:
    text = expression_text(program, expression)
    return f"({text})" if isinstance(expression, Binary) and expression.op != "index" else text
