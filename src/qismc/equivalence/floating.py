"""Two programs compared in floating point: the largest difference of their operators, store by store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qismc.equivalence.exact import Found, Kind, Registers
from qismc.equivalence.inputs import EVERY
from qismc.equivalence.joint import Pair
from qismc.equivalence.operations import Matrix, Operations, Store, operations, store_text
from qismc.errors import NumericDoubt
from qismc.limits import Tolerance
from qismc.model.model import Model

TOLERANCE = Tolerance()


@dataclass(frozen=True)
class Difference:
    """Where two programs are farthest from each other: on a store, with these operators."""

    registers: tuple[str, ...]
    store: Store
    own: Matrix
    other: Matrix

    @property
    def size(self) -> float:
        """The largest entry of the difference of the operators."""
        return float(np.abs(self.own - self.other).max(initial=0.0))

    @property
    def found(self) -> Found | None:
        """None if the operators are equal; raises NumericDoubt where rounding would decide."""
        if self.size <= TOLERANCE.zero:
            return None
        if self.size < TOLERANCE.clear:
            raise NumericDoubt(f"the operations differ by {self.size:.1e}, too little to tell from rounding")
        return Found(Kind.WEIGHTS, self.store)

    @property
    def text(self) -> str:
        """What differs: how often the store occurs, or the states that are left then."""
        what = store_text(self.registers, self.store) or "the end"
        weights = [float(np.trace(operator).real) for operator in (self.own, self.other)]
        if abs(weights[0] - weights[1]) > TOLERANCE.clear:
            return f"the probability of {what} is {weights[0]:.6g}, in the reference {weights[1]:.6g}"
        states = [operator / weight for operator, weight in zip((self.own, self.other), weights, strict=True)]
        overlap = max(float(np.trace(states[0] @ states[1]).real), 0.0)
        where = f"with {what}" if self.registers else "at the end"
        return f"{where}, as likely as in the reference, the states differ: tr(rho sigma) = {overlap:.6g}"


def largest_difference(
    pair: Pair, registers: Registers, letters: str, options: dict[str, Any]
) -> tuple[Difference, Model]:
    """The farthest operators on an input, and the model of the program; raises Undecided."""
    own, model = _operations(pair, 0, registers, letters, options)
    other, _ = _operations(pair, 1, registers, letters, options)
    size = 2 ** (len(pair.own.outputs) + letters.count(EVERY))
    names = tuple(variable.name for variable in registers[0])
    stores = sorted({*own.found, *other.found})
    all_found = [Difference(names, x, own.at(x, size), other.at(x, size)) for x in stores]
    nothing = np.zeros((size, size), dtype=complex)
    empty = Difference(names, (0,) * len(names), nothing, nothing)
    return max(all_found, key=lambda found: found.size, default=empty), model


def _operations(
    pair: Pair, side: int, registers: Registers, letters: str, options: dict[str, Any]
) -> tuple[Operations, Model]:
    program = (pair.own, pair.other)[side]
    model = Model(program.program, init=program.start(letters), **options)
    kept = (*program.outputs, *model.program.partners.values())
    return operations(model, list(registers[side]), kept), model
