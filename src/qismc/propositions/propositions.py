"""Propositions: subspaces as the user means them, never expanded into bases of the whole space."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.common.hashing import hashed_once
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


def perp(operand: Proposition) -> Proposition:
    """The orthocomplement, with double complements removed and De Morgan applied down to the atoms."""
    if isinstance(operand, Perp):
        return operand.operand
    if isinstance(operand, Whole):
        return Nothing()
    if isinstance(operand, Nothing):
        return Whole()
    if isinstance(operand, Meet):
        return join(perp(operand.left), perp(operand.right))
    if isinstance(operand, Join):
        return meet(perp(operand.left), perp(operand.right))
    if isinstance(operand, SpanOf | Support | Stabilised):
        return Perp(operand)
    assert_never(operand)


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
    if isinstance(proposition, SpanOf):
        return frozenset(range(num_qubits) if proposition.qubits is None else proposition.qubits)
    if isinstance(proposition, Support):
        return frozenset(proposition.qubits)
    if isinstance(proposition, Stabilised):
        return frozenset(
            q
            for _, string in proposition.paulis
            for q, p in zip(proposition.qubits, string, strict=True)
            if p != "I"
        )
    if isinstance(proposition, Perp):
        return support(proposition.operand, num_qubits)
    if isinstance(proposition, Meet | Join):
        return support(proposition.left, num_qubits) | support(proposition.right, num_qubits)
    if isinstance(proposition, Whole | Nothing):
        return frozenset()
    assert_never(proposition)


def has_complement(proposition: Proposition, *, expanded: bool = False) -> bool:
    """Is an orthocomplement to be computed? A meet that is expanded, as below a join, is made of them."""
    if isinstance(proposition, SpanOf | Support):
        return any(isinstance(s, Recorded) and s.origin.conjugating for s in proposition.states)
    if isinstance(proposition, Perp):
        return True
    if isinstance(proposition, Join) or (isinstance(proposition, Meet) and not expanded):
        expanded = expanded or isinstance(proposition, Join)
        return any(has_complement(p, expanded=expanded) for p in (proposition.left, proposition.right))
    if isinstance(proposition, Whole | Nothing | Stabilised | Meet):
        return isinstance(proposition, Meet)
    assert_never(proposition)


def relabel(proposition: Proposition, places: Mapping[int, int]) -> Proposition:
    """The same proposition with qubit q called places[q]."""
    if isinstance(proposition, SpanOf):
        qubits = sorted(places, key=places.__getitem__) if proposition.qubits is None else proposition.qubits
        return SpanOf(proposition.states, tuple(places[q] for q in qubits))
    if isinstance(proposition, Stabilised):
        return _relabel_stabilised(proposition, places)
    if isinstance(proposition, Perp):
        return Perp(relabel(proposition.operand, places))
    if isinstance(proposition, Meet | Join):
        return type(proposition)(relabel(proposition.left, places), relabel(proposition.right, places))
    if isinstance(proposition, Whole | Nothing | Support):  # a support is never written out
        return proposition
    assert_never(proposition)


def _relabel_stabilised(proposition: Stabilised, places: Mapping[int, int]) -> Stabilised:
    """Qubits where every string has I may be missing from `places`."""
    kept = [k for k, q in enumerate(proposition.qubits) if q in places]
    paulis = tuple((sign, "".join(string[k] for k in kept)) for sign, string in proposition.paulis)
    return Stabilised(paulis, tuple(places[proposition.qubits[k]] for k in kept))
