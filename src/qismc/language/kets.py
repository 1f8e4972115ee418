"""Kets: their letters, states with names, and linear combinations; strings of Paulis."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial, reduce

from qismc.common.scalars import COMPLEX
from qismc.common.wording import quoted
from qismc.errors import SpecError
from qismc.language import coefficients as c
from qismc.language.messages import without_quantifier
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


def combine(node: RuleNode) -> Vector:
    """The terms of a linear combination of kets of one length."""
    value = _value(node)
    if not isinstance(value, tuple):
        node.fail("a number is no subspace", "put a ket behind it, as in 1/2 |01>")
    for coefficient in {id(term.coefficient): term.coefficient for term in value}.values():
        _size(coefficient, node)
    return value


def _size(coefficient: c.Coefficient, node: RuleNode) -> complex:
    """The number in floating point. Its square must be finite, and must not vanish unless the number is 0."""
    try:
        value = coefficient.value(COMPLEX)
    except (OverflowError, ZeroDivisionError):
        value = complex(math.inf)
    zero = value == 0 and (not isinstance(coefficient, c.Rational) or coefficient.number == 0)
    if not (1 / LARGEST <= abs(value) <= LARGEST or zero):
        message = f"the size of a number is not between {1 / LARGEST:g} and {LARGEST:g}"
        node.fail(message, "multiply all terms by the same number")
    return value


def real_number(node: RuleNode) -> c.Coefficient:
    """A real number that stands alone."""
    value = _value(node)
    if isinstance(value, tuple):
        node.fail("a ket is no number", "write a number such as 0.25 or 1/sqrt(2)")
    if abs(_size(value, node).imag) > 0:
        node.fail("a real number is expected here")
    return value


# --- arithmetic --------------------------------------------------------------------------------------------


def _value(node: RuleNode) -> Value:
    """What the arithmetic of a text comes to: a number, or terms."""
    reader = _READERS.get(node.rule)
    if reader is None:
        habit = without_quantifier(node.spec.text[node.position :])
        message = "only kets and numbers can be added, multiplied and divided"
        node.fail(message, habit or "join subspaces with \\/")
    try:
        return reader(node)
    except SpecError as error:
        if "\n" in error.message:
            raise
        raise node.spec.error(node.position, error.message, error.hint) from None


def _each(value: Value, change: Callable[[c.Coefficient], c.Coefficient]) -> Value:
    """A changed number, or terms with changed coefficients."""
    if isinstance(value, tuple):
        return tuple(Term(change(term.coefficient), term.letters) for term in value)
    return change(value)


def _ket(node: RuleNode) -> Value:
    letters = expand(node, node.words[0], node.word[1:-1])
    node.spec.expand(node.position, len(letters))
    return (Term(c.ONE, letters),)


def _decimal(node: RuleNode) -> Value:
    digits = node.word.lower().partition("e")[0].partition(".")[2]
    if len(digits) <= SHORT_DECIMALS and "e" not in node.word.lower():
        return c.Rational(Fraction(node.word))
    return c.Literal(node.word)


def _number(node: RuleNode, purpose: str) -> c.Coefficient:
    value = _value(node.nodes[0])
    if isinstance(value, tuple):
        hint = "repeat letters inside: |0^10>" if purpose == "a power" else None
        node.nodes[0].fail(f"{purpose} takes a number, not a ket", hint)
    return value


def _signed(node: RuleNode) -> Value:
    value = _value(node.nodes[0])
    return _each(value, c.neg) if node.word == "-" else value


def _total(node: RuleNode) -> Value:
    values = list(map(_value, node.nodes))
    numbers = [value for value in values if not isinstance(value, tuple)]
    if len(numbers) == len(values):
        return reduce(c.add, numbers)
    if numbers:
        node.fail("a number cannot be added to a ket")
    terms = [term for value in values if isinstance(value, tuple) for term in value]
    first = len(terms[0].letters)
    other = next((len(term.letters) for term in terms if len(term.letters) != first), None)
    if other is not None:
        message = f"a ket with {other} letters is added to one with {first}"
        node.fail(message, "all kets of a sum must have one length")
    return tuple(terms)


def _multiply(node: RuleNode) -> Value:
    first, second = map(_value, node.nodes)
    if not isinstance(first, tuple):
        return _each(second, partial(c.mul, first))
    if not isinstance(second, tuple):
        return _each(first, partial(c.mul, second))
    if len(first) * len(second) > MOST_TERMS:
        node.fail(f"a product with more than {MOST_TERMS} terms")
    letters = len(first[0].letters) + len(second[0].letters)
    node.spec.expand(node.position, len(first) * len(second) * letters)
    return tuple(
        Term(c.mul(a.coefficient, b.coefficient), a.letters + b.letters) for a in first for b in second
    )


def _divide(node: RuleNode) -> Value:
    first, second = map(_value, node.nodes)
    if isinstance(second, tuple):
        node.fail("division by a ket")
    return _each(first, lambda coefficient: c.div(coefficient, second))


# --- letters -----------------------------------------------------------------------------------------------


MOST_LETTERS = 100_000
"""Maximum number of letters that a shorthand such as `0^3` expands to."""
LONGEST_COUNT = 7
"""Number of digits of a count that are read: a count with so many is too large anyway."""


def expand(node: RuleNode, word: Token, body: str) -> str:
    """The letters of `body`, which is a part of a word, with each `x^k` written out."""
    found = re.findall(r"(\S)(?:\^0*(\d+))?\s*", body)
    parts = [(letter, int(count[:LONGEST_COUNT] or 1)) for letter, count in found]
    if sum(count for _, count in parts) > MOST_LETTERS:
        raise node.spec.error(word.position, f"{quoted(word.text)} has more than {MOST_LETTERS} letters")
    if any(count == 0 for _, count in parts):
        raise node.spec.error(word.position, f"{quoted(word.text)} repeats a letter 0 times")
    return "".join(letter * count for letter, count in parts)


def paulis(node: RuleNode) -> tuple[str, ...]:
    """Signed Pauli strings of one common length."""
    strings: list[str] = []
    for word in node.words:
        sign = "-" if word.text.startswith("-") else ""
        letters = expand(node, word, word.text.lstrip("+- \t\r\n"))
        first = len(strings[0].lstrip("-")) if strings else len(letters)
        if len(letters) != first:
            message = (
                f"Pauli string '{word.text.strip()}' acts on {len(letters)} qubits, the first one on {first}"
            )
            raise node.spec.error(word.position, message, "all strings of stab(…) must have one length")
        strings.append(sign + letters)
    return tuple(strings)


NAMED = re.compile(r"\|(?:(?P<bell>Phi|Psi|Φ|Ψ)(?P<sign>[+\-])|(?P<family>GHZ|W)(?P<count>\d+))[>⟩]")


def named_ket(node: RuleNode) -> Value:
    """The unit vector that a name stands for, as a sum of basis kets."""
    match = NAMED.fullmatch(node.word)
    assert match is not None, "the grammar has the same names"
    count = max(1, int(match["count"] or 2))
    node.spec.expand(node.position, count * (count if match["family"] == "W" else 2))
    if match["bell"]:
        first, second = ("00", "11") if match["bell"] in ("Phi", "Φ") else ("01", "10")
        return _sum([first, second], negative=match["sign"] == "-")
    if match["family"] == "GHZ":
        return _sum(["0" * count, "1" * count])
    return _sum(["0" * k + "1" + "0" * (count - k - 1) for k in range(count)])


def _sum(kets: list[str], *, negative: bool = False) -> tuple[Term, ...]:
    """Equal amplitudes; the last one with the other sign if `negative`."""
    size = c.div(c.ONE, c.sqrt(c.Rational(Fraction(len(kets)))))
    signs = [size] * (len(kets) - 1) + [c.neg(size) if negative else size]
    return tuple(Term(sign, ket) for sign, ket in zip(signs, kets, strict=True))


_READERS: dict[str, Callable[[RuleNode], Value]] = {
    "ket": _ket,
    "named_ket": named_ket,
    "integer": lambda node: c.folded(Fraction(node.integer())),
    "decimal": _decimal,
    "constant": lambda node: c.Imaginary() if node.word == "i" else c.Pi(),
    "group": lambda node: _value(node.nodes[0]),
    "sqrt": lambda node: c.sqrt(_number(node, "sqrt")),
    "exp": lambda node: c.exp(_number(node, "exp")),
    "power": lambda node: c.power(_number(node, "a power"), node.nodes[1].integer()),
    **dict.fromkeys(("signed", "addend"), _signed),
    "total": _total,
    "multiply": _multiply,
    "divide": _divide,
}
