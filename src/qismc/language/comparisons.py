"""Comparisons of classical values, and counts of formulas that are true.

Sums may stand on both sides of a comparison: c[0] + c[1] <= 1, c == 2*d + 1, c[0:2] == 3. A count such as
`at most 1 of (p, q, r)` is spelled out in its cases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

from qismc.language import syntax as s
from qismc.language.messages import chance_as_function
from qismc.language.tree import MOST_BITS, RuleNode, unquoted

WIDEST_SLICE = 100_000
"""Maximum number of members of a slice."""

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


def reference(node: RuleNode) -> s.Ref:
    """A register, variable or bit."""
    name, *index = node.words
    return s.Ref(unquoted(name.text), index[0].integer() if index else None)


def references(node: RuleNode) -> list[s.Ref]:
    """A register or one of its members, or those of a slice: as in Python, the end is left out."""
    if node.rule == "reference":
        return [reference(node)]
    ends = [word.integer() for word in node.words[1:] if word.kind == "INTEGER"]
    start, stop = ends if len(ends) == 2 else (0, ends[0])
    if stop <= start:
        node.fail(f"the slice [{start}:{stop}] is empty", "as in Python, its end is left out")
    if stop - start > WIDEST_SLICE:
        node.fail(f"a slice of more than {WIDEST_SLICE} members")
    name = unquoted(node.word)
    return [s.Ref(name, index) for index in range(start, stop)]


def member(node: RuleNode) -> s.Formula:
    """`c in {0, 3}`: one of these values."""
    side, *values = node.nodes
    left, numbers = linear(side), [value.integer() for value in values]
    return any_of([compared(node, left, "==", Linear({}, number)) for number in dict.fromkeys(numbers)])


def linear(node: RuleNode) -> Linear:
    """A side of a comparison."""
    match node.rule:
        case "reference":
            return Linear({reference(node): 1})
        case "slice":
            return Linear({ref: 1 << place for place, ref in enumerate(_bits(node))})
        case "constant":
            return Linear({s.Ref(node.word): 1})
        case "integer":
            return Linear({}, node.integer())
        case "group" | "total":
            return reduce(Linear.plus, map(linear, node.nodes))
        case "signed" | "addend":
            return linear(node.nodes[0]).times(-1 if node.word == "-" else 1)
    if node.rule != "multiply":
        node.fail(WHAT, chance_as_function(node.spec.text[: node.position]) or HINT)
    left, right = map(linear, node.nodes)
    if left.terms and right.terms:
        node.fail("a product of two variables", "one must be a number")
    return left.times(right.constant) if left.terms else right.times(left.constant)


def _bits(node: RuleNode) -> list[s.Ref]:
    """The bits of a slice that is read as a number."""
    found = references(node)
    if len(found) > MOST_BITS:
        node.fail(f"a slice of more than {MOST_BITS} bits is compared")
    return found


def compared(node: RuleNode, left: Linear, op: s.Comparison, right: Linear) -> s.Formula:
    """A register with a number or another register where that is all, else a sum with a number."""
    if not left.terms:
        left, op, right = right, FLIPPED[op], left
    difference = left.plus(right, -1)
    terms = {ref: factor for ref, factor in difference.terms.items() if factor}
    number = -difference.constant
    if any(size.bit_length() > MOST_BITS for size in (number, *terms.values())):
        node.fail(f"a number of more than {MOST_BITS} bits")
    if not left.terms and not right.terms:
        node.fail("a comparison of two numbers", "one side must be a register, bit or variable")
    if isinstance(pair := _two_values(left, right), tuple):
        return s.Compare(pair[0], op, pair[1])
    if not terms:
        node.fail("everything cancels out", "compare different values")
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


MOST_CASES = 2_000
"""Maximum number of cases that a count is spelled out in."""


MOST_COUNTED = 100
"""Maximum number of formulas that are counted: each one nests the result one level deeper."""

LONGEST_CHAIN = 50
"""Maximum number of parts of a disjunction that is grouped to the left, as the parser does."""


def any_of(parts: list[s.Formula]) -> s.Formula:
    """The disjunction of the parts. Many parts are put together in halves, so that the tree is not deep."""
    if len(parts) <= LONGEST_CHAIN:
        return reduce(s.Or, parts) if parts else s.Constant(False)
    middle = len(parts) // 2
    return s.Or(any_of(parts[:middle]), any_of(parts[middle:]))


def count_of(parts: list[s.Formula], kind: str, number: int) -> s.Formula:
    """`at most`, `at least` or `exactly` so many are true; raises ValueError if that takes too many cases."""
    cases = Cases(parts)
    if kind.split() == ["at", "most"]:
        return cases.at_most(0, number)
    more = s.negation(cases.at_most(0, number - 1))
    return more if kind.split() == ["at", "least"] else s.conjunction(cases.at_most(0, number), more)


class Cases:
    """Counts true formulas by cases: the first one is true or not, and so on."""

    def __init__(self, parts: list[s.Formula]) -> None:
        self._parts = parts
        self._spelled = 0

    def at_most(self, first: int, number: int) -> s.Formula:
        """At most so many of the formulas from `first` on are true."""
        self._spelled += 1
        if self._spelled > MOST_CASES:
            raise ValueError(f"counting {len(self._parts)} formulas takes more than {MOST_CASES} cases")
        left = len(self._parts) - first
        if left > MOST_COUNTED and 0 < number < left:
            raise ValueError(f"{left} formulas are counted, more than {MOST_COUNTED}")
        if number < 0 or number >= left:
            return s.Constant(number >= 0)
        if number == 0:
            return s.negation(any_of(self._parts[first:]))
        here = self._parts[first]
        with_it, without = self.at_most(first + 1, number - 1), self.at_most(first + 1, number)
        return s.conjunction(s.disjunction(s.negation(here), with_it), s.disjunction(here, without))
