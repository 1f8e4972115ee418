"""Expected numbers of visits, forwards: R(l) = seed(l) + sum A R(k) A^dagger over the incoming edges.

At a decided vertex, which is not left, the trace of R is the probability of arriving there. Within a strongly
connected component R is known in the directions that leave it; the rest of what comes in is trapped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qismc.common.lazily import cached_property
from qismc.errors import LimitReached, SpecError
from qismc.limits import Tolerance
from qismc.probability.chain import Chain, Edge, Leaving, Matrix, leaving, multiple, spectrum
from qismc.probability.effects import Effects, rounding
from qismc.probability.equations import Equations
from qismc.probability.likelihood import NumericUntil

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
            _solve_loop(found, *effects.components[component[0]], arriving)
        else:
            found.values.update(arriving)
        _pass_on(found, component, incoming)
    for k in incoming.keys() - found.values.keys():
        if k not in effects.errors:
            found.values[k] = incoming[k]
    return found


def _solve_loop(found: Visits, equations: Equations, exits: Leaving, arriving: dict[int, Matrix]) -> None:
    inward = {k: equations.inward(k, operator) for k, operator in arriving.items()}
    solution = equations.solve(inward, "forward")
    again = equations.step(solution, "forward")
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
    found = equations.solve({k: equations.inward(k, seed) for k, seed in seeds.items()}, "forward")
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


MOST_DIMENSIONS = 8
"""Largest dimension d of `init` that is followed forwards: it takes d^2 solutions of the equations."""
SLACK = 4.0
"""Error of a probability per error of a state: 2 because it is quadratic, times 2 to spare."""


@dataclass(frozen=True, eq=False)
class StartForm:
    """For an event or an observable: <x|M|x> is its expectation for a start x in `init`."""

    matrix: Matrix
    error: float

    def value(self, what: str) -> float:
        """The one number, if it is the same for all states of `init`."""
        low, high = spectrum((self.matrix + self.matrix.conj().T) / 2)
        if high - low > 2 * self.error:
            raise SpecError(
                f"{what} depends on the state that `init` leaves open: between {low:.6g} and {high:.6g}",
                hint="give one state as init; P=? shows the interval",
            )
        return (low + high) / 2


class Arrivals:
    """The first visits of the goals of `hold U goal`."""

    def __init__(self, until: NumericUntil) -> None:
        self.until = until
        self.frames = until.frames
        self.size = self.frames.start.shape[1]
        if self.size > MOST_DIMENSIONS:
            raise LimitReached(
                f"init has {self.size} dimensions, at most {MOST_DIMENSIONS} can be followed forwards",
                hint="give one state as init",
            )

    @cached_property
    def visits(self) -> list[list[Visits]]:
        """visits[i][j] for the operator |i><j| of init."""
        start = self.frames.start
        return [
            [
                solve_visits(
                    self.until.effects, {self.frames.entry: np.outer(start[:, i], start[:, j].conj())}
                )
                for j in range(self.size)
            ]
            for i in range(self.size)
        ]

    @property
    def goals(self) -> list[int]:
        """The vertices where goals are."""
        return [k for k, value in self.until.decided.items() if value == 1.0 and self.frames.chain.dims[k]]

    @property
    def hidden(self) -> list[int]:
        """Vertices where goals are and states arrive, so improbable that numbers do not see them."""
        dims = self.frames.chain.dims
        return [k for k, value in self.until.decided.items() if value == 1.0 and not dims[k]]

    @cached_property
    def error(self) -> float:
        """A bound for the probability of any event at the vertices of the goals."""
        return float(self.size * max(v.residual for row in self.visits for v in row) + self._coming)

    @property
    def _coming(self) -> float:
        """What is rounded on the way to the goals; nothing but the start where it is one itself."""
        if self.frames.entry in self.until.decided:
            return SLACK * self.frames.start_rounding
        _, bound = self.until.effects.onwards(self.frames.entry)
        return spectrum(bound)[1]

    def weight(self, vertices: list[int], observable: dict[int, Matrix] | None = None) -> StartForm:
        """The expectation of arriving at one of the vertices, times an observable there."""
        found = np.zeros((self.size, self.size), dtype=complex)
        for i, row in enumerate(self.visits):
            for j, visits in enumerate(row):
                for k in vertices:
                    if k in visits.values:
                        state = visits.values[k]
                        found[j, i] += np.trace(state if observable is None else observable[k] @ state)
        return StartForm(found, self.error)
