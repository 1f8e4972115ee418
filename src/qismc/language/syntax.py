"""Syntax trees of qCTL: state formulas on the outside, subspaces inside `Quantum`.

Names are not resolved here: an `Atom` may be a built-in, a mark, a location, a proposition or a Boolean
variable, and a `PropName` must turn out to be a proposition. Reserved names in quotes can only be those of
Boolean variables: they are a `Bit`, never an `Atom`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from qismc.common.hashing import hashed_once
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


@dataclass(frozen=True)
class Ref:
    """A register or variable, or one bit of it."""

    name: str
    index: int | None = None

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


# --- subspaces ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Term:
    """coefficient |letters>; letters are 0 1 + - r l, the first one is qubit 0."""

    coefficient: Coefficient
    letters: str


@hashed_once
@dataclass(frozen=True)
class Ket:
    """The ray of a linear combination; all terms have the same number of letters."""

    terms: tuple[Term, ...]


@hashed_once
@dataclass(frozen=True)
class Span:
    """The span of the union of its items."""

    items: tuple[Subspace, ...]


@hashed_once
@dataclass(frozen=True)
class On:
    """A subspace of some qubits, tensor the whole space of the others."""

    subspace: Subspace
    qubits: tuple[Ref, ...]


@hashed_once
@dataclass(frozen=True)
class Stab:
    """The joint +1 eigenspace of Pauli strings, each with a leading `-` where it is negative."""

    paulis: tuple[str, ...]


@dataclass(frozen=True)
class Full:
    """The whole space."""


@dataclass(frozen=True)
class Zero:
    """The zero space."""


@dataclass(frozen=True)
class SpOf:
    """The strongest postcondition at a mark or location."""

    mark: str


@hashed_once
@dataclass(frozen=True)
class PropName:
    """A proposition by its name."""

    name: str


@hashed_once
@dataclass(frozen=True)
class Complement:
    """The orthocomplement."""

    operand: Subspace


@hashed_once
@dataclass(frozen=True)
class Meet:
    """The intersection."""

    left: Subspace
    right: Subspace


@hashed_once
@dataclass(frozen=True)
class Join:
    """The span of the union."""

    left: Subspace
    right: Subspace


Subspace = Ket | Span | On | Stab | Full | Zero | SpOf | PropName | Complement | Meet | Join

# --- state formulas ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """true or false."""

    value: bool


@hashed_once
@dataclass(frozen=True)
class Atom:
    """A name whose meaning is found later; `@7` is the location with that number."""

    name: str


@hashed_once
@dataclass(frozen=True)
class Bit:
    """One bit of a classical register is 1; without an index, a one-bit register (reserved names)."""

    ref: Ref


@dataclass(frozen=True)
class Total:
    """A sum of classical values, each times an integer; integers of any size, nothing wraps around."""

    terms: tuple[tuple[int, Ref], ...]


@hashed_once
@dataclass(frozen=True)
class Compare:
    """A comparison of classical values."""

    left: Ref | Total
    op: Comparison
    right: int | Ref


@hashed_once
@dataclass(frozen=True)
class Quantum:
    """Every state here is in the subspace."""

    subspace: Subspace


@hashed_once
@dataclass(frozen=True)
class Not:
    """Boolean negation."""

    operand: Formula


@hashed_once
@dataclass(frozen=True)
class And:
    """Both."""

    left: Formula
    right: Formula


@hashed_once
@dataclass(frozen=True)
class Or:
    """At least one."""

    left: Formula
    right: Formula


@hashed_once
@dataclass(frozen=True)
class Implies:
    """right wherever left."""

    left: Formula
    right: Formula


@hashed_once
@dataclass(frozen=True)
class Iff:
    """Both or none."""

    left: Formula
    right: Formula


@hashed_once
@dataclass(frozen=True)
class Temporal:
    """On all (A) or some (E) paths from here: X F G with one operand, U W R with two."""

    quantifier: Quantifier
    op: PathOperator
    operands: tuple[Formula, ...]


@dataclass(frozen=True)
class Threshold:
    """The probability stands in a relation to a number between 0 and 1."""

    relation: Relation
    number: Coefficient

    @property
    def value(self) -> float:
        return float(self.number.value(COMPLEX).real)


Bound = PathQuestion | Threshold


@hashed_once
@dataclass(frozen=True)
class Probability:
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
        case And(left, right) | Or(left, right) | Implies(left, right) | Iff(left, right):
            return (left, right)
        case Temporal(_, _, parts):
            return parts
    return ()


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
