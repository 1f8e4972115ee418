"""Runs an edited program once more with the outcomes of a violating execution, wherever they are possible.

If such a run ends in a violation, the edit is no repair. Most wrong edits fall here, for one simulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qismc.engines import Numeric, Vector
from qismc.errors import Undecided
from qismc.evidence import Follower, Visit, classical_truth
from qismc.language import is_true, syntax
from qismc.program import Apply, Havoc, Leaf, Program, Store
from qismc.propositions import Membership, Proposition, resolve_tree, subspace_of
from qismc.questions import Names
from qismc.system import Family, families, next_point, next_store, outcomes

RUN_STEPS, RUN_STEPS_PER_STATEMENT = 100, 2
"""Maximum number of steps of a run: a fixed number, and some more for each statement of the program."""


class _Unknown(Undecided):
    """The run cannot be followed, or its claim cannot be decided."""

    kind = "rerun"


@dataclass(frozen=True)
class Original:
    """A violating execution from some point on: its state there, its classical values and its choices."""

    point: int
    state: Vector
    store: Store
    choices: tuple[int, ...]
    """Measured values, inputs and Kraus operators in the order in which they were chosen."""


def choices_of(visits: Sequence[Visit]) -> tuple[int, ...]:
    """What a path chose."""
    found: list[int] = []
    for visit in visits[:-1]:
        outcome = None if visit.hop is None else visit.hop.way.outcome
        found += visit.choices if outcome is None else (outcome,)
    return tuple(found)


class Reruns:
    """Runs edited programs; `body` is what must be true at their end."""

    def __init__(self, engine: Numeric, names: Names, body: syntax.Formula) -> None:
        self._engine = engine
        self._names = names
        self._body = body
        self._membership = Membership(engine)
        self._propositions: dict[syntax.Subspace, Proposition] = {}

    def fails(self, program: Program, originals: Iterable[Original]) -> bool:
        """Does a run end in a state that breaks the body? False also where that is not known.

        The first run of which it is not known is the last one.
        """
        try:
            return any(self._breaks(program, original) for original in originals)
        except Undecided:
            return False

    def _breaks(self, program: Program, original: Original) -> bool:
        store, state = self._run(program, original)
        return not is_true(self._body, lambda atom: self._truth(program, atom, store, state))

    def _run(self, program: Program, original: Original) -> tuple[Store, Vector]:
        point, store = program.settle(original.point), original.store
        follower, wanted = Follower(program, self._engine, original.state), list(reversed(original.choices))
        for _ in range(RUN_STEPS + RUN_STEPS_PER_STATEMENT * len(program.code)):
            statement = program.code[point]
            if isinstance(statement, Leaf):
                return store, follower.state
            outcome: int | None = None
            if isinstance(statement, Apply):
                follower.pass_gates(point, point + 1)
            elif isinstance(statement, Havoc):
                outcome = wanted.pop() if wanted else 0
            elif len(list(outcomes(statement))) > 1:
                projections = tuple(families(statement, k)[0][0] for k in (0, 1))
                outcome = _chosen(follower, projections, wanted)
            else:
                for family in families(statement, None):
                    _chosen(follower, family, wanted if len(family) > 1 else [])
            point, store = next_point(program, point, store), next_store(statement, store, outcome)
        raise _Unknown("this run is not followed")

    def _truth(self, program: Program, atom: syntax.Formula, store: Store, state: Vector) -> bool:
        """The truth of an atom at the end."""
        tree = subspace_of(atom, self._names.scope)
        if tree is not None:
            return self._membership.contains(self._proposition(tree), state)
        end = len(program.code) - 1
        found = atom == syntax.Atom("reached") or classical_truth(atom, self._names, program, end, store)
        if found is None:
            raise _Unknown("this run is not followed")
        return found

    def _proposition(self, tree: syntax.Subspace) -> Proposition:
        if tree not in self._propositions:
            self._propositions[tree] = resolve_tree(tree, self._names.scope)
        return self._propositions[tree]


def _chosen(follower: Follower, options: Family, wanted: list[int]) -> int:
    """The wanted operator acts if it does not send the state to zero, else the first that does not."""
    number = follower.choose(options, wanted.pop() if wanted else 0)
    if number is None:
        raise _Unknown("this run is not followed")
    return number
