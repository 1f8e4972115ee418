"""The oracle: density matrices that are followed step by step until nothing moves any more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..reference import Matrix, Place, Reference

Chosen = Callable[[Place], bool]
STEPS, STILL = 4000, 1e-13


def arrivals(
    reference: Reference, stop: Chosen, start: Matrix | None = None
) -> tuple[dict[Place, Matrix], float, dict[Place, float]]:
    """What arrives at the places of `stop`, which are not left; the rest of the weight; visits by place."""
    if start is None:
        start = np.zeros((reference.size, reference.size), dtype=complex)
        start[0, 0] = 1
    states: dict[Place, Matrix] = {reference.start: start}
    found: dict[Place, Matrix] = {}
    visits: dict[Place, float] = {}
    for _ in range(STEPS):
        following: dict[Place, Matrix] = {}
        for place, rho in states.items():
            visits[place] = visits.get(place, 0.0) + float(np.trace(rho).real)
            if stop(place):
                found[place] = found.get(place, 0) + rho
                continue
            for edge in reference.syntactic[place]:
                after = sum(k @ rho @ k.conj().T for k in edge.kraus)
                following[edge.target] = following.get(edge.target, 0) + after
        states = {place: rho for place, rho in following.items() if np.trace(rho).real > STILL / 100}
        if sum(float(np.trace(rho).real) for rho in states.values()) < STILL:
            break
    return found, sum(float(np.trace(rho).real) for rho in states.values()), visits


def until(reference: Reference, hold: Chosen, goal: Chosen) -> tuple[float, float]:
    """Bounds of the probability of hold U goal: what has arrived, and what may still arrive."""
    end = reference.walker.end  # for ever the same
    found, rest, _ = arrivals(reference, lambda place: goal(place) or not hold(place) or place[0] == end)
    total = sum(float(np.trace(rho).real) for place, rho in found.items() if goal(place))
    return total, total + rest


def effect(reference: Reference, hold: Chosen, goal: Chosen) -> tuple[Matrix, float]:
    """The operator of the probability of hold U goal at the start, from below; how much it still moved."""
    one = np.eye(reference.size, dtype=complex)
    values = {place: one * float(goal(place)) for place in reference.syntactic}
    moved = 1.0
    for _ in range(STEPS):
        following = dict(values)
        for place, edges in reference.syntactic.items():
            if hold(place) and not goal(place):
                following[place] = sum(
                    (k.conj().T @ values[edge.target] @ k for edge in edges for k in edge.kraus), one * 0
                )
        moved = max(float(np.abs(following[place] - values[place]).max()) for place in values)
        values = following
        if moved < STILL:
            break
    return values[reference.start], moved
