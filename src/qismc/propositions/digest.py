"""Texts that tell propositions apart, so that random choices can depend on them."""

from __future__ import annotations

import hashlib
from typing import Any

from typing_extensions import assert_never

from qismc.program import is_circuit, is_statevector, read_program
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
)
from qismc.propositions.states import KetSum, Listed, Prepared, Recorded, State
from qismc.propositions.subspace import Subspace
from qismc.system import identity


def seed_of(*parts: str) -> int:
    """A seed that depends on every letter of the parts; below 2^53, so that JSON carries it everywhere."""
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=8)
    return int.from_bytes(digest.digest(), "big") >> 11


def meaning_text(meaning: Any) -> str:
    """A text for whatever stands for a subspace: text, Statevector, circuit, Subspace, or a list of these."""
    if isinstance(meaning, str):
        return f"text {meaning}"
    if is_statevector(meaning):
        return f"vector {_hashed(meaning.data.tobytes())}"
    if is_circuit(meaning):
        return f"circuit {identity(read_program(meaning))}"
    if isinstance(meaning, Subspace):
        return proposition_text(meaning.proposition)
    if isinstance(meaning, list | tuple):
        return f"list {[meaning_text(item) for item in meaning]}"
    return proposition_text(meaning) if isinstance(meaning, Proposition) else repr(meaning)


def proposition_text(proposition: Proposition) -> str:
    """Equal texts mean equal subspaces."""
    match proposition:
        case Whole() | Nothing() | Stabilised():
            return repr(proposition)
        case SpanOf(states, qubits):
            return f"span {[_state_text(state) for state in states]} on {qubits}"
        case Support(states, qubits):
            return f"support {[_state_text(state) for state in states]} on {qubits}"
        case Perp(operand):
            return f"perp ({proposition_text(operand)})"
        case Meet(left, right) | Join(left, right):
            name = type(proposition).__name__
            return f"{name} ({proposition_text(left)}) ({proposition_text(right)})"
        case _:
            assert_never(proposition)


def _state_text(state: State) -> str:
    match state:
        case KetSum():
            return repr(state)
        case Listed(values):
            return f"listed {_hashed(values.tobytes())}"
        case Prepared(width, gates):
            return f"prepared {width} {[(g.operator.factors, g.qubits) for g in gates]}"
        case Recorded(origin, number):
            return f"recorded {origin.text} {number}"
        case _:
            assert_never(state)


def _hashed(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
