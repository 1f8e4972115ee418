"""Spans of stabiliser states that are stabiliser codes.

The Paulis that stabilise every state of a span are those in all groups, with the same sign. Their code
contains the span, and is the span if as many of the states as it has dimensions are orthogonal to each other.
Two codes are orthogonal iff their groups have a Pauli in common with opposite signs.
"""

from __future__ import annotations

from collections.abc import Sequence

from qismc._core import Strings
from qismc.stabiliser.paulis import NotStabiliser

MOST_STATES = 256


def code_of_span(states: Sequence[Strings], width: int) -> Strings:
    """Generators of the code that states with these groups span; raises NotStabiliser."""
    refusal = NotStabiliser("a span of states is no stabiliser code that we recognise")
    if len(states) > MOST_STATES:
        raise refusal
    code, kept = states[0], [states[0]]
    for group in states[1:]:
        code, contradicts = code.compared(group)  # if they do, it is orthogonal to all states before
        if contradicts or all(group.compared(other)[1] for other in kept):
            kept.append(group)
    if len(kept) != 1 << (width - len(code)):
        raise refusal
    return code
