"""The plain numeric simulation beside a model: it replays executions, and sees what exact numbers assume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from qismc.engines import SMALL, SMALL_ENOUGH, Numeric, numeric_engine
from qismc.errors import NumericDoubt
from qismc.fixpoint import (
    DOUBT,
    LIKELY,
    FloatReplay,
    FloatStates,
    Solved,
    check_stable,
    confirm,
    least_amplitude,
    least_backwards,
)
from qismc.limits import ReplayBudget
from qismc.numbers import LARGE_TREMOR, TREMOR, MovedForm, Needs, TremblingForm
from qismc.program import Program

MOST_AMPLITUDES = 1 << 24
"""Of all states that arrive anywhere, together: computing them again takes seconds."""


@dataclass
class Replayers:
    """Simulators by the order of the qubits, and the order that has proved good; no answer depends on it."""

    order: tuple[int, ...] | None = None
    made: dict[tuple[int, ...] | None, Numeric] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Simulation:
    """Floating point with a clock of its own."""

    program: Program
    budget: ReplayBudget
    """The time for replays, apart from that of the check."""
    form: MovedForm | TremblingForm | None = None
    is_careful: bool = False
    """Must large states lose nothing that is larger than rounding?"""
    replayers: Replayers = field(default_factory=Replayers)
    confirmed: list[Solved] = field(default_factory=list)
    """The solutions of which all states and edges were seen."""

    @property
    def engine(self) -> Numeric:
        """The simulator."""
        order, made = self.replayers.order, self.replayers.made
        if order not in made:
            made[order] = numeric_engine(self.program, self.budget, order, self.form, careful=self.is_careful)
        return made[order]

    def reorder(self, order: Sequence[int]) -> None:
        """Let further replays keep the qubits in an order that has proved good."""
        self.replayers.order = tuple(order)

    @property
    def is_moved(self) -> bool:
        """Are its angles others than those of the program?"""
        return self.form is not None

    def moved(self, needs: Needs) -> Simulation:
        """The same with those angles moved a little that exact numbers take for unknowns."""
        return self._with(MovedForm(book=needs.book, exact=frozenset(needs.rooted())))

    def perturbed(self) -> Simulation:
        """The same with the last digits of all numbers changed; angles that were moved stay as they are."""
        if self.is_moved:
            return self
        tremor = TREMOR if self.program.num_qubits <= SMALL_ENOUGH else LARGE_TREMOR
        return self._with(TremblingForm(tremor=tremor), careful=True)

    def _careful(self) -> Simulation:
        """The same on arrays, or on trains that drop no more than rounding does; replays may drop more."""
        alike = self.is_moved or self.is_careful or self.program.num_qubits <= SMALL
        return self if alike else self._with(None, careful=True)

    def _with(self, form: MovedForm | TremblingForm | None, *, careful: bool = False) -> Simulation:
        replayers = Replayers(self.replayers.order)
        return replace(self, form=form, is_careful=careful, replayers=replayers, confirmed=[])

    def replay(self, solved: Solved) -> FloatReplay:
        """The states of a solution, followed in floating point."""
        return FloatReplay(solved, self.engine)

    def confirm(self, solved: Solved) -> None:
        """Raise NumbersDisagree, or NumericDoubt, unless all its states and edges are seen for sure."""
        if self.has_confirmed(solved):
            return
        replay = self.replay(solved)
        confirm(replay)
        if least_amplitude(replay) < LIKELY:
            careful = self._careful()
            if careful is not self:
                replay = careful.replay(solved)
                confirm(replay)
            check_stable(replay, self.perturbed().replay(solved))
        self.confirmed.append(solved)

    def has_confirmed(self, solved: Solved) -> bool:
        """Were all states and edges of a solution seen?"""
        return any(solved is one for one in self.confirmed)

    def is_improbable(self, solved: Solved, engine: Numeric) -> bool:
        """Does something that a floating-point engine has found rest on an improbable execution?"""
        least = least_amplitude(FloatStates(solved, engine))
        return least < LIKELY or least_backwards(solved, engine) < LIKELY

    def check_room(self, solved: Solved) -> None:
        """Raise NumericDoubt where arrays for all states would be too many: nobody can look at them again."""
        qubits, places = self.program.num_qubits, solved.posts.spread.places.values()
        if SMALL < qubits <= SMALL_ENOUGH and sum(map(len, places)) << qubits > MOST_AMPLITUDES:
            raise NumericDoubt(DOUBT)

    def check_stable(self, solved: Solved) -> None:
        """Raise NumericDoubt where rounding may have decided what was found after improbable outcomes."""
        self.budget.restart()
        if solved.pres is not None:  # nobody follows what is spread against the edges once more
            raise NumericDoubt(DOUBT)
        check_stable(self._careful().replay(solved), self.perturbed().replay(solved))

    def sees(self, solved: Solved) -> bool:
        """Are all states and edges seen that exact numbers have found?"""
        try:
            self.confirm(solved)
        except NumericDoubt:
            return False
        return True
