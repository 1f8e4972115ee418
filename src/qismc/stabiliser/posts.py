"""sp of a place as a stabiliser code.

For all values of the symbols the signs of the generators run through a set. If that is an affine space a + V,
the span of all codes is the code of those products of generators whose sign never changes: the products c
with c v = 0 for all v of V, with the sign c a.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from qismc._core import Tableau
from qismc.limits import Budget
from qismc.program import Program
from qismc.propositions import Proposition, SpanOf, Stabilised, Whole
from qismc.stabiliser.affine import eliminate, reduced, space_of
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.functions import Functions, mask_of
from qismc.stabiliser.paulis import Pauli
from qismc.stabiliser.solutions import Solutions, as_equations
from qismc.stabiliser.state import SymbolicState, start_of
from qismc.stabiliser.walk import Walk, walked
from qismc.symbolic import Bool, NotSymbolic
from qismc.system import points_of

NAMES = "IXZY"


@dataclass
class CodePosts:
    """The codes of places in a program that starts in `init`; raises NotSymbolic."""

    program: Program
    codes: Codes
    init: Proposition
    budget: Budget
    _found: dict[str, Proposition] = field(default_factory=dict)

    def __call__(self, where: str) -> Proposition:
        """sp(where)."""
        if where not in self._found:
            self._found[where] = self._code(where)
        return self._found[where]

    def _code(self, where: str) -> Proposition:
        if where == "init":
            if not isinstance(self.init, SpanOf | Stabilised | Whole):
                raise NotSymbolic("sp(init) is no code that is spelled out")
            return self.init
        functions, wanted = Functions(), frozenset(points_of(where, self.program))
        visits: list[tuple[Bool, SymbolicState]] = []

        def ask(point: int, state: SymbolicState, guard: Bool) -> None:
            if point in wanted:
                visits.append((guard, state.copy()))

        solutions = Solutions(self.budget)
        walk = Walk(
            self.program,
            self.codes.gates,
            functions,
            solutions,
            self.budget,
            ask,
            wanted.__contains__,
            quiet=True,
            last=max(wanted, default=0),
        )
        walked(walk, start_of(self.program, functions, self.codes.start(self.init)))
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
        products = constant_sums(values.directions, len(rows))
        found = [_product(tableau, rows, c, values.origin) for c in products]
        return _stabilised(found, self.program.num_qubits)


def constant_sums(directions: tuple[int, ...], width: int) -> list[int]:
    """A basis of the vectors that are orthogonal to all directions."""
    basis = reduced(directions)
    return [
        1 << place | sum(1 << pivot for pivot, row in basis.items() if row >> place & 1)
        for place in range(width)
        if place not in basis
    ]


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
    signed = tuple((-1 if pauli.minus else 1, _string(pauli, num_qubits)) for pauli in paulis)
    return Stabilised(signed, tuple(range(num_qubits)))


def _string(pauli: Pauli, num_qubits: int) -> str:
    letters = ["I"] * num_qubits
    for qubit, letter in pauli.letters:
        letters[qubit] = NAMES[letter]
    return "".join(letters)
