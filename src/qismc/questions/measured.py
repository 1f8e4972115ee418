"""Propositions about qubits that were measured, read off the bits that hold the outcomes.

At a location, a qubit whose last measurement some bit tells is |b>, where b is that bit. So what a formula
says of such qubits at the end is a formula about bits: many locations are asked together, without a vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from qismc.language import syntax
from qismc.propositions import (
    Join,
    KetSum,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    State,
    Whole,
    at_the_end,
    subspace_of,
)
from qismc.questions.names import Names, mentions_post
from qismc.system import records_at_the_end

TRUE, FALSE = syntax.Constant(True), syntax.Constant(False)
Bits = Mapping[int, syntax.Formula]
"""For each measured qubit, the formula that says that it is |1>."""


def read_off(formula: syntax.Formula, names: Names) -> syntax.Formula:
    """The formula with bits in the place of propositions that matter at the end only and that bits tell."""
    bits = _bits(names)
    return _read_off(formula, names, bits, at_end=False) if bits else formula


def _bits(names: Names) -> Bits:
    program = names.program
    named: dict[int, syntax.Formula] = {}
    for name, variable in program.variables.items():
        if not variable.hidden:
            named.update({bit: syntax.Bit(syntax.Ref(name, k)) for k, bit in enumerate(variable.bits)})
    records = records_at_the_end(program)
    return {qubit: named[bit] for qubit, bit in records.items() if bit in named}


def _read_off(formula: syntax.Formula, names: Names, bits: Bits, *, at_end: bool) -> syntax.Formula:
    parts = at_the_end(formula, known=at_end)
    sides = tuple(_read_off(part, names, bits, at_end=there) for part, there in parts)
    if isinstance(formula, syntax.Temporal | syntax.Probability):
        return replace(formula, operands=sides)
    if sides:
        return type(formula)(*sides)  # type: ignore[arg-type]
    tree = subspace_of(formula, names.scope) if at_end else None
    if tree is None or mentions_post(formula, names.scope):
        return formula
    found = _member(names.meaning(tree), bits)
    return formula if found is None else found


# --- which basis states a proposition has ------------------------------------------------------------------


def _member(proposition: Proposition, bits: Bits) -> syntax.Formula | None:
    """Which values of the bits put a basis state inside; None if that is not seen by the text."""
    match proposition:
        case SpanOf((KetSum(((_, letters),)),), qubits) if set(letters) - {"0", "1"}:
            return FALSE if _are_measured(letters, qubits, bits) else None
        case Stabilised(paulis, qubits) if any(set(string) - {"I", "Z"} for _, string in paulis):
            acted = [q for _, string in paulis for q, p in zip(qubits, string, strict=True) if p != "I"]
            return FALSE if all(q in bits for q in acted) else None
    return _basis(proposition, bits)


def _basis(proposition: Proposition, bits: Bits) -> syntax.Formula | None:
    """The same for a proposition that basis states span; None for others."""
    match proposition:
        case Whole():
            return TRUE
        case Nothing():
            return FALSE
        case SpanOf(states, qubits):
            return _joined(syntax.Or, [_ket(state, qubits, bits) for state in states])
        case Stabilised(paulis, qubits):
            return _joined(syntax.And, [_sign(sign, string, qubits, bits) for sign, string in paulis])
        case Perp(operand):
            found = _basis(operand, bits)
            return None if found is None else syntax.Not(found)
        case Meet(left, right):
            return _joined(syntax.And, [_basis(left, bits), _basis(right, bits)])
        case Join(left, right):
            return _joined(syntax.Or, [_basis(left, bits), _basis(right, bits)])
    return None


def _joined(
    connective: type[syntax.And] | type[syntax.Or], parts: list[syntax.Formula | None]
) -> syntax.Formula | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    return reduce(connective, known) if known else syntax.Constant(connective is syntax.And)


def _are_measured(letters: str, qubits: tuple[int, ...] | None, bits: Bits) -> bool:
    return all(qubit in bits for qubit in (range(len(letters)) if qubits is None else qubits))


def _ket(state: State, qubits: tuple[int, ...] | None, bits: Bits) -> syntax.Formula | None:
    match state:
        case KetSum(((_, letters),)) if set(letters) <= {"0", "1"} and _are_measured(letters, qubits, bits):
            told = [bits[q] for q in (range(len(letters)) if qubits is None else qubits)]
            pairs = zip(letters, told, strict=True)
            return _joined(syntax.And, [bit if letter == "1" else syntax.Not(bit) for letter, bit in pairs])
    return None


def _sign(sign: int, string: str, qubits: tuple[int, ...], bits: Bits) -> syntax.Formula | None:
    """A string of Z has the eigenvalue (-1)^(number of ones)."""
    acted = [qubit for qubit, letter in zip(qubits, string, strict=True) if letter != "I"]
    if set(string) - {"I", "Z"} or any(qubit not in bits for qubit in acted):
        return None
    odd: syntax.Formula = FALSE if sign > 0 else TRUE
    for qubit in acted:
        odd = syntax.Not(syntax.Iff(odd, bits[qubit]))
    return syntax.Not(odd)
