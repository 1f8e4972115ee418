"""The plain numeric simulation beside a model: it replays executions, and sees what exact numbers assume."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from qismc.errors import NumericDoubt
from qismc.fixpoint.confirm import confirm
from qismc.fixpoint.shadow import Shadow
from qismc.fixpoint.steadiness import LIKELY, hold_still, least_amplitude
from qismc.lazily import cached_property
from qismc.limits import Budget, ReplayBudget
from qismc.program.program import Program
from qismc.solve import Solved, Starts
from qismc.subspace.angles import AngleBook
from qismc.subspace.moved import LARGE_TREMOR, TREMOR, MovedForm, TremblingForm
from qismc.subspace.registry import Numeric, numeric_engine


class Simulation:
    """Floating point with a clock of its own; copies share what has run."""

    def __init__(self, program: Program, budget: Budget) -> None:
        self._program = program
        self.budget: Budget = ReplayBudget(budget)
        """The time for replays, apart from that of the check."""
        self._order: tuple[int, ...] | None = None
        self._form: MovedForm | TremblingForm | None = None

    @cached_property
    def engine(self) -> Numeric:
        """The simulator."""
        return numeric_engine(self._program, self.budget, self._order, self._form)

    def reorder(self, order: Sequence[int]) -> None:
        """Let further replays keep the qubits in an order that has proved good."""
        self._order = tuple(order)
        self.__dict__.pop("engine", None)

    @property
    def is_moved(self) -> bool:
        """Are its angles others than those of the program?"""
        return self._form is not None

    def moved(self, book: AngleBook) -> Simulation:
        """The same with the unknown angles of a book moved a little."""
        return self._with(MovedForm(book=book))

    def trembling(self, *, cut: bool = False) -> Simulation:
        """The same with the last digits of all numbers changed; angles that were moved stay as they are."""
        return self if self.is_moved else self._with(TremblingForm(tremor=LARGE_TREMOR if cut else TREMOR))

    def _with(self, form: MovedForm | TremblingForm) -> Simulation:
        twin = copy(self)
        twin._form = form
        twin.__dict__.pop("engine", None)
        return twin

    def shadow(self, solved: Solved) -> Shadow:
        """The numeric shadow of a solution."""
        return Shadow(solved.explorer, self.engine, Starts(solved, self.engine).vector)

    def confirm(self, solved: Solved) -> None:
        """Raise NumbersDisagree, or NumericDoubt, unless all its states and edges are seen for sure."""
        shadow = self.shadow(solved)
        confirm(solved.explorer, solved.posts, shadow)
        if not self.is_moved:
            self.hold_still(solved, shadow)

    def hold_still(self, solved: Solved, shadow: Shadow | None = None, *, cut: bool = False) -> None:
        """Raise NumericDoubt where rounding may decide what arrives or goes on, since it is improbable.

        With `cut`, small parts of states were cut off, and must not matter either.
        """
        shadow = shadow or self.shadow(solved)
        if least_amplitude(solved.explorer, solved.posts, shadow) < LIKELY:
            hold_still(solved.explorer, solved.posts, shadow, self.trembling(cut=cut).shadow(solved))

    def sees(self, solved: Solved) -> bool:
        """Are all states and edges seen that exact numbers have found?"""
        try:
            self.confirm(solved)
        except NumericDoubt:
            return False
        return True
