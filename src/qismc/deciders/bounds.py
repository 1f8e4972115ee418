"""What bounds say of a probability that is known, exactly or up to an error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from typing_extensions import assert_never

from qismc.ctl import Truth
from qismc.language import Bound, Formula, Probability, Threshold, rational
from qismc.probability import Likelihood, Undecidable, compared

NEAR = 1e-12
"""An irrational bound is told apart from a fraction if they differ so much."""


@dataclass(frozen=True)
class Chance:
    """A probability: the fraction that it is, or a number between 0 and 1, both exclusive, with an error."""

    likelihood: Likelihood
    zero: float = 0.0
    """Thresholds that are no farther than this from a number with an error are in doubt."""

    @classmethod
    def exactly(cls, value: Fraction) -> Chance:
        return cls(Likelihood.exactly(value))

    @property
    def exact(self) -> Fraction | None:
        return self.likelihood.exact

    @property
    def complement(self) -> Chance:
        """That of the opposite event."""
        return Chance(self.likelihood.complement, self.zero)

    def meets(self, bound: Bound) -> bool:
        """Is it as the bound says? `P=?` is no claim. Raises Undecidable."""
        match bound:
            case "=?":
                return True
            case "=1":
                return self.exact == 1
            case ">0":
                return self.exact != 0
            case Threshold(relation, number):
                value, exact = rational(number), self.exact
                if value is None or (exact is None and 0 < value < 1):
                    return self._is_apart(bound)
                if exact is None:
                    exact = Fraction(1, 2)  # as good as any between 0 and 1
                return compared(exact, relation, value)
        assert_never(bound)

    def _is_apart(self, threshold: Threshold) -> bool:
        if self.exact is not None and abs(float(self.exact) - threshold.value) < NEAR:
            raise Undecidable(self.likelihood, threshold)
        found = self.likelihood
        if self.exact is None:
            found = replace(found, error=max(found.error, self.zero))
        return found.satisfies(threshold)


def answered(formula: Formula) -> dict[Formula, Truth]:
    """`P=?` is a question: that it is answered is all that is known of it."""
    if isinstance(formula, Probability) and formula.bound == "=?":
        return {formula: Truth(np.ones(0, dtype=bool), np.ones(0, dtype=bool))}
    return {}
