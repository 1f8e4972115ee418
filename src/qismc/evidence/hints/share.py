"""How much of the final state lies in the proposition that it should be in."""

from __future__ import annotations

from qismc.evidence.hints.hint import Hint
from qismc.evidence.overlap import overlap
from qismc.subspace.engine import Vector
from qismc.subspace.propositions import Proposition
from qismc.subspace.registry import Numeric

NOTHING = 1e-9


def share(engine: Numeric, proposition: Proposition, name: str, state: Vector, step: int) -> Hint | None:
    """The squared length of the final state's projection, where the projection is at hand."""
    weight = overlap(engine, proposition, state)
    if weight is None:
        return None
    how = "squared length of its projection"
    if weight < NOTHING:
        text = f"the final state is orthogonal to {name} ({how}: 0)"
    else:
        text = f"{weight:.4g} of the final state lies in {name} ({how})"
    return Hint("overlap", text, steps=(step,))
