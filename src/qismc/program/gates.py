"""Bases: every small matrix that operators are built from, as a name with angles or as literal numbers.

A named base is a formula over any number system (`Scalars`); only the engines turn it into numbers. Rows and
columns count with the first target as the least significant bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

from qismc.common.lazily import hashed_once
from qismc.common.scalars import COMPLEX, Matrix, Scalars

Entries = tuple[tuple[complex, ...], ...]


@hashed_once
@dataclass(frozen=True)
class Base:
    """A named small matrix; `entries` is set for literal matrices only (row by row)."""

    name: str
    angles: tuple[float, ...] = ()
    entries: Entries | None = None

    @property
    def roundings(self) -> float:
        """Rounding error of the matrix, in units of that of a named matrix without angles."""
        entries = 1.0 if self.entries is None else len(self.entries) / 2
        return max(1.0, entries) + sum(map(_rounded, self.angles)) / 2

    @property
    def adjoint(self) -> Base:
        """The base whose matrix is the conjugate transpose."""
        if self.entries is not None:
            columns = zip(*self.entries, strict=True)
            entries = tuple(tuple(z.conjugate() for z in column) for column in columns)
            return Base(self.name, self.angles, entries)
        if not self.angles:
            return Base(ADJOINTS[self.name]) if self.name in ADJOINTS else self
        if self.name == "u":
            theta, phi, lam = self.angles
            return Base("u", (-theta, -lam, -phi))
        return Base(self.name, (-self.angles[0], *self.angles[1:]))


FAR = 10_000.0
"""Largest angle, in radians, that is searched for any exact form. Larger doubles are so sparse that many of
them are near some fraction: only decimals with few digits and dyadic multiples of pi are recognised there."""


def _rounded(angle: float) -> float:
    """Size of an angle, to which its rounding error is proportional; 0 if the double itself is meant."""
    size = abs(angle)
    return size if size <= FAR or float(f"{size:.7e}") == size else 0.0


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Formula = Callable[..., Matrix]


def _integers(*rows: tuple[int, ...]) -> Formula:
    return lambda ring: [[ring.rational(entry) for entry in row] for row in rows]


def _turn(eighths: int) -> Formula:
    """diag(1, exp(2 pi i eighths / 8))."""

    def formula(ring: Scalars[Any]) -> Matrix:
        one, zero = ring.rational(1), ring.rational(0)
        return [[one, zero], [zero, ring.turn(Fraction(eighths, 8))]]

    return formula


def _phases(*multiples: Fraction | int) -> Formula:
    """diag(exp(i m angle)) for the given multiples m of the angle."""

    def formula(ring: Scalars[Any], angle: float) -> Matrix:
        one, zero = ring.rational(1), ring.rational(0)
        phases = {m: ring.phase(angle, m) if m else one for m in multiples}
        size = range(len(multiples))
        return [[phases[multiples[r]] if r == c else zero for c in size] for r in size]

    return formula


def _cos_sin(ring: Scalars[Any], angle: float) -> tuple[Any, Any]:
    """cos(angle/2) and i sin(angle/2)."""
    plus, minus = ring.phase(angle, HALF), ring.phase(angle, -HALF)
    half = ring.rational(HALF)
    return (plus + minus) * half, (plus - minus) * half


def _rotation(flips: int, *signs: int) -> Formula:
    """exp(-i angle P / 2), where P has the number `signs[r]` in row r and column r ^ flips."""

    def formula(ring: Scalars[Any], angle: float) -> Matrix:
        (cos, isin), zero = _cos_sin(ring, angle), ring.rational(0)
        off = {1: -isin, -1: isin}
        size = range(len(signs))
        return [[cos if r == c else off[signs[r]] if r == c ^ flips else zero for c in size] for r in size]

    return formula


def _exchange(first: int, second: int) -> Formula:
    """Two of four basis states rotated into one another, with a second angle for their relative phase."""

    def formula(ring: Scalars[Any], theta: float, beta: float) -> Matrix:
        (cos, isin), zero, one = _cos_sin(ring, theta), ring.rational(0), ring.rational(1)
        matrix = [[one if r == c else zero for c in range(4)] for r in range(4)]
        matrix[first][first] = matrix[second][second] = cos
        matrix[first][second] = -(isin * ring.phase(beta, -1))
        matrix[second][first] = -(isin * ring.phase(beta))
        return matrix

    return formula


def _y(ring: Scalars[Any]) -> Matrix:
    i, zero = ring.turn(QUARTER), ring.rational(0)
    return [[zero, -i], [i, zero]]


def _h(ring: Scalars[Any]) -> Matrix:
    r = ring.sqrt(HALF)
    return [[r, r], [r, -r]]


def _sx(ring: Scalars[Any]) -> Matrix:
    i, half = ring.turn(QUARTER), ring.rational(HALF)
    plus, minus = half + half * i, half - half * i
    return [[plus, minus], [minus, plus]]


def _sxdg(ring: Scalars[Any]) -> Matrix:
    (plus, minus), _ = _sx(ring)
    return [[minus, plus], [plus, minus]]


def _ry(ring: Scalars[Any], angle: float) -> Matrix:
    cos, isin = _cos_sin(ring, angle)
    sin = -(ring.turn(QUARTER) * isin)
    return [[cos, -sin], [sin, cos]]


def _r(ring: Scalars[Any], theta: float, phi: float) -> Matrix:
    cos, isin = _cos_sin(ring, theta)
    return [[cos, -(isin * ring.phase(phi, -1))], [-(isin * ring.phase(phi)), cos]]


def _u(ring: Scalars[Any], theta: float, phi: float, lam: float) -> Matrix:
    cos, isin = _cos_sin(ring, theta)
    sin = -(ring.turn(QUARTER) * isin)
    e_phi, e_lam = ring.phase(phi), ring.phase(lam)
    return [[cos, -(e_lam * sin)], [e_phi * sin, e_phi * e_lam * cos]]


def _iswap(ring: Scalars[Any], sign: int = 1) -> Matrix:
    one, zero, i = ring.rational(1), ring.rational(0), ring.turn(sign * QUARTER)
    return [[one, zero, zero, zero], [zero, zero, i, zero], [zero, i, zero, zero], [zero, zero, zero, one]]


def _ecr(ring: Scalars[Any]) -> Matrix:
    r, zero = ring.sqrt(HALF), ring.rational(0)
    ir = ring.turn(QUARTER) * r
    return [[zero, r, zero, ir], [r, zero, -ir, zero], [zero, ir, zero, r], [-ir, zero, r, zero]]


FORMULAS: dict[str, tuple[int, int, Formula]] = {
    "id": (1, 0, _integers((1, 0), (0, 1))),
    "x": (1, 0, _integers((0, 1), (1, 0))),
    "y": (1, 0, _y),
    "z": (1, 0, _turn(4)),
    "h": (1, 0, _h),
    "s": (1, 0, _turn(2)),
    "sdg": (1, 0, _turn(-2)),
    "t": (1, 0, _turn(1)),
    "tdg": (1, 0, _turn(-1)),
    "sx": (1, 0, _sx),
    "sxdg": (1, 0, _sxdg),
    "project0": (1, 0, _integers((1, 0), (0, 0))),
    "project1": (1, 0, _integers((0, 0), (0, 1))),
    "lower": (1, 0, _integers((0, 1), (0, 0))),
    "raise": (1, 0, _integers((0, 0), (1, 0))),
    "phase": (0, 1, _phases(1)),
    "p": (1, 1, _phases(0, 1)),
    "rx": (1, 1, _rotation(1, 1, 1)),
    "ry": (1, 1, _ry),
    "rz": (1, 1, _phases(-HALF, HALF)),
    "r": (1, 2, _r),
    "u": (1, 3, _u),
    "swap": (2, 0, _integers((1, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 0), (0, 0, 0, 1))),
    "iswap": (2, 0, _iswap),
    "iswapdg": (2, 0, partial(_iswap, sign=-1)),
    "dcx": (2, 0, _integers((1, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0))),
    "dcxdg": (2, 0, _integers((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 1, 0, 0))),
    "ecr": (2, 0, _ecr),
    "rxx": (2, 1, _rotation(3, 1, 1, 1, 1)),
    "ryy": (2, 1, _rotation(3, -1, 1, 1, -1)),
    "rzz": (2, 1, _phases(-HALF, HALF, HALF, -HALF)),
    "rzx": (2, 1, _rotation(2, 1, -1, 1, -1)),  # Z on the first target, X on the second
    "xx_plus_yy": (2, 2, _exchange(1, 2)),
    "xx_minus_yy": (2, 2, _exchange(0, 3)),
}
"""name -> (targets, angles, matrix)."""
ADJOINTS = {
    "s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t", "sx": "sxdg", "sxdg": "sx", "dcx": "dcxdg",
    "dcxdg": "dcx", "iswap": "iswapdg", "iswapdg": "iswap", "lower": "raise", "raise": "lower",
}  # fmt: skip
"""The bases without angles that are not their own adjoints."""
SINGULAR = frozenset({"project0", "project1", "lower", "raise"})


def base_matrix(base: Base, ring: Scalars[Any]) -> Matrix:
    """The matrix of a base over the given numbers."""
    if base.entries is not None:
        return [[ring.number(entry) for entry in row] for row in base.entries]
    return FORMULAS[base.name][2](ring, *base.angles)


def are_unitary(bases: Sequence[Base]) -> bool:
    """Are they named matrices with unitary formulas, whatever the angles? Literal numbers may be rounded."""
    named = all(base.entries is None for base in bases)
    return named and SINGULAR.isdisjoint([base.name for base in bases])


@lru_cache(maxsize=4096)
def is_diagonal(base: Base) -> bool:
    """Is the matrix diagonal, in floating point?"""
    matrix = base_matrix(base, COMPLEX)
    return all(entry == 0 for i, row in enumerate(matrix) for j, entry in enumerate(row) if i != j)
