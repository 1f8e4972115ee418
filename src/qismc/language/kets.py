"""Kets: their letters, states with names, and linear combinations; strings of Paulis."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import NoReturn, cast

from qismc.common.scalars import COMPLEX
from qismc.common.wording import quoted
from qismc.errors import SpecError
from qismc.language import coefficients as c
from qismc.language.messages import SpecText, without_quantifier
from qismc.language.syntax import Term
from qismc.language.tree import RuleNode, Token

Vector = tuple[Term, ...]
Value = c.Coefficient | Vector

SHORT_DECIMALS = 4
"""Maximum number of digits after the point of a decimal that is a fraction; others are rounded numbers."""

LARGEST = 1e150
"""Largest absolute value of a number in front of a ket: floating point squares it."""

MOST_TERMS = 100_000
"""Maximum number of terms that a product of sums of kets expands to."""


def combine(node: RuleNode, text: SpecText) -> Vector:
    """The terms of a linear combination of kets of one length."""
    value = _Combiner(text).value(node)
    if not isinstance(value, tuple):
        raise text.error(node.position, "a number is no subspace", "put a ket behind it, as in 1/2 |01>")
    for coefficient in {id(term.coefficient): term.coefficient for term in value}.values():
        _size(coefficient, node, text)
    return value


def _size(coefficient: c.Coefficient, node: RuleNode, text: SpecText) -> complex:
    """The number in floating point. Its square must be finite, and must not vanish unless the number is 0."""
    try:
        value = coefficient.value(COMPLEX)
    except (OverflowError, ZeroDivisionError):
        value = complex(math.inf)
    zero = value == 0 and (not isinstance(coefficient, c.Rational) or coefficient.number == 0)
    if not (1 / LARGEST <= abs(value) <= LARGEST or zero):
        message = f"the size of a number is not between {1 / LARGEST:g} and {LARGEST:g}"
        raise text.error(node.position, message, "multiply all terms by the same number")
    return value


def real_number(node: RuleNode, text: SpecText) -> c.Coefficient:
    """A real number that stands alone."""
    value = _Combiner(text).value(node)
    if isinstance(value, tuple):
        raise text.error(node.position, "a ket is no number", "write a number such as 0.25 or 1/sqrt(2)")
    if abs(_size(value, node, text).imag) > 0:
        raise text.error(node.position, "a real number is expected here")
    return value


class _Combiner:
    """Evaluates the arithmetic of one text to a coefficient or to terms."""

    def __init__(self, text: SpecText) -> None:
        self.text = text

    def value(self, node: RuleNode) -> Value:
        reader = getattr(self, f"_{node.rule}", None)
        if reader is None:
            habit = without_quantifier(self.text.text[node.position :])
            message = "only kets and numbers can be added, multiplied and divided"
            self._fail(node, message, habit or "join subspaces with \\/")
        try:
            return cast(Callable[[RuleNode], Value], reader)(node)
        except SpecError as error:
            if "\n" in error.message:
                raise
            raise self.text.error(node.position, error.message, error.hint) from None

    def _fail(self, node: RuleNode, message: str, hint: str | None = None) -> NoReturn:
        raise self.text.error(node.position, message, hint)

    def _operands(self, node: RuleNode) -> tuple[Value, Value]:
        first, second = (self.value(node.child(index)) for index in (0, 1))
        return first, second

    def _ket(self, node: RuleNode) -> Value:
        letters = ket_letters(self.text, node.word())
        self.text.expand(node.position, len(letters))
        return (Term(c.ONE, letters),)

    def _named_ket(self, node: RuleNode) -> Value:
        self.text.expand(node.position, named_letters(node.word().text))
        return named_ket(node.word().text)

    def _integer(self, node: RuleNode) -> Value:
        return c.folded(Fraction(node.word().integer()))

    def _decimal(self, node: RuleNode) -> Value:
        text = node.word().text
        digits = text.lower().partition("e")[0].partition(".")[2]
        if len(digits) <= SHORT_DECIMALS and "e" not in text.lower():
            return c.Rational(Fraction(text))
        return c.Literal(text)

    def _constant(self, node: RuleNode) -> Value:
        return c.Imaginary() if node.word().text == "i" else c.Pi()

    def _group(self, node: RuleNode) -> Value:
        return self.value(node.child())

    def _number(self, node: RuleNode, purpose: str) -> c.Coefficient:
        value = self.value(node)
        if isinstance(value, tuple):
            hint = "repeat letters inside: |0^10>" if purpose == "a power" else None
            self._fail(node, f"{purpose} takes a number, not a ket", hint)
        return value

    def _sqrt(self, node: RuleNode) -> Value:
        return c.sqrt(self._number(node.child(), "sqrt"))

    def _exp(self, node: RuleNode) -> Value:
        return c.exp(self._number(node.child(), "exp"))

    def _power(self, node: RuleNode) -> Value:
        return c.power(self._number(node.child(), "a power"), node.child(1).integer())

    def _signed(self, node: RuleNode) -> Value:
        value = self.value(node.child(1))
        return _negated(value) if node.word().text == "-" else value

    _addend = _signed

    def _total(self, node: RuleNode) -> Value:
        values = [self.value(part) for part in node.parts if isinstance(part, RuleNode)]
        numbers = [value for value in values if not isinstance(value, tuple)]
        if len(numbers) == len(values):
            return reduce(c.add, numbers)
        if numbers:
            self._fail(node, "a number cannot be added to a ket")
        terms = [term for value in values if isinstance(value, tuple) for term in value]
        self._check_lengths(node, terms)
        return tuple(terms)

    def _check_lengths(self, node: RuleNode, terms: list[Term]) -> None:
        first = len(terms[0].letters)
        other = next((len(term.letters) for term in terms if len(term.letters) != first), None)
        if other is not None:
            message = f"a ket with {other} letters is added to one with {first}"
            self._fail(node, message, "all kets of a sum must have one length")

    def _multiply(self, node: RuleNode) -> Value:
        first, second = self._operands(node)
        if isinstance(first, tuple) and isinstance(second, tuple):
            if len(first) * len(second) > MOST_TERMS:
                self._fail(node, f"a product with more than {MOST_TERMS} terms")
            letters = len(first[0].letters) + len(second[0].letters)
            self.text.expand(node.position, len(first) * len(second) * letters)
            return tuple(
                Term(c.mul(a.coefficient, b.coefficient), a.letters + b.letters)
                for a in first
                for b in second
            )
        if isinstance(second, tuple):
            return _scaled(cast(c.Coefficient, first), second)
        return _scaled(second, first) if isinstance(first, tuple) else c.mul(first, second)

    def _divide(self, node: RuleNode) -> Value:
        first, second = self._operands(node)
        if isinstance(second, tuple):
            self._fail(node, "division by a ket")
        if isinstance(first, tuple):
            return tuple(Term(c.div(term.coefficient, second), term.letters) for term in first)
        return c.div(first, second)


def _scaled(factor: c.Coefficient, vector: Vector) -> Vector:
    return tuple(Term(c.mul(factor, term.coefficient), term.letters) for term in vector)


def _negated(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(Term(c.neg(term.coefficient), term.letters) for term in value)
    return c.neg(value)


MOST_LETTERS = 100_000
"""Maximum number of letters that a shorthand such as `0^3` expands to."""
LONGEST_COUNT = 7
"""Number of digits of a count that are read: a count with so many is too large anyway."""


def expand(text: SpecText, word: Token, body: str) -> str:
    """The letters of `body` with each `x^k` written out."""
    found = re.findall(r"(\S)(?:\^0*(\d+))?\s*", body)
    parts = [(letter, int(count[:LONGEST_COUNT] or 1)) for letter, count in found]
    if sum(count for _, count in parts) > MOST_LETTERS:
        raise text.error(word.position, f"{quoted(word.text)} has more than {MOST_LETTERS} letters")
    if any(count == 0 for _, count in parts):
        raise text.error(word.position, f"{quoted(word.text)} repeats a letter 0 times")
    return "".join(letter * count for letter, count in parts)


def ket_letters(text: SpecText, word: Token) -> str:
    """The letters between the bar and the bracket of a ket."""
    return expand(text, word, word.text[1:-1])


def paulis(text: SpecText, words: list[Token]) -> tuple[str, ...]:
    """Signed Pauli strings of one common length."""
    strings: list[str] = []
    for word in words:
        sign = "-" if word.text.startswith("-") else ""
        letters = expand(text, word, word.text.lstrip("+- \t\r\n"))
        if strings and len(letters) != len(strings[0].lstrip("-")):
            first = len(strings[0].lstrip("-"))
            message = (
                f"Pauli string '{word.text.strip()}' acts on {len(letters)} qubits, the first one on {first}"
            )
            raise text.error(word.position, message, "all strings of stab(…) must have one length")
        strings.append(sign + letters)
    return tuple(strings)


NAMED = re.compile(r"\|(?:(?P<bell>Phi|Psi|Φ|Ψ)(?P<sign>[+\-])|(?P<family>GHZ|W)(?P<count>\d+))[>⟩]")


def named_ket(text: str) -> tuple[Term, ...]:
    """The unit vector that a name stands for, as a sum of basis kets."""
    match = NAMED.fullmatch(text)
    assert match is not None, "the grammar has the same names"
    if match["bell"]:
        first, second = ("00", "11") if match["bell"] in ("Phi", "Φ") else ("01", "10")
        return _sum([first, second], negative=match["sign"] == "-")
    count = max(1, int(match["count"]))
    if match["family"] == "GHZ":
        return _sum(["0" * count, "1" * count])
    return _sum(["0" * k + "1" + "0" * (count - k - 1) for k in range(count)])


def named_letters(text: str) -> int:
    """How many letters the sum has."""
    match = NAMED.fullmatch(text)
    assert match is not None, "the grammar has the same names"
    count = max(1, int(match["count"] or 2))
    return count * (count if match["family"] == "W" else 2)


def _sum(kets: list[str], *, negative: bool = False) -> tuple[Term, ...]:
    """Equal amplitudes; the last one with the other sign if `negative`."""
    size = c.div(c.ONE, c.sqrt(c.Rational(Fraction(len(kets)))))
    signs = [size] * (len(kets) - 1) + [c.neg(size) if negative else size]
    return tuple(Term(sign, ket) for sign, ket in zip(signs, kets, strict=True))
