"""Syntax trees of qCTL: state formulas on the outside, subspaces inside `Quantum`.

Names are not resolved here: an `Atom` may be a built-in, a mark, a location, a proposition or a Boolean
variable, and a `PropName` must turn out to be a proposition. Reserved names in quotes can only be those of
Boolean variables: they are a `Bit`, never an `Atom`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container
from functools import lru_cache
from typing import Literal

from qismc.common.lazily import Tree
from qismc.common.scalars import COMPLEX
from qismc.language.coefficients import Coefficient

Quantifier = Literal["A", "E"]
PathOperator = Literal["X", "F", "G", "U", "W", "R"]
PathQuestion = Literal["=1", ">0", "=?"]
"""Almost surely, possibly, and: how likely?"""
Relation = Literal[">=", ">", "<=", "<"]
Comparison = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARE: dict[Comparison, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Ref(Tree):
    """A register or variable, or one bit of it."""

    name: str
    index: int | None = None

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


# --- subspaces ---------------------------------------------------------------------------------------------


class Term(Tree):
    """coefficient |letters>; letters are 0 1 + - r l, the first one is qubit 0."""

    coefficient: Coefficient
    letters: str


class Ket(Tree):
    """The ray of a linear combination; all terms have the same number of letters."""

    terms: tuple[Term, ...]


class Span(Tree):
    """The span of the union of its items."""

    items: tuple[Subspace, ...]


class On(Tree):
    """A subspace of some qubits, tensor the whole space of the others."""

    subspace: Subspace
    qubits: tuple[Ref, ...]


class Stab(Tree):
    """The joint +1 eigenspace of Pauli strings, each with a leading `-` where it is negative."""

    paulis: tuple[str, ...]


class Full(Tree):
    """The whole space."""


class Zero(Tree):
    """The zero space."""


class SpOf(Tree):
    """The strongest postcondition at a mark or location."""

    mark: str


class PropName(Tree):
    """A proposition by its name."""

    name: str


class Complement(Tree):
    """The orthocomplement."""

    operand: Subspace


class Meet(Tree):
    """The intersection."""

    left: Subspace
    right: Subspace


class Join(Tree):
    """The span of the union."""

    left: Subspace
    right: Subspace


Subspace = Ket | Span | On | Stab | Full | Zero | SpOf | PropName | Complement | Meet | Join


def subspaces_in(tree: Subspace) -> tuple[Subspace, ...]:
    """The immediate parts of a subspace; what names stand for is not looked at."""
    match tree:
        case On(operand) | Complement(operand):
            return (operand,)
        case Meet(left, right) | Join(left, right):
            return left, right
        case Span(items):
            return items
    return ()


def meet_sides(tree: Subspace) -> tuple[Subspace, ...]:
    """The sides of the intersections at the top, from left to right."""
    return (*meet_sides(tree.left), *meet_sides(tree.right)) if isinstance(tree, Meet) else (tree,)


# --- state formulas ----------------------------------------------------------------------------------------


class Constant(Tree):
    """true or false."""

    value: bool


class Atom(Tree):
    """A name whose meaning is found later; `@7` is the location with that number."""

    name: str


class Bit(Tree):
    """One bit of a classical register is 1; without an index, a one-bit register (reserved names)."""

    ref: Ref


class Total(Tree):
    """A sum of classical values, each times an integer; integers of any size, nothing wraps around."""

    terms: tuple[tuple[int, Ref], ...]


class Compare(Tree):
    """A comparison of classical values."""

    left: Ref | Total
    op: Comparison
    right: int | Ref


class Quantum(Tree):
    """Every state here is in the subspace."""

    subspace: Subspace


class Not(Tree):
    """Boolean negation."""

    operand: Formula


class Connective(Tree):
    """What joins two formulas."""

    left: Formula
    right: Formula


class And(Connective):
    """Both."""


class Or(Connective):
    """At least one."""


class Implies(Connective):
    """right wherever left."""


class Iff(Connective):
    """Both or none."""


class Temporal(Tree):
    """On all (A) or some (E) paths from here: X F G with one operand, U W R with two."""

    quantifier: Quantifier
    op: PathOperator
    operands: tuple[Formula, ...]


class Threshold(Tree):
    """The probability stands in a relation to a number between 0 and 1."""

    relation: Relation
    number: Coefficient

    @property
    def value(self) -> float:
        return float(self.number.value(COMPLEX).real)


Bound = PathQuestion | Threshold


class Probability(Tree):
    """What is said about the probability of the paths from here that satisfy op(operands)."""

    bound: Bound
    op: PathOperator
    operands: tuple[Formula, ...]


Formula = Constant | Atom | Bit | Compare | Quantum | Not | And | Or | Implies | Iff | Temporal | Probability
Atomic = (Atom, Bit, Compare, Quantum, Probability)
"""The kinds of formulas whose truth is looked up, not computed from the graph."""


def bounds_of(formula: Formula) -> list[Probability]:
    """P=? and the thresholds that only Boolean connectives enclose."""
    if isinstance(formula, Probability):
        return [formula] if formula.bound == "=?" or isinstance(formula.bound, Threshold) else []
    if isinstance(formula, Temporal):
        return []
    return [bound for part in operands(formula) for bound in bounds_of(part)]


def bounded_path(formula: Formula) -> Probability | None:
    """One of the bounds of a formula, if all of them speak of the same path."""
    found = bounds_of(formula)
    return found[0] if len({(bound.op, bound.operands) for bound in found}) == 1 else None


def operands(formula: Formula) -> tuple[Formula, ...]:
    """The immediate sub-formulas; an atomic formula has none, nor has a probability operator."""
    match formula:
        case Not(operand):
            return (operand,)
        case Connective(left, right):
            return (left, right)
        case Temporal(_, _, parts):
            return parts
    return ()


def signed(formula: Formula, holds: bool = True) -> tuple[tuple[Formula, bool], ...]:
    """The immediate sub-formulas, each with the truth that helps to make the formula `holds`.

    Those of an equivalence help with either truth. Paths are not told apart: `A` and `E` keep the truth.
    """
    match formula:
        case Not(operand):
            return ((operand, not holds),)
        case Implies(left, right):
            return ((left, not holds), (right, holds))
        case Iff(left, right):
            return tuple((part, truth) for part in (left, right) for truth in (True, False))
    return tuple((part, holds) for part in operands(formula))


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The immediate sub-formulas, those of probability operators included."""
    return formula.operands if isinstance(formula, Probability) else operands(formula)


MOST_FORMULAS = 1 << 10
"""Number of formulas that caches keep: the same ones are asked about many variants of a program."""


@lru_cache(maxsize=MOST_FORMULAS)
def proposition_named(name: str) -> Quantum:
    """What the name of a proposition says as a formula."""
    return Quantum(PropName(name))


@lru_cache(maxsize=MOST_FORMULAS)
def subformulas(formula: Formula) -> tuple[Formula, ...]:
    """The formula and everything inside it, from the outside in; repeated parts are repeated."""
    found, waiting = list[Formula](), [formula]
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(parts(found[-1]))
    return tuple(found)


def rebuilt(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """The formula with other operands of its Boolean connective; itself where it has none."""
    match formula:
        case Not(operand):
            return Not(change(operand))
        case Connective(left, right):
            return type(formula)(change(left), change(right))
    return formula


def is_true(formula: Formula, atom: Callable[[Formula], bool]) -> bool:
    """The truth of a Boolean combination, given that of its atoms: of everything that is no connective."""
    match formula:
        case Constant(value):
            return value
        case Not(operand):
            return not is_true(operand, atom)
        case And(left, right):
            return is_true(left, atom) and is_true(right, atom)
        case Or(left, right):
            return is_true(left, atom) or is_true(right, atom)
        case Implies(left, right):
            return not is_true(left, atom) or is_true(right, atom)
        case Iff(left, right):
            return is_true(left, atom) == is_true(right, atom)
    return atom(formula)


def substituted(formula: Formula, atom: Callable[[Formula], Formula]) -> Formula:
    """The Boolean combination with other atoms, simplified where these are constants."""
    match formula:
        case Not(operand):
            return negation(substituted(operand, atom))
        case And(left, right):
            return conjunction(substituted(left, atom), substituted(right, atom))
        case Or(left, right):
            return disjunction(substituted(left, atom), substituted(right, atom))
        case Implies(left, right):
            return disjunction(negation(substituted(left, atom)), substituted(right, atom))
        case Iff(left, right):
            return Iff(substituted(left, atom), substituted(right, atom))
    return atom(formula)


def negation(formula: Formula) -> Formula:
    """The negation, simplified."""
    match formula:
        case Constant(value):
            return Constant(not value)
        case Not(operand):
            return operand
    return Not(formula)


def conjunction(left: Formula, right: Formula) -> Formula:
    """Both, simplified where one is a constant."""
    if isinstance(right, Constant):
        return left if right.value else right
    if isinstance(left, Constant):
        return right if left.value else left
    return And(left, right)


def disjunction(left: Formula, right: Formula) -> Formula:
    """At least one, simplified where one is a constant."""
    if isinstance(right, Constant):
        return right if right.value else left
    if isinstance(left, Constant):
        return left if left.value else right
    return Or(left, right)


def conjuncts(formula: Formula) -> list[Formula]:
    """The sides of the conjunctions at the top, from left to right."""
    found, waiting = list[Formula](), [formula]
    while waiting:
        part = waiting.pop()
        if isinstance(part, And):
            waiting += (part.right, part.left)
        else:
            found.append(part)
    return found


# --- costs -------------------------------------------------------------------------------------------------

QUANTUM = 1_000
PROBABILITY = 10_000
TEMPORAL = 20
"""Costs of deciding formulas, by estimate, so that cheap parts are decided first; a classical atom costs 1.

A search in the graph costs more than classical atoms and less than questions about states.
"""
KnownCosts = dict[int, tuple[Formula, int]]
"""Formulas and their costs by `id`; formulas are kept, so that no other one gets the same `id`."""


def cost(formula: Formula, propositions: Container[str] = (), known: KnownCosts | None = None) -> int:
    """The sum of the costs of the parts; the name of a proposition costs as much as a subspace."""
    known = {} if known is None else known
    found = known.get(id(formula))
    if found is None:
        found = known[id(formula)] = formula, _cost(formula, propositions, known)
    return found[1]


def _cost(formula: Formula, propositions: Container[str], known: KnownCosts) -> int:
    match formula:
        case Constant():
            return 0
        case Quantum():
            return QUANTUM
        case Atom(name):
            return QUANTUM if name in propositions else 1
        case Probability():
            return PROBABILITY
    own = TEMPORAL if isinstance(formula, Temporal) else 1
    return own + sum([cost(part, propositions, known) for part in operands(formula)])
