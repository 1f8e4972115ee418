"""The truth of a claim, found without the verifier: by a check, and by dense executions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

import qismc
from qismc import Verdict
from qismc.common.scalars import COMPLEX
from qismc.errors import QismcError
from qismc.language import syntax
from qismc.language.parser import parse_formula, parse_subspace
from qismc.program.program import Program

from ...differential.walk import Formula, Matrix, Place, Walk, embed, inside, perp, span
from .cases import BITS, QUBITS, Case

Truth = Literal["holds", "violated", "meaningless"] | None
LETTERS = {
    "0": [1, 0],
    "1": [0, 1],
    "+": [2**-0.5, 2**-0.5],
    "-": [2**-0.5, -(2**-0.5)],
    "r": [2**-0.5, 1j * 2**-0.5],
    "l": [2**-0.5, -1j * 2**-0.5],
}
PAULI = {
    "I": np.eye(2),
    "X": np.array([[0, 1], [1, 0]]),
    "Y": np.array([[0, -1j], [1j, 0]]),
    "Z": np.diag([1, -1]),
}
SECONDS = 5.0


class Beyond(Exception):  # noqa: N818 - an answer
    """The dense reference does not know this."""


def truth(case: Case, spec: str, init: str | None, props: Mapping[str, str], paths: str) -> Truth:
    """What is true of the program, where anybody can tell; raises AssertionError if the two disagree."""
    key = (spec, init, *sorted(props.items()), paths)
    if key not in case.truths:
        case.truths[key] = _truth(case, spec, init, dict(props), paths)
    found: Any = case.truths[key]
    return found  # type: ignore[no-any-return]


def _truth(case: Case, spec: str, init: str | None, props: dict[str, str], paths: str) -> Truth:
    checked = _checked(case, spec, init, props, paths)
    if paths != "feasible" or not case.circuit.num_qubits or checked == "meaningless":
        return checked
    try:
        walked = _walked(case, spec, init, props)
    except Beyond:
        return checked
    assert walked is None or checked in (None, walked), f"{spec}: the check says {checked}, not {walked}"
    return checked if walked is None else walked


def _checked(case: Case, spec: str, init: str | None, props: dict[str, str], paths: Any) -> Truth:
    program: Any = case.circuit if case.circuit.num_qubits else _bare(case.program)
    limits = qismc.Limits(seconds=SECONDS)
    try:
        result = qismc.check(program, {"spec": spec}, init=init, props=props, paths=paths, limits=limits)
    except QismcError:
        return "meaningless"
    verdict = result["spec"].verdict
    return None if verdict is Verdict.UNKNOWN else ("holds" if verdict is Verdict.HOLDS else "violated")


def _bare(program: Program) -> Program:
    """Without the start and the formulas of its own text."""
    return replace(program, annotations=())


# --- the dense reference -----------------------------------------------------------------------------------


def _walked(case: Case, spec: str, init: str | None, props: dict[str, str]) -> Truth:
    trees = {name: parse_subspace(text) for name, text in props.items()}
    start = None if init is None else space(parse_subspace(init), trees)
    if start is not None and start.shape[1] != 1:
        raise Beyond
    walk = Walk(case.circuit, start)
    decided = walk.decide(_translated(parse_formula(spec), walk, trees))
    return None if decided is None else ("holds" if decided else "violated")


def _translated(formula: syntax.Formula, walk: Walk, props: Mapping[str, syntax.Subspace]) -> Formula:
    def inner(part: syntax.Formula) -> Formula:
        return _translated(part, walk, props)

    match formula:
        case syntax.Not(operand):
            return ("not", inner(operand))
        case syntax.And(left, right):
            return ("and", inner(left), inner(right))
        case syntax.Or(left, right):
            return ("or", inner(left), inner(right))
        case syntax.Implies(left, right):
            return ("or", ("not", inner(left)), inner(right))
        case syntax.Iff(left, right):
            a, b = inner(left), inner(right)
            return ("or", ("and", a, b), ("and", ("not", a), ("not", b)))
        case syntax.Temporal(quantifier, op, operands):
            return (quantifier, op, *map(inner, operands))
        case syntax.Probability("=1" | ">0" as bound, "F" | "G" as op, (operand,)):
            return (f"P{bound}", op, ("atom", _local(operand, walk, props)))
        case syntax.Probability():
            raise Beyond
    return ("atom", _local(formula, walk, props))


def _local(
    formula: syntax.Formula, walk: Walk, props: Mapping[str, syntax.Subspace]
) -> Callable[[Place], bool]:
    """A formula without temporal operators as a function of places."""
    match formula:
        case syntax.Constant(value):
            return lambda _: value
        case syntax.Not(operand):
            negated = _local(operand, walk, props)
            return lambda place: not negated(place)
        case syntax.And(left, right) | syntax.Or(left, right) | syntax.Implies(left, right):
            first, second = (_local(part, walk, props) for part in (left, right))
            return {
                syntax.And: lambda place: first(place) and second(place),
                syntax.Or: lambda place: first(place) or second(place),
                syntax.Implies: lambda place: not first(place) or second(place),
            }[type(formula)]
        case syntax.Bit(syntax.Ref("c", int(index))) if index < BITS:
            return lambda place: bool(place[1] >> index & 1)
        case syntax.Compare(syntax.Ref("c", None), op, int(value)):
            return lambda place: syntax.COMPARE[op](place[1], value)
        case syntax.Atom(name) if name in props:
            return _inside(syntax.PropName(name), walk, props)
        case syntax.Atom(name):
            return _named(name, walk)
        case syntax.Quantum(subspace):
            return _inside(subspace, walk, props)
    raise Beyond


def _named(name: str, walk: Walk) -> Callable[[Place], bool]:
    code = walk.code
    match name:
        case "leaf":
            return lambda place: place[0] == code.end
        case "init":
            return lambda place: place == walk.start
        case "reached":
            return lambda _: True
        case "A" | "B":
            return lambda place: place[0] in code.marks.get(name, ())
    raise Beyond


def _inside(
    tree: syntax.Subspace, walk: Walk, props: Mapping[str, syntax.Subspace]
) -> Callable[[Place], bool]:
    meant = space(tree, props)
    return lambda place: inside(walk.sp[place], meant)


def space(tree: syntax.Subspace, props: Mapping[str, syntax.Subspace], width: int = QUBITS) -> Matrix:
    """An orthonormal basis as columns; qubit 0 is the least significant digit."""
    everything: Matrix = np.eye(2**width, dtype=complex)
    match tree:
        case syntax.Full():
            return everything
        case syntax.Zero():
            return everything[:, :0]
        case syntax.Ket(terms):
            return span(sum((_ket(term, width) for term in terms), np.zeros((2**width, 1), dtype=complex)))
        case syntax.Span(items):
            return span(np.hstack([space(item, props, width) for item in items]))
        case syntax.Join(left, right):
            return span(np.hstack([space(left, props, width), space(right, props, width)]))
        case syntax.Meet(left, right):
            opposite = [perp(space(part, props, width)) for part in (left, right)]
            return perp(np.hstack(opposite))
        case syntax.Complement(operand):
            return perp(space(operand, props, width))
        case syntax.PropName(name) if name in props and width == QUBITS:
            return space(props[name], props)
        case syntax.On(operand, (syntax.Ref("q", int(index)),)) if index < QUBITS and width == QUBITS:
            small = space(operand, props, 1)
            return span(embed(small @ small.conj().T, [index], QUBITS))
        case syntax.Stab(paulis):
            return _stabilised(paulis, width)
    raise Beyond


def _ket(term: syntax.Term, width: int) -> Matrix:
    if len(term.letters) != width:
        raise Beyond
    state: Matrix = np.ones((1, 1), dtype=complex)
    for letter in term.letters:
        state = np.kron(np.array(LETTERS[letter], dtype=complex)[:, None], state)
    return complex(term.coefficient.value(COMPLEX)) * state


def _stabilised(paulis: tuple[str, ...], width: int) -> Matrix:
    opposite = [np.zeros((2**width, 0), dtype=complex)]
    for text in paulis:
        string = text.lstrip("+-")
        if len(string) != width:
            raise Beyond
        matrix: Matrix = np.ones((1, 1), dtype=complex)
        for letter in string:
            matrix = np.kron(PAULI[letter], matrix)
        sign = -1 if text.startswith("-") else 1
        opposite.append(np.eye(2**width) - sign * matrix)
    return perp(np.hstack(opposite))
