"""The solved system in orthonormal coordinates: frames of sp, a small matrix per edge.

Vectors are spread once more, in floating point, over the edges that the fixed point found. Where the image of
a vector of a frame leaves the span of the next frame, and sp has a dimension to spare there, the frame grows.
What is left unexplained of an image is rounding and goes into the slack of the chain: with K e = sum A e' + d
for unit vectors, |K^dagger E K - A^dagger E A| <= 2 |A| |d| + |d|^2 for every effect E.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from typing_extensions import assert_never

from qismc import propositions
from qismc.common.lazily import cached_property
from qismc.common.scalars import COMPLEX
from qismc.engines import Block, DenseEngine, Numeric, Vector, numeric_engine
from qismc.errors import NumericDoubt, UnsupportedError
from qismc.fixpoint import Solved
from qismc.limits import Budget
from qismc.probability.chain import Chain, Edge, Matrix, multiple, operator_norm
from qismc.program import Havoc, Leaf, Program
from qismc.propositions import Proposition, make, normalised
from qismc.system import Application, At, Hop, roundings


class Basis:
    """The vectors e1, e2, … of any engine, one by one."""

    def __init__(self, engine: Numeric) -> None:
        self._engine = engine
        self.vectors: list[Vector] = []

    def append(self, vector: Vector) -> None:
        self.vectors.append(vector)

    def coefficients(self, vector: Vector) -> Matrix:
        """<e|v> for every e."""
        return np.array([self._engine.inner(unit, vector) for unit in self.vectors], dtype=complex)

    def without(self, vector: Vector, coefficients: Matrix) -> Vector:
        """v - sum c e."""
        return self._engine.combine([1.0, *(-coefficients)], [vector, *self.vectors])


class ArrayBasis(Basis):
    """The same as rows of one array: two products of matrices with vectors."""

    def __init__(self, engine: Numeric, room: int) -> None:
        super().__init__(engine)
        self._rows = np.empty(
            (room, 1 << engine.num_qubits), dtype=complex
        )  # memory is taken as it is filled

    def append(self, vector: Vector) -> None:
        row = self._rows[len(self.vectors)]
        row[:] = vector
        self.vectors.append(row)

    def coefficients(self, vector: Vector) -> Matrix:
        return np.asarray((self._rows[: len(self.vectors)] @ vector.conj()).conj())

    def without(self, vector: Vector, coefficients: Matrix) -> Vector:
        return vector - coefficients @ self._rows[: len(self.vectors)]


def basis(engine: Numeric, room: int) -> Basis:
    """For so many vectors at most."""
    return ArrayBasis(engine, room) if engine.dense else Basis(engine)


NEW_DIRECTION = 1e-9
"""A shorter rest of an image adds no vector to a frame."""
NEGLIGIBLE = 1e-15
"""Kraus operators whose images are shorter than this are left out: their probability is below 1e-30."""
MOST_ARRAY_QUBITS, MOST_AMPLITUDES = 16, 1 << 18
"""Arrays are used up to so many qubits and so many amplitudes of all vectors together; else trains."""
DENSE_ROUNDING = 8 * float(np.finfo(float).eps)
TRAIN_ROUNDING = 2e-12
"""What one factor of an operator costs: rounding of arrays, or the noise that complex trains cut off."""


@dataclass(frozen=True)
class Arrow:
    """What an edge of the chain stands for: the Kraus operators `choices` of a way out of a node.

    `hop` is None between two stations of one node.
    """

    hop: Hop | None
    choices: tuple[int, ...] = ()


@dataclass(eq=False)
class _Growing:
    """An edge whose columns are found one by one."""

    target: int
    columns: dict[int, Matrix] = field(default_factory=dict)
    rests: dict[int, float] = field(default_factory=dict)

    def matrix(self, rows: int, columns: int) -> Matrix:
        found = np.zeros((rows, columns), dtype=complex)
        for k, column in self.columns.items():
            found[: len(column), k] = column
        return found

    @property
    def rest(self) -> float:
        return float(np.linalg.norm(list(self.rests.values()))) if self.rests else 0.0


class Frames:
    """Frames by station, in the order of `stations`, and the chain between them."""

    def __init__(self, solved: Solved, budget: Budget) -> None:
        self.solved = solved
        self._budget = budget
        places = solved.posts.spread.places
        self.stations: list[At] = [station for station, place in places.items() if place]
        self.engine = _simulator(solved.explorer.program, budget, sum(map(len, places.values())))
        self.rounding = DENSE_ROUNDING if self.engine.dense else TRAIN_ROUNDING
        """What one factor of an operator costs here."""
        self.number = {station: k for k, station in enumerate(self.stations)}
        self._room = [len(places[station]) for station in self.stations]
        self._spaces = [basis(self.engine, room) for room in self._room]
        self.bases: list[list[Vector]] = [space.vectors for space in self._spaces]
        self._growing: list[dict[Arrow, _Growing]] = [{} for _ in self.stations]
        self._moves: dict[int, _Moves] = {}
        self._blocks: dict[Hashable, Block] = {}
        """By the points of a run of gates, and by operators with their qubits."""
        self._pending: deque[tuple[int, int]] = deque()
        self._starts: list[Matrix] = []
        self._tilts: dict[int, float] = {}
        """By vertex: how many times the rounding of seeds turns their span; nearly parallel ones, often."""
        self._spread()
        self.arrows: list[list[Arrow]] = [list(growing) for growing in self._growing]
        self.chain = self._chain()

    def _spread(self) -> None:
        """Seeds first, then the images of every vector of every frame."""
        for seed in self.solved.seeds:
            if seed.station not in self.number:
                continue
            vector = self.engine.run(self.engine.compile([]), seed.vector(self.engine))
            k = self.number[seed.station]
            before = len(self.bases[k])
            column, _ = self._coordinates(k, vector)
            if len(self.bases[k]) > before:
                self._tilts[k] = self._tilts.get(k, 0.0) + 1 / abs(column[-1])
            if seed.station == self.solved.explorer.start:
                self._starts.append(column)
        while self._pending:
            k, j = self._pending.popleft()
            self._budget.spend("probabilities")
            if self._is_end(k):
                self._stay(k, j)
                continue
            for arrow, target, image in self._images(k, self.bases[k][j]):
                growing = self._growing[k].setdefault(arrow, _Growing(target))
                growing.columns[j], growing.rests[j] = self._coordinates(target, image)

    # --- images ------------------------------------------------------------------------------------------

    def _is_end(self, k: int) -> bool:
        """Is this the end of the program, and nothing before it?"""
        point = self.stations[k].point
        return isinstance(self.solved.explorer.program.code[point], Leaf)

    def _stay(self, k: int, j: int) -> None:
        """At the end nothing acts, for ever."""
        arrow = Arrow(self.stations[k].node.hops[0])
        growing = self._growing[k].setdefault(arrow, _Growing(k))
        column = np.zeros(j + 1, dtype=complex)
        column[j] = 1.0
        growing.columns[j], growing.rests[j] = column, 0.0

    def _images(self, k: int, vector: Vector) -> Iterator[tuple[Arrow, int, Vector]]:
        if k not in self._moves:
            self._moves[k] = self._prepared(k)
        moves = self._moves[k]
        if moves.prefix is not None:
            vector = self.engine.run(moves.prefix, vector)
        if moves.cut is not None:
            yield Arrow(None), moves.cut, vector
        for hop, target, families in moves.ways:
            for choices, image in self._choices(families, vector):
                yield Arrow(hop, choices), target, image

    def _prepared(self, k: int) -> _Moves:
        station = self.stations[k]
        explorer = self.solved.explorer
        cut = self.solved.posts.cuts.after(*station)
        gates = explorer.gates(station.point, station.node.end if cut is None else cut.point)
        prefix = self._compiled(gates.key, gates) if gates else None
        if cut is not None:
            return _Moves(prefix, self.number[cut], [], roundings(gates))
        hops = [hop for hop in station.node.hops if hop.taken and hop.target is not None]
        ways, longest = [], 0.0
        for hop in self._determined(station, hops):
            assert hop.target is not None
            target = self.number.get(At(hop.target, hop.target.start))
            families = [[self._compiled(a, [a]) for a in family] for family in hop.way.families]
            if target is not None:
                ways.append((hop, target, families))
                longest = max(longest, sum(max(roundings([a]) for a in f) for f in hop.way.families))
        return _Moves(prefix, None, ways, roundings(gates) + longest)

    def _compiled(self, key: Hashable, gates: Sequence[Application]) -> Block:
        """Nodes that differ in their store have the same gates."""
        if key not in self._blocks:
            self._blocks[key] = self.engine.compile(gates)
        return self._blocks[key]

    def _determined(self, station: At, hops: list[Hop]) -> list[Hop]:
        """Values that the program leaves open have no probabilities, unless nobody reads them."""
        program, point = self.solved.explorer.program, station.node.last
        if not isinstance(program.code[point], Havoc):
            return hops
        if len({hop.target for hop in hops}) > 1:
            if point in program.glue:
                raise UnsupportedError(
                    "faults have no probability, so nothing beside them has one",
                    source=program.sources[point],
                    hint="ask without faults, or write them as channels",
                )
            raise UnsupportedError(
                f"'{program.text(point)}' leaves a value open, so nothing has a probability",
                source=program.sources[point],
                hint="give the variable a value in the program",
            )
        return hops[:1]

    def _choices(
        self, families: list[list[Block]], vector: Vector
    ) -> Iterator[tuple[tuple[int, ...], Vector]]:
        """The images under every choice of one operator per family; lengths multiply to amplitudes."""
        current: list[tuple[tuple[int, ...], float, Vector]] = [((), 1.0, vector)]
        for family in families:
            following = []
            for choices, length, state in current:
                for number, block in enumerate(family):
                    image = self.engine.run(block, state)
                    longer = length * self.engine.length(image)
                    if longer > NEGLIGIBLE:
                        following.append(((*choices, number), longer, image))
            current = following
        for choices, length, state in current:
            yield choices, self._scaled(length, state)

    def _scaled(self, length: float, state: Vector) -> Vector:
        """`run` starts from unit vectors, so the length so far is put back at the end."""
        factor = length / self.engine.length(state)
        return state if factor == 1.0 else self.engine.combine([complex(factor)], [state])

    # --- coordinates -------------------------------------------------------------------------------------

    def _coordinates(self, k: int, vector: Vector) -> tuple[Matrix, float]:
        """The coefficients of a vector on a frame, which grows if it must, and the length of the rest."""
        space, size = self._spaces[k], len(self.bases[k])
        column = np.zeros(size, dtype=complex)
        rest, length = vector, self.engine.length(vector)
        for _ in range(2):  # the second pass removes the rounding of the first
            if size and length > 0:
                part = space.coefficients(rest)
                column += part
                rest = space.without(rest, part)
                length = self.engine.length(rest)
        if length <= NEW_DIRECTION or size >= self._room[k]:
            return column, length
        self._pending.append((k, size))
        space.append(self._orthonormal(rest, length, space))
        return np.append(column, length), 0.0

    def _orthonormal(self, rest: Vector, length: float, space: Basis) -> Vector:
        unit = self.engine.combine([complex(1 / length)], [rest])
        if not space.vectors:
            return unit
        unit = space.without(unit, space.coefficients(unit))
        return self.engine.combine([complex(1 / self.engine.length(unit))], [unit])

    # --- the chain ---------------------------------------------------------------------------------------

    def _chain(self) -> Chain:
        dims = [len(basis) for basis in self.bases]
        edges, slack = [], []
        for k, growing in enumerate(self._growing):
            leaving = list(growing.values())
            matrices = [g.matrix(dims[g.target], dims[k]) for g in leaving]
            edges.append([Edge(g.target, m) for g, m in zip(leaving, matrices, strict=True)])
            steps = self._made.get(k, 0.0) + (self._moves[k].factors if k in self._moves else 0)
            slack.append(_slack(dims[k], matrices, [g.rest for g in leaving], (1 + steps) * self.rounding))
        return Chain(dims, edges, slack, lambda: self._budget.spend("probabilities"))

    @cached_property
    def _made(self) -> dict[int, float]:
        """How many factors would round as much as is rounded in the span of what starts at a vertex."""
        found: dict[int, float] = {}
        costs = {p: making(self.engine, p) for p in {seed.proposition for seed in self.solved.seeds}}
        for seed in self.solved.seeds:
            k = self.number.get(seed.station, -1)
            if k in self._tilts:
                found[k] = max(found.get(k, 0.0), (1 + costs[seed.proposition]) * self._tilts[k] - 1)
        return found

    @property
    def entry(self) -> int:
        """The vertex where the program starts."""
        return self.number[self.solved.explorer.start]

    @cached_property
    def start(self) -> Matrix:
        """Orthonormal columns that span `init` at the entry; sp may be larger there, if loops come back."""
        columns = np.zeros((len(self.bases[self.entry]), len(self._starts)), dtype=complex)
        for k, column in enumerate(self._starts):
            columns[: len(column), k] = column
        left, lengths, _ = np.linalg.svd(columns, full_matrices=False)
        found = np.asarray(left[:, lengths > NEW_DIRECTION])
        arrivals = self.solved.posts.spread.arrivals(self.solved.explorer.start)
        if found.shape[1] < sum(arrival.parent is None for arrival in arrivals):
            raise NumericDoubt("rounding hides some of the states of `init`, which are nearly parallel")
        return found

    @property
    def start_rounding(self) -> float:
        """How far the vectors of `init` may be from what they stand for, before anything acts on them."""
        return (1 + self._made.get(self.entry, 0.0)) * self.rounding

    def is_whole(self, k: int) -> bool:
        """Does the frame have all dimensions of sp? A state that is very unlikely may be missing."""
        return len(self.bases[k]) >= self._room[k]

    def vector(self, k: int, column: Matrix) -> Vector:
        """The state with these coordinates at station k."""
        return self.engine.combine(list(column), self.bases[k])


def _simulator(program: Program, budget: Budget, dimensions: int) -> Numeric:
    """Arrays where they are small, all together: trains cut off noise that is a thousand times larger."""
    if program.num_qubits <= MOST_ARRAY_QUBITS and dimensions << program.num_qubits <= MOST_AMPLITUDES:
        return DenseEngine(program.num_qubits, budget)
    return numeric_engine(program, budget)


@dataclass(frozen=True)
class _Moves:
    """What leaves a station, compiled; as many `factors` would round as much as the longest way does."""

    prefix: Block | None
    cut: int | None
    ways: list[tuple[Hop, int, list[list[Block]]]]
    factors: float


def _slack(size: int, matrices: list[Matrix], rests: list[float], rounding: float) -> float:
    """Unexplained rests (times two: they interfere), lost probability, and the rounding of the operators."""
    total = np.zeros((size, size), dtype=complex)
    amount = 4 * rounding
    for matrix, rest in zip(matrices, rests, strict=True):
        total += matrix.conj().T @ matrix
        amount += 2 * operator_norm(matrix) * rest + rest**2
    return amount + operator_norm(total - multiple(1.0, size))


# --- rounding in the states that a program starts with ------------------------------------------------------


def making(engine: Numeric, proposition: Proposition) -> float:
    """For the dearest of the states that a proposition is written with: as many factors round as much."""
    if isinstance(proposition, propositions.SpanOf | propositions.Support):
        return max((_making_state(engine, state) for state in proposition.states), default=0.0)
    if isinstance(proposition, propositions.Perp):
        return making(engine, proposition.operand)
    if isinstance(proposition, propositions.Meet | propositions.Join):
        return making(engine, proposition.left) + making(engine, proposition.right)
    if isinstance(proposition, propositions.Whole | propositions.Nothing | propositions.Stabilised):
        return 0.0
    assert_never(proposition)


def _making_state(engine: Numeric, state: propositions.State) -> float:
    if isinstance(state, propositions.Prepared):
        return roundings(state.gates)
    if isinstance(state, propositions.KetSum):
        return _cancellation(engine, state)
    if isinstance(state, propositions.Listed | propositions.Recorded):
        return 0.0
    assert_never(state)


def _cancellation(engine: Numeric, state: propositions.KetSum) -> float:
    """How much longer the terms of a sum are than the sum: so much larger its rounding becomes."""
    words = [word for _, word in state.terms]
    if len(set(words)) == len(words) and (len(words) == 1 or set("".join(words)) <= set("01")):
        return 0.0  # they are orthogonal
    whole = engine if state.width == engine.num_qubits else engine.sub(range(state.width))
    numbers = [complex(coefficient.value(COMPLEX)) for coefficient, _ in state.terms]
    largest = max(
        abs(normalised(COMPLEX, number, word)) for number, word in zip(numbers, words, strict=True)
    )  # engines are given multiples of this one
    total: float = sum(map(abs, numbers)) / largest
    return total / whole.length(make(whole, state))
