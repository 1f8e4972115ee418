"""Propositions as stabiliser codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

import numpy as np

from qismc._core import Finding, Strings, Tableau
from qismc.common.lazily import cached_method
from qismc.common.paulis import Pauli
from qismc.errors import Unrecognised
from qismc.levels import is_all_zero
from qismc.propositions import (
    KetSum,
    Listed,
    Meet,
    Nothing,
    Perp,
    Prepared,
    Proposition,
    Recorded,
    SpanOf,
    Stabilised,
    State,
    Whole,
)
from qismc.stabiliser.amplitudes import (
    EIGHTHS,
    MOST_AMPLITUDES,
    CyclotomicNumber,
    PowersOfI,
    generators,
    powers_of_exact,
    powers_of_floats,
)
from qismc.stabiliser.gates import Gates, refused
from qismc.symbolic import NotSymbolic

MOST_STATES = 256


def code_of_span(states: Sequence[Strings], width: int) -> Strings:
    """Generators of the code that states with these groups span; raises NotSymbolic.

    The Paulis that stabilise every state of a span are those in all groups, with the same sign. Their code
    contains the span, and is the span if as many of the states as it has dimensions are orthogonal to each
    other. Two codes are orthogonal iff their groups have a Pauli in common with opposite signs.
    """
    refusal = NotSymbolic("a span of states is no stabiliser code that we recognise")
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


@dataclass(frozen=True)
class Within:
    """All states are in the code of the generators."""

    generators: Strings


@dataclass(frozen=True)
class Across:
    """All states are orthogonal to the code of the generators."""

    generators: Strings


@dataclass(frozen=True)
class Impossible:
    """There is no such state."""


Requirement = Within | Across | Impossible
MOST_QUBITS = 1 << 16
"""A tableau has 4 n^2 bits: 2 GiB for so many qubits."""


@dataclass
class Codes:
    """Reads propositions about a program with so many qubits; raises NotSymbolic."""

    num_qubits: int
    gates: Gates = field(default_factory=Gates)

    @cached_method
    def requirements(self, proposition: Proposition) -> tuple[Requirement, ...]:
        """What must be so of states for them to be in the proposition: all of it."""
        match proposition:
            case Whole():
                return ()
            case Nothing():
                return (Impossible(),)
            case SpanOf():
                return (Within(self.code(proposition)),)
            case Stabilised():
                code = self.code(proposition)
                return (Within(code) if code.is_consistent else Impossible(),)
            case Meet(left, right):
                return (*self.requirements(left), *self.requirements(right))
            case Perp(SpanOf() as operand):
                return (Across(self.code(operand)),)
            case Perp(Stabilised() as operand):
                code = self.code(operand)
                return (Across(code),) if code.is_consistent else ()
        raise NotSymbolic("a proposition that joins subspaces is no stabiliser code")

    def start(self, proposition: Proposition) -> Tableau:
        """All states of a code."""
        if self.num_qubits > MOST_QUBITS:
            raise NotSymbolic(f"a tableau of more than {MOST_QUBITS:,} qubits does not fit into memory")
        if is_all_zero(proposition, self.num_qubits):
            return Tableau(self.num_qubits)
        found = Tableau(self.num_qubits, open=True)
        for requirement in self.requirements(proposition):
            if not isinstance(requirement, Within):
                raise NotSymbolic("init is no stabiliser code")
            for k in range(len(requirement.generators)):
                _impose(found, *requirement.generators[k])
        return found

    def code(self, proposition: SpanOf | Stabilised) -> Strings:
        """Generators, signs included; no state is in the code if they are not consistent."""
        if isinstance(proposition, Stabilised):
            found = Strings()
            found.read(proposition.paulis, proposition.qubits)
            return found
        qubits = proposition.qubits or tuple(range(self.num_qubits))
        states = [self._state(state, qubits) for state in proposition.states]
        return states[0] if len(states) == 1 else code_of_span(states, len(qubits))

    def _state(self, state: State, qubits: Sequence[int]) -> Strings:
        """The generators of a state whose qubit k is qubits[k]."""
        found: Strings | None = None
        match state:
            case KetSum():
                found = _ket_sum(state, qubits)
            case Listed(values) if np.count_nonzero(values) <= MOST_AMPLITUDES:
                flat = values.reshape((2,) * state.width).transpose().reshape(-1)
                present = {int(x): complex(flat[x]) for x in np.flatnonzero(flat)}
                found = _recognised(powers_of_floats(present), qubits)
            case Prepared():
                return strings_of(_placed(self._prepared(state), qubits))
            case Recorded():
                raise NotSymbolic("sp(…) is computed by other engines")
        if found is None:
            raise NotSymbolic("a proposition is no stabiliser state")
        return found

    def _prepared(self, state: Prepared) -> list[Pauli]:
        tableau, end = Tableau(state.width), len(state.gates)
        stopped = self.gates.run(tableau, state.gates, 0, end)
        if stopped < end:
            raise refused(state.gates[stopped].operator)
        return list(generators_of(tableau))


def generators_of(tableau: Tableau) -> Iterator[Pauli]:
    """The generators of a group whose signs are constant."""
    for row in tableau.generators:
        yield Pauli.of(tableau.generator(row), minus=bool(tableau.generator_sign(row)))


def _impose(tableau: Tableau, letters: list[tuple[int, int]], minus: bool) -> None:
    """Keep the states that the Pauli stabilises."""
    finding = tableau.measure(letters, [0] if minus else [])
    differs = finding is Finding.fixed and bool(tableau.sign(letters)) != minus
    if finding is Finding.coin or differs:
        raise NotSymbolic("init is the zero space")


def _placed(paulis: Sequence[Pauli], qubits: Sequence[int]) -> Sequence[Pauli]:
    """The same strings with local qubit k called qubits[k]."""
    if list(qubits) == list(range(len(qubits))):
        return paulis
    return [pauli.on(qubits) for pauli in paulis]


# --- kets ---------------------------------------------------------------------------------------------


def strings_of(paulis: Iterable[Pauli]) -> Strings:
    """Native strings."""
    found = Strings()
    for pauli in paulis:
        found.append(pauli.letters, pauli.minus)
    return found


def _ket_sum(state: KetSum, qubits: Sequence[int]) -> Strings | None:
    """Qubits with the same letter everywhere are apart; the others are looked at amplitude by amplitude."""
    if len(state.terms) == 1:
        return Strings.product(state.terms[0][1], qubits)
    columns = list(zip(*(letters for _, letters in state.terms), strict=True))
    shared = [k for k, column in enumerate(columns) if len(set(column)) == 1]
    others = [k for k, column in enumerate(columns) if len(set(column)) > 1]
    apart = Strings.product("".join(columns[k][0] for k in shared), [qubits[k] for k in shared])
    if not others:
        return apart
    try:
        amplitudes = _amplitudes(state, others)
    except Unrecognised:
        return None
    powers = None if amplitudes is None else powers_of_exact(amplitudes)
    found = _recognised(powers, [qubits[k] for k in others])
    if found is not None:
        found.extend(apart)
    return found


def _recognised(powers: PowersOfI | None, qubits: Sequence[int]) -> Strings | None:
    """The generators of a state on qubits; None if it is no stabiliser state."""
    found = generators(powers, len(qubits))
    return None if found is None else strings_of(_placed(found, qubits))


def _amplitudes(state: KetSum, places: Sequence[int]) -> dict[int, CyclotomicNumber] | None:
    """Exactly, up to a common factor; raises Unrecognised."""
    found: dict[int, CyclotomicNumber] = {}
    for coefficient, letters in state.terms:
        here = [letters[k] for k in places]
        superposed = [k for k, name in enumerate(here) if name not in "01"]
        if len(found) + (1 << min(len(superposed), 20)) > MOST_AMPLITUDES:
            return None
        scale = coefficient.value(EIGHTHS) * EIGHTHS.sqrt(Fraction(1, 1 << len(superposed)))
        turned = [scale.turned(2 * k) for k in range(4)]
        for index, power in _expanded(here, superposed):
            known = found.get(index)
            found[index] = turned[power] if known is None else known + turned[power]
    return found


POWERS = {"+": 0, "r": 1, "-": 2, "l": 3}
"""The power of i in front of |1> in a letter."""


def _expanded(letters: Sequence[str], superposed: Sequence[int]) -> Iterable[tuple[int, int]]:
    """The basis states of a product of letters, each with its power of i."""
    fixed = sum(1 << k for k, name in enumerate(letters) if name == "1")
    for digits in product((0, 1), repeat=len(superposed)):
        index, power = fixed, 0
        for place, digit in zip(superposed, digits, strict=True):
            index |= digit << place
            power += digit * POWERS[letters[place]]
        yield index, power % 4
