"""The oracle: locations, sp and wp of toy programs by dense linear algebra and naive iteration.

A subspace is a matrix with orthonormal columns. Qubit 0 is the most significant digit of an index, as in
kets. A program point is the path to a statement: (2,) is the third statement, (2, 0, 1) the second one in
the first block of it; so sorted paths are the statements in the order of the text, and the end comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from qiskit.quantum_info import Operator

from .toy import Block, Break, Gate, If, Mark, Measure, Reset, Statement, Toy, While, arms

Matrix = npt.NDArray[np.complex128]
Path = tuple[int, ...]
Place = tuple[Path, int]
ZERO = 1e-7

# --- subspaces ---------------------------------------------------------------------------------------------


def span(vectors: Matrix) -> Matrix:
    """An orthonormal basis of the column space."""
    left, sizes, _ = np.linalg.svd(vectors, full_matrices=False)
    return left[:, : int(np.sum(sizes > ZERO))]


def whole(size: int) -> Matrix:
    return np.eye(size, dtype=complex)


def nothing(size: int) -> Matrix:
    return np.zeros((size, 0), dtype=complex)


def kernel(matrix: Matrix) -> Matrix:
    """An orthonormal basis of { v : matrix v = 0 }."""
    _, sizes, right = np.linalg.svd(matrix, full_matrices=True)
    return right[int(np.sum(sizes > ZERO)) :].conj().T


def join(*spaces: Matrix) -> Matrix:
    return span(np.hstack(spaces))


def complement(space: Matrix) -> Matrix:
    return kernel(space.conj().T)


def meet(*spaces: Matrix) -> Matrix:
    """What every projector fixes."""
    return kernel(np.vstack([np.eye(len(x)) - projector(x) for x in spaces]))


def projector(space: Matrix) -> Matrix:
    return space @ space.conj().T


def below(small: Matrix, large: Matrix) -> bool:
    return bool(np.linalg.norm(small - projector(large) @ small) < ZERO)


def same(left: Matrix, right: Matrix) -> bool:
    return left.shape[1] == right.shape[1] and below(left, right)


def image(kraus: list[Matrix], space: Matrix) -> Matrix:
    return span(np.hstack([k @ space for k in kraus]))


def preimage(kraus: list[Matrix], space: Matrix) -> Matrix:
    """{ v : K v in the space for all K }."""
    outside = np.eye(len(space)) - projector(space)
    return kernel(np.vstack([outside @ k for k in kraus]))


def ket(bits: str) -> Matrix:
    """The line of a basis state."""
    column = np.zeros((2 ** len(bits), 1), dtype=complex)
    column[int(bits, 2), 0] = 1
    return column


# --- operators ---------------------------------------------------------------------------------------------

PROJECT = (np.diag([1, 0]).astype(complex), np.diag([0, 1]).astype(complex))
LOWER = np.array([[0, 1], [0, 0]], dtype=complex)


def embed(small: Matrix, qubits: tuple[int, ...], num_qubits: int) -> Matrix:
    """An operator on some qubits (the first one least significant, as in Qiskit) as an operator on all."""
    rest = [q for q in range(num_qubits) if q not in qubits]
    order = [*reversed(qubits), *rest]
    tensor = np.kron(small, np.eye(2 ** len(rest))).reshape((2,) * (2 * num_qubits))
    places = [order.index(q) for q in range(num_qubits)]
    axes = [*places, *(num_qubits + p for p in places)]
    return np.asarray(tensor.transpose(axes).reshape(2**num_qubits, -1), dtype=complex)


def kraus_of(statement: Statement, num_qubits: int, outcome: int = 0) -> list[Matrix]:
    """What a statement does to the state."""
    if isinstance(statement, Gate):
        return [embed(Operator(statement.operation).data, statement.qubits, num_qubits)]
    if isinstance(statement, Measure):
        return [embed(PROJECT[outcome], (statement.qubit,), num_qubits)]
    if isinstance(statement, Reset):
        return [embed(k, (statement.qubit,), num_qubits) for k in (PROJECT[0], LOWER)]
    return [np.eye(2**num_qubits, dtype=complex)]


# --- programs ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Edge:
    """From a place to a place; one of the operators acts."""

    source: Place
    target: Place
    kraus: list[Matrix]


class Walker:
    """Control flow of a toy program, straight from its syntax tree."""

    def __init__(self, toy: Toy) -> None:
        self.toy = toy
        self.end: Path = (len(toy.body),)

    def statement(self, path: Path) -> Statement | None:
        """None at the end."""
        if path == self.end:
            return None
        return self.block(path[:-1])[path[-1]]

    def block(self, prefix: Path) -> Block:
        block = self.toy.body
        for index, arm in zip(prefix[::2], prefix[1::2], strict=True):
            block = arms(block[index])[arm]
        return block

    def named(self, path: Path) -> Path:
        """The point that a mark names: the next statement of its block, the end of the program, or, of
        several marks that have neither or stand before a loop, the last one."""
        block, k = self.block(path[:-1]), path[-1]
        while k < len(block) and isinstance(block[k], Mark):
            k += 1
        if k < len(block):
            return (*path[:-1], k - 1 if isinstance(block[k], While) else k)
        return self.end if len(path) == 1 else (*path[:-1], k - 1)

    def settled(self, path: Path) -> Path:
        """Where control arrives: marks that name another point are no steps."""
        while isinstance(self.statement(path), Mark) and self.named(path) != path:
            path = (*path[:-1], path[-1] + 1)
        return path

    def after(self, path: Path) -> Path:
        """The point behind a statement, marks that are no steps passed over."""
        return self.settled(self._behind(path))

    def _behind(self, path: Path) -> Path:
        following = (*path[:-1], path[-1] + 1)
        if len(path) == 1 or following[-1] < len(self.block(path[:-1])):
            return following
        outer = path[:-2]
        return outer if isinstance(self.statement(outer), While) else self._behind(outer)

    def edges(self, place: Place) -> list[Edge]:
        path, store = place
        statement, n = self.statement(path), self.toy.num_qubits
        if statement is None:
            return [Edge(place, place, [np.eye(2**n, dtype=complex)])]
        if isinstance(statement, Measure):
            cleared = store & ~(1 << statement.bit)
            return [
                Edge(place, (self.after(path), cleared | b << statement.bit), kraus_of(statement, n, b))
                for b in (0, 1)
            ]
        return [Edge(place, (self.next(path, store, statement), store), kraus_of(statement, n))]

    def next(self, path: Path, store: int, statement: Statement) -> Path:
        if isinstance(statement, Break):
            while not isinstance(self.statement(path), While):
                path = path[:-2]
            return self.after(path)
        if isinstance(statement, If | While):
            chosen = 0 if statement.test.holds(store) else 1
            if chosen < len(arms(statement)) and arms(statement)[chosen]:
                return self.settled((*path, chosen, 0))
        return self.after(path)


class Reference:
    """The solved transition system of a toy program; `annotations` are by mark, `leaf` or `init`."""

    def __init__(
        self,
        toy: Toy,
        init: Matrix | None = None,
        annotations: Mapping[str, Matrix] | None = None,
        paths: str = "feasible",
    ) -> None:
        self.toy = toy
        self.size = 2**toy.num_qubits
        self.walker = Walker(toy)
        self.start: Place = (self.walker.settled(min([*self._tops(), self.walker.end])), 0)
        self._init = ket("0" * toy.num_qubits) if init is None else span(init)
        self._annotations = dict(annotations or {})
        self._paths = paths

    def _tops(self) -> list[Path]:
        return [(k,) for k in range(len(self.toy.body))]

    def names(self, place: Place) -> set[str]:
        """The labels of a location."""
        statement = self.walker.statement(place[0])
        found = {name for name, point in self._marks if point == place[0]}
        found |= {"loop"} if isinstance(statement, While) else set()
        found |= {"leaf"} if statement is None else set()
        return found | ({"init"} if place == self.start else set())

    @cached_property
    def _marks(self) -> list[tuple[str, Path]]:
        """Every mark with the point that it names."""

        def inside(block: Block, prefix: Path) -> Iterator[tuple[str, Path]]:
            for k, statement in enumerate(block):
                if isinstance(statement, Mark):
                    yield statement.name, self.walker.named((*prefix, k))
                for number, arm in enumerate(arms(statement)):
                    yield from inside(arm, (*prefix, k, number))

        return list(inside(self.toy.body, ()))

    def annotation(self, place: Place) -> list[Matrix]:
        return [self._annotations[name] for name in sorted(self.names(place)) if name in self._annotations]

    @cached_property
    def syntactic(self) -> dict[Place, list[Edge]]:
        """Every location that syntactic paths lead to, with its edges."""
        found: dict[Place, list[Edge]] = {}
        pending = [self.start]
        while pending:
            place = pending.pop()
            if place not in found:
                found[place] = self.walker.edges(place)
                pending += [edge.target for edge in found[place]]
        return found

    @cached_property
    def sp(self) -> dict[Place, Matrix]:
        """The least solution, by sweeping over all edges until nothing grows."""
        value = {p: join(nothing(self.size), *self.annotation(p)) for p in self.syntactic}
        value[self.start] = join(value[self.start], self._init)
        changed = True
        while changed:
            changed = False
            for edges in self.syntactic.values():
                for edge in edges:
                    grown = join(value[edge.target], image(edge.kraus, value[edge.source]))
                    changed |= grown.shape[1] > value[edge.target].shape[1]
                    value[edge.target] = grown
        return value

    @cached_property
    def system(self) -> dict[Place, list[Edge]]:
        """The locations and edges that count: all syntactic ones, or those that some state goes through."""
        if self._paths == "all":
            return self.syntactic
        found: dict[Place, list[Edge]] = {}
        pending = [self.start]
        while pending:
            place = pending.pop()
            if place not in found:
                edges = self.syntactic[place]
                found[place] = [e for e in edges if image(e.kraus, self.sp[place]).shape[1] > 0]
                pending += [edge.target for edge in found[place]]
        return found

    @cached_property
    def wp(self) -> dict[Place, Matrix]:
        """The greatest solution, by sweeping over all edges until nothing shrinks."""
        value = {p: meet(whole(self.size), *self.annotation(p)) for p in self.system}
        changed = True
        while changed:
            changed = False
            for place, edges in self.system.items():
                for edge in edges:
                    shrunk = meet(value[place], preimage(edge.kraus, value[edge.target]))
                    changed |= shrunk.shape[1] < value[place].shape[1]
                    value[place] = shrunk
        return value

    def holds(self, place: Place, space: Matrix) -> bool:
        """sp <= space <= wp."""
        return below(self.sp[place], space) and below(space, self.wp[place])

    def at(self, name: str) -> Matrix:
        """The join of sp over the locations with a label."""
        return join(nothing(self.size), *(self.sp[p] for p in self.system if name in self.names(p)))
