"""The named bases: every small matrix that Qiskit's standard gates are built from, as a formula.

Rows and columns count with the first target as the least significant bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from qismc.common.scalars import COMPLEX, Matrix, Scalars
from qismc.program.operators import Base, Operator

HALF = Fraction(1, 2)
Formula = Callable[..., Matrix]
FORMULAS: dict[str, tuple[int, int, Formula]] = {}


def _gate(name: str, width: int, angles: int = 0) -> Callable[[Formula], Formula]:
    def register(formula: Formula) -> Formula:
        FORMULAS[name] = (width, angles, formula)
        return formula

    return register


def _cos_sin(ring: Scalars[Any], angle: float) -> tuple[Any, Any]:
    """cos(angle/2) and i sin(angle/2)."""
    plus, minus = ring.phase(angle, HALF), ring.phase(angle, -HALF)
    half = ring.rational(HALF)
    return (plus + minus) * half, (plus - minus) * half


def _integers(*rows: tuple[int, ...]) -> Formula:
    return lambda ring: [[ring.rational(entry) for entry in row] for row in rows]


def _diagonal(*turns: Fraction | int) -> Formula:
    """diag(exp(2 pi i t)) for the given turns."""

    def formula(ring: Scalars[Any]) -> Matrix:
        zero = ring.rational(0)
        size = range(len(turns))
        return [[ring.turn(Fraction(turns[r])) if r == c else zero for c in size] for r in size]

    return formula


EIGHTH = Fraction(1, 8)
for _name, _turn in (("z", 4), ("s", 2), ("sdg", -2), ("t", 1), ("tdg", -1)):
    _gate(_name, 1)(_diagonal(0, _turn * EIGHTH))
_gate("x", 1)(_integers((0, 1), (1, 0)))
_gate("id", 1)(_integers((1, 0), (0, 1)))
_gate("project0", 1)(_integers((1, 0), (0, 0)))
_gate("project1", 1)(_integers((0, 0), (0, 1)))
_gate("lower", 1)(_integers((0, 1), (0, 0)))
_gate("raise", 1)(_integers((0, 0), (1, 0)))
_gate("swap", 2)(_integers((1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))
_gate("dcx", 2)(_integers((1, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0)))
_gate("dcxdg", 2)(_integers((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 0, 0)))


@_gate("y", 1)
def _y(ring: Scalars[Any]) -> Matrix:
    i, zero = ring.turn(Fraction(1, 4)), ring.rational(0)
    return [[zero, -i], [i, zero]]


@_gate("h", 1)
def _h(ring: Scalars[Any]) -> Matrix:
    r = ring.sqrt(HALF)
    return [[r, r], [r, -r]]


@_gate("sx", 1)
def _sx(ring: Scalars[Any]) -> Matrix:
    i, half = ring.turn(Fraction(1, 4)), ring.rational(HALF)
    plus, minus = half + half * i, half - half * i
    return [[plus, minus], [minus, plus]]


@_gate("sxdg", 1)
def _sxdg(ring: Scalars[Any]) -> Matrix:
    (plus, minus), _ = _sx(ring)
    return [[minus, plus], [plus, minus]]


@_gate("phase", 0, 1)
def _phase(ring: Scalars[Any], angle: float) -> Matrix:
    return [[ring.phase(angle)]]


@_gate("p", 1, 1)
def _p(ring: Scalars[Any], angle: float) -> Matrix:
    zero = ring.rational(0)
    return [[ring.rational(1), zero], [zero, ring.phase(angle)]]


@_gate("rx", 1, 1)
def _rx(ring: Scalars[Any], angle: float) -> Matrix:
    cos, isin = _cos_sin(ring, angle)
    return [[cos, -isin], [-isin, cos]]


@_gate("ry", 1, 1)
def _ry(ring: Scalars[Any], angle: float) -> Matrix:
    cos, isin = _cos_sin(ring, angle)
    sin = -(ring.turn(Fraction(1, 4)) * isin)
    return [[cos, -sin], [sin, cos]]


@_gate("rz", 1, 1)
def _rz(ring: Scalars[Any], angle: float) -> Matrix:
    zero = ring.rational(0)
    return [[ring.phase(angle, -HALF), zero], [zero, ring.phase(angle, HALF)]]


@_gate("r", 1, 2)
def _r(ring: Scalars[Any], theta: float, phi: float) -> Matrix:
    cos, isin = _cos_sin(ring, theta)
    return [[cos, -(isin * ring.phase(phi, -1))], [-(isin * ring.phase(phi)), cos]]


@_gate("u", 1, 3)
def _u(ring: Scalars[Any], theta: float, phi: float, lam: float) -> Matrix:
    cos, isin = _cos_sin(ring, theta)
    sin = -(ring.turn(Fraction(1, 4)) * isin)
    e_phi, e_lam = ring.phase(phi), ring.phase(lam)
    return [[cos, -(e_lam * sin)], [e_phi * sin, e_phi * e_lam * cos]]


@_gate("iswap", 2)
def _iswap(ring: Scalars[Any]) -> Matrix:
    one, zero, i = ring.rational(1), ring.rational(0), ring.turn(Fraction(1, 4))
    return [[one, zero, zero, zero], [zero, zero, i, zero], [zero, i, zero, zero], [zero, zero, zero, one]]


@_gate("ecr", 2)
def _ecr(ring: Scalars[Any]) -> Matrix:
    r, zero = ring.sqrt(HALF), ring.rational(0)
    ir = ring.turn(Fraction(1, 4)) * r
    return [[zero, r, zero, ir], [r, zero, -ir, zero], [zero, ir, zero, r], [-ir, zero, r, zero]]


@_gate("rzz", 2, 1)
def _rzz(ring: Scalars[Any], angle: float) -> Matrix:
    zero = ring.rational(0)
    plus, minus = ring.phase(angle, HALF), ring.phase(angle, -HALF)
    diagonal = (minus, plus, plus, minus)
    return [[diagonal[r] if r == c else zero for c in range(4)] for r in range(4)]


@_gate("rxx", 2, 1)
def _rxx(ring: Scalars[Any], angle: float) -> Matrix:
    (cos, isin), zero = _cos_sin(ring, angle), ring.rational(0)
    return [[cos if r == c else -isin if r == 3 - c else zero for c in range(4)] for r in range(4)]


@_gate("ryy", 2, 1)
def _ryy(ring: Scalars[Any], angle: float) -> Matrix:
    (cos, isin), zero = _cos_sin(ring, angle), ring.rational(0)
    corner = {0: isin, 1: -isin, 2: -isin, 3: isin}
    return [[cos if r == c else corner[r] if r == 3 - c else zero for c in range(4)] for r in range(4)]


@_gate("rzx", 2, 1)
def _rzx(ring: Scalars[Any], angle: float) -> Matrix:
    """Z on the first target, X on the second."""
    (cos, isin), zero = _cos_sin(ring, angle), ring.rational(0)
    off = {0: -isin, 1: isin, 2: -isin, 3: isin}
    return [[cos if r == c else off[r] if r == c ^ 2 else zero for c in range(4)] for r in range(4)]


@_gate("xx_plus_yy", 2, 2)
def _xx_plus_yy(ring: Scalars[Any], theta: float, beta: float) -> Matrix:
    (cos, isin), zero, one = _cos_sin(ring, theta), ring.rational(0), ring.rational(1)
    up, down = -(isin * ring.phase(beta, -1)), -(isin * ring.phase(beta))
    return [[one, zero, zero, zero], [zero, cos, up, zero], [zero, down, cos, zero], [zero, zero, zero, one]]


@_gate("xx_minus_yy", 2, 2)
def _xx_minus_yy(ring: Scalars[Any], theta: float, beta: float) -> Matrix:
    (cos, isin), zero, one = _cos_sin(ring, theta), ring.rational(0), ring.rational(1)
    up, down = -(isin * ring.phase(beta, -1)), -(isin * ring.phase(beta))
    return [[cos, zero, zero, up], [zero, one, zero, zero], [zero, zero, one, zero], [down, zero, zero, cos]]


def base_width(base: Base) -> int:
    """How many qubits the matrix acts on."""
    if base.entries is not None:
        return len(base.entries).bit_length() - 1
    return FORMULAS[base.name][0]


def base_matrix(base: Base, ring: Scalars[Any]) -> Matrix:
    """The matrix of a base over the given numbers."""
    if base.entries is not None:
        return [[ring.number(entry) for entry in row] for row in base.entries]
    return FORMULAS[base.name][2](ring, *base.angles)


SINGULAR = frozenset({"project0", "project1", "lower", "raise"})


def are_unitary(bases: Sequence[Base]) -> bool:
    """Are they named matrices with unitary formulas, whatever the angles? Literal numbers may be rounded."""
    named = all(base.entries is None for base in bases)
    return named and SINGULAR.isdisjoint([base.name for base in bases])


MOST_BASES = 4096
"""Number of bases that the cache of diagonal ones keeps."""


def keeps_basis(operator: Operator, place: int) -> bool:
    """Does the operator act on this local qubit by phases and as a control only?"""
    return all(_is_diagonal(f.base) for f in operator.factors if place in f.targets)


@lru_cache(maxsize=MOST_BASES)
def _is_diagonal(base: Base) -> bool:
    matrix = base_matrix(base, COMPLEX)
    return all(entry == 0 for i, row in enumerate(matrix) for j, entry in enumerate(row) if i != j)
