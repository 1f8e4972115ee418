"""From a program to its solved transition system: locations, edges, sp and wp."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from qismc.common.choices import Paths
from qismc.common.lazily import cached_method
from qismc.common.process import bulk_allocation
from qismc.engines import Engine, Vector
from qismc.errors import NumbersDisagree, NumericDoubt, SpecError, UnluckyDraw, suggestion
from qismc.fixpoint.arrivals import Arrival
from qismc.fixpoint.post import ExecutionMemory, Posts
from qismc.fixpoint.pre import Pres
from qismc.limits import Budget
from qismc.program import LOCATION, Program, Store
from qismc.propositions import Proposition, perp, spanning
from qismc.system import (
    At,
    Course,
    Explorer,
    LocationKey,
    SteeredExplorer,
    TransitionSystem,
    names_of,
)


@dataclass(frozen=True)
class Setting:
    """What is given besides the program; annotations are pairs (where, subspace)."""

    init: Proposition
    annotations: Sequence[tuple[str | LocationKey, Proposition]] = ()
    paths: Paths = "feasible"


@dataclass
class Solved:
    """The fixed points of a program."""

    engine: Engine
    explorer: Explorer
    system: TransitionSystem
    posts: Posts
    pres: Pres | None
    seeds: list[Seed] = field(default_factory=list)

    @property
    def observed(self) -> int:
        """The mask of classical bits that were kept apart although the program may not read them again."""
        return self.explorer.observed

    def dissolve(self) -> None:
        """Free the memory of the fixed points, of which nobody will ask any more."""
        self.explorer.dissolve()
        self.posts.spread.dissolve()


@dataclass(frozen=True)
class Seed:
    """Number `index` of the vectors that span `proposition` starts at `station`."""

    station: At
    proposition: Proposition
    index: int
    annotated: bool = False

    def vector(self, engine: Engine) -> Vector:
        return spanning(engine, self.proposition, "a start")[self.index]


class Starts:
    """The start states of a solved program on another engine, and the stores that they start with."""

    def __init__(self, solved: Solved, engine: Engine) -> None:
        self._solved = solved
        self._engine = engine

    def __call__(self, number: int) -> tuple[Vector, Store]:
        return self.vector(number), self.store(number)

    def at_entry(self) -> list[int]:
        """The numbers of those at the start of the program; the others start at annotated places."""
        start = self._solved.explorer.start
        return [k for k, seed in enumerate(self._solved.seeds) if seed.station == start]

    def vector(self, number: int) -> Vector:
        seed = self._solved.seeds[number]
        return self._vectors(seed.proposition)[seed.index]

    @cached_method
    def _vectors(self, proposition: Proposition) -> list[Vector]:
        """As many as there are seeds of the proposition, or the two engines disagree about it."""
        found = _spanned(self._engine, proposition, "a start")
        count = 1 + max(seed.index for seed in self._solved.seeds if seed.proposition == proposition)
        if len(found) != count:
            disagree = NumbersDisagree if self._solved.engine.assumed.tentative else NumericDoubt
            raise disagree(f"a start has {len(found)} dimensions in floating point, {count} otherwise")
        return found

    def store(self, number: int) -> Store:
        station, explorer = self._solved.seeds[number].station, self._solved.explorer
        return explorer.program.initial_store if station == explorer.start else station.node.store


def solve(program: Program, setting: Setting, engine: Engine, budget: Budget, observed: int) -> Solved:
    """sp, the transition system, and wp where something bounds it."""
    explorer = Explorer(program, budget, observed)
    placed = list(_placed(explorer, setting.annotations))
    cuts = [at.point for at, _ in placed]

    starts: list[tuple[Seed, Vector]] = []
    for number, (at, proposition) in enumerate([(explorer.start, setting.init), *placed]):
        vectors = _spanned(engine, proposition, "an annotation" if number else "init")
        starts += [(Seed(at, proposition, k, number > 0), vector) for k, vector in enumerate(vectors)]
        if not starts and engine.assumed.tentative:
            raise NumbersDisagree("init is the zero space for generic angles")
        if not starts:
            raise SpecError("init is the zero space: the program has no start")
    posts = Posts(explorer, engine, budget, cuts)
    with bulk_allocation():
        posts.spread.run((seed.station, vector) for seed, vector in starts)
        if setting.paths == "all":
            explorer.take_all()
        system = TransitionSystem(program, explorer.entry)
    pres = _weakest_pre(explorer, system, engine, budget, placed) if placed else None
    return Solved(engine, explorer, system, posts, pres, [seed for seed, _ in starts])


def _spanned(engine: Engine, proposition: Proposition, what: str) -> list[Vector]:
    """The same vectors whenever an engine is asked for them, so that programs that start alike can tell."""
    return engine.runs.starts(proposition, lambda: spanning(engine, proposition, what))


def solve_along(
    program: Program, init: Proposition, engine: Engine, budget: Budget, course: Course
) -> Solved:
    """The states of a given execution on the part of the system that it visits; raises UnluckyDraw.

    What is violated or reached there is violated or reached by the program.
    """
    explorer = SteeredExplorer(program, budget, course.steps)
    vectors = spanning(engine, init, "init")
    seeds = [Seed(explorer.start, init, k) for k in range(len(vectors))]
    memory = ExecutionMemory(explorer, engine, vectors.__getitem__)
    arrivals = [Arrival(explorer.start, memory, seed=course.seed)]
    for hop, choices in explorer.hops(course.steps):
        budget.spend("following an execution")
        hop.taken = True
        target = explorer.target(hop)
        arrivals.append(Arrival(At(target, target.start), memory, arrivals[-1], hop, choices))
    if engine.is_zero(arrivals[-1].vector):  # then no state on it was zero
        raise UnluckyDraw("an execution that should be possible is not", hint="run again with another --seed")
    posts = Posts(explorer, engine, budget)
    posts.spread.keep(arrivals)
    explorer.close()
    system = TransitionSystem(program, explorer.entry)
    return Solved(engine, explorer, system, posts, None, seeds)


def _weakest_pre(
    explorer: Explorer,
    system: TransitionSystem,
    engine: Engine,
    budget: Budget,
    placed: list[tuple[At, Proposition]],
) -> Pres:
    present = {id(node) for node in system.nodes}
    pres = Pres(explorer, system.nodes, engine, budget, [at.point for at, _ in placed])
    bounds = [(at, perp(bound)) for at, bound in placed if id(at.node) in present]
    pres.spread.run(
        (at, vector)
        for at, complement in bounds
        for vector in spanning(engine, complement, "the complement of an annotation")
    )
    return pres


def _placed(
    explorer: Explorer, annotations: Sequence[tuple[str | LocationKey, Proposition]]
) -> Iterator[tuple[At, Proposition]]:
    """The stations that annotations mean; every syntactic path counts."""
    if not annotations:
        return
    nodes = explorer.reachable()
    for where, proposition in annotations:
        if isinstance(where, LocationKey):
            yield At(explorer.node(where.start, where.store), where.point), proposition
        elif where == "init":
            yield explorer.start, proposition
        else:
            for node in nodes:
                for point in range(node.start, node.end):
                    if where in names_of(explorer.program, point):
                        yield At(node, point), proposition


def check_selector(program: Program, where: str) -> None:
    """Raise SpecError unless an annotation's place exists."""
    known = {"init", "leaf", "loop", *program.marks}
    if where not in known and not LOCATION.match(where):
        hint = suggestion(where, known) or "use a mark, init, leaf, loop, or a location such as l7"
        raise SpecError(f"unknown place '{where}' in an annotation", hint=hint)
