"""Operators: what a statement does to the qubits, free of any number system.

An operator is a product of factors; a factor is a small matrix (its *base*) on some targets, applied when
its controls have given values. A base is a name with angles (`rx`, 0.3) or a literal complex matrix; only
the engines turn it into numbers (see `qismc.program.gates`). Multi-controlled gates therefore stay small.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from qismc.common.hashing import hashed_once
from qismc.common.lazily import cached_property

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
            return Base(
                self.name, self.angles, tuple(tuple(z.conjugate() for z in column) for column in columns)
            )
        if self.name in SELF_ADJOINT:
            return self
        if self.name in ADJOINT_NAMES:
            return Base(ADJOINT_NAMES[self.name])
        if self.name in NEGATE_FIRST_ANGLE:
            return Base(self.name, (-self.angles[0], *self.angles[1:]))
        if self.name == "u":
            theta, phi, lam = self.angles
            return Base("u", (-theta, -lam, -phi))
        return ISWAP_DAGGER


ISWAP_DAGGER = Base("iswapdg", (), ((1, 0, 0, 0), (0, 0, -1j, 0), (0, -1j, 0, 0), (0, 0, 0, 1)))
ADJOINT_NAMES = {
    "s": "sdg", "sdg": "s", "t": "tdg", "tdg": "t", "sx": "sxdg", "sxdg": "sx", "dcx": "dcxdg",
    "dcxdg": "dcx", "lower": "raise", "raise": "lower",
}  # fmt: skip
SELF_ADJOINT = frozenset({"x", "y", "z", "h", "id", "swap", "ecr", "project0", "project1"})
NEGATE_FIRST_ANGLE = frozenset(
    {"phase", "p", "rx", "ry", "rz", "r", "rzz", "rxx", "ryy", "rzx", "xx_plus_yy", "xx_minus_yy"}
)


FAR = 10_000.0
"""Largest angle, in radians, that is searched for any exact form. Larger doubles are so sparse that many of
them are near some fraction: only decimals with few digits and dyadic multiples of pi are recognised there."""


def _rounded(angle: float) -> float:
    """Size of an angle, to which its rounding error is proportional; 0 if the double itself is meant."""
    size = abs(angle)
    return size if size <= FAR or float(f"{size:.7e}") == size else 0.0


@dataclass(frozen=True)
class Factor:
    """`base` on `targets` if control c has value v for all (c, v).

    The first target is the least significant bit, as in Qiskit.
    """

    base: Base
    targets: tuple[int, ...]
    controls: tuple[tuple[int, int], ...] = ()

    def on(self, qubits: tuple[int, ...]) -> Factor:
        """The same factor with local qubit k renamed to qubits[k]."""
        return Factor(
            self.base,
            tuple(qubits[t] for t in self.targets),
            tuple((qubits[c], value) for c, value in self.controls),
        )

    @property
    def adjoint(self) -> Factor:
        return Factor(self.base.adjoint, self.targets, self.controls)


@dataclass(frozen=True)
class Operator:
    """The product of `factors` (first factor acts first) on local qubits 0 .. width-1.

    `unitary` is False for projectors and other Kraus operators.
    """

    name: str
    width: int
    factors: tuple[Factor, ...]
    angles: tuple[float, ...] = ()
    unitary: bool = True
    label: str | None = field(default=None, compare=False)

    @cached_property
    def adjoint(self) -> Operator:
        """The operator with <adjoint u, v> = <u, operator v>."""
        factors = tuple(factor.adjoint for factor in reversed(self.factors))
        return Operator(f"{self.name}^dagger", self.width, factors, self.angles, self.unitary)

    @cached_property
    def roundings(self) -> float:
        """Sum of the rounding errors of all factors, in the unit of `Base.roundings`."""
        return sum([factor.base.roundings for factor in self.factors])

    @property
    def is_identity(self) -> bool:
        return not self.factors


def single(name: str, width: int, *angles: float, unitary: bool = True) -> Operator:
    """The operator that is one named base on all its qubits."""
    base = Base(name, angles)
    return Operator(name, width, (Factor(base, tuple(range(width))),), angles, unitary)


PROJECT = (single("project0", 1, unitary=False), single("project1", 1, unitary=False))
RESET = (PROJECT[0], single("lower", 1, unitary=False))
