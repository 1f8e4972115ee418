"""Gates with angles as sums of phases, worked out once for each name.

An entry of such a matrix is a sum of terms  c e^(i (q_1 a_1 + q_2 a_2 + ...))  with the gate's angles a_k,
rational multiples q_k and a number c = x + i y with rational x, y. Who knows the phases of the angles has the
matrix in a few multiplications; which phases occur does not depend on the angles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from qismc.common.lazily import cached_property
from qismc.program.gates import FORMULAS

Multiples = tuple[Fraction, ...]
"""One for each angle of a gate."""
Gaussian = tuple[Fraction, Fraction]
"""Real and imaginary part."""
QUARTERS: tuple[Gaussian, ...] = tuple(
    (Fraction(x), Fraction(y)) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))
)


AnglePart = tuple[float, int, int]
"""An angle and the fraction of it that is meant, both >= 0: numerator and denominator."""


@dataclass(frozen=True)
class PhaseMatrix:
    """The matrix of a gate over its phases. All tables are of places in other tables."""

    phases: tuple[tuple[int, int, int], ...]
    """(angle, numerator, denominator) of all phases that occur, or whose conjugates do."""
    coefficients: tuple[Gaussian, ...]
    products: tuple[tuple[int, ...], ...]
    """What is multiplied in a term: a phase, or the conjugate of phase k as ~k."""
    sums: tuple[tuple[tuple[int, int], ...], ...]
    """The different entries: sums of coefficients times products."""
    entries: tuple[int, ...]
    """Which sum each entry is, row by row."""

    @cached_property
    def largest(self) -> tuple[tuple[int, ...], ...]:
        """The phases of products, as often as they or their conjugates are in it, unless another has more."""
        found = {tuple(sorted(map(place, product))) for product in self.products}
        return tuple(one for one in sorted(found) if not any(_is_part(one, other) for other in found))

    def parts(self, angles: Sequence[float]) -> list[AnglePart]:
        """The phases of a gate with these angles."""
        return [(abs(angles[k]), numerator, denominator) for k, numerator, denominator in self.phases]


def place(phase: int) -> int:
    """Of a phase or its conjugate in `phases`."""
    return max(phase, ~phase)


def _is_part(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return one != other and Counter(one) <= Counter(other)


@cache
def phase_matrix(name: str) -> PhaseMatrix:
    """Of the named gate with angles."""
    _, angles, formula = FORMULAS[name]
    entries = [entry.terms for row in formula(PhaseSums(angles), *range(angles)) for entry in row]
    terms = [term for entry in entries for term in entry.items()]
    products = tuple({multiples: None for multiples, _ in terms})
    coefficients = tuple({coefficient: None for _, coefficient in terms})
    signed = [tuple((k, q) for k, q in enumerate(multiples) if q) for multiples in products]
    phases = tuple({(k, abs(q.numerator), q.denominator): None for product in signed for k, q in product})
    places = {(k, Fraction(top, bottom)): place for place, (k, top, bottom) in enumerate(phases)}
    sums = [
        tuple((coefficients.index(c), products.index(multiples)) for multiples, c in entry.items())
        for entry in entries
    ]
    different = tuple(dict.fromkeys(sums))
    return PhaseMatrix(
        phases,
        coefficients,
        tuple(tuple(places[k, q] if q > 0 else ~places[k, -q] for k, q in product) for product in signed),
        different,
        tuple(different.index(entry) for entry in sums),
    )


@dataclass(frozen=True)
class PhaseSum:
    """A sum of phases with coefficients other than 0."""

    terms: Mapping[Multiples, Gaussian]

    def __add__(self, other: PhaseSum) -> PhaseSum:
        found = dict(self.terms)
        for multiples, (x, y) in other.terms.items():
            re, im = found.get(multiples, (Fraction(0), Fraction(0)))
            found[multiples] = re + x, im + y
        return PhaseSum({multiples: c for multiples, c in found.items() if any(c)})

    def __neg__(self) -> PhaseSum:
        return PhaseSum({multiples: (-x, -y) for multiples, (x, y) in self.terms.items()})

    def __sub__(self, other: PhaseSum) -> PhaseSum:
        return self + -other

    def __mul__(self, other: PhaseSum) -> PhaseSum:
        found = PhaseSum({})
        for left, (a, b) in self.terms.items():
            for right, (x, y) in other.terms.items():
                multiples = tuple(p + q for p, q in zip(left, right, strict=True))
                found += PhaseSum({multiples: (a * x - b * y, a * y + b * x)})
        return found


class PhaseSums:
    """The number system of such sums; `angle` is the number of an angle."""

    def __init__(self, angles: int) -> None:
        self._none = (Fraction(0),) * angles

    def rational(self, value: Fraction | int) -> PhaseSum:
        return PhaseSum({self._none: (Fraction(value), Fraction(0))} if value else {})

    def turn(self, fraction: Fraction) -> PhaseSum:
        quarters = fraction * 4
        assert quarters.denominator == 1, "no gate with angles has other roots of unity"
        return PhaseSum({self._none: QUARTERS[quarters.numerator % 4]})

    def phase(self, angle: float, times: Fraction | int = 1) -> PhaseSum:
        multiples = tuple(Fraction(times) if k == angle else q for k, q in enumerate(self._none))
        return PhaseSum({multiples: QUARTERS[0]})

    def sqrt(self, value: Fraction | int) -> PhaseSum:
        raise NotImplementedError(f"no gate with angles has a square root, as of {value}")

    def number(self, value: complex) -> PhaseSum:
        raise NotImplementedError(f"no gate with angles has a literal number, as {value}")
