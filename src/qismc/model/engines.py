"""Which engine computes for a model: what it must be prepared for, and when exactness is given up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from qismc.common.lazily import cached_property
from qismc.engines import (
    FEWEST_ORDERED,
    SMALL_ENOUGH,
    Engine,
    Exact,
    Numeric,
    guessed_order,
)
from qismc.errors import NumbersDisagree
from qismc.fixpoint import Setting, Solved
from qismc.language import syntax
from qismc.limits import STRICT, Budget
from qismc.model.choice import Choice, EngineTask, Numbers, choose_engine
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

REMEMBERED = 4
"""Most sets of formulas for which a model keeps its solutions."""


class Demands(NamedTuple):
    """What formulas ask of numbers."""

    propositions: tuple[Proposition, ...]
    spoken: tuple[str, ...]
    conjugating: bool | None
    """None if nobody has said what will be asked, which is more than to say that nothing will."""


@dataclass
class Representation:
    """How vectors are kept: found by trial while a program is solved. Only the cost depends on it."""

    order: Sequence[int] = ()
    """The order of the qubits that a rehearsal found."""
    hasty: bool = True
    """May the exact engine begin with an order that was found at once, where it is cheap enough?"""
    choice: Choice | None = None
    """The engine, once it was asked for."""


@dataclass(frozen=True, eq=False)
class Engines:
    """The engine for a program and what is asked of it, chosen when first asked for, and what it solved."""

    program: Program
    setting: Setting
    names: Names
    budget: Budget
    name: str
    given_seed: int | None
    natural_order: bool
    order_seed: int
    formulas: tuple[syntax.Formula, ...] | None = None
    """What is asked. Its numbers are looked at when the engine is chosen: stabiliser groups do without."""
    careful: bool = False
    """Should random points decide only where there is no other way?"""
    settled: str | None = None
    """Why exactness was given up half-way."""
    known: Demands | None = None
    """What the formulas ask of numbers, if somebody has looked."""
    simulator: Numeric | None = None
    """A float engine that is taken as it is."""
    numbers: dict[tuple[Proposition, ...], Numbers] = field(default_factory=dict)
    """What was found out about the numbers, for siblings with other primes."""
    kept: Representation = field(default_factory=Representation)
    solutions: dict[int, Solved] = field(default_factory=dict)
    """The fixed points, by the mask of the bits that are kept apart."""
    further: dict[tuple[syntax.Formula, ...], Engines] = field(default_factory=dict)
    """The same for further formulas, those asked last: they may be asked again."""

    @property
    def chosen(self) -> Engine:
        """What computes with vectors."""
        return self._chosen().engine

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the choice."""
        choice = self.kept.choice
        return tuple(note for note in (self.settled, choice and choice.note) if note)

    @property
    def seed(self) -> int:
        """What random choices are drawn from: the given seed, else a hash of program and specification.

        Every subspace that is asked about is in the hash, so nobody can write down a multiple of the prime.
        """
        return self._hash if self.given_seed is None else self.given_seed

    @cached_property
    def _hash(self) -> int:
        meanings = sorted(self.names.scope.props.items())
        props = [f"{name} = {meaning_text(meaning)}" for name, meaning in meanings]
        texts = [proposition_text(proposition) for proposition in self._given]
        return seed_of(self.identity, *texts, "props", *props, "spoken", *sorted(self.asked.spoken))

    @cached_property
    def identity(self) -> str:
        """A digest of the program."""
        return identity(self.program)

    @property
    def _given(self) -> list[Proposition]:
        return [self.setting.init, *(subspace for _, subspace in self.setting.annotations)]

    def _chosen(self) -> Choice:
        kept = self.kept
        if kept.choice is None:
            if self.simulator is not None:
                kept.choice = Choice(self.simulator)
            else:
                kept.choice = choose_engine(self.name, self._task())
            engine = kept.choice.engine
            self.budget.largest = lambda: int(engine.statistics().get("peak_nodes", 0))
        return kept.choice

    def _task(self) -> EngineTask:
        expanding = bool(self.setting.annotations) or has_complement(self.setting.init, expanded=True)
        return EngineTask(
            self.program,
            [*self._given, *self.asked.propositions],
            self.budget,
            self.seed,
            self.natural_order,
            self.asked.conjugating is not False or expanding,
            careful=self.careful,
            order_seed=self.order_seed,
            given_order=self.kept.order or self.guess,
            tolerance=None if self.settled is None else STRICT,
            numbers=self.numbers,
        )

    @cached_property
    def asked(self) -> Demands:
        """What the formulas ask of numbers."""
        formulas, names = self.formulas, self.names
        if self.known is not None or formulas is None:
            return self.known or Demands((), (), None)
        propositions = {p: None for formula in formulas for p in names.propositions(formula)}
        spoken = {text: None for formula in formulas for text in names.spoken(formula)}
        return Demands((*propositions,), (*spoken,), needs_conjugates(formulas, propositions, names.scope))

    def asking(self, formulas: Iterable[syntax.Formula]) -> Engines:
        """The same for further formulas; itself if these ask nothing new of an engine that was chosen."""
        given = tuple(formulas)
        if self.formulas is not None and set(given) <= set(self.formulas):
            return self
        found = self.further.get(given)
        if found is None:
            for oldest in list(self.further)[: 1 - REMEMBERED]:  # threads may ask at the same time
                self.further.pop(oldest, None)
            found = self.further[given] = self._asking(given)
        return found

    def _asking(self, given: tuple[syntax.Formula, ...]) -> Engines:
        further = self._with(formulas=(*(self.formulas or ()), *given), known=None)
        if self.kept.choice is None:
            return further
        same = self.asked.conjugating == further.asked.conjugating
        known = set(further.asked.propositions) <= set(self.asked.propositions)
        spoken = set(further.asked.spoken) <= set(self.asked.spoken)
        return self if same and known and spoken else further

    def _with(self, **changes: Any) -> Engines:
        """The same with other fields, in the same order of the qubits; it has solved nothing."""
        fresh = {"kept": replace(self.kept, choice=None), "solutions": {}, "further": {}}
        return replace(self, **{**fresh, **changes})

    # --- the order of the qubits -------------------------------------------------------------------------

    @property
    def guess(self) -> tuple[int, ...]:
        """An order without a search, for programs that show early what it costs; () if none is taken."""
        kept = self.kept
        wanted = kept.hasty and not kept.order and not self.natural_order and self.name != "float"
        return self._quick if wanted else ()

    @cached_property
    def _quick(self) -> tuple[int, ...]:
        program = self.program
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
        hasty, self.kept.hasty = bool(self.guess), False
        if hasty:
            self._forget()
        return hasty

    def _forget(self) -> None:
        """Choose anew, in another order of the qubits."""
        self.kept.choice = None
        self.solutions.clear()

    def _guessed(self) -> Exact | None:
        """The exact engine of a large plain circuit, if its order is a guess."""
        program, known = self.program, self.natural_order or self.kept.order
        if known or program.num_qubits <= FEW_QUBITS or not is_plain(program):
            return None
        return self.chosen.exact

    def rehearse(self) -> Sequence[int]:
        """Take the order of the qubits that comes farthest."""
        exact = self._guessed()
        if exact is not None:
            guess = tuple(exact.order)
            self.kept.order = best_order(self.program, exact.form, self.budget, guess, self.order_seed)
            if tuple(self.kept.order) != guess:
                self._forget()
        return self.kept.order

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

    def take_arrays(self) -> bool:
        """Let arrays decide in the place of trains; False if there are no trains, or too many qubits."""
        choice = self._chosen()
        trains = choice.engine.numeric
        arrays = None if trains is None or self.program.num_qubits > SMALL_ENOUGH else trains.as_dense()
        if arrays is None:
            return False
        self._forget()
        self.kept.choice = Choice(arrays, choice.note)
        return True

    @property
    def peak_bond(self) -> int | None:
        """The largest bond of exact trains so far; None if nothing was computed with such."""
        choice = self.kept.choice
        exact = None if choice is None else choice.engine.exact
        return None if exact is None else exact.peak_bond

    def sibling(self, seed: int, names: Names) -> Engines:
        """The same choice with numbers drawn from another seed; nothing is left to random points there."""
        return self._with(given_seed=seed, careful=True, names=names, known=self.asked)

    def for_floats(self, names: Names) -> Engines:
        """The float engine, after numbers disagreed with what was assumed of them."""
        generic = self.chosen.assumed.generic
        why = "angles depend on each other" if generic else "recognised numbers do not fit together"
        settled = f"{why}; decided in floating point, tolerance {STRICT.zero:g}"
        try:
            known = self.asked
        except NumbersDisagree:  # what sp(…) is in a formula; floating point needs no numbers of it
            known = Demands((), (), None)
        return self._with(name="float", settled=settled, names=names, known=known)

    def in_floating_point(self, simulator: Numeric, budget: Budget) -> Engines:
        """The float engine for the same model: a simulator, with what it has run already."""
        return self._with(name="float", simulator=simulator, budget=budget)
