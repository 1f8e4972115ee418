"""The effects of reaching goals, backwards from them, with an error bound that is verified.

At decided vertices E is a number times 1; at an open vertex  E(k) = sum A^dagger E(l) A  over its edges, the
least solution. <x|E(k)|x> is the probability of the goal from the state x.

Error bound: the true effects F, in the same coordinates, satisfy F(k) = sum A^dagger F(l) A + D(k) with
|D(k)| <= slack(k), and the computed ones do so up to their residual. Let r(k) be the sum of both. As the sums
are positive maps, |F - E| <= N for every N >= 0 with  N(k) >= r(k) 1 + sum A^dagger N(l) A: N is the expected
total of r along a run. It is solved for with one per cent to spare, and the inequality is then looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Leaving, Matrix, leaving, multiple, operator_norm, spectrum
from qismc.probability.equations import Equations

ROUNDING = 16 * float(np.finfo(float).eps)
"""Rounding of one evaluation of  sum A^dagger E A, per dimension and edge."""
MARGIN = 1.01
NOTHING_KNOWN = 1.0
"""A probability is wrong by 1 at most."""
ATTEMPTS = 4


@dataclass(frozen=True, eq=False)
class Effects:
    """`values[k]` and `errors[k]`: E(k), and N(k) with |true effect - E(k)| <= N(k), as operators."""

    chain: Chain
    values: dict[int, Matrix]
    errors: dict[int, Matrix]
    components: dict[int, tuple[Equations, Leaving]]
    """Where there are loops: the equations by the first vertex of their component."""
    exits: dict[int, Matrix]
    """Where there are loops: the rows that vanish on the states that never leave their component."""

    def stays(self, k: int, column: Matrix) -> float:
        """The part of a state that never leaves the loop in which it is."""
        if k not in self.exits:
            return 0.0
        leaves = self.exits[k] @ column
        return 1 - float(np.vdot(leaves, leaves).real / np.vdot(column, column).real)

    def onwards(self, k: int) -> tuple[Matrix, Matrix]:
        """The effect of going on from k, whether or not k itself is decided, and its error."""
        error = multiple(self.chain.slack[k] + rounding(self.chain, k), self.chain.dims[k])
        return self.chain.effect(k, self.values), error + self.chain.effect(k, self.errors)


def rounding(chain: Chain, k: int) -> float:
    """A bound on the rounding of one evaluation at k."""
    return ROUNDING * (chain.dims[k] + len(chain.edges[k]))


def solve_effects(chain: Chain, decided: Mapping[int, float], tolerance: Tolerance) -> Effects:
    """E and N at every vertex; `decided` gives the vertices that are not left, with their probability."""
    effects = Effects(chain, {}, {}, {}, {})
    for k, value in decided.items():
        effects.values[k] = multiple(value, chain.dims[k])
    for component in chain.components([k for k in range(len(chain)) if k not in decided]):
        chain.poll()
        if chain.returns(component):
            _solve_loop(effects, component, leaving(chain, component, tolerance))
        else:
            for k in component:
                effects.values[k], effects.errors[k] = effects.onwards(k)
    return effects


def _solve_loop(effects: Effects, component: Sequence[int], exits: Leaving) -> None:
    chain, equations = effects.chain, Equations(effects.chain, exits)
    effects.components[component[0]] = equations, exits
    effects.exits.update(exits.rows)
    outside = {k: equations.inward(k, chain.effect(k, effects.values)) for k in component}
    found = {k: (e + e.conj().T) / 2 for k, e in equations.solve(outside).items()}
    again = equations.step(found)
    amounts = {}
    for k in component:
        residual = operator_norm(outside[k] + again[k] - found[k])
        amounts[k] = MARGIN * residual + chain.slack[k] + rounding(chain, k)
    inherited = {k: equations.inward(k, chain.effect(k, effects.errors)) for k in component}
    bounds = _accumulated(equations, amounts, inherited)
    skew = _skew(exits, max(amounts.values()))
    for k in component:
        size = chain.dims[k]
        effects.values[k] = equations.outward(k, found[k])
        if bounds is None:
            effects.errors[k] = multiple(NOTHING_KNOWN, size)
        else:
            effects.errors[k] = equations.outward(k, bounds[k]) + multiple(skew, size)


def _accumulated(
    equations: Equations, amounts: Mapping[int, float], inherited: Mapping[int, Matrix]
) -> dict[int, Matrix] | None:
    """N with N(k) >= amount(k) 1 + inherited(k) + sum B^dagger N B, verified; None if rounding forbids it."""
    wanted = {k: multiple(amount, len(inherited[k])) + inherited[k] for k, amount in amounts.items()}
    for attempt in range(ATTEMPTS):
        generous = {k: MARGIN * 2**attempt * matrix for k, matrix in wanted.items()}
        found = {k: (n + n.conj().T) / 2 for k, n in equations.solve(generous).items()}
        stepped = equations.step(found)
        if all(_above(found[k], wanted[k] + stepped[k]) for k in found):
            return found
    return None


def _above(larger: Matrix, smaller: Matrix) -> bool:
    """Is the difference positive, and the larger one, too?"""
    if not larger.size:
        return True
    return spectrum(larger - smaller)[0] >= 0 and spectrum(larger)[0] >= 0


def _skew(exits: Leaving, amount: float) -> float:
    """How far the trapped states may be turned by rounding (first order), as an error of probabilities."""
    return 2 * amount / exits.weakest if exits.traps else 0.0
