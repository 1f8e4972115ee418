"""Notes which numbers a program and its propositions use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from typing_extensions import assert_never

from qismc.errors import Unrecognised
from qismc.language import Rational
from qismc.numbers import AngleSurvey, Needs
from qismc.program import (
    Base,
    Operator,
    Program,
    base_matrix,
)
from qismc.propositions.propositions import (
    Join,
    Meet,
    Nothing,
    Perp,
    Proposition,
    SpanOf,
    Stabilised,
    Support,
    Whole,
)
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
    for state in _states(proposition):
        try:
            _note_state(state, needs)
        except Unrecognised as error:
            raise UnrecognisedAt(error.what, "in a proposition") from None


def _states(proposition: Proposition) -> Sequence[State]:
    match proposition:
        case SpanOf(states) | Support(states):
            return states
        case Perp(operand):
            return _states(operand)
        case Meet(left, right) | Join(left, right):
            return (*_states(left), *_states(right))
        case Whole() | Nothing() | Stabilised():
            return ()
    assert_never(proposition)


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
