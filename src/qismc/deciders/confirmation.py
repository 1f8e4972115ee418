"""Verdicts that rest on assumptions about numbers are compared with the numbers themselves.

Three kinds stand as they are: what needs only that zero is zero (it holds for all values of the angles), an
execution that was replayed and breaks an invariant, and decimals as they are written, whose exponentials are
transcendental. The others are confirmed in floating point; where that disagrees, the check starts anew there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice

from qismc.errors import (
    ANGLES_AS_WRITTEN,
    LimitReached,
    NoCompactForm,
    NumbersDisagree,
    NumericDoubt,
    Undecided,
)
from qismc.evidence import NO_EXECUTION, Execution, invariant
from qismc.fixpoint import Solved
from qismc.language import Formula, Not, Temporal
from qismc.model import Model
from qismc.numbers import COARSEST, LARGEST_ORDER, Assumptions, as_turn, near_turn
from qismc.program import Apply, Program
from qismc.propositions import keeps_members, keeps_spanning
from qismc.questions import has_probability, is_classical, is_robust, mentions_post


def _rounded_angles(program: Program) -> Iterator[str]:
    """Statements with an angle that is nearly a multiple of pi/12, and where they stand."""
    for point, statement in enumerate(program.code):
        for angle in statement.operator.angles if isinstance(statement, Apply) else ():
            turn = near_turn(angle)
            if turn is not None:
                where = program.sources[point] or f"statement {point}"
                yield f"the angle of '{program.text(point)}' ({where}) is near {turn * 2} pi"


def _fine_angles(program: Program) -> Iterator[str]:
    """Statements with a fraction of pi that no root of unity of our fields can be, and where they stand."""
    for point, statement in enumerate(program.code):
        for angle in statement.operator.angles if isinstance(statement, Apply) else ():
            turn = as_turn(angle)
            if turn is not None and turn.denominator > LARGEST_ORDER:
                where = program.sources[point] or f"statement {point}"
                yield f"the angle of '{program.text(point)}' ({where})"


def worded(doubt: Undecided, program: Program) -> Undecided:
    """A numeric doubt names angles that may be its cause: rounded multiples of pi, and very fine ones."""
    if not isinstance(doubt, NumericDoubt):
        return doubt
    rounded = list(islice(_rounded_angles(program), 2))
    if rounded:
        return NumericDoubt(doubt.reason, hint=f"{'; '.join(rounded)}: write multiples of pi as such")
    for fine in _fine_angles(program):
        hint = f'{fine} is finer than exact numbers go (2 pi / 2^{COARSEST}); numbers="float" ignores it'
        return NumericDoubt(doubt.reason, hint=hint)
    return doubt


def is_steady(model: Model, formula: Formula, *, here: bool = False) -> bool:
    """Can special angles neither shrink a proposition of the formula nor add to what is given?

    `here`: can those of the program not, which need not be so for others?
    """
    setting, names = model.setting, model.names
    annotations = [annotation for _, annotation in setting.annotations]
    return (
        not mentions_post(formula, names.scope)
        and all(map(keeps_spanning, [setting.init, *annotations]))
        and all(keeps_members(p, here=here) for p in [*names.propositions(formula), *annotations])
    )


def holds_for_all_angles(model: Model, assumed: Assumptions, formula: Formula, *, here: bool = False) -> bool:
    """Does a formula that holds for generic angles hold whatever the angles are (`here`: for its own)?"""
    robust = assumed.generic and not assumed.rooted and is_robust(formula, model.scope.props)
    return robust and is_steady(model, formula, here=here)


def for_all_angles(name: str) -> str:
    """What is said of such a formula."""
    return f"{name} holds for all values of its angles, related ones kept in relation"


class Confirmation:
    """Confirms the verdicts about one solved system."""

    def __init__(
        self,
        model: Model,
        solved: Solved,
        judged: Callable[[Model, int], Callable[[Formula], bool]],
    ) -> None:
        self._model = model
        self._solved = solved
        self._judged = judged
        self._numeric: Callable[[Formula], bool] | None = None
        self.for_all_angles: list[str] = []
        """The names of formulas that hold whatever the angles are."""
        self.given_up = False
        """Did a confirmation take too long? Only where decimals as written need none."""

    def __call__(self, name: str, formula: Formula, holds: bool, shown: Execution | None) -> None:
        """Raise NumbersDisagree if floating point says otherwise, NumericDoubt if it cannot say."""
        assumed = self._solved.engine.assumed
        if holds and holds_for_all_angles(self._model, assumed, formula):
            self.for_all_angles.append(name)
            return
        if not assumed.tentative or (
            holds and holds_for_all_angles(self._model, assumed, formula, here=True)
        ):
            return
        if shown is not None and shown.replayed and self._shows(formula, holds):
            return
        if not holds and not assumed.rooted and self._is_robust(Not(formula)):
            return
        try:
            with nullcontext() if assumed.proved else self._model.simulation.budget.whole():
                self._confirm(formula, holds, shown)
        except (LimitReached, NoCompactForm) as limit:
            if isinstance(limit, LimitReached) and not assumed.proved:
                reason = f"{limit.reason}, while the verdict was confirmed in floating point"
                raise LimitReached(reason, hint=limit.hint) from None
            if not assumed.proved:
                raise NumericDoubt(
                    f"a verdict for generic angles could not be confirmed in floating point ({limit.reason})",
                    hint=ANGLES_AS_WRITTEN,
                ) from None
            self.given_up = True

    def _shows(self, formula: Formula, holds: bool) -> bool:
        """Is one execution that was replayed all that the verdict needs?

        With annotations wp may be what fails; `!p` fails because the states are inside of p.
        """
        if not holds:
            lasting = not self._model.annotated and is_steady(self._model, formula)
            return lasting and invariant(formula) is not None
        match formula:
            case Temporal("E", "F", (goal,)):
                return is_classical(goal, self._model.scope.props)
        return False

    def _is_robust(self, formula: Formula) -> bool:
        return is_robust(formula, self._model.scope.props) and is_steady(self._model, formula)

    def _confirm(self, formula: Formula, holds: bool, shown: Execution | None) -> None:
        """The fixed point of sp is followed vector by vector; what rests on more is decided once more."""
        further = has_probability(formula) or self._model.annotated or not is_steady(self._model, formula)
        if self._solved.engine.assumed.rooted or further:
            if self._numeric is None:
                self._numeric = self._judged(self._model.in_floating_point(), self._solved.observed)
            if self._numeric(formula) != holds:
                raise NumbersDisagree("floating point gives another verdict")
            if shown is not None and shown.note == NO_EXECUTION:
                raise NumbersDisagree("what shows a verdict is possible for generic angles only")
        else:
            self._model.simulation.confirm(self._solved)
