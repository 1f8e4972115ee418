"""How dear the truth of a formula is, so that cheap parts are asked first."""

from __future__ import annotations

from collections.abc import Container

from qismc.language.syntax import Atom, Constant, Formula, Probability, Quantum, Temporal, operands

QUANTUM = 1_000
PROBABILITY = 10_000
TEMPORAL = 20
"""A search in the graph is dearer than classical atoms, cheaper than questions about states."""


KnownCosts = dict[int, tuple[Formula, int]]
"""Costs by the identity of formulas, which are kept so that no other one gets it."""


def cost(formula: Formula, propositions: Container[str] = (), known: KnownCosts | None = None) -> int:
    """The sum over the parts; names of propositions are as dear as what they stand for."""
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
