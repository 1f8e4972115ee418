"""How dear the truth of a formula is, so that cheap parts are asked first."""

from __future__ import annotations

from collections.abc import Callable

from qismc.spec.syntax import Constant, Formula, Probability, Quantum, Temporal, operands

QUANTUM = 1_000
PROBABILITY = 10_000
TEMPORAL = 20
"""A search in the graph is dearer than classical atoms, cheaper than questions about states."""


Known = dict[int, tuple[Formula, int]]
"""Costs by the identity of formulas, which are kept so that no other one gets it."""


def cost(
    formula: Formula,
    meaning: Callable[[Formula], Formula] | None = None,
    known: Known | None = None,
) -> int:
    """The sum over the parts; `meaning` tells what a name stands for, which is as dear as that."""
    known = {} if known is None else known
    if id(formula) not in known:
        known[id(formula)] = formula, _cost(formula, meaning, known)
    return known[id(formula)][1]


def _cost(formula: Formula, meaning: Callable[[Formula], Formula] | None, known: Known) -> int:
    match formula if meaning is None else meaning(formula):
        case Constant():
            return 0
        case Quantum():
            return QUANTUM
        case Probability():
            return PROBABILITY
    own = TEMPORAL if isinstance(formula, Temporal) else 1
    return own + sum(cost(part, meaning, known) for part in operands(formula))
