"""A computed subspace, as the user gets it, shown by a reduced basis; states as sums of kets.

Exact forms such as sqrt(1/3) are written where a number looks like one.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

import numpy as np

from qismc.common.wording import counted
from qismc.engines import DenseEngine, Engine, NativeEngine, Vector
from qismc.errors import QismcError, Undecided
from qismc.limits import Budget, Limits
from qismc.numbers import ComplexForm, Matrix, echelon, unit
from qismc.propositions.propositions import Nothing, Proposition, SpanOf, perp
from qismc.propositions.states import State, make

Term = tuple[str, complex]
"""The bits of a basis state, qubit 0 first, and its amplitude."""
KETS_SHOWN = 16
TERMS_SHOWN = 8


@dataclass(frozen=True, eq=False)
class Subspace:
    """The span of independent states (or its orthocomplement) of a program's qubits.

    It can be used as a proposition of another program with as many qubits.
    """

    engine: Engine
    vectors: Sequence[Vector]
    states: tuple[State, ...]
    complemented: bool = False

    @property
    def num_qubits(self) -> int:
        return self.engine.num_qubits

    @property
    def dimension(self) -> int:
        count = len(self.vectors)
        return 2**self.num_qubits - count if self.complemented else count

    @property
    def proposition(self) -> Proposition:
        span: Proposition = SpanOf(self.states) if self.states else Nothing()
        return perp(span) if self.complemented else span

    def __str__(self) -> str:
        """The dimension and a basis: of its complement, where that is what was computed."""
        size = f"dimension {self.dimension} over {counted(self.num_qubits, 'qubit')}"
        if not self.vectors:
            return f"{size}: {'all states' if self.complemented else 'no states'}"
        try:
            found = list(basis(self.states, self.num_qubits, KETS_SHOWN, TERMS_SHOWN))
        except (Undecided, QismcError):
            return f"{size} (too large to be written out)"
        lines = [ket_text(terms, left_out) for terms, left_out in found]
        more = len(self.vectors) - len(lines)
        lines += [f"and {more} more"] if more > 0 else []
        how = "orthogonal to" if self.complemented else "spanned by"
        return "\n  ".join([f"{size}, {how} (qubit 0 first)", *lines])

    def _repr_html_(self) -> str:
        return f"<pre style='text-align:left'>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return f"<Subspace of dimension {self.dimension} over {counted(self.num_qubits, 'qubit')}>"


Terms = tuple[list[Term], int]
"""The largest terms of a state, and how many others there are."""
SMALL = 10
"""Most qubits of states whose basis is reduced; those of more qubits are shown as they were found."""
SECONDS = 5.0
"""Time limit for one text."""
ZERO = 1e-9
"""Largest entry of a unit row that is taken for zero."""


def basis(states: Sequence[State], num_qubits: int, most: int, terms: int) -> Iterator[Terms]:
    """At most so many states with the same span, each by its largest terms; raises Undecided."""
    budget = Budget(Limits(seconds=SECONDS))
    if num_qubits > SMALL:
        trains = NativeEngine(ComplexForm(), list(range(num_qubits)), budget)
        span = trains.span()
        found = (vector for vector in (make(trains, state) for state in states) if span.add(vector))
        yield from (trains.largest(vector, terms) for vector, _ in zip(found, range(most), strict=False))
        return
    engine = DenseEngine(num_qubits, budget)
    for row in reduced_basis([make(engine, state) for state in states])[:most]:
        yield engine.largest(row, terms)


def reduced_basis(rows: Iterable[Vector]) -> Matrix:
    """The rows of the reduced echelon form, without zero rows, each of length 1.

    >>> reduced_basis(np.array([[1, 1], [1, -1]])).real.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    found = echelon(np.array([unit(row) for row in rows]), lambda size: size <= ZERO)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True) + 0.0)


# --- states as text ----------------------------------------------------------------------------------------

CLOSE = 1e-11
"""How near a number must be to a simple form to be shown as it: few numbers are so near by chance."""
MAX_DENOMINATOR = 200
MAX_DYADIC = 1 << 30
MAX_TURN = 48
WRITTEN_AS_POWER = 12
"""Smallest k for which 1/2^k is written as a power, 2^-k."""


def ket_text(terms: Sequence[Term], left_out: int = 0) -> str:
    """A sum of kets; the global phase is chosen so that the first term is positive.

    >>> ket_text([("00", 0.5**0.5), ("11", 1j * 0.5**0.5)])
    'sqrt(1/2)|00> + i sqrt(1/2)|11>'
    """
    if not terms:
        return "0"
    phase = terms[0][1] / abs(terms[0][1])
    text = ""
    for bits, amplitude in terms:
        number = amplitude_text(amplitude / phase)
        if text:
            text += " - " if number.startswith("-") else " + "
            number = number.removeprefix("-")
        text += f"{number}|{bits}>"
    return text + _rest_text(left_out)


def _rest_text(left_out: int) -> str:
    """What is said of terms that are not shown; a negative number means that nobody counted them."""
    if left_out < 0:
        return " + more terms"
    return f" + {counted(left_out, 'more term')}" if left_out else ""


def amplitude_text(number: complex) -> str:
    """A coefficient in front of a ket; empty for 1.

    >>> amplitude_text(-1j / 3**0.5), amplitude_text(0.25), amplitude_text(0.3 + 0.4j)
    ('-i sqrt(1/3)', '1/4 ', '(0.3+0.4i)')
    """
    size = _size_text(abs(number))
    turn = _turn(cmath.phase(number))
    if size is None or turn is None:
        return _decimal(number)
    sign = "-" if turn >= 1 else ""
    phase = _phase_text(turn % 1)
    return sign + phase + (" " if phase else "") + size


def _phase_text(turn: Fraction) -> str:
    """exp(i pi turn) for 0 <= turn < 1; empty for 1."""
    if turn in (0, Fraction(1, 2)):
        return "i" if turn else ""
    numerator = "" if turn.numerator == 1 else f"{turn.numerator} "
    return f"exp(i {numerator}pi/{turn.denominator})"


def _size_text(size: float) -> str | None:
    square = _simple(size * size)
    if square is None or abs(math.sqrt(square) - size) > CLOSE:
        return None
    if square == 1:
        return ""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return f"{_fraction_text(Fraction(top, bottom))} "
    return f"sqrt({_fraction_text(square)})"


def _fraction_text(number: Fraction) -> str:
    """A fraction; small powers of two as such.

    >>> _fraction_text(Fraction(3, 8)), _fraction_text(Fraction(1, 1 << 20))
    ('3/8', '2^-20')
    """
    power = number.denominator.bit_length() - 1
    dyadic = number.numerator == 1 and number.denominator == 1 << power
    return f"2^-{power}" if dyadic and power >= WRITTEN_AS_POWER else str(number)


def _simple(number: float) -> Fraction | None:
    """A fraction nearby with a small denominator, or with a power of two; tiny ones: a power of two."""
    part, power = math.frexp(number)
    if abs(part - 0.5) <= CLOSE and power <= 0:
        return Fraction(1, 1 << (1 - power))
    for denominator in (MAX_DENOMINATOR, MAX_DYADIC):
        found = Fraction(number).limit_denominator(denominator)
        small = found.denominator <= MAX_DENOMINATOR or found.denominator & (found.denominator - 1) == 0
        if found and small and abs(float(found) - number) <= CLOSE * number:
            return found
    return None


def _turn(angle: float) -> Fraction | None:
    """The angle as a multiple of pi in [0, 2), if it is a simple one."""
    turn = Fraction(angle / math.pi).limit_denominator(MAX_TURN)
    return turn % 2 if abs(float(turn) * math.pi - angle) < CLOSE else None


def _decimal(number: complex) -> str:
    digits = max(4, 3 - math.floor(math.log10(abs(number))))  # at least four of them tell something
    real, imaginary = round(number.real, digits), round(number.imag, digits)
    if imaginary == 0:
        return f"{real:.4g}"
    if real == 0:
        return f"{imaginary:.4g}i"
    return f"({real:.4g}{imaginary:+.4g}i)"
