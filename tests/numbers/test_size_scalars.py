"""Sizes are bounds: numbers times denominators are algebraic integers, and at no conjugate larger."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from qismc.common.scalars import Matrix
from qismc.language.coefficients import ONE, Add, Coefficient, Div, Imaginary, Mul, Neg, Pow, Rational, Sqrt
from qismc.numbers.needs import Needs
from qismc.numbers.recognise import as_root, as_turn, square_free
from qismc.numbers.size_scalars import SizeScalars
from qismc.numbers.sizes import Size, product, stacked
from qismc.program.gates import FORMULAS, Base, base_matrix
from qismc.program.operators import PROJECT, Factor, Operator, single
from qismc.system.edges import Application
from qismc.system.gates import layout_of

ORDER = 240
"""sqrt(2), sqrt(3) and sqrt(5) are sums of roots of unity of this order."""
GALOIS = [k for k in range(ORDER) if math.gcd(k, ORDER) == 1]


class Conjugate:
    """Complex numbers after the automorphism that sends the root of unity z to z^k."""

    def __init__(self, k: int) -> None:
        self._k = k

    def rational(self, value: Fraction | int) -> complex:
        return complex(value)

    def turn(self, fraction: Fraction) -> complex:
        assert ORDER % fraction.denominator == 0
        return cmath.exp(2j * math.pi * self._k * float(fraction))

    def phase(self, angle: float, times: Fraction | int = 1) -> complex:
        turn = as_turn(angle)
        assert turn is not None
        return self.turn(turn * times)

    def sqrt(self, value: Fraction | int) -> complex:
        fraction = Fraction(value)
        if not fraction:
            return 0j
        outside, primes = square_free(fraction.numerator * fraction.denominator)
        found = complex(Fraction(outside, fraction.denominator))
        for prime in primes:
            found *= self._root(prime)
        return found

    def _root(self, prime: int) -> complex:
        """Gauss: sqrt(q), or i sqrt(q) if q = 3 mod 4, is a sum of roots of unity."""
        if prime == 2:
            return self.turn(Fraction(1, 8)) + self.turn(Fraction(-1, 8))
        terms = [pow(k, (prime - 1) // 2, prime) for k in range(1, prime)]
        found = sum((1 if t == 1 else -1) * self.turn(Fraction(k, prime)) for k, t in enumerate(terms, 1))
        return complex(found) if prime % 4 == 1 else complex(found) / self.turn(Fraction(1, 4))

    def number(self, value: complex) -> complex:
        square, turn = as_root(value)
        return self.sqrt(square) * self.turn(turn)


def is_integer(conjugates: list[complex]) -> bool:
    """Has the polynomial whose zeros are the different conjugates of a number integer coefficients?"""
    different = list({(round(z.real, 9), round(z.imag, 9)): z for z in conjugates}.values())
    return bool(np.all(np.abs(np.poly(different) - np.round(np.poly(different).real)) < 1e-6))


def sized(base: Base) -> Size:
    needs = Needs(order=ORDER)
    base_matrix(base, needs)
    return SizeScalars(needs).base(base)


def bits_of(size: Size) -> float:
    return sum(size.denominator.values())


def some_bases() -> list[Base]:
    rng = random.Random(5)
    found = []
    for name, (_, angles, _) in sorted(FORMULAS.items()):
        for _ in range(3):
            found.append(Base(name, tuple(rng.choice([-3, 1, 2, 5]) * math.pi / 6 for _ in range(angles))))
    third, rest = complex(math.sqrt(1 / 3)), complex(math.sqrt(2 / 3))
    found.append(Base("literal", (), ((third, rest), (rest, -third))))
    found.append(Base("kraus", (), ((0.6, 0), (0, 0.8j))))
    return found


@pytest.mark.parametrize("base", some_bases(), ids=lambda base: base.name)
def test_matrices_are_no_larger_than_their_sizes(base: Base) -> None:
    size = sized(base)
    matrices: list[Matrix] = [base_matrix(base, Conjugate(k)) for k in GALOIS]
    for matrix in matrices:
        assert np.linalg.norm(np.array(matrix), 2) <= 2**size.height + 1e-9
    scale = 2 ** bits_of(size)
    for row in range(len(matrices[0])):
        for column in range(len(matrices[0])):
            # the square of (number times denominator) lies in the field and must be an integer there
            assert is_integer([(matrix[row][column] * scale) ** 2 for matrix in matrices])


SHARP = [Base("h"), Base("ecr"), Base("literal", (), ((0.6 + 0j, 0.8 + 0j), (0.8 + 0j, -0.6 + 0j)))]


@pytest.mark.parametrize("base", SHARP, ids=lambda base: base.name)
def test_smaller_denominators_would_not_do(base: Base) -> None:
    """The check above can fail: half a bit less, and something is no integer."""
    size = sized(base)
    scale = 2 ** (bits_of(size) - 0.5)
    matrices = [base_matrix(base, Conjugate(k)) for k in GALOIS]
    entries = [[matrix[row][column] for matrix in matrices] for row in range(2) for column in range(2)]
    assert not all(is_integer([(z * scale) ** 2 for z in entry]) for entry in entries)


def test_every_angle_counts() -> None:
    """Unknowns have degrees, whatever the gate: p, rz and rzz as well."""
    for name, (_, angles, _) in FORMULAS.items():
        if angles:
            base = Base(name, tuple(0.3 + 0.1 * k for k in range(angles)))
            assert sized(base).degree > 0, name


half, root = Rational(Fraction(1, 2)), Sqrt(Fraction(3, 4))
COEFFICIENTS: list[Coefficient] = [
    half,
    root,
    Neg(Mul(half, Imaginary())),
    Add(half, root),
    Div(ONE, root),
    Div(half, Add(ONE, Sqrt(Fraction(2)))),
    Div(ONE, Add(Rational(Fraction(5, 3)), Mul(root, Imaginary()))),
    Pow(Add(ONE, Imaginary()), -3),
]


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_coefficients_are_no_larger_than_their_sizes(coefficient: Coefficient) -> None:
    needs = Needs(order=ORDER)
    coefficient.value(needs)
    size = coefficient.value(SizeScalars(needs)).size
    values = [coefficient.value(Conjugate(k)) for k in GALOIS]
    assert max(map(abs, values)) <= 2**size.height * (1 + 1e-9)
    norm = math.prod(abs(value) for value in values)
    assert norm >= 2 ** (-bits_of(size) * len(GALOIS)) * (1 - 1e-9)


def test_phases_in_coefficients_have_degrees() -> None:
    needs = Needs()
    needs.phase(0.3)
    assert (SizeScalars(needs).phase(0.3) * SizeScalars(needs).phase(-0.3)).size.degree == 2
    unknown = SizeScalars(needs).phase(0.3) + SizeScalars(needs).rational(1)
    assert (unknown / unknown).size.height == math.inf


@pytest.mark.parametrize("name", [name for name, (_, angles, _) in FORMULAS.items() if not angles])
def test_gates_without_angles_have_one_size(name: str) -> None:
    """Whatever else the numbers of a check need."""
    needs = Needs()
    needs.turn(Fraction(1, 3))
    needs.sqrt(7)
    sizes = SizeScalars(needs)
    entries = stacked(entry.size for row in base_matrix(Base(name), sizes) for entry in row)
    assert sizes.base(Base(name)) == Size(entries.denominator, 0.0, entries.degree)


THIRD, FIFTH = (2 * math.acos(math.sqrt(r)) for r in (1 / 3, 1 / 5))
MIXED = [
    (0.7, -0.3, 1.25),
    (THIRD, -THIRD, FIFTH),
    (-THIRD, 0.5, THIRD),
    (0.123456789123, math.pi / 2**50, 0.0),
]


@pytest.mark.parametrize("angles", MIXED)
@pytest.mark.parametrize("name", [name for name, (_, angles, _) in FORMULAS.items() if angles])
def test_gates_with_angles_are_as_large_as_their_formulas(name: str, angles: tuple[float, ...]) -> None:
    needs = Needs()
    bases = [Base(name, angles[: FORMULAS[name][1]]), Base("rz", (0.3,)), Base("ry", (THIRD,))]
    for base in bases:
        base_matrix(base, needs)
    sizes = SizeScalars(needs)
    entries = stacked(entry.size for row in base_matrix(bases[0], sizes) for entry in row)
    found = sizes.base(bases[0])
    assert found.denominator == pytest.approx(entries.denominator)
    assert (found.height, found.degree) == (0.0, entries.degree)


@pytest.mark.parametrize("rooted", [False, True])
def test_gates_one_after_the_other_are_as_large_as_their_product(rooted: bool) -> None:
    """Factor by factor; a projector or a literal matrix is not invertible in every field."""
    gates = [single("rx", 1, 0.7), single("rx", 1, -0.3), single("h", 1), single("rzz", 2, 0.7)]
    gates += [single("u", 1, 0.3, 1.25, math.pi / 5), single("ry", 1, THIRD if rooted else 0.9)]
    gates = [gates[k] for k in (0, 1, 2, 0, 3, 4, 5, 3, 0, 1)]
    gates.append(Operator("two", 2, tuple(f for gate in (gates[0], gates[4]) for f in gate.factors)))
    needs = Needs()
    for factor in (f for gate in gates for f in gate.factors):
        base_matrix(factor.base, needs)
    assert bool(needs.rooted()) == rooted
    sizes = SizeScalars(needs)
    placed = [Application(gate, tuple(range(gate.width))) for gate in gates]
    found, invertible = sizes.of_layout(layout_of(placed))
    expected = product([sizes.base(f.base) for gate in gates for f in gate.factors])
    assert found.denominator == pytest.approx(expected.denominator)
    assert (found.height, found.degree) == (expected.height, expected.degree) and invertible
    singular = [*placed, Application(PROJECT[0], (0,))]
    literal = [*placed, Application(Operator("m", 1, (Factor(SHARP[2], (0,)),)), (0,))]
    assert not any(sizes.of_layout(layout_of(each))[1] for each in (singular, literal))
