"""Is a vector inside a proposition, or orthogonal to it?

A state is in psi (x) (everything) for each of several lines psi on qubits of their own iff it is in the line
of their product (x) (everything): so one test (`ProductLine`) decides about all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import assert_never

from qismc.common.lazily import cached_method
from qismc.engines import Engine, Exact, Span, Vector, has_unit
from qismc.language import ONE
from qismc.numbers import SizedField, SizedNumber
from qismc.propositions.codes import stabilised_part, stabiliser_generators
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
    perp,
    relabel,
    support,
)
from qismc.propositions.spanning import spanning
from qismc.propositions.states import KetSum, letter, make, normalised

Spanned = SpanOf | Support | Join
"""What is tested as a span of vectors on its qubits."""


class Membership:
    """Tests against propositions on one engine; spans and slices are made once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def contains(self, proposition: Proposition, vector: Vector) -> bool:
        """Does the (non-zero) vector lie in the subspace?"""
        match proposition:
            case Whole() | Nothing():
                return isinstance(proposition, Whole)
            case SpanOf() | Support() | Join():
                return self._in_span(proposition, vector)
            case Stabilised():
                return self._moved_by_string(proposition, vector) is None
            case Perp(operand):
                return self.orthogonal(operand, vector)
            case Meet(left, right):
                return self.contains(left, vector) and self.contains(right, vector)
        assert_never(proposition)

    @cached_method
    def lines(self, propositions: tuple[Proposition, ...]) -> ProductLine | None:
        """Those of the propositions that one test can decide, if there are several."""
        exact = self._engine.exact
        return None if exact is None else lines_of(exact, propositions)

    def all_hold(self, lines: ProductLine, vectors: Sequence[Vector]) -> bool:
        """Are all vectors in all of these lines?"""
        qubits = lines.qubits
        parts = ([v] if qubits is None else self._engine.slices(v, qubits) for v in vectors)
        return all(lines.span.contains(part) for each in parts for part in each)

    def orthogonal(self, proposition: Proposition, vector: Vector) -> bool:
        """Is the vector orthogonal to every vector of the subspace?"""
        match proposition:
            case Whole() | Nothing():
                return isinstance(proposition, Nothing)
            case SpanOf() | Support():
                return self._orthogonal_to_span(proposition, vector)
            case Stabilised():
                return stabilised_part(self._engine, proposition, vector) is None
            case Perp(operand):
                return self.contains(operand, vector)
            case Join(left, right):
                return self.orthogonal(left, vector) and self.orthogonal(right, vector)
            case Meet():
                return self.contains(perp(proposition), vector)
        assert_never(proposition)

    def moved(self, proposition: Proposition, vector: Vector) -> Vector | None:
        """A (non-zero) vector w = A v that shows v outside; A acts on the proposition's qubits and kills it.

        So what a projector P on other qubits leaves of v is outside wherever P w is not zero. None where v is
        inside, or where no such A is at hand.
        """
        match proposition:
            case Stabilised():
                found = self._moved_by_string(proposition, vector)
                one = self._engine.ring.rational(1)
                return None if found is None else self._engine.combine([one, -one], found)
            case Meet(left, right):
                one_side = self.moved(left, vector)
                return self.moved(right, vector) if one_side is None else one_side
        return None

    # --- spans -------------------------------------------------------------------------------------------

    def _local(self, proposition: Spanned) -> tuple[Engine, tuple[int, ...] | None]:
        """The engine on which the subspace is a span, and its qubits (None: all of them, in order)."""
        if isinstance(proposition, Join):
            qubits: tuple[int, ...] | None = tuple(sorted(support(proposition, self._engine.num_qubits)))
        else:
            qubits = proposition.qubits
        if qubits is None or qubits == tuple(range(self._engine.num_qubits)):
            return self._engine, None
        return self._engine.sub(qubits), qubits

    @cached_method
    def _span(self, proposition: Spanned) -> tuple[Span, list[Vector]]:
        engine, qubits = self._local(proposition)
        if isinstance(proposition, SpanOf):
            candidates = [make(engine, state) for state in proposition.states]
        elif isinstance(proposition, Support):
            whole = [make(self._engine, state) for state in proposition.states]
            candidates = [part for vector in whole for part in self._slices(proposition, vector)]
        else:
            places = {q: k for k, q in enumerate(qubits or range(self._engine.num_qubits))}
            candidates = spanning(engine, relabel(proposition, places), "a \\/")
        span = engine.span()
        return span, [v for v in candidates if span.add(v)]

    def _slices(self, proposition: Spanned, vector: Vector) -> list[Vector]:
        _, qubits = self._local(proposition)
        return [vector] if qubits is None else self._engine.slices(vector, qubits)

    def _in_span(self, proposition: Spanned, vector: Vector) -> bool:
        span, _ = self._span(proposition)
        return all(span.contains(part) for part in self._slices(proposition, vector))

    def _orthogonal_to_span(self, proposition: SpanOf | Support, vector: Vector) -> bool:
        engine, _ = self._local(proposition)
        _, vectors = self._span(proposition)
        parts = self._slices(proposition, vector)
        return all(engine.inner_is_zero(v, part) for v in vectors for part in parts)

    def _moved_by_string(self, code: Stabilised, vector: Vector) -> tuple[Vector, Vector] | None:
        """(g v, v) for a string g of the code with g v != v; None if there is none."""
        engine = self._engine
        same = engine.run(engine.compile([]), vector)
        for generator in stabiliser_generators(code):
            image = engine.run(engine.compile([generator]), vector)
            if not engine.equal(image, same):
                return image, same
        return None


QubitAmplitudes = tuple[SizedNumber, SizedNumber]
"""The amplitudes of one qubit."""


@dataclass(frozen=True, eq=False)
class ProductLine:
    """The span of a product of lines, and which of the propositions that were given are among them."""

    among: frozenset[int]
    qubits: tuple[int, ...] | None
    """None: all of them, in order."""
    span: Span


def lines_of(engine: Exact, propositions: Sequence[Proposition]) -> ProductLine | None:
    """As many of the propositions as are lines on qubits of their own; None if these are fewer than two."""
    of_qubit: dict[int, QubitAmplitudes] = {}
    among = []
    for number, proposition in enumerate(propositions):
        found = _factors(proposition, engine.ring)
        if found is not None and found.keys().isdisjoint(of_qubit):
            of_qubit.update(found)
            among.append(number)
    if len(among) < 2:
        return None
    qubits = tuple(sorted(of_qubit))
    whole = len(qubits) == engine.num_qubits
    local = engine if whole else engine.sub(qubits)
    span = local.span()
    span.add(local.product([of_qubit[qubit] for qubit in qubits]))
    return ProductLine(frozenset(among), None if whole else qubits, span)


def _factors(proposition: Proposition, ring: SizedField) -> dict[int, QubitAmplitudes] | None:
    """The qubits of a product of kets, or of a state of one qubit; no amplitudes vanish for any prime."""
    if not isinstance(proposition, SpanOf) or proposition.qubits is None or len(proposition.states) != 1:
        return None
    state, qubits = proposition.states[0], proposition.qubits
    if not isinstance(state, KetSum):
        return None
    if len(state.terms) == 1 and state.terms[0][0] == ONE:
        return {q: letter(ring, name) for q, name in zip(qubits, state.terms[0][1], strict=True)}
    if len(qubits) > 1:
        return None
    amplitudes = _amplitudes(state, ring)
    return {qubits[0]: amplitudes} if has_unit(amplitudes) else None


def _amplitudes(state: KetSum, ring: SizedField) -> QubitAmplitudes:
    """The amplitudes of a sum of kets of one letter each."""
    of_letter = {name: coefficient for coefficient, name in state.terms}
    if len(state.terms) == len(of_letter) == 2 and "0" in of_letter and "1" in of_letter:
        return of_letter["0"].value(ring), of_letter["1"].value(ring)
    found = ring.rational(0), ring.rational(0)
    for coefficient, name in state.terms:
        factor, (a, b) = normalised(ring, coefficient.value(ring), name), letter(ring, name)
        found = found[0] + factor * a, found[1] + factor * b
    return found
