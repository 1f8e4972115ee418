"""Estimated costs of deciding formulas, so that cheap parts are decided first. A classical atom costs 1."""

from __future__ import annotations

from collections.abc import Container

from qismc.language.syntax import Atom, Constant, Formula, Probability, Quantum, Temporal, operands

QUANTUM = 1_000
PROBABILITY = 10_000
TEMPORAL = 20
"""A search in the graph costs more than classical atoms and less than questions about states."""


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
