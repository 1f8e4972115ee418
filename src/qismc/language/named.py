"""States with names: |Phi+>, |Phi->, |Psi+>, |Psi->, |GHZ3>, |W3>."""

from __future__ import annotations

import re
from fractions import Fraction

from qismc.language import coefficients as c
from qismc.language.syntax import Term

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
