"""The questions of all formulas about one program: where they are asked, and under which condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from typing_extensions import assert_never

from qismc.language import syntax
from qismc.program import Apply, Binary, Const, Expression, Read
from qismc.propositions import Proposition, resolve_tree
from qismc.questions import Inside, Names, NoRun, Question, Response
from qismc.symbolic.arithmetic import BitArithmetic
from qismc.symbolic.logic import Bool, Logic
from qismc.system import names_of

Selected = frozenset[str]
"""The names that mean a program point."""
NOWHERE: Selected = frozenset()


@dataclass
class Asked:
    """Numbered questions; `propositions[k]` belongs to question k, None where it is classical."""

    names: Names
    questions: Sequence[Question]
    propositions: list[Proposition | None] = field(init=False)
    _where: dict[Selected, tuple[int, ...]] = field(default_factory=dict)
    _selected: dict[int, Selected] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.propositions = [
            resolve_tree(q.proposition.subspace, self.names.scope) if isinstance(q, Inside) else None
            for q in self.questions
        ]

    def at(self, point: int) -> tuple[int, ...]:
        """The questions that the point alone does not answer."""
        return self._asked_of(self.selected(point))

    @property
    def of_states_anywhere(self) -> bool:
        """Is anything asked about the states at points that have no name?"""
        return any(self.propositions[number] is not None for number in self._asked_of(frozenset()))

    def _asked_of(self, selected: Selected) -> tuple[int, ...]:
        if selected not in self._where:
            conditions = (restricted(q.condition, selected, self.names) for q in self.questions)
            self._where[selected] = tuple(
                k for k, condition in enumerate(conditions) if condition != syntax.Constant(False)
            )
        return self._where[selected]

    @property
    def runs(self) -> Iterator[tuple[int, NoRun | Response]]:
        """The numbered questions about what happened on the way."""
        for number, question in enumerate(self.questions):
            if isinstance(question, NoRun | Response):
                yield number, question

    def classical(self, formula: syntax.Formula, point: int, arithmetic: BitArithmetic) -> Bool:
        """A classical formula at a point, as a function of the store."""
        return function(restricted(formula, self.selected(point), self.names), self.names, arithmetic)

    def selected(self, point: int) -> Selected:
        """The names that mean a point."""
        if type(self.names.program.code[point]) is Apply and point not in self.names.program.marked:
            return NOWHERE
        found = self._selected.get(point)
        if found is None:
            found = self._selected[point] = frozenset(names_of(self.names.program, point))
        return found

    def condition(self, number: int, point: int, arithmetic: BitArithmetic) -> Bool:
        """The condition of a question at a point, as a function of the store."""
        return self.classical(self.questions[number].condition, point, arithmetic)


def restricted(formula: syntax.Formula, selected: Selected, names: Names) -> syntax.Formula:
    """A classical formula at a point that has the given names: no name of a point is left in it."""

    def here(atom: syntax.Formula) -> syntax.Formula:
        if isinstance(atom, syntax.Atom) and (
            atom.name in ("leaf", "loop") or atom.name in names.program.marks
        ):
            return syntax.Constant(atom.name in selected)
        return atom

    return syntax.substituted(formula, here)


def function(formula: syntax.Formula, names: Names, arithmetic: BitArithmetic) -> Bool:
    """A classical formula without names of points, as a function of the store."""
    logic = arithmetic.logic
    if isinstance(formula, syntax.Temporal | syntax.Quantum | syntax.Probability):
        raise TypeError(f"{formula!r} is not classical")
    parts = [function(part, names, arithmetic) for part in syntax.operands(formula)]
    match formula:
        case syntax.Constant(value):
            return value
        case syntax.Atom(name):
            return arithmetic.condition(_read(syntax.Ref(name), names))
        case syntax.Bit(ref):
            return arithmetic.condition(_read(ref, names))
        case syntax.Compare(left, op, right):
            return arithmetic.condition(Binary(op, *_sides(left, right, names)))
        case syntax.Not():
            return logic.negation(*parts)
        case syntax.And():
            return logic.conjunction(*parts)
        case syntax.Or():
            return logic.disjunction(*parts)
        case syntax.Implies():
            return logic.disjunction(logic.negation(parts[0]), parts[1])
        case syntax.Iff():
            return logic.negation(logic.parity(*parts))
    assert_never(formula)


def _sides(
    left: syntax.Ref | syntax.Total, right: syntax.Ref | int, names: Names
) -> tuple[Expression, Expression]:
    """Both sides of a comparison. What a sum subtracts is added on the other side: differences have signs,
    and functions of many bits grow with each digit."""
    if isinstance(left, syntax.Total):
        assert isinstance(right, int)
        added = [(factor, ref) for factor, ref in left.terms if factor > 0]
        subtracted = [(-factor, ref) for factor, ref in left.terms if factor < 0]
        return _sum(added, max(-right, 0), names), _sum(subtracted, max(right, 0), names)
    return _read(left, names), Const(right) if isinstance(right, int) else _read(right, names)


def _sum(terms: Iterable[tuple[int, syntax.Ref]], number: int, names: Names) -> Expression:
    """The value of positive multiples and a number, in as many digits as it can have, narrow terms first."""
    found: Expression = Const(number)
    most: int | None = number
    """What has a sign has any number of digits."""
    reads = [(factor, _read(ref, names)) for factor, ref in terms]
    for factor, read in sorted(reads, key=lambda term: len(term[1].bits)):
        scaled: Expression = read if factor == 1 else Binary("*", read, Const(factor))
        most = None if most is None or read.signed else most + factor * ((1 << len(read.bits)) - 1)
        found = Binary("+", found, scaled, None if most is None else most.bit_length())
    return found


def _read(ref: syntax.Ref, names: Names) -> Read:
    variable = names.bits(ref)
    return Read(variable.bits, variable.signed)


def at_start(condition: syntax.Formula, names: Names) -> bool:
    """The truth of a classical formula at the start."""
    program = names.program
    arithmetic = BitArithmetic(Logic(), lambda position: bool(program.initial_store >> position & 1))
    selected = frozenset(names_of(program, program.entry))
    return function(restricted(condition, selected, names), names, arithmetic) is True
