"""Many lines of few qubits each, asked about at once.

A state is in psi (x) (everything) for each of several lines psi on qubits of their own iff it is in the line
of their product (x) (everything): one test stands for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from qismc.engines import Engine, Exact, Span, Vector, has_unit
from qismc.language import ONE
from qismc.numbers import Number, SizedField
from qismc.propositions.propositions import Proposition, SpanOf
from qismc.propositions.states import KetSum, letter, normalised

Factor = tuple[Number, Number]
"""The amplitudes of one qubit."""


class Factors(NamedTuple):
    """The qubits of a line, and the amplitudes of each."""

    qubits: tuple[int, ...]
    amplitudes: list[Factor]


@dataclass(frozen=True, eq=False)
class Lines:
    """The span of a product of lines, and which of the propositions that were given are among them."""

    among: frozenset[int]
    qubits: tuple[int, ...] | None
    """None: all of them, in order."""
    span: Span


def lines_of(engine: Exact, propositions: Sequence[Proposition]) -> Lines | None:
    """As many of the propositions as are lines on qubits of their own; None if these are fewer than two."""
    of_qubit: dict[int, Factor] = {}
    among = []
    for number, proposition in enumerate(propositions):
        found = _factors(proposition, engine.ring)
        if found is not None and not any(qubit in of_qubit for qubit in found.qubits):
            of_qubit.update(zip(found.qubits, found.amplitudes, strict=True))
            among.append(number)
    if len(among) < 2:
        return None
    qubits = tuple(sorted(of_qubit))
    whole = len(qubits) == engine.num_qubits
    local = engine if whole else engine.sub(qubits)
    span = local.span()
    span.add(local.product([of_qubit[qubit] for qubit in qubits]))
    return Lines(frozenset(among), None if whole else qubits, span)


def all_hold(engine: Engine, lines: Lines, vector: Vector) -> bool:
    """Is the vector in all of them?"""
    parts = [vector] if lines.qubits is None else engine.slices(vector, lines.qubits)
    return all(lines.span.contains(part) for part in parts)


def _factors(proposition: Proposition, ring: SizedField) -> Factors | None:
    """Of a product of kets, or of any state of one qubit; none of them is zero, whatever the prime."""
    if not isinstance(proposition, SpanOf) or proposition.qubits is None or len(proposition.states) != 1:
        return None
    state, qubits = proposition.states[0], proposition.qubits
    if not isinstance(state, KetSum):
        return None
    if len(state.terms) == 1 and state.terms[0][0] == ONE:
        return Factors(qubits, [letter(ring, name) for name in state.terms[0][1]])
    if len(qubits) > 1:
        return None
    amplitudes = _amplitudes(state, ring)
    return Factors(qubits, [amplitudes]) if has_unit(amplitudes) else None


def _amplitudes(state: KetSum, ring: SizedField) -> Factor:
    """The amplitudes of a sum of kets of one letter each."""
    of_letter = {name: coefficient for coefficient, name in state.terms}
    if len(state.terms) == len(of_letter) == 2 and "0" in of_letter and "1" in of_letter:
        return of_letter["0"].value(ring), of_letter["1"].value(ring)
    found = ring.rational(0), ring.rational(0)
    for coefficient, name in state.terms:
        factor, (a, b) = normalised(ring, coefficient.value(ring), name), letter(ring, name)
        found = found[0] + factor * a, found[1] + factor * b
    return found
