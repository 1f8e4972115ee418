"""A program with its specification, solved on demand and questioned formula by formula."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
from qismc.limits import STRICT, UNLIMITED, Budget, Limits, ReplayBudget
from qismc.model.conditions import Conditions
from qismc.model.engines import Engines
from qismc.model.given import Given, read_question
from qismc.model.simulation import Simulation
from qismc.program import LOCATION, Program, read_program
from qismc.propositions import NumberReading, Proposition, Replaced, Subspace
from qismc.questions import Names, merging_is_safe
from qismc.system import Location, TransitionSystem, all_bits


@dataclass(frozen=True)
class Parts:
    """What a model is made of; none of it changes."""

    given: Given
    given_program: Program
    """The program as it was written, without faults."""
    options: Mapping[str, Any]
    """What was given besides the program, to ask the same about another one."""
    reading: NumberReading
    budget: Budget
    engines: Engines
    simulation: Simulation
    trusting: bool = False
    """Are solutions not compared with the angles of the program?"""
    confirming: bool = False
    """Is this the model in floating point that confirms another one?"""


def read_parts(
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
) -> Parts:
    """Read a program and what is given with it."""
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
    options = {
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
    budget = Budget(limits or UNLIMITED, threads=threads)
    folders = arguments.folders("include", include)
    with Watch(limits, guest=True):
        written = read_program(program, include=folders)
    reading = NumberReading(as_written=as_written)
    read = reading.program(written)
    faulty = read if faults is None else with_faults(read, faults)

    def recorded(where: str) -> Proposition:
        return Model(parts).recorded(where)

    given = read_question(faulty, init, props or {}, annotations or {}, recorded=recorded, reading=reading)
    setting = Setting(given.start, given.annotations, paths)
    natural = order == "natural"
    engines = Engines(given.program, setting, given.names, budget, engine, seed, natural, seed or 0)
    parts = Parts(
        given, written, options, reading, budget, engines, Simulation(given.program, ReplayBudget(budget))
    )
    return parts


class Model:
    """The quantum-classical transition system of a program, with sp and wp of its locations.

    A model does not change. For the numbers of certain formulas, or on floating point, there are others.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.given_program, self.options = parts.given_program, parts.options
        self.program, self.given_init = parts.given.program, parts.given.init
        self.scope, self.names = parts.given.scope, parts.given.names
        self.budget, self.engines, self.simulation = parts.budget, parts.engines, parts.simulation
        self.faults: Faults | None = parts.options["faults"]
        self.store: Store = parts.options["store"]
        self.setting = parts.engines.setting
        """The start, the annotations, and which paths count."""

    @classmethod
    def of(cls, program: Any, **options: Any) -> Model:
        """The model of a program, with the options of `read_parts`."""
        return Model(read_parts(program, **options))

    def _with(self, **changes: Any) -> Model:
        return Model(replace(self._parts, **changes))

    # --- other models of the same program ------------------------------------------------------------------

    def asking(self, formulas: Iterable[syntax.Formula]) -> Model:
        """The model with an engine for the numbers of formulas."""
        engines = self.engines.asking(formulas)
        return self if engines is self.engines else self._with(engines=engines)

    def _bound(self, made: Callable[[Given], Model]) -> Model:
        """Another model that answers itself what sp(…) in its formulas is."""

        def recorded(where: str) -> Proposition:
            return model.recorded(where)

        scope = replace(self.scope.at(self.scope.moment), post=recorded)
        model = made(replace(self._parts.given, scope=scope, names=Names(self.program, scope)))
        return model

    def sibling(self, seed: int) -> Model:
        """The same model with numbers drawn from another seed; nothing is left to random points there."""
        simulation = replace(self.simulation, confirmed=[])
        return self._bound(
            lambda given: self._with(
                given=given, engines=self.engines.sibling(seed, given.names), simulation=simulation
            )
        )

    @cached_property
    def on_floats(self) -> Model:
        """The same model without exactness, after numbers disagreed with what was assumed of them."""
        return self._bound(
            lambda given: self._with(given=given, engines=self.engines.for_floats(given.names))
        )

    def in_floating_point(self) -> Model:
        """The same model on the float engine, with the time that replays have."""
        budget = self.simulation.budget
        engines = self.engines.in_floating_point(self.simulation.engine, budget)
        return self._with(engines=engines, budget=budget, confirming=True)

    def in_general_position(self) -> Model | None:
        """The same model with a simulation that moves the unknown angles of the exact engine.

        What is so for generic angles and is not seen by it is too small for floating point. None if there are
        no such angles.
        """
        exact = self.engine.exact
        if exact is None or not exact.assumed.generic:
            return None
        moved = self.simulation.moved(exact.field.needs)
        return self._bound(lambda given: self._with(given=given, simulation=moved, trusting=True))

    @cached_property
    def faultless(self) -> Model:
        """The same model without the faults that the environment may choose."""
        return Model.of(self.given_program, **{**self.options, "faults": None})

    # --- the solved system -------------------------------------------------------------------------------

    @property
    def init(self) -> Proposition:
        """Where the program starts."""
        return self.setting.init

    @property
    def needs_graph(self) -> bool:
        """Do annotations or the choice of paths ask for more than what can be reached?"""
        return bool(self.setting.annotations) or self.setting.paths == "all"

    @property
    def engine(self) -> Engine:
        """What computes with vectors, chosen when first asked for."""
        return self.engines.chosen

    @property
    def seed(self) -> int:
        """What random choices are drawn from."""
        return self.engines.seed

    def __repr__(self) -> str:
        return f"<Model of {self.program!r}>"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the start and about the choice of the engine."""
        return self._parts.given.notes + self.engines.notes

    @property
    def replaced(self) -> tuple[Replaced, ...]:
        """Numbers that were read as nicer ones, with their differences."""
        return self._parts.reading.replaced

    @property
    def may_settle(self) -> bool:
        """May floating point decide what exact numbers cannot?"""
        return self.engines.may_settle and not self.simulation.is_moved and not self._parts.reading.doubtful

    @property
    def zero(self) -> float:
        """Up to which size something is taken for zero; 0 where exact numbers decide alone.

        Where floating point may have to decide about states, no other question is answered by less.
        """
        if self._parts.confirming:
            return 0.0
        if self.engine.numeric is not None:
            return self.engine.numeric.tolerance.zero
        return STRICT.zero if self.engines.may_be_related and not self._parts.reading.doubtful else 0.0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Limits enforced where nobody polls them, too."""
        with Watch(self.budget.limits, guest=True) as watch:
            watch.budget = self.budget
            yield

    def observed(self, formulas: Iterable[syntax.Formula]) -> int:
        """The mask of classical bits to keep apart for formulas."""
        formulas = list(formulas)
        safe = all(merging_is_safe(formula, self.scope.props) for formula in formulas)
        if self.annotated or not safe:
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
        mask = everything if observed is None or self.options["keep_dead"] else observed
        solutions = self.engines.solutions
        if mask not in solutions:
            solved = self._solve_in_order(mask)
            if solved.engine.numeric is not None:
                solved = self._steady(solved, solved.engine.numeric)
            solutions[mask] = solved
        return solutions[mask]

    def _steady(self, solved: Solved, engine: Numeric) -> Solved:
        """What floating point has found, if rounding has not decided it; raises NumericDoubt.

        After improbable outcomes arrays are asked, where there is room for them.
        """
        if not self.simulation.is_improbable(solved, engine):
            return solved
        self.simulation.check_room(solved)
        if self.engines.take_arrays():
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
                return self._solve_in_order(mask)
            self.simulation.reorder(self.engines.rehearse())
            return self.solved_by(self.engine, mask)

    def solved_by(self, engine: Engine, mask: int) -> Solved:
        """The fixed points with the numbers of any engine."""
        setting = self.setting
        numbered = [where for where, _ in setting.annotations if LOCATION.match(str(where))]
        if numbered:
            bare = solve(self.program, replace(setting, annotations=()), engine, self.budget, mask).system
            placed = [(bare.place(str(where)), subspace) for where, subspace in setting.annotations]
            setting = replace(setting, annotations=placed)
        return solve(self.program, setting, engine, self.budget, mask)

    def confirmed(self, observed: int | None = None) -> Solved:
        """The fixed points; where numbers disagree with what was assumed of them, those of floating point."""
        return self.agreeing(observed).solved(observed)

    def agreeing(self, observed: int | None = None) -> Model:
        """This model; where numbers disagree with what was assumed of them, the one on floating point."""
        try:
            self.agreed(observed)
        except NumbersDisagree:
            if not self.may_settle:
                raise
            with self.simulation.budget.whole():
                self._look_at_size(observed)
            return self.on_floats
        return self

    def _look_at_size(self, observed: int | None) -> None:
        """Raise NumericDoubt where numbers would disagree for other angles as well."""
        twin = self.in_general_position()
        if twin is not None and not twin.simulation.sees(self.solved(observed)):
            raise NumericDoubt(TOO_SMALL, hint=ANGLES_AS_WRITTEN)

    def agreed(self, observed: int | None = None) -> Solved:
        """The fixed points, compared with the numbers themselves; raises NumbersDisagree."""
        solved = self.solved(observed)
        if solved.engine.assumed.tentative and not self._parts.trusting:
            with self.simulation.budget.whole():
                self.simulation.confirm(solved)
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
        return self.setting.paths

    @property
    def annotated(self) -> bool:
        """Are there annotations?"""
        return bool(self.setting.annotations)

    # --- sp and wp ---------------------------------------------------------------------------------------

    @property
    def conditions(self) -> Conditions:
        """sp and wp of places, as subspaces that travel to other models."""
        return Conditions(self)

    def sp(self, where: str | int) -> Subspace:
        """The span of all states that can arrive at a mark, `leaf`, `init` or a location (7, "l7")."""
        arguments.place("where", where)
        self.budget.restart()
        model = self.asking([])  # no conjugates: what is recorded can be used as it is where none are needed
        with blas_threads(self.budget.threads):
            return model.conditions.sp(where, settling=True)

    def wp(self, where: str | int) -> Subspace:
        """The states from which every annotation ahead is kept; the whole space without annotations."""
        arguments.place("where", where)
        self.budget.restart()
        with blas_threads(self.budget.threads):
            return self.conditions.wp(where)

    def recorded(self, where: str) -> Proposition:
        """sp(where) in a formula; with faults it speaks of the program without them, which is to be kept.

        Numbers that disagree stop the check, so that all of it is done in floating point.
        """
        if self.faults is not None:
            return self.faultless.sp(where).proposition
        return self.conditions.sp(where).proposition
