"""What an exact engine takes for granted about the numbers of a check."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Assumptions:
    """Nothing is assumed about roots of unity, rationals and their square roots: all false.

    What is zero for unknowns is zero for the numbers that they stand for. What is not zero may be zero for
    the very angles of a program, if these depend on each other in a way that nobody noticed.
    """

    generic: bool = False
    """Unknowns stand for angles."""
    literal: bool = True
    """All are decimals as written: exp(i d) is transcendental, so that "not zero" is right as well."""
    rounded: bool = False
    """Some of them look like rounded multiples of pi, which is probably what was meant."""
    fine: bool = False
    """Some turns are so fine that floating point does not see them."""
    recognised: bool = False
    """Literal numbers were taken for nearby square roots of fractions that chance may meet."""
    rooted: bool = False
    """Square roots of roots were taken with either sign, so that "zero" should be looked at, too."""

    @property
    def tentative(self) -> bool:
        """Should decisions be compared with the numbers themselves?"""
        return self.recognised or self.rooted or (self.generic and (self.rounded or not self.literal))

    @property
    def proved(self) -> bool:
        """Are all decisions right, whatever floating point may say?"""
        return self.literal and not self.recognised and not self.rooted


NOTHING_ASSUMED = Assumptions()
