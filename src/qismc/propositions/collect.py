"""Which numbers a program and its propositions use, and what special values of angles do to subspaces.

A subspace that is made with unknown angles stands for one subspace per value of the angles. At special values
spanning vectors may become dependent, so that a span shrinks; conditions may become dependent, so that a
solution set grows. What holds for generic angles then says nothing about the very angles of a program.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter

from typing_extensions import assert_never

from qismc.errors import Unrecognised
from qismc.language import Rational
from qismc.numbers import AngleSurvey, Needs, as_turn
from qismc.program import Base, Operator, Program, base_matrix
from qismc.propositions.propositions import Join, Meet, Perp, Proposition, SpanOf, Support, states_of
from qismc.propositions.states import KetSum, Listed, Prepared, Recorded, State
from qismc.system import columns

Recorder = Needs | AngleSurvey
"""A number system that takes notes: `Needs` or `AngleSurvey`."""


class UnrecognisedAt(Exception):  # noqa: N818 - control flow between engines, never shown as an error
    """A number without exact form, and where it stands."""

    def __init__(self, what: str, where: str) -> None:
        self.what = what
        self.where = where
        super().__init__(f"{what} {where}")


def needs_of(program: Program, propositions: Iterable[Proposition]) -> Needs:
    """What a field must offer for a check; raises UnrecognisedAt.

    All angles are looked at before the first one is expressed: which ones belong together must not depend on
    their order.
    """
    propositions = tuple(propositions)
    survey, needs = AngleSurvey(), Needs()
    note_all(program, propositions, survey)
    needs.book.announce(survey.angles)
    note_all(program, propositions, needs)
    return needs


def note_all(program: Program, propositions: Iterable[Proposition], recorder: Recorder) -> None:
    note_program(program, recorder)
    for proposition in propositions:
        note_proposition(proposition, recorder)


def note_program(program: Program, needs: Recorder) -> None:
    """Note every number of the gates; raises UnrecognisedAt."""
    if id(program.code) in needs.seen:  # the program whose states were recorded is often the same
        return
    needs.seen[id(program.code)] = program.code
    for point, base in numbered_bases(program):
        try:
            _note_base(base, needs)
        except Unrecognised as error:
            place = program.sources[point]
            raise UnrecognisedAt(
                error.what, f"in {program.text(point)} at {place or f'statement {point}'}"
            ) from None


def numbered_bases(program: Program) -> list[tuple[int, Base]]:
    """The bases of a program's operators that are more than eighths of a turn, each where it stands first."""
    return program.once("bases", _different)


def _different(program: Program) -> list[tuple[int, Base]]:
    gates = columns(program)
    operators = list(zip(gates.table.firsts.tolist(), gates.operators, strict=True))
    operators += [(point, each) for point in gates.crossings for each in program.code[point].operators]
    found: dict[Base, int] = {}
    for point, operator in sorted(operators, key=itemgetter(0)):
        for base in _with_numbers(operator):
            found.setdefault(base, point)
    return [(point, base) for base, point in found.items()]


def _with_numbers(operator: Operator) -> list[Base]:
    """The bases with angles and with entries: eighths of a turn need nothing."""
    return [f.base for f in operator.factors if f.base.angles or f.base.entries is not None]


def _note_base(base: Base, needs: Recorder) -> None:
    if base.entries is None:
        needs.gate(base)
    else:
        base_matrix(base, needs)


def note_proposition(proposition: Proposition, needs: Recorder) -> None:
    """Note every number of the states that a proposition is made of; raises UnrecognisedAt."""
    for state in states_of(proposition):
        try:
            _note_state(state, needs)
        except Unrecognised as error:
            raise UnrecognisedAt(error.what, "in a proposition") from None


def _note_state(state: State, needs: Recorder) -> None:
    if isinstance(state, KetSum):
        for coefficient, _ in state.terms:  # letters are quarters of a turn, which every field has
            if not isinstance(coefficient, Rational):
                coefficient.value(needs)
    elif isinstance(state, Listed):
        for number in set(state.values.tolist()):
            needs.number(complex(number))
    elif isinstance(state, Recorded):
        state.origin.note(needs)
    elif isinstance(state, Prepared):
        for application in state.gates:
            for base in _with_numbers(application.operator):
                _note_base(base, needs)
    else:
        assert_never(state)


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
