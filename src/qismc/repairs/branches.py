"""One-gate repairs at the end, found by comparing states instead of by search.

Let sp(x) be what arrives at the end with the store x, and psi the proposition that fails there for some x. A
gate U repairs x if U v lies in psi for every v that spans sp(x). A gate with a condition on the bits that is
true for all x that fail, and whose gate keeps or repairs every x where it is true, is a candidate; where no
single gate serves, one gate for each x is. The comparison is numeric: candidates are checked like all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from qismc.ctl import Labels
from qismc.edits import GATES, PAULIS, Edit, Insert, gate, visible_bits
from qismc.engines import Numeric, Vector
from qismc.errors import QismcError, Undecided
from qismc.evidence import invariant, overlap
from qismc.language import Formula, Quantum, operands
from qismc.limits import Effort, Limits
from qismc.model import Model
from qismc.program import Apply, Binary, Const, Expression, Leaf, Program, Read, Store, read_bits
from qismc.propositions import Proposition, support
from qismc.system import Application
from qismc.whatif import Variants

INSIDE = 1 - 1e-9
MOST_LOCATIONS = 20_000
MOST_WORK = 5e7
"""Scalar operations of all comparisons."""
COMPARED, BYTES = 2e3, 4
"""Scalar operations of comparing a state: some, and one for so many bytes."""
MOST_STATES = 256
"""At the end; more of them are not compared one by one."""
MOST_BRANCHES = 8
"""So many branches are repaired one by one."""


@dataclass(frozen=True)
class _End:
    """The states at the end with one store."""

    store: Store
    states: tuple[Vector, ...]


def one_gate_repairs(question: Variants, program: Program, violated: Iterable[str]) -> Iterator[Edit]:
    """Edits at the end of a program that make a violated state property hold there."""
    for name in violated:
        try:
            yield from _of_formula(question, program, question.trees[name])
        except (QismcError, Undecided):  # limits, numbers: the search may still find something
            continue


def _of_formula(question: Variants, program: Program, formula: Formula) -> Iterator[Edit]:
    body = invariant(formula)
    leaf = next((p for p, s in enumerate(program.code) if isinstance(s, Leaf)), None)
    if body is None or leaf is None:
        return
    given = question.options.get("limits") or Limits()
    limits = replace(given, locations=min(given.locations, MOST_LOCATIONS))
    model = question.asking(limits=limits).model(program).asking([formula])
    solved = model.solved()
    replay = model.simulation.replay(solved)
    labels = Labels(solved, model.names, replay)
    ends = [
        _End(node.store, tuple(replay.at(found, node.last) for found in solved.posts.at(node, node.last)))
        for node in solved.system.nodes
        if isinstance(program.code[node.last], Leaf)
    ]
    if sum(len(end.states) for end in ends) <= MOST_STATES:
        for atom in _atoms(body, labels):
            comparison = _Comparison(model, ends, labels.proposition(atom))
            yield from comparison.edits(leaf)


def _atoms(formula: Formula, labels: Labels) -> Iterator[Quantum]:
    parts = operands(formula)
    if not parts:
        atom = labels.as_quantum(formula)
        if atom is not None:
            yield atom
    for part in parts:
        yield from _atoms(part, labels)


class _Comparison:
    """Which gates bring the states of which stores into a proposition."""

    def __init__(self, model: Model, ends: list[_End], proposition: Proposition) -> None:
        self._program = model.program
        self._engine: Numeric = model.simulation.engine
        self._budget = model.budget
        self._proposition = proposition
        self._ends = ends
        self._effort = Effort(MOST_WORK, "more comparisons of states than repairs are worth")
        self._failing = [end for end in ends if not self._inside(end, None)]

    def edits(self, leaf: int) -> Iterator[Edit]:
        if not self._failing:
            return
        common = self._gates()
        for end in self._failing:  # most gates fall at the first one
            common = [chosen for chosen in common if self._inside(end, chosen)]
        for chosen in common:
            for condition in self._conditions(chosen):
                yield Edit("branch", (Insert(leaf, chosen, condition),))
        if 1 < len(self._failing) <= MOST_BRANCHES:
            yield from self._one_for_each(leaf)

    def _one_for_each(self, leaf: int) -> Iterator[Edit]:
        """A gate for each failing store, if each has one."""
        fixing = [next((g for g in self._gates() if self._inside(e, g)), None) for e in self._failing]
        found = zip(fixing, self._failing, strict=True)
        actions = tuple(Insert(leaf, g, self._only(e.store)) for g, e in found if g is not None)
        if len(actions) == len(self._failing):
            yield Edit("branch", actions)

    def _gates(self) -> list[Apply]:
        own = set(self._program.own_qubits)
        qubits = sorted(own & support(self._proposition, self._program.num_qubits))
        single = [gate(name, q) for name in (*PAULIS, "h", *GATES) for q in qubits]
        pairs = [(a, b) for a in qubits for b in qubits if a != b]
        double = [gate("cx", *pair) for pair in pairs] + [gate("cz", *p) for p in pairs if p[0] < p[1]]
        return single + double + [gate("swap", *p) for p in pairs if p[0] < p[1]]

    def _inside(self, end: _End, chosen: Apply | None) -> bool:
        """Do all states of an end lie in the proposition (after a gate)?"""
        self._budget.spend("comparing states")
        self._effort.spend(sum(COMPARED + self._engine.bytes_of(v) / BYTES for v in end.states))
        steps = [] if chosen is None else [Application(*chosen)]
        block = self._engine.compile(steps)
        weights = (overlap(self._engine, self._proposition, self._engine.run(block, v)) for v in end.states)
        return all(weight is not None and weight > INSIDE for weight in weights)

    def _conditions(self, chosen: Apply) -> Iterator[Expression | None]:
        """Conditions, simplest first: true for all failing stores, and nowhere where the gate does harm."""
        harmed = [e.store for e in self._ends if not self._inside(e, chosen)]
        failing = [e.store for e in self._failing]
        if not harmed:
            yield None
            return
        for condition in self._simple(failing):
            if all(condition.evaluate(store) for store in failing) and not any(
                condition.evaluate(store) for store in harmed
            ):
                yield condition
                return

    def _simple(self, failing: list[Store]) -> Iterator[Expression]:
        bits = visible_bits(self._program)
        for value in (1, 0):
            yield from (Binary("==", Read((bit,)), Const(value)) for bit in bits)
        yield from self._values(failing[0])

    def _values(self, store: Store) -> Iterator[Expression]:
        """A register with the value that it has in a store."""
        for variable in self._program.variables.values():
            if not variable.hidden and not variable.signed:
                yield Binary("==", Read(variable.bits), Const(read_bits(store, variable.bits)))

    def _only(self, store: Store) -> Expression | None:
        """All registers as they are in a store."""
        found: Expression | None = None
        for condition in self._values(store):
            found = condition if found is None else Binary("and", found, condition)
        return found
