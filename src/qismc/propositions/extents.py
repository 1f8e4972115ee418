"""Propositions that are the whole space, or zero, whatever they look like."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from qismc.engines import DenseEngine
from qismc.errors import Undecided
from qismc.limits import Budget, Limits
from qismc.propositions.expansion import expand
from qismc.propositions.propositions import (
    Join,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
    relabel,
    support,
)
from qismc.propositions.states import Recorded

Extent = Literal["whole", "zero"]
WIDEST = 6
"""Qubits of propositions that are written out."""
MOST_REMEMBERED = 1 << 10


@lru_cache(maxsize=MOST_REMEMBERED)
def extent(proposition: Proposition, num_qubits: int) -> Extent | None:
    """Is it everything, or nothing? None where it is neither, or where that takes long to tell."""
    if isinstance(proposition, Whole | Nothing):
        return "whole" if isinstance(proposition, Whole) else "zero"
    qubits = sorted(support(proposition, num_qubits))
    if not 0 < len(qubits) <= WIDEST or not _may_be_trivial(proposition, 1 << len(qubits)):
        return None
    local = DenseEngine(len(qubits), Budget(Limits()))
    span = local.span()
    try:
        for vector in expand(local, relabel(proposition, {qubit: k for k, qubit in enumerate(qubits)})):
            span.add(vector)
    except Undecided:  # rounding would decide
        return None
    return "zero" if not span.dimension else "whole" if span.dimension == 1 << len(qubits) else None


def _may_be_trivial(proposition: Proposition, dimension: int) -> bool:
    """Are there enough states, or several parts, so that it has to be computed?"""
    match proposition:
        case Perp(operand):
            return _may_be_trivial(operand, dimension)
        case SpanOf(states, qubits):
            return len(states) >= (dimension if qubits is None else 1 << len(qubits)) and _is_written(
                proposition
            )
        case Stabilised(paulis):
            return len(paulis) > 1
        case Meet() | Join():
            return _is_written(proposition)
    return False


def _is_written(proposition: Proposition) -> bool:
    """Is it made of what the user wrote, and not of computed states?"""
    match proposition:
        case SpanOf(states) | Support(states):
            return not any(isinstance(state, Recorded) for state in states)
        case Perp(operand):
            return _is_written(operand)
        case Meet(left, right) | Join(left, right):
            return _is_written(left) and _is_written(right)
    return True
