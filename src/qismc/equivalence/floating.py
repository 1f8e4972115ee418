"""Two programs compared in floating point: the largest difference of their operators, store by store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qismc.common.lazily import cached_property
from qismc.deciders import worded
from qismc.equivalence.exact import Found, Kind
from qismc.equivalence.inputs import EVERY
from qismc.equivalence.joint import Pair
from qismc.equivalence.operations import Matrix, Operations, Store, on_one_basis, operations, store_text
from qismc.equivalence.registers import Registers
from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.model import Model

TOLERANCE = Tolerance()
ROUNDING = 1e-11
"""Operators that differ by no more are the same: so much rounding is in angles that transpilers compute."""


@dataclass(frozen=True)
class Difference:
    """Where two programs are farthest from each other: on a store, with these operators."""

    registers: tuple[str, ...]
    store: Store
    own: Matrix
    other: Matrix
    """On one orthonormal basis of what both are made of."""
    error: float
    """A bound on the error of `size`."""
    suspect: str | None
    """Angles of the programs that are probably meant to be others, slightly."""

    @cached_property
    def size(self) -> float:
        """The norm of the difference of the operators: how much likelier an event may be in one of them."""
        return float(np.linalg.norm(self.own - self.other, 2)) if self.own.size else 0.0

    @property
    def is_clear(self) -> bool:
        """Is it too large for rounding, and for angles that somebody rounded?"""
        return self.size - self.error > (TOLERANCE.clear if self.suspect else TOLERANCE.zero)

    @property
    def found(self) -> Found | None:
        """None if the operators are equal; raises NumericDoubt where rounding would decide."""
        if self.is_clear:
            return Found(Kind.WEIGHTS, self.store)
        if self.size <= ROUNDING and self.size + self.error <= TOLERANCE.zero:
            return None
        size = f"the operations differ by {self.size:.1e}, with an error of up to {self.error:.0e}"
        raise NumericDoubt(f"{size}: too much for rounding, too little to be sure", hint=self.suspect)

    @property
    def text(self) -> str:
        """What differs: how often the store occurs, or the states that are left then."""
        what = store_text(self.registers, self.store) or "the end"
        own, other = (float(np.trace(operator).real) for operator in (self.own, self.other))
        if abs(own - other) > TOLERANCE.zero + self.error:
            return f"the probability of {what} is {', in the reference '.join(told_apart(own, other))}"
        where = f"with {what}" if self.registers else "at the end"
        return f"{where}, as likely as in the reference, the states differ by {self.size:.2g}"


def told_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see which is larger.

    >>> told_apart(0.25, 0.5), told_apart(0.25, 0.25000004)
    (('0.25', '0.5'), ('0.25', '0.25000004'))
    """
    texts = ((f"{one:.{digits}g}", f"{other:.{digits}g}") for digits in range(6, 18))
    return next((pair for pair in texts if pair[0] != pair[1]), (repr(one), repr(other)))


def largest_difference(
    pair: Pair, registers: Registers, letters: str, options: dict[str, Any]
) -> tuple[Difference, Model]:
    """The farthest operators on an input, and the model of the program; raises Undecided."""
    own, model = _operations(pair, 0, registers, letters, options)
    other, _ = _operations(pair, 1, registers, letters, options)
    size = 2 ** (len(pair.own.outputs) + letters.count(EVERY))
    names = registers.names
    stores = sorted({*own.found, *other.found})
    error, suspect = own.error + other.error, _suspect(pair)
    pairs = ((x, on_one_basis(own.at(x, size), other.at(x, size))) for x in stores)
    all_found = [Difference(names, x, *operators, error, suspect) for x, operators in pairs]
    nothing = np.zeros((0, 0), dtype=complex)
    empty = Difference(names, (0,) * len(names), nothing, nothing, error, suspect)
    return max(all_found, key=lambda found: found.size, default=empty), model


def _suspect(pair: Pair) -> str | None:
    """Angles near to nicer ones, of either side, in words."""
    doubts = (worded(NumericDoubt(""), side.program) for side in (pair.own, pair.other))
    return next((doubt.hint for doubt in doubts if doubt.hint), None)


def _operations(
    pair: Pair, side: int, registers: Registers, letters: str, options: dict[str, Any]
) -> tuple[Operations, Model]:
    program = (pair.own, pair.other)[side]
    model = Model(program.program, init=program.start(letters), **options)
    kept = (*program.outputs, *model.program.partners.values())
    return operations(model, registers.of(side), kept), model
