"""A program with its specification, solved on demand and questioned formula by formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from qismc.errors import SpecError, UsageError, suggestion
from qismc.limits import Budget, Limits
from qismc.names import LOCATION, Names, needs_conjugates
from qismc.program import read_program
from qismc.solve import Paths, Setting, Solved, check_selector, solve
from qismc.spec import syntax
from qismc.spec.coefficients import ONE
from qismc.spec.parser import parse_formula
from qismc.spec.specification import Specification
from qismc.subspace.collect import note_program, note_proposition
from qismc.subspace.engine import Engine, Vector
from qismc.subspace.needs import Needs
from qismc.subspace.propositions import Proposition, SpanOf
from qismc.subspace.registry import NAMES, Choice, Numeric, Task, choose_engine, numeric_engine
from qismc.subspace.resolve import Scope, resolve
from qismc.subspace.states import KetSum, Recorded
from qismc.subspace.subspace import Subspace
from qismc.system.backdrop import Backdrop
from qismc.system.explorer import Node
from qismc.system.flow import all_bits
from qismc.system.transition import Location, TransitionSystem

if TYPE_CHECKING:
    from qismc.report.show import Drawing
    from qismc.report.show_blocks import Diagram
    from qismc.result import Result


Order = Literal["auto", "natural"]


class Sizes(NamedTuple):
    """Counts of a solved system."""

    locations: int
    edges: int
    max_dimension: int


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
        seed: int = 0,
        keep_dead: bool = False,
        order: Order = "auto",
    ) -> None:
        if paths not in ("feasible", "all"):
            raise UsageError(f"paths={paths!r} is unknown", hint="'feasible' or 'all'")
        if order not in ("auto", "natural"):
            raise UsageError(f"order={order!r} is unknown", hint="'auto' or 'natural'")
        if engine not in NAMES:
            raise UsageError(f"unknown engine '{engine}'", hint=suggestion(engine, NAMES))
        self.program = read_program(program)
        self.seed = seed
        self.budget = Budget(limits or Limits())
        written = self.program.annotations
        named = {a.name: a.text for a in written if a.kind == "prop" and a.name}
        self.scope = Scope(self.program, {**named, **(props or {})}, self._recorded)
        self.names = Names(self.program, self.scope)
        for name in self.scope.props:
            self.names.check(syntax.Atom(name))
        if init is None:
            init = next((a.text for a in written if a.kind == "init"), None)
        placed = [(a.name, a.text) for a in written if a.kind == "annotate"]
        placed += [(f"l{k}" if isinstance(k, int) else k, text) for k, text in (annotations or {}).items()]
        self._setting = Setting(self._start(init), self._places(placed), paths, keep_dead)
        self._engine_name = engine
        self._natural_order = order == "natural"
        self._observed = 0
        self._asked: dict[Proposition, None] = {}
        self._conjugating: bool | None = None
        self._choice: Choice | None = None
        self._solved: Solved | None = None

    def _start(self, init: Any) -> Proposition:
        if init is None:
            return SpanOf((KetSum(((ONE, "0" * self.program.num_qubits),)),))
        return resolve(init, Scope(self.program, self.scope.props))

    def _places(self, placed: list[tuple[str | None, Any]]) -> list[tuple[str, Proposition]]:
        found = []
        for where, meaning in placed:
            if where is None:
                raise SpecError("an annotation needs a place")
            check_selector(self.program, where)
            found.append((where, resolve(meaning, Scope(self.program, self.scope.props))))
        return found

    # --- the solved system -------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine:
        return self._chosen().engine

    @property
    def notes(self) -> tuple[str, ...]:
        note = self._chosen().note
        return (note,) if note else ()

    def _chosen(self) -> Choice:
        if self._choice is None:
            given = [self._setting.init, *(subspace for _, subspace in self._setting.annotations)]
            conjugating = self._conjugating is not False or bool(self._setting.annotations)
            task = Task(
                self.program, [*given, *self._asked], self.budget, self.seed, self._natural_order, conjugating
            )
            self._choice = choose_engine(self._engine_name, task)
        return self._choice

    def observe(self, formulas: Iterable[syntax.Formula]) -> None:
        """Prepare for formulas: they decide which locations are merged and which numbers occur."""
        formulas = list(formulas)
        observed = self._observed
        for formula in formulas:
            observed |= self.names.observed(formula)
        propositions = {p: None for formula in formulas for p in self.names.propositions(formula)}
        conjugating = bool(self._conjugating) or needs_conjugates(formulas, propositions)
        if not propositions.keys() <= self._asked.keys() or conjugating != self._conjugating:
            self._asked.update(propositions)
            self._conjugating, self._choice, self._solved = conjugating, None, None
        if observed != self._observed:
            self._observed, self._solved = observed, None

    def solved(self) -> Solved:
        """The fixed points, computed once."""
        if self._solved is None:
            self._solved = solve(self.program, self._setting, self.engine, self.budget, self._observed)
        return self._solved

    @property
    def system(self) -> TransitionSystem:
        return self.solved().system

    @property
    def locations(self) -> list[Location]:
        """All locations, l0 first."""
        return list(self.system)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """All edges as pairs of location numbers."""
        return self.system.edges

    def sizes(self) -> Sizes:
        """How large the system is; zeros where it could not be solved."""
        if self._solved is None:
            return Sizes(0, 0, 0)
        system, spread = self._solved.system, self._solved.posts.spread
        return Sizes(system.num_locations, system.num_edges, spread.max_dimension)

    @cached_property
    def simulator(self) -> Numeric:
        """A plain numeric simulator for replays."""
        return numeric_engine(self.program, self.budget)

    def draw(self, format: str = "text", *, fold: bool = True) -> Drawing:
        """A picture that prints as text, DOT, SVG, HTML or JSON and shows as SVG in notebooks."""
        from qismc.report.show import draw  # noqa: PLC0415 - reports build on models

        return draw(self.diagram(), format, fold=fold)

    def diagram(self) -> Diagram:
        """The transition system as blocks and arrows."""
        from qismc.report.show_blocks import diagram  # noqa: PLC0415 - reports build on models

        self.solved()
        return diagram(self.backdrop)

    @property
    def backdrop(self) -> Backdrop:
        """The transition system as far as it is solved, for pictures."""
        kept = all_bits(self.program) if self._setting.keep_dead else self._observed
        return Backdrop(None if self._solved is None else self._solved.system, kept)

    def _repr_html_(self) -> str:
        from qismc.report.notebook import model_html  # noqa: PLC0415 - reports build on models

        return model_html(self)

    def check(self, spec: Specification = None, **how: Any) -> Result:
        """Decide formulas about this model; options as in `qismc.check` (ctl, recheck, certify)."""
        from qismc.check import check_model  # noqa: PLC0415 - checking builds on models

        self.budget.restart()
        return check_model(self, spec, **how)

    def to_smv(self, formula: str) -> str:
        """A NuSMV model whose specification holds iff the formula does."""
        from qismc.judge import Judge  # noqa: PLC0415 - judging builds on models

        tree = parse_formula(formula)
        self.names.check(tree)
        self.observe([tree])
        return Judge(self).to_smv(tree)

    # --- sp and wp ---------------------------------------------------------------------------------------

    def sp(self, where: str | int) -> Subspace:
        """The span of all states that can arrive at a mark, `leaf`, `init` or a location (7, "l7")."""
        solved = self.solved()
        span, vectors, states = self.engine.span(), [], []
        for node, point in self._select(where):
            for k, found in enumerate(solved.posts.at(node, point)):
                if span.add(found.vector):
                    vectors.append(found.vector)
                    states.append(self._record(found.vector, node, point, k))
        return Subspace(self.engine, vectors, tuple(states))

    def wp(self, where: str | int) -> Subspace:
        """The states from which every annotation ahead is kept; the whole space without annotations."""
        solved = self.solved()
        span, vectors, states = self.engine.span(), [], []
        for node, point in self._select(where):
            for vector in solved.pres.complement(node, point) if solved.pres is not None else []:
                if span.add(vector):
                    vectors.append(vector)
                    states.append(
                        Recorded(self.engine, vector, self.program.num_qubits, _cannot_remake, _cannot_remake)
                    )
        return Subspace(self.engine, vectors, tuple(states), complemented=True)

    def _record(self, vector: Vector, node: Node, point: int, number: int) -> Recorded:
        """A state that another model can compute again with its own engine."""

        def remake(engine: Engine) -> Vector:
            again = solve(self.program, self._setting, engine, self.budget, self._observed)
            return again.posts.at(again.explorer.find(node), point)[number].vector

        def note(needs: Needs) -> None:
            note_program(self.program, needs)
            note_proposition(self._setting.init, needs)

        return Recorded(self.engine, vector, self.program.num_qubits, remake, note)

    def _recorded(self, where: str) -> Proposition:
        return self.sp(where).proposition

    def _select(self, where: str | int) -> list[tuple[Node, int]]:
        """The locations that a mark, a built-in name or a number means."""
        system = self.system
        located = LOCATION.match(where) if isinstance(where, str) else None
        if isinstance(where, int) or located:
            number = where if isinstance(where, int) else int(located[1])  # type: ignore[index]
            if not 0 <= number < system.num_locations:
                raise SpecError(
                    f"there is no location l{number}", hint=f"the last one is l{system.num_locations - 1}"
                )
            return [system.node_of(number)]
        if where == "init":
            return [system.node_of(0)]
        known = {"leaf", "loop", *self.program.marks}
        if where not in known:
            raise SpecError(f"unknown mark '{where}'", hint=suggestion(where, {*known, "init"}))
        return system.select(where)


def _cannot_remake(_: Any) -> Any:
    raise SpecError("a weakest pre-condition can be used with its own model only")
