"""Which roots of unity the numbers of a program and of a certificate are made of."""

from __future__ import annotations

from collections.abc import Iterator

from qismc.language import syntax
from qismc.program import Program, base_matrix
from qismc.verifier.numbers import Census
from qismc.verifier.subspaces import take_census
from qismc.verifier.texts import Texts


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
        take_census(tree, census)
    return census


def atoms(formula: syntax.Formula) -> Iterator[syntax.Formula]:
    """The atomic formulas inside, those of probability operators included."""
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        inside = syntax.parts(part)
        waiting += inside
        if not inside:
            yield part
