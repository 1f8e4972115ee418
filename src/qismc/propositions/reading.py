"""Numbers are read once: what is probably meant to be a nicer number is replaced before anything is computed.

Whatever is asked afterwards (states, probabilities, replays, bounds) sees the same number, exactly and in
floating point. What is replaced is told, unless the difference is the rounding of a double.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from qismc.common.scalars import COMPLEX
from qismc.common.source import Source
from qismc.errors import Unrecognised
from qismc.language import Add, Coefficient, Exp, Imaginary, Literal, Mul, Pi, Rational
from qismc.numbers import (
    ROUNDING,
    AngleBook,
    AngleSum,
    Cosine,
    FineTurn,
    Radian,
    Root,
    is_same,
    nearest_root,
    radians,
    root_value,
)
from qismc.program import Apply, Base, Channel, Factor, Initialize, Operator, Program, Statement, angle_text
from qismc.propositions.collect import numbered_bases
from qismc.propositions.propositions import SpanOf
from qismc.propositions.states import KetSum, Listed, Prepared, State
from qismc.system import Application

T = TypeVar("T")
LARGE = 100.0
"""Larger multiples of pi are reduced modulo 4 pi, the period of all gates: doubles hold them better."""
LONGEST = 100
"""Letters of a form in messages."""


@dataclass(frozen=True)
class Replaced:
    """A number that was read as a nicer one."""

    source: Source | None
    """Where it stands first; None if nobody knows, or in a specification."""
    written: float | complex
    read: str
    difference: float
    value: float | complex = field(default=0.0, repr=False)
    """What is computed with."""
    of: str = field(default="", repr=False)
    """The gate, instruction or proposition that it belongs to."""

    def __iter__(self) -> Iterator[Any]:
        return iter((self.source, self.written, self.read, self.difference))

    def __str__(self) -> str:
        number = number_text(self.written)
        what = f"{self.of}({number})" if self.of else number
        return f"{what} read as {self.read}, {self.difference:.0e} away"


class Form(NamedTuple):
    """What a number is read as."""

    form: AngleSum | Root
    exact: float | complex
    """The double that is nearest to the form."""
    value: float | complex
    """What is computed with: the number itself where it differs by rounding only."""

    @classmethod
    def of(cls, number: float | complex, form: AngleSum | Root, exact: float | complex) -> Form:
        return cls(form, exact, number if is_same(number, exact, ROUNDING) else exact)

    @property
    def text(self) -> str:
        return _angle_text(self.form) if isinstance(self.form, AngleSum) else _root_text(self.form)


class NumberReading:
    """How the numbers of one question are read; `as_written` takes all as they are."""

    def __init__(self, *, as_written: bool = False) -> None:
        self._as_written = as_written
        self.doubtful = False
        """Are there numbers as written that floating point can hardly tell from nicer ones?"""
        self._book = AngleBook(wide=True)
        self._told: dict[tuple[Source | None, float | complex], Replaced] = {}
        self._states: dict[int, tuple[State, State]] = {}
        self._operators: dict[int, tuple[Operator, Operator]] = {}
        """Both by identity, with what was read: it is kept, so that nothing else gets its place."""

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """The numbers that were replaced and differ by more than rounding."""
        return () if self._as_written else tuple(self._told.values())

    def program(self, program: Program) -> Program:
        """The program as it is read; the same object if nothing is replaced."""
        return self._chosen(program, self._program(program))

    def _chosen(self, written: T, read: T) -> T:
        if self._as_written:
            self.doubtful |= read is not written
            return written
        return read

    def _program(self, program: Program) -> Program:
        bases = [base for _, base in numbered_bases(program)]
        self._book.announce(angle for base in bases for angle in base.angles)
        if all(self._base(base) == base for base in bases):
            return program
        code = [self._statement(s, source) for s, source in zip(program.code, program.sources, strict=True)]
        return replace(program, code=tuple(code))

    def _statement(self, statement: Statement, source: Source | None) -> Statement:
        if type(statement) is Apply:
            operator = self._operator(statement.operator, source)
            return statement if operator is statement.operator else Apply(operator, statement.qubits)
        if isinstance(statement, Initialize):
            return replace(statement, preparation=self._operator(statement.preparation, source))
        if isinstance(statement, Channel):
            return replace(statement, kraus=tuple(self._operator(k, source) for k in statement.kraus))
        return statement

    def state(self, state: State) -> State:
        """A state of a specification as it is read."""
        if id(state) not in self._states:
            self._states[id(state)] = state, self._chosen(state, self._state(state))
        return self._states[id(state)][1]

    def span(self, span: SpanOf) -> SpanOf:
        """The same for the states of a span."""
        states = tuple(map(self.state, span.states))
        return span if _are(states, span.states) else replace(span, states=states)

    # --- operators ---------------------------------------------------------------------------------------

    def _operator(self, operator: Operator, source: Source | None) -> Operator:
        """The operator as it is read, and told where it is replaced; the same object if it is not."""
        if id(operator) not in self._operators:
            factors = tuple(Factor(self._base(f.base), f.targets, f.controls) for f in operator.factors)
            angles = tuple(self._shown(angle) for angle in operator.angles)
            same = factors == operator.factors
            read = operator if same else replace(operator, factors=factors, angles=angles)
            self._operators[id(operator)] = operator, read
        read = self._operators[id(operator)][1]
        if read is not operator:
            self._tell(operator, source)
        return read

    def _base(self, base: Base) -> Base:
        if base.entries is None:
            return replace(base, angles=tuple(map(self._value, base.angles))) if base.angles else base
        forms = _roots(z for row in base.entries for z in row)
        if forms is None:
            return base
        return replace(
            base, entries=tuple(tuple(complex(forms[z].value) for z in row) for row in base.entries)
        )

    def _tell(self, operator: Operator, source: Source | None) -> None:
        alone = len(operator.angles) == 1 and len(operator.factors) == 1
        for base in dict.fromkeys(factor.base for factor in operator.factors):
            of = operator.name if alone or base.name == operator.name else f"{operator.name}: {base.name}"
            for angle in base.angles:
                self._note(angle, self._form(angle), of, source)
            for z, form in (_roots(z for row in base.entries or () for z in row) or {}).items():
                self._note(z, form, of, source)

    # --- numbers -----------------------------------------------------------------------------------------

    def _value(self, angle: float) -> float:
        return float(self._form(angle).value.real)

    def _shown(self, angle: float) -> float:
        """The angle that reports show: as written, or what it is read as."""
        exact = float(self._form(angle).exact.real)
        return angle if is_same(angle, exact, ROUNDING) else exact

    def _form(self, angle: float) -> Form:
        found = self._book.express(angle)
        if not found.parts and abs(angle) > LARGE:
            reduced = math.copysign(radians(abs(found.turn) % 2), angle)
            return Form(found, found.value, reduced)
        return Form.of(angle, found, found.value)

    def _note(self, written: float | complex, form: Form, of: str, source: Source | None) -> None:
        if not is_same(written, form.exact, ROUNDING):
            told = Replaced(source, written, form.text, abs(form.exact - written), form.value, of)
            self._told.setdefault((source, written), told)

    # --- specifications ----------------------------------------------------------------------------------

    def _state(self, state: State) -> State:
        if isinstance(state, KetSum):
            terms = tuple((self._coefficient(c), letters) for c, letters in state.terms)
            return state if terms == state.terms else KetSum(terms)
        if isinstance(state, Listed):
            return self._listed(state)
        if isinstance(state, Prepared):
            gates = tuple(Application(self._operator(o, None), qubits) for o, qubits in state.gates)
            return state if _are(gates, state.gates) else Prepared(state.width, gates)
        return state

    def _listed(self, state: Listed) -> Listed:
        numbers = state.values.tolist()
        forms = _roots(numbers)
        if forms is None:
            return state
        for z, form in forms.items():
            self._note(z, form, "amplitude", None)
        values = np.array([forms[z].value for z in numbers], dtype=complex)
        return state if np.array_equal(values, state.values) else Listed(values)

    def _coefficient(self, number: Coefficient) -> Coefficient:
        """A coefficient whose long decimals and angles are read."""
        if isinstance(number, Literal):
            return self._literal(number)
        if isinstance(number, Exp):
            return self._exponential(number)
        return _with_operands(number, self._coefficient)

    def _literal(self, literal: Literal) -> Coefficient:
        written = float(literal.text)
        form = (_roots([complex(written)]) or {}).get(complex(written))
        if form is None or form.value == written:
            return literal
        self._note(written, form, "", None)
        return Literal(repr(form.value.real))

    def _exponential(self, number: Exp) -> Coefficient:
        plain, of_pi = number.parts
        angle = float(plain)
        value = self._value(angle)
        if value == angle:
            return number
        self._note(angle, self._form(angle), "exp", None)
        return Exp(Mul(Imaginary(), Add(Rational(Fraction(value)), Mul(Rational(of_pi), Pi()))))


def number_text(number: float | complex) -> str:
    """A number as it is written."""
    if isinstance(number, complex) and number.imag == 0:
        number = number.real
    return repr(number).strip("()")


def _roots(numbers: Iterable[complex]) -> dict[complex, Form] | None:
    """What all of them are read as; None if one has no form: then the others stay as they are, too."""
    try:
        roots = {number: nearest_root(number) for number in numbers}
    except Unrecognised:
        return None
    return {number: Form.of(number, root, root_value(root)) for number, root in roots.items()}


def _are(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Are they the same objects? Gates on qubits: the same operators."""
    return all(
        (a.operator is b.operator) if isinstance(a, Apply) else a is b
        for a, b in zip(some, others, strict=True)
    )


def _with_operands(number: T, read: Any) -> T:
    """A sum, product, … with its operands read."""
    if not is_dataclass(number):
        return number
    parts = {f.name: getattr(number, f.name) for f in fields(number)}
    new = {name: read(part) for name, part in parts.items() if is_dataclass(part)}
    return number if all(new[name] is parts[name] for name in new) else replace(number, **new)  # type: ignore[type-var]


def _angle_text(angle: AngleSum) -> str:
    """`pi/2`, `2*acos(sqrt(1/3)) + pi`, `0.3 - pi/4`."""
    words = [_multiple_text(base, factor) for base, factor in angle.parts]
    if angle.turn or not words:
        words.append(angle_text(radians(angle.turn)) if angle.turn else "0")
    text = " + ".join(words).replace("+ -", "- ")
    return text if len(text) <= LONGEST else f"{angle.value!r}"


def _multiple_text(base: Any, factor: Fraction) -> str:
    if isinstance(base, Radian):
        return f"{float(factor):.15g}"
    if isinstance(base, Cosine):
        name = f"2*acos(sqrt({base.square}))"
    elif isinstance(base, FineTurn):
        return f"{float(factor) * base.value!r}"
    else:
        name = repr(base.value)
    sign = "-" if factor < 0 else ""
    return f"{sign}{name}" if abs(factor) == 1 else f"{factor}*{name}"


def _root_text(root: Root) -> str:
    """`1/2`, `-i sqrt(1/2)`, `sqrt(1/3) exp(i pi/4)`."""
    square, turn = root
    size = COMPLEX.sqrt(square).real
    exact = Fraction(size).limit_denominator(1000)
    text = str(exact) if exact * exact == square else f"sqrt({square})"
    if square == 0 or turn == 0:
        return text
    if turn in UNITS:
        sign = UNITS[turn]
        return f"{sign}{text}" if sign == "-" else sign if text == "1" else f"{sign} {text}"
    return f"{'' if text == '1' else text + ' '}exp(i {angle_text(radians(turn))})"


UNITS = {Fraction(1, 2): "-", Fraction(1, 4): "i", Fraction(3, 4): "-i"}
