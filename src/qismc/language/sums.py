"""Sums of classical values on the two sides of a comparison: c[0] + c[1] <= 1, c == 2*d + 1, c[0:2] == 3."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qismc.language import syntax as s
from qismc.language.messages import chance_as_function
from qismc.language.tree import MOST_BITS, Node

if TYPE_CHECKING:
    from qismc.language.build import Builder

WHAT = "only registers, bits, variables and integers can be compared"
HINT = "as in c == 0b10, c[0] != d[1] or c[0] + c[1] <= 1"


@dataclass(frozen=True)
class Linear:
    """constant + the sum of factor times value."""

    terms: dict[s.Ref, int] = field(default_factory=dict)
    constant: int = 0

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        terms = dict(self.terms)
        for ref, times in other.terms.items():
            terms[ref] = terms.get(ref, 0) + factor * times
        return Linear(terms, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        return Linear().plus(self, factor)


@dataclass(frozen=True)
class Sums:
    """Reads the sides of comparisons of one text."""

    builder: Builder

    def value(self, node: Node) -> Linear:
        match node.rule:
            case "reference":
                return Linear({self.builder.ref(node): 1})
            case "slice":
                return Linear({ref: 1 << place for place, ref in enumerate(self._bits(node))})
            case "constant":
                return Linear({s.Ref(node.word().text): 1})
            case "integer":
                return Linear({}, node.word().integer())
            case "group":
                return self.value(node.child())
            case "signed" | "addend":
                return self.value(node.child(1)).times(-1 if node.word().text == "-" else 1)
            case "total":
                found = Linear()
                for part in node.parts:
                    assert isinstance(part, Node)
                    found = found.plus(self.value(part))
                return found
            case "multiply":
                return self._product(node)
        text = self.builder.text
        raise text.error(node.position, WHAT, chance_as_function(text.text[: node.position]) or HINT)

    def _bits(self, node: Node) -> list[s.Ref]:
        """The bits of a slice that is read as a number."""
        found = self.builder.refs(node)
        if len(found) > MOST_BITS:
            self.builder.fail(node, f"a slice of more than {MOST_BITS} bits is compared")
        return found

    def _product(self, node: Node) -> Linear:
        left, right = (self.value(part) for part in node.parts if isinstance(part, Node))
        if left.terms and right.terms:
            raise self.builder.text.error(node.position, "a product of two variables", "one must be a number")
        return left.times(right.constant) if left.terms else right.times(left.constant)


def compared(builder: Builder, node: Node, left: Linear, op: s.Comparison, right: Linear) -> s.Formula:
    """A register with a number or another register where that is all, else a sum with a number."""
    if not left.terms:
        left, op, right = right, FLIPPED[op], left
    difference = left.plus(right, -1)
    terms = {ref: factor for ref, factor in difference.terms.items() if factor}
    number = -difference.constant
    if any(size.bit_length() > MOST_BITS for size in (number, *terms.values())):
        builder.fail(node, f"a number of more than {MOST_BITS} bits")
    if not left.terms and not right.terms:
        builder.fail(node, "a comparison of two numbers", "one side must be a register, bit or variable")
    if isinstance(pair := _two_values(left, right), tuple):
        return s.Compare(pair[0], op, pair[1])
    if not terms:
        builder.fail(node, "everything cancels out", "compare different values")
    match list(terms.items()):
        case [(ref, 1)]:
            return s.Compare(ref, op, number)
        case [(ref, -1)]:
            return s.Compare(ref, FLIPPED[op], -number)
    return s.Compare(s.Total(tuple((factor, ref) for ref, factor in terms.items())), op, number)


def _two_values(left: Linear, right: Linear) -> tuple[s.Ref, s.Ref] | None:
    """A register beside a register."""
    match list(left.terms.items()), list(right.terms.items()):
        case [(first, 1)], [(second, 1)] if left.constant == right.constant:
            return first, second
    return None


FLIPPED: dict[s.Comparison, s.Comparison] = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "==": "==",
    "!=": "!=",
}
