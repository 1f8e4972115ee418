"""How much of a final state lies in a proposition, and which parts of the proposition it is outside of.

Parts are generators, sides of a meet, qubits, and factors of a span. For the factors, let A and B be spanned
by the Schmidt vectors of the states of S on either side of a cut. Then S <= A (x) B, and S = A (x) B iff
their dimensions are equal. A state is in A (x) B iff its own Schmidt vectors are in A on the one side and in
B on the other, so that each factor holds or fails by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from qismc.engines import DenseEngine, Numeric, Vector
from qismc.evidence.execution import Hint
from qismc.evidence.states import Singles, density, ket_of, mixture_text, named, overlap, unit
from qismc.language import syntax, to_text
from qismc.limits import Budget, Limits
from qismc.propositions import (
    KetSum,
    Meet,
    Proposition,
    Recorded,
    SpanOf,
    Stabilised,
    State,
    make,
    reduced_basis,
    stabiliser_generators,
    states_of,
    support,
)
from qismc.system import Application

INSIDE = 1 - 1e-9
PARTS_SHOWN = 4
MOST_FACTORED = 6
"""Qubits of spans that are taken apart into factors."""
MOST_PARTS = 64
"""Larger propositions are not taken apart."""


def failing_parts(
    engine: Numeric, proposition: Proposition, names: Sequence[str], state: Vector, step: int
) -> Iterator[Hint]:
    """A hint for each proposition that has parts, of which the state is outside of some."""
    for text in _End(engine, names, state).failing(proposition):
        yield Hint("part", text, steps=(step,))


@dataclass(frozen=True)
class _End:
    """A final state."""

    engine: Numeric
    names: Sequence[str]
    state: Vector

    def failing(self, proposition: Proposition) -> Iterator[str]:
        match proposition:
            case Meet():
                yield from self._sides(proposition)
            case Stabilised(paulis) if 1 < len(paulis) <= MOST_PARTS:
                yield from self._generators(proposition)
            case SpanOf((KetSum(((_, letters),)),), qubits) if 1 < len(letters) <= MOST_PARTS:
                yield from self._letters(letters, qubits or tuple(range(self.engine.num_qubits)))
            case SpanOf(states, qubits):
                yield from self._factors(states, qubits or tuple(range(self.engine.num_qubits)))

    def _sides(self, proposition: Meet) -> Iterator[str]:
        sides = list(_flat(proposition))[:MOST_PARTS]
        failing = [side for side in sides if not self._is_inside(side)]
        if len(failing) < len(sides):
            yield _counted([_text(side, self.names) for side in failing], len(sides), "sides of the meet")
        for side in failing:
            yield from self.failing(side)

    def _is_inside(self, proposition: Proposition) -> bool:
        weight = overlap(self.engine, proposition, self.state)
        return weight is not None and weight > INSIDE

    def _generators(self, proposition: Stabilised) -> Iterator[str]:
        described = []
        generators = zip(proposition.paulis, stabiliser_generators(proposition), strict=True)
        for (sign, string), generator in generators:
            value = self._expectation(generator)
            if value < INSIDE:
                described.append(f"{'-' if sign < 0 else ''}{string} (expectation {value:.4g})")
        everything = len(proposition.qubits) == len(self.names)
        on = "" if everything else f" on {named(self.names, proposition.qubits)}"
        if described:
            yield _counted(described, len(proposition.paulis), f"generators{on}")

    def _expectation(self, generator: Application) -> float:
        along = unit(self.engine, self.state)
        image = self.engine.run(self.engine.compile([generator]), along)
        return round(float(np.real(self.engine.inner(along, image))), 9) + 0.0

    def _letters(self, letters: str, qubits: Sequence[int]) -> Iterator[str]:
        singles = Singles(self.engine, self.state)
        weights = [singles.inside(qubit, name) for name, qubit in zip(letters, qubits, strict=True)]
        failing = [k for k, weight in enumerate(weights) if weight is None or weight <= INSIDE]
        if not failing or len(failing) == len(letters):
            return
        described = []
        for k in failing[:PARTS_SHOWN]:
            found = singles.reduced(qubits[k])
            assert found is not None, "one qubit always has a reduced state"
            described.append(f"{self.names[qubits[k]]} should be |{letters[k]}> and is {mixture_text(found)}")
        yield _counted(described, len(letters), "qubits", len(failing))

    def _factors(self, states: Sequence[State], qubits: Sequence[int]) -> Iterator[str]:
        """The factors of a span that fail; of one that has none, what of the state is outside."""
        if not self.engine.dense or not 1 < len(qubits) <= MOST_FACTORED:
            return
        local = DenseEngine(len(qubits), Budget(Limits()))
        whole = factors(np.array([make(local, state) for state in states], dtype=complex))
        asked = [factor for factor in whole if not factor.is_everything]
        failing = [self._told(f, qubits) for f in asked if not f.contains(self._on(f, qubits))]
        if not failing:
            return  # floating point sees no difference
        if len(failing) < len(asked):
            yield _counted(failing, len(asked), "factors of the span")
        elif len(whole) == 1:
            text = outside_text(whole[0], self._on(whole[0], qubits))
            yield from [] if text is None else [text]
        elif len(asked) == 1:
            yield f"the span speaks of some qubits only: {failing[0]}"

    def _on(self, factor: SpanFactor, qubits: Sequence[int]) -> Array:
        return density(np.asarray(self.state), self.engine.num_qubits, [qubits[k] for k in factor.places])

    def _told(self, factor: SpanFactor, qubits: Sequence[int]) -> str:
        names = named(self.names, [qubits[k] for k in factor.places])
        inside = "in " if factor.dimension > 1 else ""
        return f"{names} should be {inside}{factor.text} and is {mixture_text(self._on(factor, qubits))}"


def _flat(proposition: Proposition) -> Iterator[Proposition]:
    if isinstance(proposition, Meet):
        yield from _flat(proposition.left)
        yield from _flat(proposition.right)
    else:
        yield proposition


def _counted(described: Sequence[str], count: int, parts: str, failing: int | None = None) -> str:
    """So many parts of `count` fail; where `failing` says how many, only those to be shown need be told."""
    failing = len(described) if failing is None else failing
    shown = list(described[:PARTS_SHOWN])
    more = [f"{failing - len(shown)} more"] if failing > len(shown) else []
    return f"{failing} of {count} {parts} fail: {', '.join(shown + more)}"


def _text(proposition: Proposition, names: Sequence[str]) -> str:
    qubits = sorted(support(proposition, len(names)))
    on = f" on {named(names, qubits)}" if len(qubits) < len(names) else ""
    match proposition:
        case SpanOf((KetSum(terms),), given):
            on = "" if given is None else f" on {named(names, given)}"
            return to_text(syntax.Quantum(syntax.Ket(tuple(syntax.Term(*term) for term in terms)))) + on
        case Stabilised(paulis, given):
            strings = ", ".join(("-" if sign < 0 else "") + string for sign, string in paulis)
            return f"stab({strings}) on {named(names, given)}"
    return f"the part{on}" if on else "one that speaks of all qubits"


NOTHING = 1e-9
ROUNDING = 1e-12
NEARLY_ALL = 0.9999


def share(engine: Numeric, proposition: Proposition, name: str, state: Vector, step: int) -> Hint | None:
    """The squared length of the final state's projection, where the projection is at hand."""
    recorded = any(isinstance(one, Recorded) for one in states_of(proposition))  # to be computed again
    weight = None if recorded else overlap(engine, proposition, state)
    if weight is None:
        return None
    how = "squared length of its projection"
    if weight < NOTHING:
        text = f"the final state is orthogonal to {name} ({how}: 0)"
    elif weight > 1 - ROUNDING:
        text = f"the final state is within rounding of {name}: only exact arithmetic tells them apart"
    elif weight > NEARLY_ALL:
        text = f"all but {1 - weight:.2g} of the final state lies in {name} ({how})"
    else:
        text = f"{weight:.4g} of the final state lies in {name} ({how})"
    return Hint("overlap", text, steps=(step,))


Array = npt.NDArray[np.complex128]
ZERO = 1e-9
KETS_SHOWN = 4


class SpanFactor(NamedTuple):
    """A span on some places of the states; the columns are an orthonormal basis of it."""

    places: tuple[int, ...]
    basis: Array

    @property
    def dimension(self) -> int:
        return int(self.basis.shape[1])

    @property
    def is_everything(self) -> bool:
        """Does it exclude nothing?"""
        return len(self.basis) == self.dimension

    def outside(self, density: Array) -> Array:
        """What a density matrix on the places has outside, not normalised."""
        rest = np.eye(len(self.basis)) - self.basis @ self.basis.conj().T
        return np.asarray(rest @ density @ rest)

    def contains(self, density: Array) -> bool:
        """Is a density matrix on the places inside?"""
        return float(np.real(np.trace(self.outside(density)))) < ZERO

    @property
    def text(self) -> str:
        """`|0>`, or `span(|00>, |11>)`."""
        kets = [ket_of(row) for row in reduced_basis(self.basis.T)[:KETS_SHOWN]]
        if self.dimension == 1:
            return kets[0]
        more = [] if self.dimension <= KETS_SHOWN else [f"{self.dimension - KETS_SHOWN} more"]
        return f"span({', '.join(kets + more)})"


def factors(rows: Array) -> list[SpanFactor]:
    """The finest product that the span of the rows is, in the order of the qubits."""
    count = rows.shape[1].bit_length() - 1
    whole = _factor(rows, tuple(range(count)))
    return list(_split(whole.basis.T, tuple(range(count))))


def _split(rows: Array, places: tuple[int, ...]) -> Iterator[SpanFactor]:
    """The smallest factor with the first place, then those of the rest."""
    for size in range(1, len(places)):
        for others in combinations(range(1, len(places)), size - 1):
            chosen = (0, *others)
            rest = tuple(k for k in range(len(places)) if k not in chosen)
            first, second = _factor(rows, chosen), _factor(rows, rest)
            if first.dimension * second.dimension == len(rows):
                yield SpanFactor(tuple(places[k] for k in chosen), first.basis)
                yield from _split(second.basis.T, tuple(places[k] for k in rest))
                return
    yield SpanFactor(places, rows.T)


def _factor(rows: Array, places: Sequence[int]) -> SpanFactor:
    """What the Schmidt vectors of independent states on some places span."""
    count = rows.shape[1].bit_length() - 1
    tensor = rows.reshape((len(rows), *(2,) * count))
    rest = [k + 1 for k in range(count) if k not in places]
    flat = tensor.transpose([*(p + 1 for p in places), 0, *rest]).reshape(2 ** len(places), -1)
    left, lengths, _ = np.linalg.svd(flat, full_matrices=False)
    return SpanFactor(tuple(places), left[:, lengths > ZERO * lengths[0]])


def outside_text(factor: SpanFactor, density: Array) -> str | None:
    """The part of a state that is outside, where another part is inside."""
    rest = factor.outside(density)
    weight = float(np.real(np.trace(rest)))
    if not ZERO < weight < 1 - ZERO:
        return None
    return f"the part outside of {factor.text} is {mixture_text(rest / weight)}, squared length {weight:.4g}"
