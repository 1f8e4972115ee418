"""The account of what an exact engine decided, how sure that is, and what it assumed about numbers.

A decision is the question whether a number of the check (an entry of a vector, a determinant, an inner
product) is zero. "Not zero" modulo a prime is certain; "zero" is wrong if a number that is not zero falls
into the prime ideal that was drawn, if an unknown happens to be a root, or if a random evaluation misses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field

from qismc.numbers.sizes import Size


@dataclass
class Ledger:
    """Sums over all decisions, and their answers in order."""

    decisions: int = 0
    bits: float = 0.0
    """How many bits the numbers that were compared with zero have, all together."""
    degree: float = 0.0
    """Their degrees in the unknowns, all together."""
    chance: float = 0.0
    """The probability that some random evaluation misses."""
    largest: float = 0.0
    """The bits of the largest number."""
    _answers: bytearray = field(default_factory=bytearray)
    _taken: dict[int, tuple[Ledger, tuple[int, float, float, float]]] = field(default_factory=dict)
    """Other accounts, and the sums that they had when they were taken over."""

    def decided(self, answer: bool, sizes: Iterable[Size], *, chance: float = 0.0) -> bool:
        """Note an answer about a number that is at most the product of `sizes`; the answer itself."""
        bits, degree = 0.0, 0.0
        for size in sizes:
            bits += size.bits
            degree += size.degree
        return self.decided_on(answer, bits, degree, chance=chance)

    def decided_on(self, answer: bool, bits: float, degree: float, *, chance: float = 0.0) -> bool:
        """Note an answer about a number of so many bits and this degree; the answer itself."""
        self.decisions += 1
        self.bits += bits
        self.degree += degree
        self.chance += chance
        self.largest = max(self.largest, bits)
        self._answers.append(answer)
        return answer

    def take_over(self, other: Ledger) -> None:
        """Add what another account has so far: what comes next rests on its decisions, too.

        What was taken over before is not counted again. Answers are left out: accounts whose transcripts are
        compared take nothing over.
        """
        _, before = self._taken.get(id(other), (other, (0, 0.0, 0.0, 0.0)))
        now = other.decisions, other.bits, other.degree, other.chance
        self.decisions += now[0] - before[0]
        self.bits += now[1] - before[1]
        self.degree += now[2] - before[2]
        self.chance += now[3] - before[3]
        self.largest = max(self.largest, other.largest)
        self._taken[id(other)] = other, now

    def noted(self, found: bytes) -> None:
        """Note other results that decide what is computed next."""
        self._answers += found

    def transcript(self) -> bytes:
        """A digest of all answers: runs with the same transcript decided the same, one by one."""
        return hashlib.blake2b(self._answers, digest_size=32).digest()


@dataclass(frozen=True)
class Assumptions:
    """What an exact engine takes for granted about the numbers of a check.

    Nothing is assumed about roots of unity, rationals and their square roots.

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
