"""Gates that are easily taken for one another: the inverse, another axis, another sign, other controls.

Conditions that are easily taken for one another: another value, another bit, the opposite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from qismc.program import (
    CONTROLLED,
    MAX_MATRIX_QUBITS,
    Apply,
    Assign,
    AssignAt,
    Base,
    Binary,
    Branch,
    Const,
    Expression,
    Factor,
    Havoc,
    Measure,
    Operator,
    Program,
    Read,
    Statement,
    Switch,
    Unary,
    dense,
    does_what_it_says,
    named_gate,
)

AXES = (
    ("x", "y", "z"), ("rx", "ry", "rz"), ("cx", "cy", "cz"), ("crx", "cry", "crz"), ("rxx", "ryy", "rzz"),
    ("ccx", "ccz"),
)  # fmt: skip
"""Families whose members differ in the axis only."""
INVERSES = {
    "s": "sdg", "t": "tdg", "sx": "sxdg", "cs": "csdg", "ct": "ctdg", "csx": "csxdg", "iswap": "iswapdg",
}  # fmt: skip
INVERSE_NAMES = {**INVERSES, **{inverse: name for name, inverse in INVERSES.items()}}


def inverse(gate: Apply) -> Iterator[Apply]:
    """The gate that undoes a gate, unless it undoes itself."""
    operator = gate.operator
    name = INVERSE_NAMES.get(operator.name)
    if name is not None and does_what_it_says(operator):
        yield Apply(named_gate(name, (), operator.width), gate.qubits)
        return
    adjoint = operator.adjoint
    if adjoint.factors == operator.factors or same_map(operator, adjoint):
        return
    if len(operator.angles) == 1 and does_what_it_says(operator):
        return  # another sign
    renamed = Operator(f"inv @ {operator.name}", operator.width, adjoint.factors, operator.angles)
    yield Apply(renamed, gate.qubits)


def other_axes(gate: Apply) -> Iterator[Apply]:
    """The same gate about another axis."""
    operator = gate.operator
    for family in AXES:
        if operator.name in family and does_what_it_says(operator):
            for name in family:
                if name != operator.name:
                    yield Apply(named_gate(name, operator.angles, operator.width), gate.qubits)


def other_signs(gate: Apply) -> Iterator[Apply]:
    """One angle with the other sign."""
    operator = gate.operator
    if not does_what_it_says(operator):
        return
    for k, angle in enumerate(operator.angles):
        if angle:
            angles = (*operator.angles[:k], -angle, *operator.angles[k + 1 :])
            yield Apply(named_gate(operator.name, angles, operator.width), gate.qubits)


def other_controls(gate: Apply) -> Iterator[Apply]:
    """One control that waits for the other value."""
    for control in shared_controls(gate.operator):
        yield Apply(_flipped(gate.operator, control), gate.qubits)


def shared_controls(operator: Operator) -> list[int]:
    """The local qubits that control every factor."""
    if not operator.factors:
        return []
    return sorted(set.intersection(*({c for c, _ in factor.controls} for factor in operator.factors)))


def _flipped(operator: Operator, control: int) -> Operator:
    factors = tuple(
        Factor(f.base, f.targets, tuple((c, v ^ (c == control)) for c, v in f.controls))
        for f in operator.factors
    )
    return Operator(_controlled_name(operator.name, factors), operator.width, factors, operator.angles)


def _controlled_name(name: str, factors: tuple[Factor, ...]) -> str:
    """`ctrl @ negctrl @ x`, in the words of OpenQASM 3; a plain name where all controls wait for 1."""
    base = factors[0].base
    controls = sorted(factors[0].controls)
    plain = len(factors) == 1 and [c for c, _ in controls] == list(range(len(controls)))
    if not plain or base.entries is not None:
        return f"{name}*"
    if all(value for _, value in controls):
        standard = _standard_name(base, len(controls))
        if standard is not None:
            return standard
    return "".join("ctrl @ " if value else "negctrl @ " for _, value in controls) + base.name


def _standard_name(base: Base, controls: int) -> str | None:
    return next((name for name, known in CONTROLLED.items() if known == (base.name, controls)), None)


def swapped_operands(gate: Apply) -> Iterator[Apply]:
    """Two qubits exchanged, where that matters."""
    for a, b in combinations(range(len(gate.qubits)), 2):
        order = list(range(len(gate.qubits)))
        order[a], order[b] = b, a
        factors = tuple(factor.on(tuple(order)) for factor in gate.operator.factors)
        exchanged = Operator("", gate.operator.width, factors)
        if not same_map(gate.operator, exchanged):
            yield Apply(gate.operator, tuple(gate.qubits[k] for k in order))


def same_map(left: Operator, right: Operator) -> bool:
    """Are the two surely the same up to a phase? Wide operators are compared factor by factor."""
    if left.width != right.width:
        return False
    if left.width > MAX_MATRIX_QUBITS:
        return set(left.factors) == set(right.factors) and len(left.factors) == 1
    first, second = dense(left.factors, left.width), dense(right.factors, right.width)
    return bool(np.isclose(abs(np.vdot(first, second)), len(first), atol=1e-12, rtol=0))


ALL_VALUES_BITS = 4
"""Registers of up to so many bits are tried with every other value, wider ones with one digit changed."""
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def visible_bits(program: Program) -> list[int]:
    """The positions of the store that the user has names for."""
    return sorted({bit for v in program.variables.values() if not v.hidden for bit in v.bits})


def other_conditions(program: Program, statement: Statement) -> Iterator[Statement]:
    """The statement with one thing changed in what it compares."""
    match statement:
        case Branch(condition):
            for other in other_expressions(program, condition):
                yield replace(statement, condition=other)
            yield replace(statement, condition=negated(condition))
        case Switch(target, default, cases):
            for other in _other_bits(program, target):
                yield Switch(other, default, cases)
            yield from _other_cases(statement)


def _other_cases(statement: Switch) -> Iterator[Switch]:
    """Two entries of the table exchanged, or one under a label that is free."""
    labels = sorted(statement.cases)
    width = statement.target.reads.bit_count()
    values = range(1 << width) if width <= ALL_VALUES_BITS else labels
    for label in labels:
        for value in values:
            if value == label or (value in statement.cases and value < label):
                continue
            cases = dict(statement.cases)
            target = cases.pop(label)
            if value in cases:
                cases[label] = cases[value]
            cases[value] = target
            if cases != statement.cases:
                yield replace(statement, cases=cases)


def other_expressions(program: Program, condition: Expression) -> Iterator[Expression]:
    """One constant or one bit of an expression changed."""
    yield from _other_values(condition)
    yield from _other_bits(program, condition)


def negated(condition: Expression) -> Expression:
    """The opposite."""
    match condition:
        case Unary("not", operand):
            return operand
        case Binary("==" | "!=" as op, left, right):
            return Binary("!=" if op == "==" else "==", left, right)
    return Unary("not", condition)


def _other_values(condition: Expression) -> Iterator[Expression]:
    match condition:
        case Binary(op, Read(bits) as read, Const(value)) if op in COMPARISONS:
            for other in _values(len(bits), value):
                yield replace(condition, left=read, right=Const(other))
        case Binary(_, left, right):
            for other_left in _other_values(left):
                yield replace(condition, left=other_left)
            for other_right in _other_values(right):
                yield replace(condition, right=other_right)
        case Unary(_, operand):
            for other_operand in _other_values(operand):
                yield replace(condition, operand=other_operand)


def _values(width: int, value: int) -> Iterator[int]:
    """The nearest first: one digit changed, then the others."""
    others = [v for v in range(1 << width) if v != value] if width <= ALL_VALUES_BITS else []
    near = [value ^ (1 << k) for k in range(width)]
    yield from dict.fromkeys([*near, *others])


def _other_bits(program: Program, expression: Expression) -> Iterator[Expression]:
    """One bit, or one register, read instead of another, where that can be written."""
    visible = visible_bits(program)
    known = {read.bits for read in _reads(expression)} | {(bit,) for bit in single_bits(program)}
    known |= {variable.bits for variable in program.variables.values() if not variable.hidden}
    for other in _renamings(program, expression, visible):
        if other != expression and all(read.bits in known for read in _reads(other)):
            yield other


def _renamings(program: Program, expression: Expression, visible: list[int]) -> Iterator[Expression]:
    read = [bit for bit in visible if expression.reads >> bit & 1]
    for bit in read:
        for other in visible:
            if other != bit and not expression.reads >> other & 1:
                yield renamed_bits(expression, {bit: other})
    for k, bit in enumerate(read):
        for other in read[k + 1 :]:
            yield renamed_bits(expression, {bit: other, other: bit})
    for bits in sorted({read.bits for read in _reads(expression) if len(read.bits) > 1}):
        for variable in program.variables.values():
            if len(variable.bits) == len(bits) and not expression.reads & variable.mask:
                yield renamed_bits(expression, dict(zip(bits, variable.bits, strict=True)))


def _reads(expression: Expression) -> Iterator[Read]:
    match expression:
        case Read():
            yield expression
        case Unary(_, operand):
            yield from _reads(operand)
        case Binary(_, left, right):
            yield from _reads(left)
            yield from _reads(right)


def single_bits(program: Program) -> list[int]:
    """The bits that can be read, and measured into, one by one: no digits of numbers."""
    measured = {statement.bit for statement in program.code if isinstance(statement, Measure)}
    alone = {v.bits[0] for v in program.variables.values() if len(v.bits) == 1}
    numbers = {bit for s in program.code if isinstance(s, Assign | AssignAt | Havoc) for bit in s.bits}
    return [bit for bit in visible_bits(program) if bit in measured or bit in alone or bit not in numbers]


def renamed_bits(expression: Expression, new: Mapping[int, int]) -> Expression:
    """The expression that reads other positions of the store in the place of some.

    A register that is compared with a value keeps its bits where it can: the value is written differently.
    """
    match expression:
        case Binary("==" | "!=", Read(bits), Const(value)) if not value >> len(bits):
            places = [new.get(bit, bit) for bit in bits]
            if sorted(places) == sorted(bits):
                other = sum((value >> k & 1) << bits.index(place) for k, place in enumerate(places))
                return replace(expression, right=Const(other))
            return replace(expression, left=Read(tuple(places)))
        case Read(bits):
            return replace(expression, bits=tuple(new.get(bit, bit) for bit in bits))
        case Unary(_, operand):
            return replace(expression, operand=renamed_bits(operand, new))
        case Binary(_, left, right):
            return replace(expression, left=renamed_bits(left, new), right=renamed_bits(right, new))
        case Const():
            return expression
