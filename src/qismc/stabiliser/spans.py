"""Spans of stabiliser states that are stabiliser codes.

The Paulis that stabilise every state of a span are those in all groups, with the same sign. Their code
contains the span, and is the span if as many of the states as it has dimensions are orthogonal to each other.
Two codes are orthogonal iff their groups have a Pauli in common with opposite signs.
"""

from __future__ import annotations

from collections.abc import Sequence

from qismc.stabiliser.paulis import NotStabiliser, Pauli

MOST_STATES = 256


def code_of_span(states: Sequence[Sequence[Pauli]], width: int) -> list[Pauli]:
    """Generators of the code that states with these groups span; raises NotStabiliser."""
    refusal = NotStabiliser("a span of states is no stabiliser code that we recognise")
    if len(states) > MOST_STATES:
        raise refusal
    code = list(states[0])
    for group in states[1:]:
        code = _agreeing(common(code, group, width))
    kept: list[Sequence[Pauli]] = []
    for group in states:
        if all(are_orthogonal(group, other, width) for other in kept):
            kept.append(group)
    if len(kept) != 1 << (width - len(code)):
        raise refusal
    return code


def are_orthogonal(left: Sequence[Pauli], right: Sequence[Pauli], width: int) -> bool:
    """Have the codes of two groups no overlap?"""
    return any(ours.minus != theirs.minus for ours, theirs in common(left, right, width))


def _agreeing(shared: Sequence[tuple[Pauli, Pauli]]) -> list[Pauli]:
    """Generators of those elements that have the same sign in both groups."""
    same = [ours for ours, theirs in shared if ours.minus == theirs.minus]
    off = [ours for ours, theirs in shared if ours.minus != theirs.minus]
    return same + [ours * off[0] for ours in off[1:]]


def common(left: Sequence[Pauli], right: Sequence[Pauli], width: int) -> list[tuple[Pauli, Pauli]]:
    """Generators of what two groups share up to signs: as elements of the one and of the other.

    By elimination: a product of elements of both that is the identity shows the same element in either.
    """
    one = Pauli(0, 0, 0)
    rows: dict[int, tuple[int, Pauli, Pauli]] = {}
    found = []
    for ours, theirs in [*((p, one) for p in left), *((one, p) for p in right)]:
        vector = (ours.x ^ theirs.x) << width | (ours.z ^ theirs.z)
        while vector and vector.bit_length() in rows:
            row, first, second = rows[vector.bit_length()]
            vector, ours, theirs = vector ^ row, ours * first, theirs * second  # noqa: PLW2901
        if vector:
            rows[vector.bit_length()] = (vector, ours, theirs)
        else:
            found.append((ours, theirs))
    return [(ours, theirs) for ours, theirs in found if not ours.is_identity]
