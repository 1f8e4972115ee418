"""Which engine computes for a model: what it must be prepared for, and when exactness is given up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy

from qismc.common.lazily import cached_property
from qismc.engines import (
    FEWEST_ORDERED,
    SMALL_ENOUGH,
    Engine,
    Exact,
    Numeric,
    guessed_order,
)
from qismc.fixpoint import Setting
from qismc.language import syntax
from qismc.limits import STRICT, Budget
from qismc.model.choice import Choice, Numbers, Task, choose_engine
from qismc.model.order_trials import (
    FEW_QUBITS,
    HASTY,
    HASTY_POINTS,
    UNREHEARSED,
    best_order,
    is_plain,
)
from qismc.program import Program
from qismc.propositions import Proposition, has_complement, meaning_text, proposition_text, seed_of
from qismc.questions import Names, needs_conjugates
from qismc.system import identity


class Engines:
    """The engine of a model, chosen when it is first asked for and again when more is asked of it."""

    def __init__(
        self,
        program: Program,
        setting: Setting,
        names: Names,
        budget: Budget,
        *,
        name: str,
        seed: int | None,
        natural_order: bool,
    ) -> None:
        self._program = program
        self._setting = setting
        self._names = names
        self._budget = budget
        self.name = name
        self._given_seed = seed
        self._hashed: int | None = None
        """The seed that was not given, once it was asked for."""
        self._careful = False
        self.natural_order = natural_order
        self.order_seed = seed or 0
        self._waiting: tuple[syntax.Formula, ...] | None = None
        """Formulas whose numbers nobody has looked at: stabiliser groups do without an engine. None if nobody
        has said what will be asked, which is more than to say that nothing will."""
        self._asked: dict[Proposition, None] = {}
        self._spoken: dict[str, None] = {}
        self._conjugating: bool | None = None
        self._choice: Choice | None = None
        self._numbers: dict[tuple[Proposition, ...], Numbers] = {}
        """What was found out about the numbers, for siblings with other primes."""
        self._order: Sequence[int] = ()
        """The order of the qubits that a rehearsal found."""
        self._hasty = True
        """May the exact engine begin with an order that was found at once, where it is cheap enough?"""
        self.settled: str | None = None
        """Why exactness was given up half-way."""

    @property
    def chosen(self) -> Engine:
        """What computes with vectors."""
        return self._chosen().engine

    @property
    def nodes(self) -> int:
        """The size of the largest vector that the engine had; 0 before it is chosen."""
        return 0 if self._choice is None else int(self._choice.engine.statistics().get("peak_nodes", 0))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the choice."""
        choice = None if self._choice is None else self._choice.note
        return tuple(note for note in (self.settled, choice) if note)

    @property
    def seed(self) -> int:
        """What random choices are drawn from: the given seed, else a hash of program and specification.

        Every subspace that is asked about is in the hash, so nobody can write down a multiple of the prime.
        """
        if self._given_seed is not None:
            return self._given_seed
        self._look()
        if self._hashed is None:
            self._hashed = self._hash()
        return self._hashed

    def _hash(self) -> int:
        meanings = sorted(self._names.scope.props.items())
        props = [f"{name} = {meaning_text(meaning)}" for name, meaning in meanings]
        texts = [proposition_text(proposition) for proposition in self._given]
        return seed_of(self.identity, *texts, "props", *props, "spoken", *sorted(self._spoken))

    @cached_property
    def identity(self) -> str:
        """A digest of the program."""
        return identity(self._program)

    @property
    def _given(self) -> list[Proposition]:
        return [self._setting.init, *(subspace for _, subspace in self._setting.annotations)]

    def _chosen(self) -> Choice:
        self._look()
        if self._choice is None:
            self._choice = choose_engine(self.name, self._task())
        return self._choice

    def _task(self) -> Task:
        expanding = bool(self._setting.annotations) or has_complement(self._setting.init, expanded=True)
        return Task(
            self._program,
            [*self._given, *self._asked],
            self._budget,
            self.seed,
            self.natural_order,
            self._conjugating is not False or expanding,
            careful=self._careful,
            order_seed=self.order_seed,
            given_order=self._order or self.guess,
            tolerance=None if self.settled is None else STRICT,
            numbers=self._numbers,
        )

    def prepare(self, formulas: Iterable[syntax.Formula]) -> bool:
        """Prepare for the numbers of formulas; does the engine change?"""
        self._waiting = (*(self._waiting or ()), *formulas)
        return self._choice is None or self._look()

    def _look(self) -> bool:
        """Look at the numbers of formulas that were asked about; does the engine change?"""
        if self._waiting is None:
            return False
        formulas, names = self._waiting, self._names
        self._waiting = None
        propositions = {p: None for formula in formulas for p in names.propositions(formula)}
        spoken = {text: None for formula in formulas for text in names.spoken(formula)}
        conjugating = bool(self._conjugating) or needs_conjugates(formulas, propositions, names.scope)
        known = propositions.keys() <= self._asked.keys() and spoken.keys() <= self._spoken.keys()
        if known and conjugating == self._conjugating:
            return False
        self._asked.update(propositions)
        self._spoken.update(spoken)
        self._conjugating, self._choice, self._hashed = conjugating, None, None
        return True

    # --- the order of the qubits -------------------------------------------------------------------------

    @property
    def guess(self) -> tuple[int, ...]:
        """An order without a search, for programs that show early what it costs; () if none is taken."""
        wanted = self._hasty and not self._order and not self.natural_order and self.name != "float"
        return self._quick if wanted else ()

    @cached_property
    def _quick(self) -> tuple[int, ...]:
        program = self._program
        size = program.num_qubits
        if size < FEWEST_ORDERED or len(program.code) > HASTY_POINTS or not is_plain(program):
            return ()
        guess = guessed_order(program)
        return () if guess.settled else tuple(guess.order)

    def hurried(self) -> AbstractContextManager[None]:
        """Within it, an order of the qubits that proves dear raises TooManyOperations, if it is a guess."""
        if self.guess:
            exact = self.chosen.exact
            if exact is not None:
                return exact.hurried(HASTY)
            self.search_order()  # other engines do not say how dear it is
        exact = self._guessed()
        return nullcontext() if exact is None else exact.hurried(UNREHEARSED)

    def search_order(self) -> bool:
        """Let a search find the order of the qubits; False if it has done so already."""
        hasty, self._hasty = bool(self.guess), False
        if hasty:
            self._choice = None
        return hasty

    def _guessed(self) -> Exact | None:
        """The exact engine of a large plain circuit, if its order is a guess."""
        exact, program = self.chosen.exact, self._program
        if self.natural_order or self._order or program.num_qubits <= FEW_QUBITS or not is_plain(program):
            return None
        return exact

    def rehearse(self) -> Sequence[int]:
        """Take the order of the qubits that comes farthest."""
        exact = self._guessed()
        if exact is not None:
            guess = tuple(exact.order)
            self._order = best_order(self._program, exact.form, self._budget, guess, self.order_seed)
            if tuple(self._order) != guess:
                self._choice = None
        return self._order

    # --- other engines for the same model ----------------------------------------------------------------

    @property
    def may_settle(self) -> bool:
        """May floating point decide what exact numbers cannot?"""
        return self.name != "exact" and self.may_be_related

    @property
    def may_be_related(self) -> bool:
        """May numbers depend on each other in a way that only floating point sees?"""
        assumed = self.chosen.assumed
        blind = assumed.proved or assumed.fine
        return assumed.tentative and not blind

    def settle_for_floats(self) -> None:
        """Give up exactness after numbers disagreed with what was assumed of them."""
        generic = self.chosen.assumed.generic
        why = "angles depend on each other" if generic else "recognised numbers do not fit together"
        self.settled = f"{why}; decided in floating point, tolerance {STRICT.zero:g}"
        self.name, self._choice = "float", None

    def take_arrays(self) -> bool:
        """Let arrays decide in the place of floating-point trains, which drop small parts of states; False if
        there are no trains, or too many qubits."""
        choice = self._chosen()
        trains = choice.engine.numeric
        arrays = None if trains is None or self._program.num_qubits > SMALL_ENOUGH else trains.as_dense()
        if arrays is None:
            return False
        self._choice = Choice(arrays, choice.note)
        return True

    @property
    def peak_bond(self) -> int | None:
        """The largest bond of exact trains so far; None if nothing was computed with such."""
        exact = None if self._choice is None else self._choice.engine.exact
        return None if exact is None else exact.peak_bond

    def sibling(self, seed: int, names: Names) -> Engines:
        """The same choice with numbers drawn from another seed; nothing is left to random points there."""
        other = copy(self)
        other._given_seed, other._careful, other._choice, other._names = seed, True, None, names
        return other

    def in_floating_point(self, simulator: Numeric, budget: Budget) -> Engines:
        """The float engine for the same model: a simulator, with what it has run already."""
        other = copy(self)
        other.name, other._choice, other._budget = "float", Choice(simulator), budget
        return other
