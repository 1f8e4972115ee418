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
        coefficients, phases = self._coefficients[base.name], self._phases(shape, base)
        sums = _pair_sums if self._ring.conjugating else _word_sums
        found = sums(self._ring.p, shape, coefficients, phases)
        return [found[place] for place in shape.entries]

    def _gaussian(self, re: Fraction, im: Fraction) -> Element:
        """re + i im with the i that agrees with the roots of unity."""
        ring = self._ring
        return ring.rational(re) + ring.turn(Fraction(1, 4)) * ring.rational(im)

    def _phases(self, shape: PhaseMatrix, base: Base) -> dict[int, Element]:
        """The phases and conjugates that are multiplied; a negative angle takes one for the other."""
        parts, phase_of, found = shape.parts(base.angles), self._ring.phase_of, {}
        for k in shape.factors:
            phase, conjugate = (k, False) if k >= 0 else (~k, True)
            negative = base.angles[shape.phases[phase][0]] < 0
            found[k] = phase_of(parts[phase], conjugate=conjugate != negative)
        return found


def _word_sums(
    p: int, shape: PhaseMatrix, coefficients: list[Element], phases: dict[int, Element]
) -> list[Element]:
    products = []
    for chosen in shape.products:
        value = 1
        for k in chosen:
            value = value * phases[k].re % p
        products.append(value)
    found = []
    for terms in shape.sums:
        total = 0
        for c, k in terms:
            total += coefficients[c].re * products[k]
        found.append(Element(p, total % p))
    return found


def _pair_sums(
    p: int, shape: PhaseMatrix, coefficients: list[Element], phases: dict[int, Element]
) -> list[Element]:
    products = []
    for chosen in shape.products:
        re, im = 1, 0
        for k in chosen:
            x, y = phases[k].re, phases[k].im
            re, im = (re * x - im * y) % p, (re * y + im * x) % p
        products.append((re, im))
    found = []
    for terms in shape.sums:
        re, im = 0, 0
        for c, k in terms:
            a, b, (x, y) = coefficients[c].re, coefficients[c].im, products[k]
            re, im = re + a * x - b * y, im + a * y + b * x
        found.append(Element(p, re % p, im % p))
    return found
