"""Checks a certificate against a program: accepted, refused, or not checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from qismc.program.fingerprint import fingerprint
from qismc.program.gates import base_matrix
from qismc.program.operators import Base, Operator
from qismc.program.program import Program, Variable
from qismc.program.reserved import is_reserved
from qismc.program.statements import Apply, Channel, Initialize
from qismc.spec import syntax
from qismc.spec.coefficients import ONE
from qismc.spec.parser import parse_formula, parse_subspace
from qismc.spec.printer import to_text
from qismc.verifier.certificate import Certificate, Claim, Label
from qismc.verifier.chances import Until
from qismc.verifier.logic import Logic
from qismc.verifier.merging import may_be_merged
from qismc.verifier.numbers import PRIME_BITS, WITNESSES, Census, Residues
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.scope import speaks_of_executions
from qismc.verifier.subspaces import State, Subspaces, take_census
from qismc.verifier.system import System
from qismc.verifier.vectors import Arena, Tally

SURE = 2.0**-100
"""A certificate is accepted only if the chance of an error is below this."""
COMPOSITE = 4.0**-WITNESSES
"""The chance that the "prime" is none."""
COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True)
class Accepted:
    """What was claimed and stands."""

    claims: tuple[Claim, ...]
    places: int
    vectors: int
    labels: int
    of_the_graph: frozenset[str]
    """Names of claims that are so for paths of the graph; executions were not looked at."""
    error_bound: float
    """The probability, over the checker's own draw, that a wrong certificate is accepted."""


def verify(certificate: Certificate, program: Program) -> Accepted:
    """Raises Refused or NotChecked unless every claim stands."""
    if certificate.fingerprint != fingerprint(program):
        raise Refused("it was written for another program")
    if certificate.paths not in ("feasible", "all"):
        raise Refused(f"paths={certificate.paths!r} is unknown")
    for name in certificate.props:
        if is_reserved(name) or name in program.marks or name in program.variables:
            raise Refused(f"a proposition is called '{name}', which means something else in this program")
    formulas = [parse_formula(claim.spec) for claim in certificate.claims]
    ring = Residues.draw(_order(certificate, program, formulas))
    checker = _Checker(certificate, program, ring)
    checker.check_system()
    checker.check_labels()
    for claim, formula in zip(certificate.claims, formulas, strict=True):
        checker.check_claim(claim, formula)
    bound = COMPOSITE + checker.tally.bits / ((PRIME_BITS - 1) * ring.number_of_primes())
    if bound > SURE:
        raise NotChecked("the numbers are so large that one prime does not tell enough")
    vectors = sum(len(place.vectors) for place in certificate.places)
    graph_only = frozenset(
        claim.name
        for claim, formula in zip(certificate.claims, formulas, strict=True)
        if certificate.paths == "feasible" and not speaks_of_executions(formula, claim.verdict == "holds")
    )
    sizes = (len(certificate.places), vectors, len(certificate.labels))
    return Accepted(certificate.claims, *sizes, graph_only, bound)


def _order(certificate: Certificate, program: Program, formulas: list[syntax.Formula]) -> int:
    """The order of the roots of unity that all numbers are made of."""
    census, bases = Census(), set[Base]()
    for operator in _operators(program):
        bases |= {factor.base for factor in operator.factors}
    for base in bases:
        base_matrix(base, census)
    texts = [*certificate.props.values(), *([] if certificate.init is None else [certificate.init])]
    trees = [parse_subspace(text) for text in texts]
    trees += [
        atom.subspace for formula in formulas for atom in _atoms(formula) if isinstance(atom, syntax.Quantum)
    ]
    for tree in trees:
        take_census(tree, certificate.props, census)
    return census.order


def _operators(program: Program) -> Iterator[Operator]:
    for statement in program.code:
        match statement:
            case Apply(operator):
                yield operator
            case Initialize(_, preparation):
                yield preparation
            case Channel(_, kraus):
                yield from kraus


def _atoms(formula: syntax.Formula) -> Iterator[syntax.Formula]:
    parts = formula.operands if isinstance(formula, syntax.Probability) else syntax.operands(formula)
    if not parts:
        yield formula
    for part in parts:
        yield from _atoms(part)


class _Checker:
    """One certificate, one program, one random number system."""

    def __init__(self, certificate: Certificate, program: Program, ring: Residues) -> None:
        self._certificate = certificate
        self._program = program
        self.tally = Tally()
        arenas = (Arena(ring), Arena(ring.conjugate))
        self._system = System(program, certificate, arenas, self.tally)
        self._subspaces = Subspaces(program, certificate.props, *arenas, self._arrived, self.tally)
        self._labels = {
            (label.subspace, label.place, label.point): label.holds for label in certificate.labels
        }

    def check_system(self) -> None:
        self._system.check_edges()
        init = self._certificate.init
        if init is None:
            start: syntax.Subspace = syntax.Ket((syntax.Term(ONE, "0" * self._program.num_qubits),))
        else:
            start = parse_subspace(init)
        self._system.check_vectors(self._subspaces.spanning(start))

    def check_labels(self) -> None:
        for label in self._certificate.labels:
            if (label.place, label.point) not in self._system.index:
                raise Refused(f"a label stands at point {label.point}, where there is no location")
            if self._holds(label) != label.holds:
                said = "holds" if label.holds else "does not hold"
                raise Refused(f"it says that '{label.subspace}' {said} at point {label.point}: it is not so")

    def _holds(self, label: Label) -> bool:
        tree = parse_subspace(label.subspace)
        states = self._system.states(label.place, label.point)
        return all(self._subspaces.contains(tree, state) for state in states)

    def check_claim(self, claim: Claim, formula: syntax.Formula) -> None:
        full = (1 << self._program.store_width) - 1
        if any(place.live != full for place in self._system.places):
            self._check_merging(formula)
        logic = Logic(list(self._system.successors()), self._atom, self._chances)
        truth = logic.truth(formula)
        if claim.verdict == "holds" and 0 in truth.must:
            return
        if claim.verdict == "violated" and 0 not in truth.may:
            return
        if claim.verdict not in ("holds", "violated"):
            raise Refused(f"{claim.name}: {claim.verdict!r} is no verdict")
        decided = 0 in truth.must or 0 not in truth.may
        why = "the opposite is so" if decided else "labels that decide it are missing"
        raise Refused(f"{claim.name}: '{claim.spec}' is not {claim.verdict}: {why}")

    def _chances(self, hold: frozenset[int], goal: frozenset[int], certain: bool) -> Callable[[int], bool]:
        until = Until(self._system, hold, goal, self.tally)
        return until.certain if certain else until.possible

    def _check_merging(self, formula: syntax.Formula) -> None:
        """Bits are forgotten: the formula must not mind, and must not speak of them."""
        if not may_be_merged(formula, self._is_proposition):
            raise Refused("bits were forgotten that a formula of this shape needs")
        for atom in _atoms(formula):
            for variable in self._variables(atom):
                mask = sum(1 << bit for bit in variable.bits)
                if any(mask & ~place.live for place in self._system.places):
                    raise Refused(f"bits of '{variable.name}' were forgotten, of which a formula speaks")

    # --- atoms -------------------------------------------------------------------------------------------

    def _is_proposition(self, name: str) -> bool:
        return name in self._certificate.props

    def _arrived(self, name: str) -> list[State]:
        if name not in ("init", "leaf", "loop") and name not in self._program.marks:
            raise NotChecked(f"sp({name})")
        found = [k for k in range(len(self._system.locations)) if self._system.selects(name, k)]
        return [state for k in found for state in self._system.states(*self._system.locations[k])]

    def _atom(self, atom: syntax.Formula, location: int) -> bool | None:
        """The truth of an atom; None where the certificate has no label."""
        match atom:
            case syntax.Quantum(subspace):
                return self._label(syntax.Quantum(subspace), location)
            case syntax.Atom(name):
                return self._name(name, location)
            case syntax.Bit():
                return bool(self._value(next(self._variables(atom)), location))
            case syntax.Compare(left, op, right):
                return COMPARE[op](self._side(left, location), self._side(right, location))
        raise NotChecked(f"the atom {atom}")

    def _label(self, atom: syntax.Quantum, location: int) -> bool | None:
        return self._labels.get((to_text(atom), *self._system.locations[location]))

    def _name(self, name: str, location: int) -> bool | None:
        if name in ("leaf", "loop", "init") or name in self._program.marks:
            return self._system.selects(name, location)
        if name == "reached":
            return bool(self._system.states(*self._system.locations[location]))
        if self._is_proposition(name):
            return self._label(syntax.Quantum(syntax.PropName(name)), location)
        if name in self._program.variables:
            return bool(self._value(self._program.variables[name], location))
        raise NotChecked(f"the name '{name}'")

    def _side(self, side: syntax.Ref | syntax.Total | int, location: int) -> int:
        """One side of a comparison."""
        match side:
            case int():
                return side
            case syntax.Ref():
                return self._value(self._variable(side), location)
            case syntax.Total(terms):
                return sum(factor * self._value(self._variable(ref), location) for factor, ref in terms)

    def _value(self, variable: Variable, location: int) -> int:
        return variable.value(self._system.places[self._system.locations[location][0]].store)

    def _variables(self, atom: syntax.Formula) -> Iterator[Variable]:
        """The classical variables, or bits of them, that an atom speaks of."""
        match atom:
            case syntax.Bit(ref):
                yield self._variable(ref)
            case syntax.Compare(left, _, right):
                for side in (left, right):
                    if isinstance(side, syntax.Ref):
                        yield self._variable(side)
                    elif isinstance(side, syntax.Total):
                        yield from (self._variable(ref) for _, ref in side.terms)
            case syntax.Atom(name) if name in self._program.variables and name not in self._program.marks:
                yield self._program.variables[name]

    def _variable(self, ref: syntax.Ref) -> Variable:
        variable = self._program.variables.get(ref.name)
        if variable is None or (ref.index is not None and not 0 <= ref.index < len(variable.bits)):
            raise Refused(f"the program has no bits '{ref}'")
        return variable if ref.index is None else Variable(str(ref), (variable.bits[ref.index],))
