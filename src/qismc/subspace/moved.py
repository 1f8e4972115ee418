"""Floating point with angles in general position, and with angles that tremble: what does it see there?

Where exact numbers say "not zero" for unknown angles and floating point says "zero" for those of the program,
either these depend on each other, or the number is merely too small to be seen. To tell one from the other
the unknowns are moved a little. What relations made zero is then seen; what is too small stays so.

Where outcomes are improbable, what rounding leaves of a large number may pass for a small one that is not
zero. If angles tremble in their last digits, it becomes something else; what is really there stays as it is.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

from qismc.program.operators import Base
from qismc.subspace.angles import AngleBook, BaseAngle, Combination, Itself, Radian
from qismc.subspace.forms import ComplexForm

STEP = 0.03
"""Unknowns are moved by up to this part of themselves, and at least by half of it."""


@dataclass(frozen=True)
class MovedForm(ComplexForm):
    """complex128, with the unknown base angles of a book moved; relations that the book knows are kept."""

    book: AngleBook = field(default_factory=AngleBook)

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return "moved", id(self.book)

    def meant(self, base: Base) -> Base:
        return replace(base, angles=tuple(map(self.moved, base.angles)))

    def moved(self, angle: float) -> float:
        """The angle that the same combination is of moved base angles."""
        found = self.book.express(angle)
        return Combination(found.turn, tuple((_moved(base), factor) for base, factor in found.parts)).value


TREMOR = 2.0**-50
"""Angles and entries tremble by up to this part of themselves, and at least by half of it."""


@dataclass(frozen=True)
class TremblingForm(ComplexForm):
    """complex128, with the last digits of angles and entries changed: of equal ones alike."""

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return ("trembling",)

    def meant(self, base: Base) -> Base:
        angles = tuple(_trembling(abs(angle)) * math.copysign(1, angle) for angle in base.angles)
        if base.entries is None:
            return replace(base, angles=angles)
        entries = tuple(tuple(z * _trembling(1 + abs(z)) / (1 + abs(z)) for z in row) for row in base.entries)
        return replace(base, angles=angles, entries=entries)


def _trembling(number: float) -> float:
    draw = random.Random(repr(number))
    return number * (1 + TREMOR * draw.uniform(0.5, 1) * draw.choice((-1, 1)))


def _moved(base: BaseAngle) -> BaseAngle:
    """Always alike; algebraic cosines and fine turns are no unknowns."""
    if not isinstance(base, Itself | Radian):
        return base
    return Itself(base.value * (1 + STEP * random.Random(repr(base)).uniform(0.5, 1)))
