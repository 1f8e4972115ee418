"""How many of some formulas are true, as a formula."""

from __future__ import annotations

from functools import reduce

from qismc.language import syntax as s

MOST_CASES = 2_000
"""A count that takes more cases than this is refused."""


MOST_COUNTED = 100
"""Each formula that is counted stands inside those of the earlier ones."""

LONGEST_CHAIN = 50
"""Of a disjunction that groups to the left, as it would be read."""


def any_of(parts: list[s.Formula]) -> s.Formula:
    """Their disjunction; of many parts, in halves, so that no tree is deep."""
    if len(parts) <= LONGEST_CHAIN:
        return reduce(s.Or, parts) if parts else s.Constant(False)
    middle = len(parts) // 2
    return s.Or(any_of(parts[:middle]), any_of(parts[middle:]))


def count_of(parts: list[s.Formula], kind: str, number: int) -> s.Formula:
    """`at most`, `at least` or `exactly` so many are true; raises ValueError if that takes too many cases."""
    cases = Cases(parts)
    match kind.split():
        case ["at", "most"]:
            return cases.at_most(0, number)
        case ["at", "least"]:
            return _negated(cases.at_most(0, number - 1))
        case _:
            return _both(cases.at_most(0, number), _negated(cases.at_most(0, number - 1)))


class Cases:
    """One formula after the other is true or not."""

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
            return _negated(any_of(self._parts[first:]))
        here = self._parts[first]
        with_it, without = self.at_most(first + 1, number - 1), self.at_most(first + 1, number)
        return _both(_either(_negated(here), with_it), _either(here, without))


def _negated(formula: s.Formula) -> s.Formula:
    match formula:
        case s.Constant(value):
            return s.Constant(not value)
        case s.Not(operand):
            return operand
    return s.Not(formula)


def _both(left: s.Formula, right: s.Formula) -> s.Formula:
    if isinstance(right, s.Constant):
        return left if right.value else right
    if isinstance(left, s.Constant):
        return right if left.value else left
    return s.And(left, right)


def _either(left: s.Formula, right: s.Formula) -> s.Formula:
    if isinstance(right, s.Constant):
        return right if right.value else left
    return s.Or(left, right)
