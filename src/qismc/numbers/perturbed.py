"""Floating point with angles in general position, and with angles that tremble: what does it see there?

Where exact numbers say "not zero" for unknown angles and floating point says "zero" for those of the program,
either these depend on each other, or the number is merely too small to be seen. To tell one from the other
the unknowns are moved a little. What relations made zero is then seen; what is too small stays so.

Where outcomes are improbable, what rounding leaves of a large number may pass for a small one that is not
zero. If angles tremble in their last digits, it becomes something else; what is really there stays as it is.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TypeVar

from qismc.common.scalars import COMPLEX
from qismc.numbers.angles import AngleBook, AngleSum, BaseAngle, Cosine, FineTurn, Itself
from qismc.numbers.forms import ComplexForm
from qismc.program import Base, base_matrix

Scalar = TypeVar("Scalar", float, complex)

STEP = 0.03
"""Unknowns are moved by up to this part of themselves, and at least by half of it."""


@dataclass(frozen=True)
class MovedForm(ComplexForm):
    """complex128, with the unknown base angles of a book moved; relations that the book knows are kept.

    Angles with an algebraic cosine are unknowns unless they are among the `exact` ones.
    """

    book: AngleBook = field(default_factory=AngleBook)
    exact: frozenset[Cosine] = frozenset()

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return "moved", id(self.book), self.exact

    def meant(self, base: Base) -> Base:
        return replace(base, angles=tuple(map(self.moved, base.angles)))

    def moved(self, angle: float) -> float:
        """The angle that the same combination is of moved base angles."""
        found = self.book.express(angle)
        parts = tuple((self._moved(base), factor) for base, factor in found.parts)
        return AngleSum(found.turn, parts).value

    def _moved(self, base: BaseAngle) -> BaseAngle:
        """Moved by an amount that depends on the base angle alone; fine turns are no unknowns."""
        if isinstance(base, FineTurn) or base in self.exact:
            return base
        return Itself(base.value * (1 + STEP * random.Random(repr(base)).uniform(0.5, 1)))


TREMOR = 2.0**-50
"""Angles and entries tremble by up to this part of themselves, and at least by half of it."""
LARGE_TREMOR = 1e-11
"""The same on trains, which drop small parts of states: it must be larger than these parts."""
WITHOUT_ROUNDING = frozenset({0, 1, -1, 1j, -1j})
"""Entries that nothing is rounded with."""


@dataclass(frozen=True)
class TremblingForm(ComplexForm):
    """complex128, with the last digits of angles and of entries changed: those of equal gates alike."""

    tremor: float = TREMOR

    @property
    def fingerprint(self) -> tuple[object, ...]:
        return "trembling", self.tremor

    def meant(self, base: Base) -> Base:
        if base.angles and base.entries is None:
            return replace(
                base, angles=tuple(self._trembling(angle, str(abs(angle))) for angle in base.angles)
            )
        rows = enumerate(base_matrix(base, COMPLEX))
        entries = [[self._entry(z, f"{base} {i} {j}") for j, z in enumerate(row)] for i, row in rows]
        return replace(base, entries=tuple(map(tuple, entries)))

    def _entry(self, entry: complex, seed: str) -> complex:
        return entry if entry in WITHOUT_ROUNDING else self._trembling(entry, seed)

    def _trembling(self, number: Scalar, seed: str) -> Scalar:
        draw = random.Random(seed)
        return number * (1 + self.tremor * draw.uniform(0.5, 1) * draw.choice((-1, 1)))
