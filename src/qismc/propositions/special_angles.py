"""What becomes of subspaces when angles take special values.

A subspace that is made with unknown angles stands for one subspace per value of the angles. At special values
spanning vectors may become dependent, so that a span shrinks; conditions may become dependent, so that a
solution set grows. What holds for generic angles then says nothing about the very angles of a program.
"""

from __future__ import annotations

from qismc.numbers import AngleSurvey, as_turn
from qismc.propositions.collect import note_proposition
from qismc.propositions.propositions import Join, Meet, Perp, Proposition, SpanOf, Support
from qismc.propositions.states import Recorded


def keeps_members(proposition: Proposition, *, here: bool = False) -> bool:
    """Is what is inside for generic angles inside for all? So it is if membership is a set of equations.

    `here`: for the very angles of the program. Then a span keeps its members if its vectors are independent:
    a vector that added a dimension to it would do so for generic angles, too.
    """
    match proposition:
        case Perp(operand):
            return keeps_spanning(operand)
        case Meet(left, right):
            return keeps_members(left, here=here) and keeps_members(right, here=here)
        case Join() | Support():
            return not has_angles(proposition)
        case SpanOf(states):
            origins = {state.origin for state in states if isinstance(state, Recorded)}
            if here and all(isinstance(state, Recorded) for state in states) and len(origins) == 1:
                return next(iter(origins)).independent or not has_angles(proposition)
            lasting = len(states) <= 1 and not any(isinstance(state, Recorded) for state in states)
            return lasting or not has_angles(proposition)
    return True


def keeps_spanning(proposition: Proposition) -> bool:
    """Is it spanned, for all angles, by what spans it for generic ones?"""
    match proposition:
        case Perp(operand):
            return keeps_members(operand)
        case Join(left, right):
            return keeps_spanning(left) and keeps_spanning(right)
        case Meet() | Support():
            return not has_angles(proposition)
    return True


def has_angles(proposition: Proposition) -> bool:
    """Does it depend on angles that are no fractions of a turn?"""
    survey = AngleSurvey()
    note_proposition(proposition, survey)
    return any(as_turn(angle) is None for angle in survey.angles)
