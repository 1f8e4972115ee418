"""Is a probability exactly a given fraction? Decided over the field of the exact engine.

With the vectors v_1, v_2, .. that span sp at a node, the effect E of reaching a goal is a form
M[i, j] = <v_i|E|v_j>. At goals it is the Gram matrix G, at bad nodes 0; an edge that sends v_i to
sum_a S[i, a] w_a gives  M = sum conj(S) M' S^T. These are linear equations over the field. The probability of
a state x is the fraction f for all x in the kernel of M - f G.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import rustworkx

from qismc.probability import Coordinates, Status, Step
from qismc.subspace.counting import CountingEngine, SizedVector
from qismc.subspace.engine import Engine, Vector
from qismc.subspace.rows import Row
from qismc.system.explorer import Node

Form = list[list[Any]]
"""A square matrix of field elements."""
MOST_UNKNOWNS = 100
"""Larger systems of equations are left to numbers: field elements are slow."""
MOST_NODES = 20_000


class Field:
    """The numbers behind the vectors of an exact engine that knows conjugates."""

    def __init__(self, engine: CountingEngine) -> None:
        self._native = engine.native
        self.rational = engine.field.rational

    @classmethod
    def of(cls, engine: Engine) -> Field | None:
        """None for floating point, and for fields without conjugates."""
        able = isinstance(engine, CountingEngine) and engine.field.conjugating
        return cls(engine) if able else None  # type: ignore[arg-type]

    def overlap(self, left: SizedVector, right: SizedVector) -> Any:
        """<left|right>."""
        return self._native.overlap(left.vector, right.vector)

    def numbers(self, row: Row) -> list[Any]:
        """Coordinates as field elements."""
        return self._native.form.numbers(row)


class TooLarge(Exception):  # noqa: N818 - control flow inside of this file
    """The equations are too many, or have no unique solution."""


class Forms:
    """The forms of one `p U q`."""

    def __init__(self, coordinates: Coordinates, field: Field, status: Callable[[Node, int], Status]) -> None:
        self._coordinates = coordinates
        self._field = field
        self._status = status
        self._forms: dict[int, Form] = {}
        self._grams: dict[int, Form] = {}

    def kernel(self, node: Node, point: int, vectors: list[Vector], number: Fraction) -> int | None:
        """The dimension of the states at a point that have exactly this probability; None if too dear."""
        try:
            start = list(self._coordinates.steps_from(node, point, vectors))
            self._solve([step.target for step in start])
            form = self._form(start, len(vectors))
        except TooLarge:
            return None
        gram = self._gram(vectors)
        factor = self._field.rational(number)
        rows = [[m - factor * g for m, g in zip(a, b, strict=True)] for a, b in zip(form, gram, strict=True)]
        return len(vectors) - _rank(rows)

    # --- equations ---------------------------------------------------------------------------------------

    def _solve(self, first: list[Node]) -> None:
        """The forms of all open nodes ahead, component by component, the last ones first."""
        nodes = self._open_from(first)
        if len(nodes) > MOST_NODES:
            raise TooLarge
        number = {id(node): k for k, node in enumerate(nodes)}
        graph: rustworkx.PyDiGraph[None, None] = rustworkx.PyDiGraph()
        graph.add_nodes_from([None] * len(nodes))
        for k, node in enumerate(nodes):
            targets = {number[id(s.target)] for s in self._coordinates.steps(node) if id(s.target) in number}
            graph.add_edges_from_no_data([(k, target) for target in targets])
        for part in rustworkx.strongly_connected_components(graph):
            self._solve_component([nodes[k] for k in part])

    def _open_from(self, first: list[Node]) -> list[Node]:
        found: list[Node] = []
        seen: set[int] = set()
        pending = list(first)
        while pending:
            node = pending.pop()
            if id(node) not in seen and self._status(node, node.start) is Status.OPEN:
                seen.add(id(node))
                found.append(node)
                pending += [step.target for step in self._coordinates.steps(node)]
        return found

    def _solve_component(self, nodes: list[Node]) -> None:
        inside = {id(node) for node in nodes}
        if not any(id(s.target) in inside for node in nodes for s in self._coordinates.steps(node)):
            (node,) = nodes
            self._forms[id(node)] = self._form(self._coordinates.steps(node), self._size(node))
            return
        place: dict[tuple[int, int, int], int] = {}
        for node in nodes:
            size = self._size(node)
            place.update(
                {(id(node), i, j): len(place) + i * size + j for i in range(size) for j in range(size)}
            )
        if len(place) > MOST_UNKNOWNS:
            raise TooLarge
        solution = self._eliminate(nodes, inside, place)
        for node in nodes:
            indices = range(self._size(node))
            self._forms[id(node)] = [[solution[place[id(node), i, j]] for j in indices] for i in indices]

    def _eliminate(
        self, nodes: list[Node], inside: set[int], place: dict[tuple[int, int, int], int]
    ) -> list[Any]:
        """M - sum conj(S) M' S^T over the edges inside = the same sum over the edges that lead outside."""
        zero, one = self._field.rational(0), self._field.rational(1)
        rows = []
        for node in nodes:
            steps, size = self._coordinates.steps(node), self._size(node)
            constant = self._form([s for s in steps if id(s.target) not in inside], size)
            own = [(s.target, self._numbers(s)) for s in steps if id(s.target) in inside]
            for i in range(size):
                for j in range(size):
                    row = [zero] * (len(place) + 1)
                    row[place[id(node), i, j]] = one
                    row[-1] = constant[i][j]
                    for target, matrix in own:
                        for a, left in enumerate(matrix[i]):
                            for b, right in enumerate(matrix[j]):
                                k = place[id(target), a, b]
                                row[k] = row[k] - left.conjugate() * right
                    rows.append(row)
        if not any(row[-1] for row in rows):
            return [zero] * len(place)  # no goal ahead: the least solution
        return _solved(rows)

    def _form(self, steps: list[Step], size: int) -> Form:
        """sum conj(S) M' S^T over edges whose ends are known."""
        zero = self._field.rational(0)
        total = [[zero] * size for _ in range(size)]
        for step in steps:
            after = self._after(step.target)
            if after is None:
                continue
            matrix = self._numbers(step)
            for i in range(size):
                conjugated = [x.conjugate() for x in matrix[i]]
                left = [_dot(conjugated, column, zero) for column in zip(*after, strict=True)]
                for j in range(size):
                    total[i][j] = _dot(left, matrix[j], total[i][j])
        return total

    def _after(self, node: Node) -> Form | None:
        """The form at the entry of a node; None for zero."""
        status = self._status(node, node.start)
        if status is Status.GOAL:
            if id(node) not in self._grams:
                self._grams[id(node)] = self._gram(self._coordinates.basis(node))
            return self._grams[id(node)]
        return None if status is Status.BAD else self._forms[id(node)]

    def _gram(self, vectors: list[Vector]) -> Form:
        return [[self._field.overlap(left, right) for right in vectors] for left in vectors]

    def _numbers(self, step: Step) -> Form:
        return [self._field.numbers(row) for row in step.matrix]

    def _size(self, node: Node) -> int:
        return len(self._coordinates.basis(node))


# --- field elements -----------------------------------------------------------------------------------------


def _dot(left: Sequence[Any], right: Sequence[Any], start: Any) -> Any:
    """start + sum of products, without conjugation."""
    for x, y in zip(left, right, strict=True):
        start = start + x * y
    return start


def _solved(rows: Form) -> list[Any]:
    """The solution of square equations, constants in the last column."""
    size = len(rows)
    for column in range(size):
        pivot = next((k for k in range(column, size) if rows[k][column]), None)
        if pivot is None:
            raise TooLarge
        rows[column], rows[pivot] = rows[pivot], rows[column]
        own = _clear(rows[column], column)
        rows[column] = own
        for k, row in enumerate(rows):
            if k != column and row[column]:
                rows[k] = [x - row[column] * y for x, y in zip(row, own, strict=True)]
    return [row[-1] for row in rows]


def _rank(rows: Form) -> int:
    rank = 0
    for column in range(len(rows)):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        own = _clear(rows[rank], column)
        for k in range(rank + 1, len(rows)):
            rows[k] = [x - rows[k][column] * y for x, y in zip(rows[k], own, strict=True)]
        rank += 1
    return rank


def _clear(row: list[Any], column: int) -> list[Any]:
    """The row divided by its pivot."""
    return [x / row[column] for x in row]
