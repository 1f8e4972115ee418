"""Checks a certificate against a program: accepted, refused, or not checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne

from qismc.language import ONE, syntax
from qismc.program import Program, Variable, base_matrix, fingerprint, is_reserved
from qismc.verifier.certificate import Certificate, Claim
from qismc.verifier.chances import CheckedUntil
from qismc.verifier.logic import ThreeValuedLogic
from qismc.verifier.numbers import PRIME_BITS, WITNESSES, Census, Residues
from qismc.verifier.outcome import NotChecked, Refused, named, quote
from qismc.verifier.own import Coverage, covered
from qismc.verifier.scope import may_be_merged, speaks_of_executions
from qismc.verifier.subspaces import State, Subspaces
from qismc.verifier.system import System
from qismc.verifier.texts import Texts, atoms, parts_of, read_texts
from qismc.verifier.vectors import Arena, Echelon, Tally

SURE = 2.0**-100
"""A certificate is accepted only if the chance of an error is below this."""
COMPOSITE = 4.0**-WITNESSES
"""The chance that the "prime" is none."""
COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


@dataclass(frozen=True)
class Accepted:
    """What was claimed and stands."""

    claims: tuple[Claim, ...]
    places: int
    vectors: int
    labels: int
    of_the_graph: frozenset[str]
    """Names of claims that are so for paths of the graph; executions were not looked at."""
    own: Coverage
    """Which formulas of the program's own text are among the claims."""
    readings: tuple[str, ...]
    """Numbers that are not exactly what they were read as."""
    error_bound: float
    """The probability, over the checker's own draw, that a wrong certificate is accepted."""

    @property
    def complete(self) -> bool:
        """Do all claims speak of executions, and do they answer what the program's own text asks?"""
        return not self.of_the_graph and not self.own.missing


def verify(certificate: Certificate, program: Program) -> Accepted:
    """Raises Refused or NotChecked unless every claim stands, UsageError for formulas that cannot be read."""
    if certificate.fingerprint != fingerprint(program):
        raise Refused("it was written for another program")
    if certificate.paths not in ("feasible", "all"):
        raise Refused(f"paths={quote(certificate.paths)} is unknown")
    if any(line.kind == "annotate" for line in program.annotations):
        raise NotChecked("programs with annotations")
    try:
        return _verified(certificate, read_texts(certificate, program), program)
    except (RecursionError, OverflowError):
        raise NotChecked("formulas that are nested so deeply, or numbers that are so large") from None


def _verified(certificate: Certificate, texts: Texts, program: Program) -> Accepted:
    census = count_roots(texts, program)
    ring = Residues.draw(census.order)
    checker = _Checker(certificate, texts, program, ring)
    checker.check_system()
    checker.check_meaning()
    checker.check_labels()
    for claim, formula in zip(certificate.claims, texts.formulas, strict=True):
        checker.check_claim(claim, formula)
    graph_only = checker.of_the_graph()
    own = covered(certificate, texts, program, graph_only, checker.starts_like)
    bound = COMPOSITE + checker.tally.bits / ((PRIME_BITS - 1) * ring.number_of_primes())
    if not bound <= SURE:
        raise NotChecked("the numbers are so large that one prime does not tell enough")
    vectors = sum(len(place.vectors) for place in certificate.places)
    sizes = (len(certificate.places), vectors, len(certificate.labels))
    return Accepted(certificate.claims, *sizes, graph_only, own, tuple(census.readings), bound)


def count_roots(texts: Texts, program: Program) -> Census:
    """The census of all numbers; raises NotChecked for those that this checker does not know."""
    census = Census()
    operators = (operator for statement in program.code for operator in statement.operators)
    for base in {factor.base for operator in operators for factor in operator.factors}:
        base_matrix(base, census)
    trees = [*texts.props.values(), *([] if texts.init is None else [texts.init])]
    trees += [
        atom.subspace
        for formula in texts.formulas
        for atom in atoms(formula)
        if isinstance(atom, syntax.Quantum)
    ]
    for tree in trees:
        for part, _ in reversed([*parts_of(tree)]):  # in the order of the text
            if isinstance(part, syntax.Term):
                part.coefficient.value(census)
    return census


class _Checker:
    """One certificate, one program, one random number system."""

    def __init__(self, certificate: Certificate, texts: Texts, program: Program, ring: Residues) -> None:
        self._certificate = certificate
        self._texts = texts
        self._program = program
        self.tally = Tally()
        arenas = (Arena(ring, self.tally), Arena(ring.conjugate, self.tally))
        self._system = System(program, certificate, arenas, self.tally)
        self._subspaces = Subspaces(program, texts.props, *arenas, self._arrived, self.tally)
        self._started: list[State] = []
        self._is_checked = False

    def check_system(self) -> None:
        self._system.check_edges()
        self._started = self._start(self._texts.init)
        if not self._started:
            raise Refused("it starts in the zero space, of which everything is true")
        self._system.check_vectors(self._started)
        self._is_checked = True

    def check_meaning(self) -> None:
        """Every part of every formula means something, though its truth may not matter."""
        for tree in {tree for tree, _, _ in self._texts.labels}:
            self._subspaces.check(tree)
        for atom in {atom for formula in self._texts.formulas for atom in atoms(formula)}:
            self._atom(atom, 0)
            if isinstance(atom, syntax.Quantum):
                self._subspaces.check(atom.subspace)
            elif isinstance(atom, syntax.Atom) and self._is_proposition(atom.name):
                self._subspaces.check(syntax.PropName(atom.name))

    def _start(self, init: syntax.Subspace | None) -> list[State]:
        zero = syntax.Ket((syntax.Term(ONE, "0" * self._program.num_qubits),))
        return self._subspaces.start(zero if init is None else init)

    def starts_like(self, init: syntax.Subspace | None) -> bool:
        """Is this the start? False where that cannot be told."""
        try:
            other = self._start(init)
        except (NotChecked, Refused):
            return False
        vectors = [[state.vector for state in states] for states in (self._started, other)]
        spans = [Echelon.of(self._subspaces.arena.ring.p, self.tally, each) for each in vectors]
        return all(map(spans[0].contains, vectors[1])) and all(map(spans[1].contains, vectors[0]))

    def check_labels(self) -> None:
        for (tree, place, point), label in self._texts.labels.items():
            if (place, point) not in self._system.index:
                raise Refused(f"a label stands at point {quote(point)}, where there is no location")
            states = self._system.states(place, point)
            if all(self._subspaces.contains(tree, state) for state in states) != label.holds:
                said = "holds" if label.holds else "does not hold"
                raise Refused(f"it says that {quote(label.subspace)} {said} at point {point}: it is not so")

    def of_the_graph(self) -> frozenset[str]:
        """Claims that are so for paths of the graph, of which some may be no executions."""
        if self._certificate.paths == "all" or all(len(place.vectors) <= 1 for place in self._system.places):
            return frozenset()  # one state at each place: whatever is possible for some is possible for all
        return frozenset(
            claim.name
            for claim, formula in zip(self._certificate.claims, self._texts.formulas, strict=True)
            if not speaks_of_executions(formula, claim.verdict == "holds")
        )

    def check_claim(self, claim: Claim, formula: syntax.Formula) -> None:
        full = (1 << self._program.store_width) - 1
        if any(place.live != full for place in self._system.places):
            self._check_merging(formula)
        logic = ThreeValuedLogic(list(self._system.successors()), self._atom, self._chances, self.tally.spend)
        truth = logic.truth(formula)
        if claim.verdict == "holds" and 0 in truth.must:
            return
        if claim.verdict == "violated" and 0 not in truth.may:
            return
        if claim.verdict not in ("holds", "violated"):
            raise Refused(f"{named(claim.name)}: {quote(claim.verdict)} is no verdict")
        decided = 0 in truth.must or 0 not in truth.may
        why = "the opposite is so" if decided else "labels that decide it are missing"
        raise Refused(f"{named(claim.name)}: {quote(claim.spec)} is not {claim.verdict}: {why}")

    def _chances(self, hold: frozenset[int], goal: frozenset[int], certain: bool) -> Callable[[int], bool]:
        until = CheckedUntil(self._system, hold, goal, self.tally)
        return until.certain if certain else until.possible

    def _check_merging(self, formula: syntax.Formula) -> None:
        """Bits are forgotten: the formula must not mind, and must not speak of them."""
        if not may_be_merged(formula, self._is_proposition):
            raise Refused("bits were forgotten that a formula of this shape needs")
        for atom in atoms(formula):
            for variable in self._variables(atom):
                self.tally.spend(len(self._system.places))
                mask = sum(1 << bit for bit in variable.bits)
                if any(mask & ~place.live for place in self._system.places):
                    raise Refused(f"bits of '{variable.name}' were forgotten, of which a formula speaks")

    # --- atoms -------------------------------------------------------------------------------------------

    def _is_proposition(self, name: str) -> bool:
        return name in self._texts.props

    def _arrived(self, name: str) -> list[State]:
        if name not in ("init", "leaf", "loop") and name not in self._program.marks:
            raise NotChecked(f"sp({quote(name)})")
        if not self._is_checked:
            raise Refused("its start speaks of what is reached from there")
        found = [k for k in range(len(self._system.locations)) if self._system.selects(name, k)]
        return [state for k in found for state in self._system.states(*self._system.locations[k])]

    def _atom(self, atom: syntax.Formula, location: int) -> bool | None:
        """The truth of an atom; None where the certificate has no label."""
        match atom:
            case syntax.Constant(value):
                return value
            case syntax.Quantum(subspace):
                return self._label(subspace, location)
            case syntax.Atom(name):
                return self._name(name, location)
            case syntax.Bit():
                return bool(self._value(next(self._variables(atom)), location))
            case syntax.Compare(left, op, right):
                return bool(COMPARE[op](self._side(left, location), self._side(right, location)))
        raise NotChecked(f"the atom {quote(atom)}")

    def _label(self, subspace: syntax.Subspace, location: int) -> bool | None:
        label = self._texts.labels.get((subspace, *self._system.locations[location]))
        return None if label is None else label.holds

    def _name(self, name: str, location: int) -> bool | None:
        """As formulas are read: reserved names first, then propositions and marks, then bits."""
        if name in ("leaf", "loop", "init"):
            return self._system.selects(name, location)
        if name == "reached":
            return bool(self._system.states(*self._system.locations[location]))
        if is_reserved(name):
            raise NotChecked(f"the name {quote(name)}")
        if self._is_proposition(name):
            return self._label(syntax.PropName(name), location)
        bit = self._program.variables.get(name)
        is_bit = bit is not None and len(bit.bits) == 1
        if (name in self._program.marks) == is_bit:
            raise Refused(f"the name {quote(name)} means nothing, or several things")
        if bit is not None and is_bit:
            return bool(self._value(bit, location))
        return self._system.selects(name, location)

    def _side(self, side: syntax.Ref | syntax.Total | int, location: int) -> int:
        """One side of a comparison."""
        match side:
            case int():
                return side
            case syntax.Ref():
                return self._value(self._variable(side), location)
            case syntax.Total(terms):
                self.tally.spend(len(terms))
                return sum(factor * self._value(self._variable(ref), location) for factor, ref in terms)

    def _value(self, variable: Variable, location: int) -> int:
        return variable.value(self._system.places[self._system.locations[location][0]].store)

    def _variables(self, atom: syntax.Formula) -> Iterator[Variable]:
        """The classical variables, or bits of them, that an atom speaks of."""
        match atom:
            case syntax.Bit(ref):
                bit = self._variable(ref)
                if len(bit.bits) != 1:
                    raise Refused(f"{quote(str(ref))} is no single bit")
                yield bit
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
            raise Refused(f"the program has no bits {quote(str(ref))}")
        return variable if ref.index is None else Variable(str(ref), (variable.bits[ref.index],))
