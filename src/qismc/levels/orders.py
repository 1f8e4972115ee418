"""Orders of levels: several are tried, each with growing patience, and the first that gets through is kept.

Bonds grow with what crosses a cut, and no single guess is right for all. What lasts from the first to the
last statement is a spine, beside which outcomes stand that come and go. Feed-forward often links everything
with everything and entangles nothing, so some candidates look at unconditional gates only, and some follow
the program itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from qismc.engines import order_of
from qismc.errors import LimitReached
from qismc.levels.writer import Levels
from qismc.program import Factor

FIRST_OPERATIONS = 20_000_000
"""Scalar operations that each order may take in the first round: a small fraction of a second."""
PATIENCE = 8
"""Factor by which the operations allowed grow from round to round."""
ROUNDS = 6
QUICK_ROUNDS = 2
"""Number of rounds before `between` or other attempts get their turn."""
STAYING = 2
"""Number of orders, those that came farthest, that are tried in the next round."""

Answer = TypeVar("Answer")


def candidates(levels: Levels, factors: Iterable[Factor], seed: int, *, natural: bool) -> Iterator[list[int]]:
    """Different orders, the most promising ones first."""
    factors = list(factors)
    seen: list[list[int]] = []
    makers: list[Callable[[], list[int]]] = [
        lambda: _beside(levels, _spine(levels, seed)),
        lambda: order_of(levels.count, _together(factors), seed),
        lambda: _twins_together(levels, seed),
        lambda: _beside(levels, _lasting(levels)),
        lambda: order_of(levels.count, levels.bonds, seed),
        levels.natural_order,
        lambda: _first_used(levels.count, factors),
    ]
    for make in [levels.natural_order] if natural else makers:
        order = make()
        if order not in seen:
            seen.append(order)
            yield order


def _together(factors: Iterable[Factor]) -> Counter[tuple[int, ...]]:
    """The sets of levels that operators act on together, and how often."""
    found: Counter[tuple[int, ...]] = Counter()
    for factor in factors:
        levels = tuple(sorted({*factor.targets, *(level for level, _ in factor.controls)}))
        if len(levels) > 1:
            found[levels] += 1
    return found


def _partners(levels: Levels) -> list[set[int]]:
    """For each level the others that statements act on together with it."""
    near: list[set[int]] = [set() for _ in range(levels.count)]
    for together in levels.bonds:
        for level in together:
            near[level].update(together)
    return [others - {level} for level, others in enumerate(near)]


def _lasting(levels: Levels) -> list[int]:
    """The levels that hold qubits from the start to the end, in their order."""
    return [
        level
        for level, beside in enumerate(levels.beside)
        if beside is None and level not in levels.classical
    ]


def _spine(levels: Levels, seed: int) -> list[int]:
    """Lasting levels in an order in which those that act together, or on the same outcome, are near."""
    lasting = _lasting(levels)
    number = {level: k for k, level in enumerate(lasting)}
    near = _partners(levels)
    meetings = [*levels.bonds, *(near[level] for level in sorted(levels.classical))]
    links = {tuple(sorted(number[level] for level in met if level in number)): 1 for met in meetings}
    order = order_of(len(lasting), {link: 1 for link in links if len(link) > 1}, seed)
    return [lasting[k] for k in order]


def _beside(levels: Levels, spine: list[int]) -> list[int]:
    """Each other level behind the middle one of its partners, nearest to the spine first."""
    near = _partners(levels)
    place = {level: k for k, level in enumerate(spine)}
    pending = [level for level in range(levels.count) if level not in place]
    while pending:
        found = {level: _middle(level, near, place, levels) for level in pending}
        new = {level: where for level, where in found.items() if where is not None}
        place.update(new or dict.fromkeys(pending, len(spine)))
        pending = [level for level in pending if level not in place]
    members = set(spine)
    return sorted(place, key=lambda level: (place[level], level not in members, level))


def _middle(level: int, near: list[set[int]], place: dict[int, int], levels: Levels) -> int | None:
    """The place of the middle one of a level's partners, or of the level that it stands beside."""
    found = sorted(place[other] for other in near[level] if other in place)
    beside = levels.beside[level]
    if not found and beside is not None:
        return place.get(beside)
    return found[len(found) // 2] if found else None


def _twins_together(levels: Levels, seed: int) -> list[int]:
    """Levels that meet the same others stand side by side: a check that is repeated costs no more bonds."""
    groups: dict[object, list[int]] = {}
    for level, others in enumerate(_partners(levels)):
        groups.setdefault(frozenset(others) or level, []).append(level)
    members = list(groups.values())
    group_of = {level: k for k, group in enumerate(members) for level in group}
    linked = {tuple(sorted({group_of[level] for level in together})): 1 for together in levels.bonds}
    order = order_of(len(members), {link: 1 for link in linked if len(link) > 1}, seed, "force")
    return [level for k in order for level in members[k]]


def _first_used(count: int, factors: Iterable[Factor]) -> list[int]:
    """Levels in the order in which operators first act on them."""
    used: dict[int, None] = {}
    for factor in factors:
        used.update(dict.fromkeys([*(level for level, _ in factor.controls), *factor.targets]))
    return [*used, *(level for level in range(count) if level not in used)]


def race(
    orders: Iterable[list[int]],
    attempt: Callable[[list[int], int], Answer | int],
    between: Callable[[], bool] | None = None,
) -> Answer | None:
    """The answer of the first attempt(order, operations allowed) that is not cut off.

    One that is cut off says how many steps it has done: those that come farthest stay in the race. `between`
    is called before each round that is no quick one; where it says yes, the race ends without an answer.
    """
    allowed, left = FIRST_OPERATIONS, orders
    for number in range(ROUNDS):
        if number >= QUICK_ROUNDS and between is not None and between():
            return None
        reached: list[tuple[int, list[int]]] = []
        for order in left:
            found = attempt(order, allowed)
            if not isinstance(found, int):
                return found
            reached.append((found, order))
        reached.sort(key=lambda pair: -pair[0])
        left = [order for _, order in reached[:STAYING]]
        allowed *= PATIENCE
    raise LimitReached(
        f"no order of the levels gets by with {allowed // PATIENCE:.0e} operations",
        hint="ask about an earlier point, or measure less",
    )
