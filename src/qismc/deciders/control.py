"""Formulas that need no states: decided by program points and stores, before any vector exists.

Every execution is a path of the graph of all ways that the text has. A way is *certain* if every state takes
it: all are, but the outcomes of a measurement that lead to different locations. What must hold by certain
ways, and what cannot hold by any, is so for executions. Bits that neither the program nor the formula reads
again are merged: without states nothing depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from qismc.common.lazily import cached_property
from qismc.ctl import Bounds, ClassicalLabels, Graph, Mask, PartialEvaluation
from qismc.deciders.attempts import NOTHING_RANDOM, Account, Attempt, How, Outcome
from qismc.deciders.bounds import Chance, answered
from qismc.deciders.vacuity import REACHED, Premise, Vacuity, suspects
from qismc.errors import Undecided
from qismc.evidence import UNSEEN, Evidence, Execution, ExecutionBuilder, Later, Realiser, explain, located
from qismc.fixpoint import Posts, Seed, Solved
from qismc.language import Formula, Probability, Property, Temporal, bounded_path, to_text
from qismc.limits import Budget, Limits
from qismc.model import Model
from qismc.probability import Likelihood
from qismc.program import Havoc, Measure
from qismc.propositions import START, KetSum, Prepared, SpanOf, State, spanning
from qismc.questions import atoms_of, has_probability, is_classical
from qismc.results import NO_ENGINE, FormulaResult, LevelSizes
from qismc.system import Explorer, Node, TransitionSystem, crossed
from qismc.verdict import Verdict

SECONDS, SHORTEST = 5.0, 1e-3
"""Most seconds for a graph; limits of time are positive."""
FEW, FIRST, AGAIN, WORDS = 1_000, 1, 4, 1 << 22
"""Most locations: so many; so many more for each statement, before and after others are asked (benchmark
`dynamic`, where outcomes multiply); and so many 64-bit words of stores."""
SMALL_QUBITS, SMALL_POINTS = 6, 1_000
"""Up to here states take milliseconds, and reports show more with them."""


def needs_no_states(model: Model, formula: Formula) -> bool:
    """Does a formula speak of points and stores only?"""
    if has_probability(formula) and any(isinstance(s, Havoc) for s in crossed(model.program)):
        return False  # choices of the environment have no probability
    return not model.annotated and all(is_classical(atom, model.scope.props) for atom in atoms_of(formula))


def is_worth_it(model: Model) -> bool:
    """May states be dear, and has nobody asked for a way to compute with them?"""
    program, free = model.program, model.engines.name == "auto" and model.store == "auto"
    return free and (program.num_qubits > SMALL_QUBITS or len(program.code) > SMALL_POINTS)


class ControlDecider:
    """Decides what needs no states; NuSMV and certificates need them."""

    def __init__(self, model: Model, how: How) -> None:
        self._model = model
        self._may_decide = how.ctl == "builtin" and how.certificate is None

    def _graph(self, wanted: Property, per_statement: int) -> FormulaGraph | None:
        return on_control(self._model, wanted, per_statement) if self._may_decide else None

    def can(self, wanted: Property) -> str | None:
        """Why it cannot decide a formula."""
        if not self._may_decide:
            return "NuSMV and certificates need states"
        return None if needs_no_states(self._model, wanted.formula) else "it speaks of states"

    def decide(
        self,
        wanted: Sequence[Property],
        _: Attempt,
        account: Account,
        __: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Add what holds by certain ways, whatever the states are."""
        sizes = None
        for one in wanted:
            graph = self._graph(one, FIRST)
            found = graph.result() if graph is not None and graph.holds and graph.knows_premises else None
            if graph is not None and found is not None:
                account.results[one.name], sizes = found, graph.sizes
        if sizes is not None and not account.open(wanted):
            account.levels, account.assurance = sizes, NOTHING_RANDOM
        return Outcome()

    def decide_again(self, wanted: Property, account: Account) -> LevelSizes | None:
        """Replace an unknown verdict; the sizes of the graph if it decides."""
        graph = self._graph(wanted, AGAIN)
        found = None if graph is None else graph.result()
        if graph is None or found is None:
            return None
        account.results[wanted.name] = found
        return graph.sizes


def on_control(model: Model, wanted: Property, per_statement: int) -> FormulaGraph | None:
    """The graph that a formula is asked on; None if it needs states, or if there are too many stores."""
    if not needs_no_states(model, wanted.formula):
        return None
    try:
        return FormulaGraph(model, wanted, per_statement) if _is_start(model) else None
    except Undecided:
        return None


def _is_start(model: Model) -> bool:
    """Is `init` surely not the zero space?"""
    init = model.init
    if isinstance(init, SpanOf) and all(map(_is_product, init.states)):
        return True
    model.simulation.budget.restart()
    return bool(spanning(model.simulation.engine, init, START))


def _is_product(state: State) -> bool:
    """Does it need no look whether a state is zero?"""
    return isinstance(state, Prepared) or (isinstance(state, KetSum) and len(state.terms) == 1)


@dataclass
class FormulaGraph:
    """The ways of a program for one formula; raises LimitReached."""

    model: Model
    wanted: Property
    per_statement: int
    """Most locations for each statement."""

    def __post_init__(self) -> None:
        program, budget = self.model.program, self.model.budget
        most = min(FEW + self.per_statement * len(program.code), WORDS // (1 + program.store_width // 64))
        left = budget.remaining_seconds
        limits = Limits(
            seconds=SECONDS if left is None else min(SECONDS, left + SHORTEST),
            memory_mb=budget.limits.memory_mb,
            locations=min(most, budget.limits.locations),
        )
        observed = self.model.names.observed(self.wanted.formula)
        self._explorer = Explorer(program, Budget(limits), observed)
        self._explorer.take_all()
        self.system = TransitionSystem(program, self._explorer.entry)
        self._labels = ClassicalLabels(self.system, self.model.names)

    @cached_property
    def _forks(self) -> list[int]:
        """The locations where an outcome decides which way is taken."""
        if self.model.paths == "all":
            return []
        return [self.system.index(node, node.last) for node in self.system.nodes if self._is_fork(node)]

    def _is_fork(self, node: Node) -> bool:
        measures = isinstance(self.model.program.code[node.last], Measure)
        return measures and len({id(hop.target) for hop in node.hops}) > 1

    @cached_property
    def _evaluation(self) -> PartialEvaluation:
        """Behind the locations comes one of which nothing is known."""
        count = self.system.num_locations
        own = Graph(*self.system.successor_arrays)
        sources, targets = np.append(own.sources, count), np.append(own.targets, count)
        possible = Graph.from_edges(count + 1, sources, targets)
        forked = np.isin(sources, self._forks)
        return PartialEvaluation(
            Graph.from_edges(count + 1, sources, np.where(forked, count, targets)),
            possible,
            count,
            self._atoms,
        )

    def _atoms(self, atom: Formula, where: Mask) -> Bounds:
        if isinstance(atom, Probability):
            return self._chances(atom)
        truth = np.append(self._labels(atom, where[:-1]), False)
        return Bounds(truth, truth)

    def _chances(self, formula: Probability) -> Bounds:
        """Certain if all paths are such, impossible if none is."""
        sure = self._evaluation.bounds(Temporal("A", formula.op, formula.operands)).must
        never = ~self._evaluation.bounds(Temporal("E", formula.op, formula.operands)).may
        one, zero = (Chance.exactly(Fraction(value)).meets(formula.bound) for value in (1, 0))
        return Bounds((sure & one) | (never & zero), ~((sure & (not one)) | (never & (not zero))))

    # --- verdicts ----------------------------------------------------------------------------------------

    @property
    def holds(self) -> bool | None:
        """The truth at the start; None if states decide."""
        bounds = self._evaluation.bounds(self.wanted.formula)
        return bool(bounds.must[0]) if bounds.must[0] == bounds.may[0] else None

    @property
    def knows_premises(self) -> bool:
        """Can it be told here whether the formula holds because a premise is never true?"""
        premises = (isinstance(suspect, Premise) for suspect in suspects(self.wanted.formula))
        return not self._forks or not any(premises)

    def result(self) -> FormulaResult | None:
        """The verdict, with its evidence for those who look; None if states decide."""
        wanted, holds = self.wanted, self.holds
        if holds is None:
            return None
        evidence = explain(wanted.formula, self._evaluation)
        told = evidence.kind != "none" and not has_probability(wanted.formula)
        shown = Later(lambda: self._shown(evidence)) if told else None
        return FormulaResult(
            wanted.name,
            wanted.text,
            Verdict.HOLDS if holds else Verdict.VIOLATED,
            counterexample=None if holds else shown or Execution("none", claim=self._miss()),
            witness=shown if holds and len(evidence.spine()[0]) > 1 else None,
            probability=self._probability(),
            truths=answered(wanted.formula),
            warnings=self._warnings() if holds and self.knows_premises else (),
        )

    def _miss(self) -> str:
        """Why a formula fails that no execution shows to fail."""
        text, found = to_text(self.wanted.formula), self._probability()
        return (
            f"no execution satisfies {text}"
            if found is None
            else f"{text} fails: the probability is {found.text}"
        )

    def _probability(self) -> Likelihood | None:
        """Of the path that a formula asks for or bounds."""
        asked = bounded_path(self.wanted.formula)
        if asked is None:
            return None
        bounds = self._evaluation.bounds(Temporal("A", asked.op, asked.operands))
        if bounds.must[0]:
            return Likelihood.exactly(Fraction(1))
        never = self._evaluation.bounds(Temporal("E", asked.op, asked.operands))
        return None if never.may[0] else Likelihood.exactly(Fraction(0))

    def _warnings(self) -> tuple[str, ...]:
        def truth(formula: Formula) -> Mask:
            if formula == REACHED:
                return np.ones(self.system.num_locations, dtype=bool)
            return self._evaluation.bounds(formula).must[:-1]

        return Vacuity(self.system, self.model.names, truth).warnings(self.wanted.formula)

    @property
    def sizes(self) -> LevelSizes:
        """Those of the graph."""
        return LevelSizes(self.system.num_locations, self.system.num_edges, 0, 0, {}, NO_ENGINE, "explicit")

    # --- evidence ----------------------------------------------------------------------------------------

    def _shown(self, evidence: Evidence) -> Execution:
        """An execution along the evidence; where simulating it takes too long, the path alone."""
        model, engine = self.model, self.model.simulation.engine
        start = Later(lambda: spanning(engine, model.init, START))
        builder = ExecutionBuilder(
            self.system, self._labels.names_at, engine, lambda k: (start()[k], model.program.initial_store)
        )
        model.budget.restart()
        model.simulation.budget.restart()
        found = None
        try:
            realiser = Realiser(self._unsolved(len(start())), engine, builder, lambda _: None)
            found = realiser.realise(evidence, lambda *_: True)
        except (Undecided, MemoryError):
            pass
        return found or located(builder, evidence, UNSEEN)

    def _unsolved(self, count: int) -> Solved:
        """The system without states, but for those of the start, in floating point."""
        model, engine = self.model, self.model.simulation.engine
        seeds = [Seed(self._explorer.start, model.init, k) for k in range(count)]
        posts = Posts(self._explorer, engine, model.simulation.budget)
        return Solved(engine, self._explorer, self.system, posts, None, seeds)
