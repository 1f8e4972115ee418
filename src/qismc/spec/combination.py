"""Linear combinations of kets: sums, products and quotients in front of and between kets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn, cast

from lark import Token, Tree

from qismc.errors import SpecError
from qismc.spec import coefficients as c
from qismc.spec.letters import ket_letters
from qismc.spec.messages import SpecText
from qismc.spec.syntax import Term

Node = Tree[Token]
Vector = tuple[Term, ...]
Value = c.Coefficient | Vector

SHORT_DECIMALS = 4
"""A decimal with more digits after its point is taken for a rounded number, not for a fraction."""

MOST_TERMS = 100_000
"""Products of sums of kets that expand to more terms than this are refused."""


def combine(node: Node, text: SpecText) -> Vector:
    """The terms of a linear combination of kets of one length."""
    value = _Combiner(text).value(node)
    if not isinstance(value, tuple):
        raise text.error(
            node.meta.start_pos, "a number is no subspace", "put a ket behind it, as in 1/2 |01>"
        )
    return value


class _Combiner:
    """Evaluates the arithmetic of one text to a coefficient or to terms."""

    def __init__(self, text: SpecText) -> None:
        self.text = text

    def value(self, node: Node) -> Value:
        reader = getattr(self, f"_{node.data}", None)
        if reader is None:
            self._fail(
                node, "only kets and numbers can be added, multiplied and divided", "join subspaces with \\/"
            )
        try:
            return cast(Callable[[Node], Value], reader)(node)
        except SpecError as error:
            if "\n" in error.message:
                raise
            raise self.text.error(node.meta.start_pos, error.message, error.hint) from None

    def _fail(self, node: Node, message: str, hint: str | None = None) -> NoReturn:
        raise self.text.error(node.meta.start_pos, message, hint)

    def _operands(self, node: Node) -> tuple[Value, Value]:
        first, second = (self.value(cast(Node, child)) for child in node.children)
        return first, second

    def _ket(self, node: Node) -> Value:
        return (Term(c.ONE, ket_letters(self.text, cast(Token, node.children[0]))),)

    def _integer(self, node: Node) -> Value:
        return c.Rational(Fraction(int(str(node.children[0]), 0)))

    def _decimal(self, node: Node) -> Value:
        text = str(node.children[0])
        digits = text.lower().partition("e")[0].partition(".")[2]
        if len(digits) <= SHORT_DECIMALS and "e" not in text.lower():
            return c.Rational(Fraction(text))
        return c.Literal(text)

    def _constant(self, node: Node) -> Value:
        return c.Imaginary() if str(node.children[0]) == "i" else c.Pi()

    def _group(self, node: Node) -> Value:
        return self.value(cast(Node, node.children[0]))

    def _number(self, node: Node, purpose: str) -> c.Coefficient:
        value = self.value(node)
        if isinstance(value, tuple):
            self._fail(node, f"{purpose} takes a number, not a ket")
        return value

    def _sqrt(self, node: Node) -> Value:
        return c.sqrt(self._number(cast(Node, node.children[0]), "sqrt"))

    def _exp(self, node: Node) -> Value:
        return c.exp(self._number(cast(Node, node.children[0]), "exp"))

    def _power(self, node: Node) -> Value:
        exponent = int("".join(str(part) for part in cast(Node, node.children[1]).children))
        return c.power(self._number(cast(Node, node.children[0]), "a power"), exponent)

    def _negate(self, node: Node) -> Value:
        return _negated(self.value(cast(Node, node.children[0])))

    def _add(self, node: Node) -> Value:
        return self._sum(node, *self._operands(node))

    def _subtract(self, node: Node) -> Value:
        first, second = self._operands(node)
        return self._sum(node, first, _negated(second))

    def _sum(self, node: Node, first: Value, second: Value) -> Value:
        if not isinstance(first, tuple) and not isinstance(second, tuple):
            return c.add(first, second)
        if not (isinstance(first, tuple) and isinstance(second, tuple)):
            self._fail(node, "a number cannot be added to a ket")
        lengths = len(first[0].letters), len(second[0].letters)
        if lengths[0] != lengths[1]:
            self._fail(
                cast(Node, node.children[1]),
                f"a ket with {lengths[1]} letters is added to one with {lengths[0]}",
                "all kets of a sum must have one length",
            )
        return first + second

    def _multiply(self, node: Node) -> Value:
        first, second = self._operands(node)
        if isinstance(first, tuple) and isinstance(second, tuple):
            if len(first) * len(second) > MOST_TERMS:
                self._fail(node, f"a product with more than {MOST_TERMS} terms")
            return tuple(
                Term(c.mul(a.coefficient, b.coefficient), a.letters + b.letters)
                for a in first
                for b in second
            )
        if isinstance(second, tuple):
            return _scaled(cast(c.Coefficient, first), second)
        return _scaled(second, first) if isinstance(first, tuple) else c.mul(first, second)

    def _divide(self, node: Node) -> Value:
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
