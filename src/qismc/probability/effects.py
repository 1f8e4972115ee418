"""The equations of a chain with decided vertices: effects backwards, expected visits forwards.

Effects: at decided vertices E is a number times 1; at an open vertex  E(k) = sum A^dagger E(l) A  over its
edges, the least solution. <x|E(k)|x> is the probability of the goal from the state x.

Visits:  R(l) = seed(l) + sum A R(k) A^dagger over the incoming edges. At a decided vertex, which is not left,
the trace of R is the probability of arriving there. Within a strongly connected component R is known in the
directions that leave it; the rest of what comes in is trapped.

Error bound: the true effects F, in the same coordinates, satisfy F(k) = sum A^dagger F(l) A + D(k) with
|D(k)| <= slack(k), and the computed ones do so up to their residual. Let r(k) be the sum of both. As the sums
are positive maps, |F - E| <= N for every N >= 0 with  N(k) >= r(k) 1 + sum A^dagger N(l) A: N is the expected
total of r along a run. It is solved for with one per cent to spare, and the inequality is then looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Edge, Leaving, Matrix, leaving, multiple, operator_norm, spectrum
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
            _solve_effects_of_loop(effects, component, leaving(chain, component, tolerance))
        else:
            for k in component:
                effects.values[k], effects.errors[k] = effects.onwards(k)
    return effects


def _solve_effects_of_loop(effects: Effects, component: Sequence[int], exits: Leaving) -> None:
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
    # rounding may turn the trapped states, to first order, as an error of probabilities
    skew = 2 * max(amounts.values()) / exits.weakest if exits.traps else 0.0
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


# --- expected visits ----------------------------------------------------------------------------------------

RECURRENT = 1e-9
"""A state that stays in a loop for ever with at least this probability makes the number of turns infinite."""


@dataclass(eq=False)
class Visits:
    """R at every vertex; `residual` bounds, for any event, what the solution misses of its probability."""

    chain: Chain
    values: dict[int, Matrix] = field(default_factory=dict)
    residual: float = 0.0
    endless: list[tuple[Leaving, dict[int, Matrix]]] = field(default_factory=list)
    """Components with trapped states, and what comes into them."""

    def weight(self, k: int) -> float:
        """The expected number of visits to k that are followed by leaving its component in the end."""
        return float(np.trace(self.values[k]).real) if k in self.values else 0.0


def solve_visits(effects: Effects, seeds: Mapping[int, Matrix]) -> Visits:
    """R for the same decided vertices as those of the effects."""
    chain = effects.chain
    found, incoming = Visits(chain), {k: seed.astype(complex) for k, seed in seeds.items()}
    open_vertices = [k for k in range(len(chain)) if k in effects.errors]
    for component in reversed(chain.components(open_vertices)):
        arriving = {k: incoming[k] for k in component if k in incoming}
        if not arriving:
            continue
        if component[0] in effects.components:
            _solve_visits_of_loop(found, *effects.components[component[0]], arriving)
        else:
            found.values.update(arriving)
        _pass_on(found, component, incoming)
    for k in incoming.keys() - found.values.keys():
        if k not in effects.errors:
            found.values[k] = incoming[k]
    return found


def _solve_visits_of_loop(
    found: Visits, equations: Equations, exits: Leaving, arriving: dict[int, Matrix]
) -> None:
    inward = {k: equations.inward(k, operator) for k, operator in arriving.items()}
    solution = equations.solve(inward, forward=True)
    again = equations.step(solution, forward=True)
    for k, operator in solution.items():
        missing = again[k] + inward.get(k, 0) - operator
        found.residual += float(np.linalg.norm(missing, "nuc")) if missing.size else 0.0
        found.values[k] = equations.outward(k, operator)
    if exits.traps:
        found.endless.append((exits, arriving))


def _pass_on(found: Visits, component: Sequence[int], incoming: dict[int, Matrix]) -> None:
    """What leaves a component arrives elsewhere."""
    inside = set(component)
    for k in component:
        if k not in found.values:
            continue
        found.residual += rounding(found.chain, k) * max(1.0, found.weight(k))
        for edge in found.chain.edges[k]:
            if edge.target not in inside:
                image = edge.matrix @ found.values[k] @ edge.matrix.conj().T
                incoming[edge.target] = incoming.get(edge.target, 0) + image


def expected_visits(visits: Visits, wanted: set[int], tolerance: Tolerance) -> float:
    """The expected number of visits to some vertices; infinite if they are visited for ever."""
    total = sum(visits.weight(k) for k in wanted)
    for exits, arriving in visits.endless:
        inside = wanted & exits.rows.keys()
        if inside:
            total += _visits_inside(visits.chain, exits, arriving, inside, tolerance) - sum(
                visits.weight(k) for k in inside
            )
    return total


def _visits_inside(
    chain: Chain, exits: Leaving, arriving: Mapping[int, Matrix], wanted: set[int], tolerance: Tolerance
) -> float:
    """Visits within one component, trapped states included.

    States that never come to the wanted vertices again are put aside; what is then still trapped comes back
    to them for ever.
    """
    elsewhere = [k for k in exits.rows if k not in wanted]
    rows = {k: multiple(1.0, chain.dims[k]) for k in exits.rows}
    for component in chain.components(elsewhere):
        rows.update(leaving(chain, component, tolerance).rows if chain.returns(component) else {})
    smaller = _without(chain, rows)
    recurrent = leaving(smaller, sorted(exits.rows), tolerance)
    equations = Equations(smaller, recurrent)
    seeds = {k: rows[k] @ operator @ rows[k].conj().T for k, operator in arriving.items()}
    found = equations.solve({k: equations.inward(k, seed) for k, seed in seeds.items()}, forward=True)
    if recurrent.traps and _caught(smaller, equations, seeds, found) > RECURRENT:
        return float("inf")
    return sum(float(np.trace(found[k]).real) for k in wanted)


def _without(chain: Chain, rows: Mapping[int, Matrix]) -> Chain:
    """The chain on the spaces of the rows; what leaves these goes to one vertex more."""
    aside = len(chain)
    edges: list[list[Edge]] = [[] for _ in range(aside + 1)]
    for k, own in rows.items():
        for edge in chain.edges[k]:
            matrix = edge.matrix @ own.conj().T
            if edge.target in rows:
                edges[k].append(Edge(edge.target, rows[edge.target] @ matrix))
                matrix = matrix - rows[edge.target].conj().T @ (rows[edge.target] @ matrix)
            edges[k].append(Edge(aside, matrix))
    dims = [len(rows[k]) if k in rows else size for k, size in enumerate(chain.dims)]
    return Chain([*dims, 0], edges, [*chain.slack, 0.0], chain.poll)


def _caught(
    chain: Chain, equations: Equations, seeds: Mapping[int, Matrix], found: Mapping[int, Matrix]
) -> float:
    """What comes in and does not go out again."""
    inside = sum(float(np.trace(seed).real) for seed in seeds.values())
    outside = 0.0
    for k, operator in found.items():
        whole = equations.outward(k, operator)
        for edge in chain.edges[k]:
            if edge.target not in found:
                outside += float(np.trace(edge.matrix @ whole @ edge.matrix.conj().T).real)
    return inside - outside
