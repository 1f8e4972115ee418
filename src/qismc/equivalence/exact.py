"""Two programs compared over the field of the exact engine, store by store.

At the end with a store x let v_1, v_2, .. span sp. The operator in which x is arrived at is
C_x = sum R[i, j] |v_i><v_j|, with R the expected visits: 1 at the start, and an edge that sends v_i to
sum_a S[i, a] w_a adds  S^T R conj(S)  to what arrives. These are linear equations over the field. So whether
both programs have the same sp, and the same C_x, is decided without rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from qismc.engines import Vector
from qismc.equivalence.joint import Pair
from qismc.equivalence.registers import EndValues, Registers
from qismc.fixpoint import Solved
from qismc.model import Model
from qismc.probability import Coordinates, ExactVisits, Field, TooLarge
from qismc.program import Havoc, Leaf
from qismc.propositions import Subspace
from qismc.system import Node, crossed


class Kind(Enum):
    """How two programs differ at their end."""

    OWN = "the program ends in a state that the reference does not end in"
    OTHER = "the reference ends in a state that the program does not end in"
    WEIGHTS = "the same states, with other probabilities"


@dataclass(frozen=True)
class Found:
    """A store with which two programs end differently."""

    kind: Kind
    store: EndValues


class Inexact(Exception):  # noqa: N818 - the caller goes on in floating point
    """The engine has no conjugates, or the equations are too many."""


Ending = tuple[dict[EndValues, list[Node]], dict[EndValues, list[Node]]]
"""The nodes where each of the two ends, by the store."""


class Ends:
    """The ends of both programs, computed together; raises Inexact if that was not exact."""

    def __init__(self, model: Model, pair: Pair, registers: Registers) -> None:
        bits = {bit for side in (0, 1) for variable in registers.of(side) for bit in variable.bits}
        self.model = model
        self.pair = pair
        self._registers = registers
        self._mask = sum(1 << bit for bit in bits) | 1 << (pair.program.store_width - 1)
        self.solved = model.confirmed(self._mask)
        if self.solved.engine.exact is None:
            raise Inexact
        self._nodes = self._ending(self.solved)

    def _ending(self, solved: Solved) -> Ending:
        found: Ending = ({}, {})
        for node in solved.system.nodes:
            if isinstance(self.pair.program.code[node.last], Leaf):
                side = self.pair.choice(node.store)
                key = tuple(variable.value(node.store) for variable in self._registers.of(side))
                found[side].setdefault(key, []).append(node)
        return found

    @property
    def stores(self) -> list[EndValues]:
        """Those with which one of the two ends."""
        return sorted({*self._nodes[0], *self._nodes[1]})

    def of(self, side: int) -> list[EndValues]:
        """Those with which a side ends."""
        return sorted(self._nodes[side])

    def subspace(self, side: int, store: EndValues) -> Subspace:
        """The states in which a side ends with a store, for other engines as well."""

        def states(solved: Solved) -> list[Vector]:
            nodes = self._nodes if solved is self.solved else self._ending(solved)
            return _arrived(solved, nodes[side].get(store, []))

        return self.model.conditions.subspace(f"end {side} {store}", self._mask, states, self.solved)

    def difference(self) -> Found | None:
        """A store that tells the two apart, other states before other probabilities; raises Inexact."""
        for store in self.stores:
            kind = self._states(store)
            if kind is not None:
                return Found(kind, store)
        visits = self._visits()
        found = (store for store in self.stores if not self._equally_likely(store, visits))
        return next((Found(Kind.WEIGHTS, store) for store in found), None)

    def _states(self, store: EndValues) -> Kind | None:
        """Whose sp is not inside the other's."""
        own, other = (_arrived(self.solved, self._nodes[side].get(store, [])) for side in (0, 1))
        for kind, inner, outer in ((Kind.OWN, own, other), (Kind.OTHER, other, own)):
            span = self.solved.engine.span()
            for vector in outer:
                span.add(vector)
            if not all(span.contains(vector) for vector in inner):
                return kind
        return None

    # --- expected visits ---------------------------------------------------------------------------------

    def _visits(self) -> ExactVisits:
        field = Field.of(self.solved.engine)
        choices = [s for s in crossed(self.pair.program) if isinstance(s, Havoc)]
        if field is None or len(choices) > 1:  # values that are left open have no probability
            raise Inexact
        try:
            return ExactVisits(Coordinates(self.solved, self.model.budget), field)
        except TooLarge:
            raise Inexact from None

    def _equally_likely(self, store: EndValues, visits: ExactVisits) -> bool:
        """Are both operators the same, on a basis that both have?"""
        span = self.solved.engine.span()
        for vector in _arrived(self.solved, self._nodes[0][store]):
            span.add(vector)
        algebra = visits.field.algebra
        total = visits.field.zeros(span.dimension, span.dimension)
        for side in (0, 1):
            for node in self._nodes[side][store]:
                rows = [span.coordinates(f.vector) for f in self.solved.posts.at(node, node.last)]
                matrix = np.stack([row for row in rows if row is not None])
                part = visits.field.pushed(matrix, visits.at(node))
                total = algebra.plus(total, algebra.minus(part) if side else part)
        return not total.any()


def _arrived(solved: Solved, nodes: list[Node]) -> list[Vector]:
    """What spans sp at the last points of nodes."""
    return [found.vector for node in nodes for found in solved.posts.at(node, node.last)]
