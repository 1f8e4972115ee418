"""From evidence on the graph to executions: outcomes that make its paths possible, and lassos repeatable.

A path is an execution iff the product of its operators does not send the start state to zero. A lasso is one
iff the operator T of a turn can be applied for ever: with v at the start of the loop, T^k v is never zero.
Let k be the first number with T^k v in span(v, .., T^(k-1) v). That span is invariant under T and generated
by v, so if some T^m v were zero then T^k v would be: the turns up to k decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import NamedTuple

from qismc.common.lazily import cached_property
from qismc.engines import Block, Engine, Numeric, Vector
from qismc.errors import Undecided
from qismc.evidence.build import ExecutionBuilder
from qismc.evidence.execution import Execution
from qismc.evidence.proof import Evidence, is_universal
from qismc.evidence.replaying import IMPOSSIBLE, Path, Replay, Visit, acting_along
from qismc.fixpoint import Solved, Starts
from qismc.language import Temporal, to_text
from qismc.program import Apply, Program, Store
from qismc.system import Application, Hop, Node, TransitionSystem

TRIES = 500
"""Steps of the search for outcomes that make a path possible."""
CHOICES_TRIED = 64
"""So many ways to make one path of the graph possible are looked at."""
ALIKE = "every turn is like the first"
DIFFERING = "later turns start from other states, but never become impossible"


class StartState(NamedTuple):
    """Where an execution begins: one state on the deciding engine and on the simulator, and the store."""

    decided: Vector
    simulated: Vector
    store: Store


def is_safe(claim: Evidence, _state: Vector = None) -> bool:
    """Is the claim right for executions because it is right for the graph?"""
    return is_universal(claim.formula, claim.holds)


Proves = Callable[[Evidence, Vector], bool]
"""proves(a claim that no path can show, a state at its location): is it known to be right?"""

Known = Callable[[Evidence], Path | None]
"""known(evidence at the start): a path that some execution took to where the claim is decided, if any."""


@dataclass
class Realiser:
    """Finds executions that take the paths of evidence."""

    _solved: Solved
    _simulator: Numeric
    _builder: ExecutionBuilder
    _known: Known
    _proves: Proves = is_safe

    def __post_init__(self) -> None:
        self._engine = self._solved.engine
        if self._engine.assumed.tentative:
            _ = self._origins  # floating point is asked at once whether it sees the same start

    @cached_property
    def _origins(self) -> list[StartState]:
        exact, numeric = Starts(self._solved, self._engine), Starts(self._solved, self._simulator)
        return [StartState(exact.vector(k), numeric.vector(k), numeric.store(k)) for k in exact.at_entry()]

    def realise(self, evidence: Evidence, proves: Proves = is_safe) -> Execution | None:
        """An execution for evidence at the start of the program; None if none was found."""
        self._proves = proves
        try:
            return self._at_start(evidence)
        except Undecided:
            return None

    def _at_start(self, evidence: Evidence) -> Execution | None:
        """The parts of a Boolean combination are claims of their own, each with its own start state."""
        if isinstance(evidence.formula, Temporal) or not evidence.children:
            found = self._from(evidence, self._origins)
            path = self._known(evidence) if found is None else None
            return found if path is None else self._builder.execution(path, claimed(evidence))
        needed = [child for _, child in evidence.children if not self._is_proved_at_start(child)]
        parts = [self._at_start(child) for child in needed]
        found_parts = [part for part in parts if part is not None]
        if len(found_parts) < len(parts) or not parts:
            return None
        shown = max(found_parts, key=len)
        others = [(0, part) for part in found_parts if part is not shown]
        return replace(shown, claim=claimed(evidence)).with_children([*shown.children, *others])

    def _is_proved_at_start(self, claim: Evidence) -> bool:
        return claim.kind == "none" and all(self._proves(claim, origin.decided) for origin in self._origins)

    def _from(self, evidence: Evidence, origins: Sequence[StartState]) -> Execution | None:
        if evidence.kind == "none":
            return None
        steps, loop_start = evidence.spine()
        for origin in origins:
            for passed in islice(self._replays(steps, loop_start, origin), CHOICES_TRIED):
                turn = None if loop_start is None else self._turn(passed.visits, loop_start, origin)
                if turn == "":
                    continue
                steady = len(passed) if loop_start is None or turn == ALIKE else loop_start
                children = self._children(evidence, passed.visits, origin, steady)
                if children is not None:
                    execution = self._builder.along(passed, claimed(evidence), loop_start)
                    return execution.noted(turn or "").with_children(children)
        return None

    def _replays(self, steps: Sequence[int], loop_start: int | None, origin: StartState) -> Iterator[Replay]:
        """The executions along a path of the graph; a lasso is followed until its loop starts again."""
        closed = [*steps] if loop_start is None else [*steps, steps[loop_start]]
        path = path_through(self._solved.system, closed)
        for visits in choose(self._solved.system.program, self._simulator, path, origin.simulated):
            if self._engine.is_zero(self._engine.run(self._block(visits), origin.decided)):
                continue
            passed = self._builder.follow(visits, origin.simulated, origin.store)
            if passed.complete:
                yield passed

    def _block(self, visits: Sequence[Visit]) -> Block:
        return self._engine.compile(acting_along(self._solved.system.program, visits))

    def _turn(self, visits: Sequence[Visit], loop_start: int, origin: StartState) -> str:
        """What is to be said of the turns; empty if they cannot go on for ever."""
        stem, loop = visits[: loop_start + 1], visits[loop_start:]
        start = self._engine.run(self._block(stem), origin.decided)
        return turns(self._engine, self._block(loop), start)

    # --- claims inside ---

    def _children(
        self, evidence: Evidence, visits: Sequence[Visit], origin: StartState, steady: int
    ) -> list[tuple[int, Execution]] | None:
        """Executions for the claims made on the way, from the states there; None if one is missing.

        From position `steady` on a claim is made of other states in every turn, which nothing shows.
        """
        found: list[tuple[int, Execution]] = []
        before, here = 0, origin
        for position, child in evidence.beside():
            if is_safe(child):
                continue
            if position >= steady:
                return None
            if before > position:
                before, here = 0, origin
            before, here = position, self._behind(visits[before : position + 1], here)
            if child.kind == "none" and self._proves(child, here.decided):
                continue
            execution = self._from(child, [here])
            if execution is None:
                return None
            if len(execution) > 1 or execution.loop_start is not None:
                found.append((position, execution))
        return found

    def _behind(self, visits: Sequence[Visit], origin: StartState) -> StartState:
        """The state and the store at the last of some visits."""
        here = self._builder.follow(visits, origin.simulated, origin.store).last
        return StartState(self._engine.run(self._block(visits), origin.decided), here.state, here.store)


def claimed(evidence: Evidence) -> str:
    """What the evidence shows, in words."""
    return f"{to_text(evidence.formula)} {'holds' if evidence.holds else 'fails'} on it"


def turns(engine: Engine, turn: Block, start: Vector) -> str:
    """ALIKE or DIFFERING if a turn can be taken again and again from a state; empty if it cannot."""
    span, vector = engine.span(), start
    while span.add(vector):
        vector = engine.run(turn, vector)
        if engine.is_zero(vector):
            return ""
    return ALIKE if span.dimension == 1 else DIFFERING


OpenVisit = tuple[Node, int, list[Hop]]
"""A location on a path; where the path leaves its node, every hop that it may have taken."""


def path_through(system: TransitionSystem, locations: Sequence[int]) -> list[OpenVisit]:
    """The visited points of a location path."""
    found: list[OpenVisit] = []
    for index, following in zip(locations, [*locations[1:], None], strict=True):
        node, point = system.node_of(index)
        hops: list[Hop] = []
        if following is not None and point == node.last:
            target = system.node_of(following)[0]
            hops = [hop for hop in node.hops if hop.taken and hop.target is target]
        found.append((node, point, hops))
    return found


def choose(
    program: Program, simulator: Numeric, open_path: Sequence[OpenVisit], start: Vector
) -> Iterator[tuple[Visit, ...]]:
    """Outcomes and Kraus choices that make a location path possible, likely ones first.

    A depth-first search with a bound on its steps. It keeps the visits that leave a node, how far they lead,
    and the state behind them; straight stretches run as one block.
    """
    tries, taken = TRIES, tuple[Visit, ...]()
    pending = [(taken, 0, simulator.run(simulator.compile([]), start))]
    while pending and tries >= 0:
        tries -= 1
        taken, passed, state = pending.pop()
        leaving = next((k for k in range(passed, len(open_path)) if open_path[k][2]), None)
        if leaving is None:
            ways = iter(taken)
            yield tuple(next(ways) if hops else Visit(node, point) for node, point, hops in open_path)
            continue
        statements = (program.code[point] for _, point, _ in open_path[passed : leaving + 1])
        gates = [Application(*statement) for statement in statements if isinstance(statement, Apply)]
        behind = _leave(simulator, *open_path[leaving], simulator.run(simulator.compile(gates), state))
        pending += [((*taken, visit), leaving + 1, image) for _, visit, image in reversed(behind)]


def _leave(
    simulator: Numeric, node: Node, point: int, hops: Sequence[Hop], state: Vector
) -> list[tuple[float, Visit, Vector]]:
    """The possible ways out of a node, likeliest first."""
    found = []
    for hop in hops:
        for choices in product(*(range(len(family)) for family in hop.way.families)):
            image, weight = state, 1.0
            for family, choice in zip(hop.way.families, choices, strict=True):
                image = simulator.run(simulator.compile([family[choice]]), image)
                weight *= simulator.length(image) ** 2
                if weight <= IMPOSSIBLE:
                    break
            else:
                found.append((weight, Visit(node, point, hop, choices), image))
    return sorted(found, key=lambda item: -item[0])
