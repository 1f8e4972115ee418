"""Gates with angles over a finite field: a few multiplications of machine words for each matrix."""

from __future__ import annotations

from fractions import Fraction

from qismc.program.operators import Base
from qismc.program.phase_sums import PhaseMatrix, phase_matrix
from qismc.subspace.element import Element
from qismc.subspace.field import FieldScalars


class GateMatrices:
    """The matrices of named gates with angles over one field."""

    def __init__(self, ring: FieldScalars) -> None:
        self._ring = ring
        self._coefficients: dict[str, list[Element]] = {}

    def entries(self, base: Base) -> list[Element]:
        """Row by row."""
        shape = phase_matrix(base.name)
        if base.name not in self._coefficients:
            self._coefficients[base.name] = [self._gaussian(*number) for number in shape.coefficients]
        coefficients = self._coefficients[base.name]
        factors = self._factors(shape, base)
        sums = _pair_sums if self._ring.conjugating else _word_sums
        found = sums(self._ring.p, shape, coefficients, factors)
        return [found[place] for place in shape.entries]

    def _gaussian(self, re: Fraction, im: Fraction) -> Element:
        """re + i im with the i that agrees with the roots of unity."""
        ring = self._ring
        return ring.rational(re) + ring.turn(Fraction(1, 4)) * ring.rational(im)

    def _factors(self, shape: PhaseMatrix, base: Base) -> list[list[Element]]:
        """What is multiplied in each product; a negative angle takes conjugates for phases."""
        parts, phase = shape.parts(base.angles), self._ring.phase_of
        negative = [base.angles[k] < 0 for k, _, _ in shape.phases]
        return [
            [
                phase(parts[k], conjugate=negative[k])
                if k >= 0
                else phase(parts[~k], conjugate=not negative[~k])
                for k in product
            ]
            for product in shape.products
        ]


def _word_sums(
    p: int, shape: PhaseMatrix, coefficients: list[Element], factors: list[list[Element]]
) -> list[Element]:
    products = []
    for chosen in factors:
        value = 1
        for factor in chosen:
            value = value * factor.re % p
        products.append(value)
    return [Element(p, sum(coefficients[c].re * products[k] for c, k in terms) % p) for terms in shape.sums]


def _pair_sums(
    p: int, shape: PhaseMatrix, coefficients: list[Element], factors: list[list[Element]]
) -> list[Element]:
    products = []
    for chosen in factors:
        re, im = 1, 0
        for factor in chosen:
            x, y = factor.re, factor.im
            re, im = (re * x - im * y) % p, (re * y + im * x) % p
        products.append((re, im))
    found = []
    for terms in shape.sums:
        re, im = 0, 0
        for c, k in terms:
            (a, b), (x, y) = (coefficients[c].re, coefficients[c].im), products[k]
            re, im = re + a * x - b * y, im + a * y + b * x
        found.append(Element(p, re % p, im % p))
    return found
