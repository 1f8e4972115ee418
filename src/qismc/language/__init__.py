"""Text of formulas (qCTL) and of subspaces -> syntax trees, and back to text.

Here belong the grammar, the trees, error messages about texts, and warnings that need only the formula. What
names mean in a program belongs into `questions/`, which vectors span a subspace into `propositions/`.
"""

from qismc.language import syntax
from qismc.language.coefficients import (
    ONE,
    ZERO,
    Add,
    Coefficient,
    Exp,
    Imaginary,
    Literal,
    Mul,
    Pi,
    Rational,
    mul,
    rational,
)
from qismc.language.parser import parse_formula, parse_subspace
from qismc.language.printer import to_text
from qismc.language.readings import MOST_ATOMS, Table, readings, tautologies
from qismc.language.specification import Property, Specification, is_specified, read_specification
from qismc.language.syntax import (
    MOST_FORMULAS,
    QUANTUM,
    And,
    Atom,
    Atomic,
    Bit,
    Bound,
    Compare,
    Constant,
    Formula,
    Iff,
    Implies,
    KnownCosts,
    Not,
    Or,
    Probability,
    PropName,
    Quantum,
    Relation,
    Temporal,
    Threshold,
    bounded_path,
    bounds_of,
    conjuncts,
    cost,
    is_true,
    operands,
    signed,
    subformulas,
)
