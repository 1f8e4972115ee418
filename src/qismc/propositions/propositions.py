"""Propositions: subspaces as the user means them, never expanded into bases of the whole space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.common.lazily import hashed_once
from qismc.propositions.states import Recorded, State


@dataclass(frozen=True)
class Whole:
    """The whole space."""


@dataclass(frozen=True)
class Nothing:
    """The zero space."""


@hashed_once
@dataclass(frozen=True)
class SpanOf:
    """The span of states on `qubits`, tensor everything on the others; None means all qubits in order."""

    states: tuple[State, ...]
    qubits: tuple[int, ...] | None = None


@hashed_once
@dataclass(frozen=True)
class Support:
    """The smallest subspace of `qubits` that, tensor everything on the others, has the states inside.

    The states are states of all qubits: on `qubits`, it is spanned by their Schmidt vectors.
    """

    states: tuple[State, ...]
    qubits: tuple[int, ...]


@hashed_once
@dataclass(frozen=True)
class Stabilised:
    """The joint +1 eigenspace of signed Pauli strings on `qubits`."""

    paulis: tuple[tuple[int, str], ...]
    qubits: tuple[int, ...]

    def on(self, qubits: Sequence[int]) -> Stabilised:
        """The code of the same strings, each written over these qubits; on all others it has I."""
        written = [(sign, dict(zip(self.qubits, string, strict=True))) for sign, string in self.paulis]
        paulis = tuple((sign, "".join(letters.get(q, "I") for q in qubits)) for sign, letters in written)
        return Stabilised(paulis, tuple(qubits))


@hashed_once
@dataclass(frozen=True)
class Perp:
    """The orthocomplement."""

    operand: Proposition


@hashed_once
@dataclass(frozen=True)
class Meet:
    """The intersection."""

    left: Proposition
    right: Proposition


@hashed_once
@dataclass(frozen=True)
class Join:
    """The span of the union."""

    left: Proposition
    right: Proposition


Proposition = Whole | Nothing | SpanOf | Support | Stabilised | Perp | Meet | Join
WHOLE: Proposition = Whole()
NOTHING: Proposition = Nothing()
"""What intersections and sums of many parts begin with."""


def operands(proposition: Proposition) -> tuple[Proposition, ...]:
    """The immediate parts of a complement, an intersection or a span of a union; others have none."""
    match proposition:
        case Perp(operand):
            return (operand,)
        case Meet(left, right) | Join(left, right):
            return left, right
    return ()


def states_of(proposition: Proposition) -> tuple[State, ...]:
    """All states that a proposition is made of."""
    if isinstance(proposition, SpanOf | Support):
        return proposition.states
    return tuple(state for part in operands(proposition) for state in states_of(part))


def perp(operand: Proposition) -> Proposition:
    """The orthocomplement, with double complements removed and De Morgan applied down to the atoms."""
    match operand:
        case Perp(inner):
            return inner
        case Whole():
            return Nothing()
        case Nothing():
            return Whole()
        case Meet(left, right):
            return join(perp(left), perp(right))
        case Join(left, right):
            return meet(perp(left), perp(right))
    return Perp(operand)


def _are_opposite(left: Proposition, right: Proposition) -> bool:
    """Is one of two propositions, as it is written, the complement of the other? Takes linear time."""
    match left, right:
        case (Perp(one), other) | (other, Perp(one)):
            return one == other
        case (Whole(), Nothing()) | (Nothing(), Whole()):
            return True
        case (Meet(a, b), Join(c, d)) | (Join(a, b), Meet(c, d)):
            return _are_opposite(a, c) and _are_opposite(b, d)
    return False


def meet(left: Proposition, right: Proposition) -> Proposition:
    """The intersection; trivial cases vanish, as that of a subspace with its complement."""
    if _are_opposite(left, right):
        return Nothing()
    if isinstance(left, Whole) or isinstance(right, Nothing):
        return right
    if isinstance(right, Whole) or isinstance(left, Nothing):
        return left
    return Meet(left, right)


def join(left: Proposition, right: Proposition) -> Proposition:
    """The span of the union; trivial cases vanish, spans on the same qubits become one span."""
    if _are_opposite(left, right):
        return Whole()
    if isinstance(left, Nothing) or isinstance(right, Whole):
        return right
    if isinstance(right, Nothing) or isinstance(left, Whole):
        return left
    if isinstance(left, SpanOf) and isinstance(right, SpanOf) and left.qubits == right.qubits:
        return SpanOf(left.states + right.states, left.qubits)
    return Join(left, right)


def support(proposition: Proposition, num_qubits: int) -> frozenset[int]:
    """The qubits that a proposition speaks of."""
    match proposition:
        case SpanOf(_, qubits) | Support(_, qubits):
            return frozenset(range(num_qubits) if qubits is None else qubits)
        case Stabilised(paulis, qubits):
            letters = (pair for _, string in paulis for pair in zip(qubits, string, strict=True))
            return frozenset(q for q, letter in letters if letter != "I")
    return frozenset().union(*(support(part, num_qubits) for part in operands(proposition)))


def has_complement(proposition: Proposition, *, expanded: bool = False) -> bool:
    """Is an orthocomplement to be computed? A meet that is expanded, as below a join, is made of them."""
    match proposition:
        case SpanOf(states) | Support(states):
            return any(isinstance(state, Recorded) and state.origin.conjugating for state in states)
        case Perp():
            return True
        case Meet() if expanded:
            return True
        case Meet() | Join():
            expanded = expanded or isinstance(proposition, Join)
            return any(has_complement(part, expanded=expanded) for part in operands(proposition))
        case Whole() | Nothing() | Stabilised():
            return False
    assert_never(proposition)


def relabel(proposition: Proposition, places: Mapping[int, int]) -> Proposition:
    """The same proposition with qubit q called places[q]."""
    match proposition:
        case SpanOf(states, qubits):
            return SpanOf(states, tuple(places[q] for q in (sorted(places) if qubits is None else qubits)))
        case Stabilised(_, qubits):  # where every string has I, a qubit may be missing from `places`
            kept = tuple(q for q in qubits if q in places)
            return Stabilised(proposition.on(kept).paulis, tuple(places[q] for q in kept))
        case Perp(operand):
            return Perp(relabel(operand, places))
        case Meet(left, right) | Join(left, right):
            return type(proposition)(relabel(left, places), relabel(right, places))
        case Whole() | Nothing() | Support():  # a support is never written out
            return proposition
    assert_never(proposition)


def proposition_text(proposition: Proposition) -> str:
    """A text that random choices depend on: equal texts mean equal subspaces."""
    match proposition:
        case Whole() | Nothing() | Stabilised():
            return repr(proposition)
        case SpanOf(states, qubits):
            return f"span {[state.text for state in states]} on {qubits}"
        case Support(states, qubits):
            return f"support {[state.text for state in states]} on {qubits}"
        case Perp(operand):
            return f"perp ({proposition_text(operand)})"
        case Meet(left, right) | Join(left, right):
            name = type(proposition).__name__
            return f"{name} ({proposition_text(left)}) ({proposition_text(right)})"
    assert_never(proposition)
