"""A program with its specification, solved on demand and questioned formula by formula."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from os import PathLike
from typing import Any

from qismc.common import arguments
from qismc.common.choices import ENGINES, ORDERS, PATHS, STORES, Order, Paths, Store
from qismc.common.lazily import cached_property
from qismc.common.process import blas_threads
from qismc.common.watch import Watch
from qismc.engines import Engine, Numeric, TooManyOperations
from qismc.errors import ANGLES_AS_WRITTEN, TOO_SMALL, NumbersDisagree, NumericDoubt
from qismc.faults import Faults, with_faults
from qismc.fixpoint import Setting, Solved, solve
from qismc.language import syntax
from qismc.limits import STRICT, UNLIMITED, Budget, Limits
from qismc.model.conditions import Conditions
from qismc.model.engines import Engines
from qismc.model.given import read_question
from qismc.model.simulation import Simulation
from qismc.program import LOCATION, read_program
from qismc.propositions import NumberReading, Proposition, Replaced, Subspace
from qismc.questions import Names, merging_is_safe
from qismc.system import Location, TransitionSystem, all_bits


class Model:
    """The quantum-classical transition system of a program, with sp and wp of its locations."""

    def __init__(
        self,
        program: Any,
        *,
        init: Any = None,
        props: Mapping[str, Any] | None = None,
        annotations: Mapping[str | int, Any] | None = None,
        engine: str = "auto",
        paths: Paths = "feasible",
        limits: Limits | None = None,
        seed: int | None = None,
        keep_dead: bool = False,
        order: Order = "auto",
        store: Store = "auto",
        faults: Faults | None = None,
        threads: int = 1,
        include: Sequence[str | PathLike[str]] = (),
        as_written: bool = False,
    ) -> None:
        arguments.mapping("props", props)
        arguments.mapping("annotations", annotations, (str, int))
        arguments.one_of("engine", engine, ENGINES)
        arguments.one_of("paths", paths, PATHS)
        arguments.instance("limits", limits, Limits)
        seed = arguments.seed("seed", seed)
        arguments.flag("keep_dead", keep_dead)
        arguments.flag("as_written", as_written)
        arguments.one_of("order", order, ORDERS)
        arguments.one_of("store", store, STORES)
        arguments.instance("faults", faults, Faults)
        threads = arguments.whole("threads", threads, 1, arguments.MOST_THREADS)
        self.options = {
            "init": init,
            "props": props,
            "annotations": annotations,
            "engine": engine,
            "paths": paths,
            "limits": limits,
            "seed": seed,
            "keep_dead": keep_dead,
            "order": order,
            "store": store,
            "faults": faults,
            "threads": threads,
            "as_written": as_written,
        }
        """What was given besides the program, to ask the same about another one."""
        self.budget = Budget(limits or UNLIMITED, threads=threads)
        self.faults = faults
        folders = arguments.folders("include", include)
        with Watch(limits, guest=True):
            self.given_program = read_program(program, include=folders)
        self._reading = NumberReading(as_written=as_written)
        read = self._reading.program(self.given_program)
        faulty = read if faults is None else with_faults(read, faults)
        given = read_question(
            faulty,
            init,
            props or {},
            annotations or {},
            recorded=self._recorded,
            reading=self._reading,
        )
        self.program, self.given_init = given.program, given.init
        self.scope, self.names = given.scope, given.names
        self._setting = Setting(given.start, given.annotations, paths)
        self._start_notes = given.notes
        self._keep_dead = keep_dead
        self._trusting = False
        self._confirming = False
        self.simulation = Simulation(self.program, self.budget)
        self.store: Store = store
        self.engines = Engines(
            self.program,
            self._setting,
            self.names,
            self.budget,
            name=engine,
            seed=seed,
            natural_order=order == "natural",
        )
        self._solutions: dict[int, Solved] = {}

    # --- the solved system -------------------------------------------------------------------------------

    @property
    def init(self) -> Proposition:
        """Where the program starts."""
        return self._setting.init

    @property
    def needs_graph(self) -> bool:
        """Do annotations or the choice of paths ask for more than what can be reached?"""
        return bool(self._setting.annotations) or self._setting.paths == "all"

    @property
    def engine(self) -> Engine:
        """What computes with vectors, chosen when first asked for."""
        return self.engines.chosen

    @property
    def seed(self) -> int:
        """What random choices are drawn from."""
        return self.engines.seed

    @property
    def setting(self) -> Setting:
        """The start, the annotations, and which paths count."""
        return self._setting

    def sibling(self, seed: int) -> Model:
        """The same model with numbers drawn from another seed; nothing is left to random points there."""
        other = copy(self)
        other._solutions, other.simulation = {}, copy(self.simulation)
        other.scope = replace(self.scope.at(self.scope.moment), post=other._recorded)
        other.names = Names(self.program, other.scope)
        other.engines = self.engines.sibling(seed, other.names)
        return other

    def __repr__(self) -> str:
        return f"<Model of {self.program!r}>"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the start and about the choice of the engine."""
        return self._start_notes + self.engines.notes

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """Numbers that were read as nicer ones, with their differences."""
        return self._reading.replaced

    @property
    def may_settle(self) -> bool:
        """May floating point decide what exact numbers cannot?"""
        return self.engines.may_settle and not self.simulation.is_moved and not self._reading.doubtful

    def settle_for_floats(self) -> None:
        """Give up exactness after numbers disagreed with what was assumed of them."""
        self.engines.settle_for_floats()
        self._solutions.clear()

    def in_general_position(self) -> Model | None:
        """The same model with a simulation that moves the unknown angles of the exact engine.

        What is so for generic angles and is not seen by it is too small for floating point. None if there are
        no such angles.
        """
        exact = self.engine.exact
        if exact is None or not exact.assumed.generic:
            return None
        twin = copy(self)
        twin.simulation = self.simulation.moved(exact.field.needs)
        return twin

    @property
    def zero(self) -> float:
        """Up to which size something is taken for zero; 0 where exact numbers decide alone.

        Where floating point may have to decide about states, no other question is answered by less.
        """
        if self._confirming:
            return 0.0
        if self.engine.numeric is not None:
            return self.engine.numeric.tolerance.zero
        return STRICT.zero if self.engines.may_be_related and not self._reading.doubtful else 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Limits enforced where nobody polls them, too."""
        with Watch(self.budget.limits, guest=True) as watch:
            watch.budget = self.budget
            yield

    @contextmanager
    def trusting(self) -> Iterator[None]:
        """Within it sp(…) of generic angles is not compared with the angles of the program."""
        self._trusting = True
        try:
            yield
        finally:
            self._trusting = False

    def in_floating_point(self) -> Model:
        """The same model on the float engine, with the time that replays have."""
        twin = copy(self)
        twin.budget, twin._confirming = self.simulation.budget, True
        twin.engines = self.engines.in_floating_point(self.simulation.engine, twin.budget)
        twin._solutions = {}
        return twin

    def observe(self, formulas: Iterable[syntax.Formula]) -> int:
        """Prepare for the numbers of formulas; the mask of classical bits to keep apart for them."""
        formulas = list(formulas)
        if self.engines.prepare(formulas):
            self._solutions.clear()
        safe = all(merging_is_safe(formula, self.scope.props) for formula in formulas)
        if self._setting.annotations or not safe:
            return all_bits(self.program)
        observed = 0
        for formula in formulas:
            observed |= self.names.observed(formula)
        return observed

    def solved(self, observed: int | None = None) -> Solved:
        """The fixed points, computed once.

        Locations that differ in bits outside the mask `observed` only, which nothing reads again, are merged;
        by default none are.
        """
        everything = all_bits(self.program)
        mask = everything if observed is None or self._keep_dead else observed
        if mask not in self._solutions:
            solved = self._solve_in_order(mask)
            if solved.engine.numeric is not None:
                solved = self._steady(solved, solved.engine.numeric)
            self._solutions[mask] = solved
        return self._solutions[mask]

    def _steady(self, solved: Solved, engine: Numeric) -> Solved:
        """What floating point has found, if rounding has not decided it; raises NumericDoubt.

        After improbable outcomes arrays are asked, where there is room for them.
        """
        if not self.simulation.is_improbable(solved, engine):
            return solved
        self.simulation.check_room(solved)
        if self.engines.take_arrays():
            self._solutions.clear()
            solved = self.solved_by(self.engine, solved.observed)
        self.simulation.check_stable(solved)
        return solved

    def _solve_in_order(self, mask: int) -> Solved:
        """The fixed points; where the order of the qubits proves dear, in the best of several."""
        try:
            with self.engines.hurried():
                solved = self.solved_by(self.engine, mask)
            if self.engines.guess:
                self.simulation.reorder(self.engines.guess)
            return solved
        except TooManyOperations:
            if self.engines.search_order():
                self._solutions.clear()
                return self._solve_in_order(mask)
            self.simulation.reorder(self.engines.rehearse())
            self._solutions.clear()
            return self.solved_by(self.engine, mask)

    def solved_by(self, engine: Engine, mask: int) -> Solved:
        """The fixed points with the numbers of any engine."""
        setting = self._setting
        numbered = [where for where, _ in setting.annotations if LOCATION.match(str(where))]
        if numbered:
            bare = solve(self.program, replace(setting, annotations=()), engine, self.budget, mask).system
            placed = [(bare.place(str(where)), subspace) for where, subspace in setting.annotations]
            setting = replace(setting, annotations=placed)
        return solve(self.program, setting, engine, self.budget, mask)

    def confirmed(self, observed: int | None = None) -> Solved:
        """The fixed points; where numbers disagree with what was assumed of them, those of floating point."""
        try:
            return self._agreed(observed)
        except NumbersDisagree:
            if not self.may_settle:
                raise
            with self.simulation.budget.whole():
                self._look_at_size(observed)
            self.settle_for_floats()
            return self.solved(observed)

    def _look_at_size(self, observed: int | None) -> None:
        """Raise NumericDoubt where numbers would disagree for other angles as well."""
        twin = self.in_general_position()
        if twin is not None and not twin.simulation.sees(self.solved(observed)):
            raise NumericDoubt(TOO_SMALL, hint=ANGLES_AS_WRITTEN)

    def _agreed(self, observed: int | None = None) -> Solved:
        """The fixed points, compared with the numbers themselves; raises NumbersDisagree."""
        solved = self.solved(observed)
        if solved.engine.assumed.tentative and not solved.confirmed and not self._trusting:
            with self.simulation.budget.whole():
                self.simulation.confirm(solved)
            solved.confirmed = True
        return solved

    @property
    def system(self) -> TransitionSystem:
        """Locations and edges, those that differ in unread bits kept apart."""
        return self.confirmed().system

    @property
    def locations(self) -> list[Location]:
        """All locations, l0 first."""
        return list(self.system)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All edges as pairs of location numbers."""
        return self.system.edges

    @property
    def paths(self) -> Paths:
        """Do edges need a state that takes them?"""
        return self._setting.paths

    @property
    def annotated(self) -> bool:
        """Are there annotations?"""
        return bool(self._setting.annotations)

    # --- sp and wp ---------------------------------------------------------------------------------------

    @property
    def conditions(self) -> Conditions:
        """sp and wp of places, as subspaces that travel to other models."""
        return Conditions(self)

    def sp(self, where: str | int) -> Subspace:
        """The span of all states that can arrive at a mark, `leaf`, `init` or a location (7, "l7")."""
        arguments.place("where", where)
        self.budget.restart()
        if not self._solutions:
            self.observe([])  # no conjugates: what is recorded can be used as it is where none are needed
        with blas_threads(self.budget.threads):
            return self.conditions.sp(where, self.confirmed, settling=True)

    def wp(self, where: str | int) -> Subspace:
        """The states from which every annotation ahead is kept; the whole space without annotations."""
        arguments.place("where", where)
        self.budget.restart()
        with blas_threads(self.budget.threads):
            return self.conditions.wp(where)

    def _recorded(self, where: str) -> Proposition:
        """sp(where) in a formula; with faults it speaks of the program without them, which is to be kept.

        Numbers that disagree stop the check, so that all of it is done in floating point.
        """
        if self.faults is not None:
            return self.faultless.sp(where).proposition
        return self.conditions.sp(where, self._agreed).proposition

    @cached_property
    def faultless(self) -> Model:
        """The same model without the faults that the environment may choose."""
        return Model(self.given_program, **{**self.options, "faults": None})
