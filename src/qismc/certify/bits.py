"""How large the numbers behind a decision can be: denominators in bits.

All Galois conjugates of a circuit over roots of unity are unitary circuits as well, so an amplitude a has
all conjugates at most 1 in absolute value, and a * 2^b is an algebraic integer if b bounds the denominators
on the way. Its norm over a field of degree d is then at most 2^(b d).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from qismc.fixpoint.propagate import Arrival, Spread
from qismc.fixpoint.stations import At
from qismc.program.operators import Base, Operator
from qismc.spec import coefficients
from qismc.subspace.propositions import Join, Meet, Perp, Proposition, SpanOf
from qismc.subspace.recognise import as_root
from qismc.subspace.states import KetSum, Listed, Prepared
from qismc.system.edges import Application
from qismc.system.explorer import Explorer

HALF_BIT = frozenset({"h", "ecr"})
ONE_BIT = frozenset({"sx", "sxdg", "rx", "ry", "r", "u", "rxx", "ryy", "rzx", "xx_plus_yy", "xx_minus_yy"})


class NoBound(Exception):  # noqa: N818 - an answer, not a mistake
    """The numbers are not of the kind that the bound covers."""


def base_bits(base: Base) -> float:
    """log2 of a common denominator of the entries."""
    if base.entries is None:
        return 0.5 if base.name in HALF_BIT else 1.0 if base.name in ONE_BIT else 0.0
    squares = [as_root(complex(z))[0] for row in base.entries for z in row]
    return 0.5 * math.log2(math.lcm(*(s.denominator for s in squares)))


def operator_bits(operator: Operator) -> float:
    return sum(base_bits(factor.base) for factor in operator.factors)


def steps_bits(steps: Iterable[Application]) -> float:
    return sum(operator_bits(step.operator) for step in steps)


def spread_bits(explorer: Explorer, spread: Spread) -> float:
    """The largest number of denominator bits of a vector that the fixed point kept, seeds not counted."""
    known: dict[Arrival, float] = {}
    cost = _StepCosts(explorer)
    for place in spread.places.values():
        for arrival in place.arrivals:
            unknown = [arrival]
            while unknown[-1].parent is not None and unknown[-1].parent not in known:
                unknown.append(unknown[-1].parent)
            for link in reversed(unknown):
                known[link] = cost.link(link, known)
    leaving = [known[a] + cost.run(a) for place in spread.places.values() for a in place.arrivals]
    return max(leaving, default=0.0)


class _StepCosts:
    """Denominator bits of the runs of gates, each added up once."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._runs: dict[tuple[int, int], float] = {}

    def gates(self, first: int, last: int) -> float:
        if (first, last) not in self._runs:
            self._runs[first, last] = steps_bits(self._explorer.gates(first, last))
        return self._runs[first, last]

    def run(self, arrival: Arrival) -> float:
        """What the gates of the arrival's node may add before the next decision."""
        return self.gates(arrival.station.point, arrival.station.node.end)

    def link(self, link: Arrival, known: dict[Arrival, float]) -> float:
        if link.parent is None or link.move is None:
            return 0.0
        node, point = link.parent.station
        hop = link.move.hop
        if isinstance(hop, At):
            return known[link.parent] + self.gates(point, hop.point)
        kraus = [family[k] for family, k in zip(hop.way.families, link.choices, strict=True)]
        return known[link.parent] + self.gates(point, node.end) + steps_bits(kraus)


def proposition_bits(proposition: Proposition) -> float:
    """The largest size, numerators included, of the numbers of a proposition's states."""
    if isinstance(proposition, SpanOf):
        return max((_state_bits(state) for state in proposition.states), default=0.0)
    if isinstance(proposition, Perp):
        return proposition_bits(proposition.operand)
    if isinstance(proposition, Meet | Join):
        return proposition_bits(proposition.left) + proposition_bits(proposition.right)
    return 0.0


def _state_bits(state: Any) -> float:
    if isinstance(state, KetSum):
        letters = sum(0.5 for name in state.terms[0][1] if name in "+-rl")
        sizes = [coefficient_bits(c) for c, _ in state.terms]
        return letters + sum(sizes) + math.log2(len(sizes))
    if isinstance(state, Prepared):
        return steps_bits(state.gates)
    if isinstance(state, Listed):
        squares = {as_root(complex(z))[0] for z in state.values.tolist()}
        return sum(0.5 * math.log2(s.denominator * max(s.numerator, 1)) for s in squares)
    raise NoBound("a recorded subspace of another model")


def coefficient_bits(tree: coefficients.Coefficient) -> float:
    """log2 of denominator times size of a coefficient, at every conjugate."""
    if isinstance(tree, coefficients.Rational):
        return _rational_bits(tree.number)
    if isinstance(tree, coefficients.Sqrt):
        return 0.5 * _rational_bits(tree.number)
    if isinstance(tree, coefficients.Imaginary | coefficients.Exp):
        return 0.0
    if isinstance(tree, coefficients.Neg):
        return coefficient_bits(tree.operand)
    if isinstance(tree, coefficients.Div) and not _is_monomial(tree.right):
        raise NoBound("a coefficient divided by a sum")
    if isinstance(tree, coefficients.Mul | coefficients.Div | coefficients.Add):
        return coefficient_bits(tree.left) + coefficient_bits(tree.right) + isinstance(tree, coefficients.Add)
    raise NoBound("a coefficient that is not built from roots and rationals")


def _is_monomial(tree: coefficients.Coefficient) -> bool:
    if isinstance(tree, coefficients.Mul | coefficients.Div):
        return _is_monomial(tree.left) and _is_monomial(tree.right)
    return not isinstance(tree, coefficients.Add)


def _rational_bits(number: Fraction) -> float:
    return math.log2(max(abs(number.numerator), 1) * number.denominator)
