"""How much of the final state lies in the proposition that it should be in."""

from __future__ import annotations

from qismc.engines import Numeric, Vector
from qismc.evidence.hints.hint import Hint
from qismc.evidence.overlaps import overlap
from qismc.propositions import Join, Meet, Perp, Proposition, Recorded, SpanOf, Support

NOTHING = 1e-9
ROUNDING = 1e-12
NEARLY_ALL = 0.9999


def share(engine: Numeric, proposition: Proposition, name: str, state: Vector, step: int) -> Hint | None:
    """The squared length of the final state's projection, where the projection is at hand."""
    weight = None if _is_recorded(proposition) else overlap(engine, proposition, state)
    if weight is None:
        return None
    how = "squared length of its projection"
    if weight < NOTHING:
        text = f"the final state is orthogonal to {name} ({how}: 0)"
    elif weight > 1 - ROUNDING:
        text = f"the final state is within rounding of {name}: only exact arithmetic tells them apart"
    elif weight > NEARLY_ALL:
        text = f"all but {1 - weight:.2g} of the final state lies in {name} ({how})"
    else:
        text = f"{weight:.4g} of the final state lies in {name} ({how})"
    return Hint("overlap", text, steps=(step,))


def _is_recorded(proposition: Proposition) -> bool:
    """Is it made of states sp(..), which would have to be computed again for this engine?"""
    if isinstance(proposition, SpanOf | Support):
        return any(isinstance(state, Recorded) for state in proposition.states)
    if isinstance(proposition, Perp):
        return _is_recorded(proposition.operand)
    if isinstance(proposition, Meet | Join):
        return _is_recorded(proposition.left) or _is_recorded(proposition.right)
    return False
