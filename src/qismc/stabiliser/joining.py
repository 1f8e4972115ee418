"""Two states at one point become one again where their groups are equal up to signs."""

from __future__ import annotations

from qismc.stabiliser.functions import atoms_of, mask_of
from qismc.stabiliser.state import Joined, State
from qismc.symbolic import And, Bool, Logic


def joined(first: State, second: State) -> State | None:
    """Both together, if their groups are equal; their guards exclude each other."""
    signs = _signs(first, second)
    if signs is None:
        return None
    functions = first.functions

    def chosen(ours: int, theirs: int) -> int:
        if ours == theirs:
            return ours
        both = (functions.function(ours), functions.function(theirs))
        return functions.mask(functions.logic.choice(first.guard, *both))

    for row, ours, theirs in signs:
        first.tableau.set_sign(row, atoms_of(chosen(ours, theirs)))
    for position in first.bits.keys() | second.bits.keys():
        first.bits[position] = chosen(first.bits.get(position, 0), second.bits.get(position, 0))
    for event in first.open.keys() | second.open.keys():
        both = first.open.get(event, True), second.open.get(event, True)
        first.open[event] = functions.logic.choice(first.guard, *both)
    first.history = Joined(first.guard, first.history, second.history)
    first.guard = union(functions.logic, first.guard, second.guard)
    return first


def _signs(first: State, second: State) -> list[tuple[int, int, int]] | None:
    """Rows with the signs that they have in both groups; None if the groups differ."""
    rows = first.tableau.generators
    if len(rows) != len(second.tableau.generators):
        return None
    found = []
    for row in rows:
        theirs = second.tableau.sign(first.tableau.generator(row))
        if theirs is None:
            return None
        found.append((row, mask_of(first.tableau.generator_sign(row)), mask_of(theirs)))
    return found


def union(logic: Logic, left: Bool, right: Bool) -> Bool:
    """One of two functions that exclude each other; F and c, F and not c are F."""
    ours, theirs = (list(f.parts) if isinstance(f, And) else [f] for f in (left, right))
    shared = [part for part in ours if part in theirs]
    rests = [logic.conjunction(*(p for p in parts if p not in shared)) for parts in (ours, theirs)]
    if logic.negation(rests[0]) is rests[1]:
        return logic.conjunction(*shared)
    return logic.parity(left, right)
