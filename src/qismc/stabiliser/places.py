"""What is so at a place of a program: sp as a stabiliser code, and the distribution of classical bits.

For all values of the symbols the signs of the generators run through a set. If that is an affine space a + V,
the span of all codes is the code of those products of generators whose sign never changes: the products c
with c v = 0 for all v of V, with the sign c a.

The distribution of bits at the first visit is a count of coins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from qismc._core import Tableau
from qismc.common.lazily import cached_method
from qismc.common.parity import orthogonal, reduced
from qismc.common.paulis import Pauli
from qismc.limits import Budget
from qismc.program import Program
from qismc.propositions import Proposition, SpanOf, Stabilised, Whole
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.decide import Event
from qismc.stabiliser.functions import Functions, as_equations, eliminate, mask_of, space_of
from qismc.stabiliser.state import SymbolicState, start_of
from qismc.stabiliser.walk import Ask, Walk
from qismc.symbolic import Bool, NotSymbolic
from qismc.system import crossed, points_of

MOST_VALUES = 1 << 14
"""Largest number of values in a distribution; above it NotSymbolic is raised."""


FirstVisit = tuple[Bool, tuple[Bool, ...]]
"""Where the function is true, the place is visited first, with these bits."""


@dataclass
class Places:
    """The places of a program that starts in `init`; raises NotSymbolic."""

    program: Program
    codes: Codes
    init: Proposition
    budget: Budget

    def _visit(self, where: str, functions: Functions, note: Ask) -> None:
        """Call note(point, state, guard) whenever control comes to a place."""
        wanted = frozenset(points_of(where, self.program))

        def ask(point: int, state: SymbolicState, guard: Bool) -> None:
            if point in wanted:
                note(point, state, guard)

        gates, last = self.codes.gates, max(wanted, default=0)
        walk = Walk(self.program, gates, functions, ask, wanted.__contains__, quiet=True, last=last)
        walk.run(start_of(self.program, functions, self.codes.start(self.init)))

    # --- sp ----------------------------------------------------------------------------------------------

    @cached_method
    def post(self, where: str) -> Proposition:
        """sp(where)."""
        if where == "init":
            if not isinstance(self.init, SpanOf | Stabilised | Whole):
                raise NotSymbolic("sp(init) is no code that is spelled out")
            return self.init
        visits: list[tuple[Bool, SymbolicState]] = []
        functions = Functions(self.budget)
        self._visit(where, functions, lambda _, state, guard: visits.append((guard, state.copy())))
        if len(visits) != 1:
            raise NotSymbolic(f"sp({where}) joins {len(visits)} stabiliser groups")
        return self._span(where, *visits[0])

    def _span(self, where: str, guard: Bool, state: SymbolicState) -> Proposition:
        tableau, functions = state.tableau, state.functions
        rows = tableau.generators
        signs = [as_equations(functions.function(mask_of(tableau.generator_sign(row)))) for row in rows]
        equations = as_equations(guard)
        if equations is None or any(sign is None for sign in signs):
            raise NotSymbolic(f"the signs at '{where}' are no sums of outcomes")
        values = space_of(eliminate([sign[0] ^ 1 for sign in signs if sign is not None], equations))
        products = orthogonal(reduced(values.directions), len(rows))
        found = [_product(tableau, rows, c, values.origin) for c in products]
        return _stabilised(found, self.program.num_qubits)

    # --- distributions -----------------------------------------------------------------------------------

    def distribution(self, where: str, bits: Sequence[int]) -> dict[tuple[int, ...], Fraction]:
        """values of the bits at the first visit -> probability."""
        if any(s.loop for s in crossed(self.program)):
            raise NotSymbolic("the expected turns of loops are computed by other engines")
        functions, visits = Functions(self.budget), list[FirstVisit]()
        event = Event(0, functions)

        def note(point: int, state: SymbolicState, guard: Bool) -> None:
            before = len(event.arrivals)
            event.note(point, state, guard, False)
            seen = tuple(state.bit(bit) for bit in bits)
            visits.extend((arrival.function, seen) for arrival in event.arrivals[before:])

        self._visit(where, functions, note)
        found: dict[tuple[int, ...], Fraction] = {}
        for first, digits in visits:
            functions.check_coins(first, *digits)
            for values, share in self._split((first, digits), functions):
                found[values] = found.get(values, Fraction(0)) + share
                if len(found) > MOST_VALUES:
                    raise NotSymbolic(f"more than {MOST_VALUES} values are possible")
        return dict(sorted(found.items()))

    def _split(self, visit: FirstVisit, functions: Functions) -> list[tuple[tuple[int, ...], Fraction]]:
        """The possible values of the bits on a visit, one bit after the other."""
        first, digits = visit
        cases: list[tuple[Bool, tuple[int, ...]]] = [(first, ())]
        logic, solutions = functions.logic, functions.solutions
        for bit in digits:
            self.budget.spend("the distribution of outcomes")
            following = []
            for function, values in cases:
                for value, digit in ((0, logic.negation(bit)), (1, bit)):
                    kept = logic.conjunction(function, digit)
                    if solutions.some(kept) is not None:
                        following.append((kept, (*values, value)))
            cases = following
            if len(cases) > MOST_VALUES:
                raise NotSymbolic(f"more than {MOST_VALUES} values are possible")
        return [(values, solutions.share(function)) for function, values in cases]


def _product(tableau: Tableau, rows: list[int], chosen: int, signs: int) -> Pauli:
    """The product of generators, each with its sign."""
    found = Pauli(0, 0, 0)
    for k, row in enumerate(rows):
        if chosen >> k & 1:
            found = found * Pauli.of(tableau.generator(row), minus=bool(signs >> k & 1))
    return found


def _stabilised(paulis: list[Pauli], num_qubits: int) -> Proposition:
    if not paulis:
        return Whole()
    signed = tuple((-1 if pauli.minus else 1, pauli.text(range(num_qubits))) for pauli in paulis)
    return Stabilised(signed, tuple(range(num_qubits)))
