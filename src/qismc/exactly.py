"""Is a probability exactly a given fraction? Decided over the field of the exact engine.

With the vectors v_1, v_2, .. that span sp at a node, the effect E of reaching a goal is a form
M[i, j] = <v_i|E|v_j>. At goals it is the Gram matrix G, at bad nodes 0; an edge that sends v_i to
sum_a S[i, a] w_a gives  M = sum conj(S) M' S^T. These are linear equations over the field. The probability of
a state x is the fraction f for all x in the kernel of M - f G.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import rustworkx

from qismc.probability import Coordinates, Status, Step
from qismc.subspace.counting import CountingEngine, SizedVector
from qismc.subspace.engine import Engine, Vector
from qismc.subspace.forms import FieldForm
from qismc.subspace.rows import Matrix
from qismc.system.explorer import Node

MOST_UNKNOWNS = 400
"""Larger systems of equations are left to numbers: elimination takes the cube of it."""
MOST_NODES = 20_000


class Field:
    """The numbers behind the vectors of an exact engine that knows conjugates."""

    def __init__(self, engine: CountingEngine) -> None:
        assert isinstance(engine.native.form, FieldForm)
        self._native = engine.native
        self._form = engine.native.form
        self.algebra = self._form.algebra

    @classmethod
    def of(cls, engine: Engine) -> Field | None:
        """None for floating point, and for fields without conjugates."""
        able = isinstance(engine, CountingEngine) and engine.field.conjugating
        return cls(engine) if able else None  # type: ignore[arg-type]

    def gram(self, vectors: Sequence[SizedVector]) -> Matrix:
        """All <left|right>."""
        return self._native.gram([v.vector for v in vectors])

    def scaled(self, matrix: Matrix, number: Fraction) -> Matrix:
        """The matrix times a fraction."""
        size = len(matrix)
        diagonal = self.zeros(size, size)
        diagonal[range(size), range(size)] = self._form.pack([self._form.ring.rational(number)], (1,))
        return self.algebra.image(matrix, diagonal)

    def zeros(self, *shape: int) -> Matrix:
        return np.zeros((*shape, 2), dtype=np.uint64)

    def form_of(self, step: Matrix, after: Matrix) -> Matrix:
        """conj(S) M' S^T."""
        left = self.algebra.image(self.algebra.conjugate(step), after)
        return self.algebra.image(left, step.swapaxes(0, 1))

    def pushed(self, step: Matrix, before: Matrix) -> Matrix:
        """S^T R conj(S)."""
        left = self.algebra.image(step.swapaxes(0, 1), before)
        return self.algebra.image(left, self.algebra.conjugate(step))

    def doubled(self, step: Matrix) -> Matrix:
        """conj(S) (x) S: what a form's entries (a, b) contribute to the entries (i, j) of the form before."""
        rows, columns = step.shape[:2]
        flat = step.reshape(1, rows * columns, 2)
        pairs = self.algebra.image(self.algebra.conjugate(flat).swapaxes(0, 1), flat)
        blocks = pairs.reshape(rows, columns, rows, columns, 2).transpose(0, 2, 1, 3, 4)
        return np.asarray(blocks.reshape(rows * rows, columns * columns, 2))


class TooLarge(Exception):  # noqa: N818 - control flow inside of this file
    """The equations are too many, or have no unique solution."""


class Forms:
    """The forms of one `p U q`."""

    def __init__(self, coordinates: Coordinates, field: Field, status: Callable[[Node, int], Status]) -> None:
        self._coordinates = coordinates
        self._field = field
        self._status = status
        self._forms: dict[int, Matrix] = {}
        self._grams: dict[int, Matrix] = {}

    def kernel(self, node: Node, point: int, vectors: list[Vector], number: Fraction) -> int | None:
        """The dimension of the states at a point that have exactly this probability; None if too dear."""
        try:
            start = list(self._coordinates.steps_from(node, point, vectors))
            self._solve([step.target for step in start])
            form = self._form(start, len(vectors))
        except TooLarge:
            return None
        algebra = self._field.algebra
        scaled = self._field.scaled(self._field.gram(vectors), number)
        return len(vectors) - len(algebra.echelon(algebra.plus(form, algebra.minus(scaled)))[1])

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
        place, unknowns = dict[int, slice](), 0
        for node in nodes:
            place[id(node)] = slice(unknowns, unknowns + self._size(node) ** 2)
            unknowns = place[id(node)].stop
        if unknowns > MOST_UNKNOWNS:
            raise TooLarge
        solution = self._eliminate(nodes, place, unknowns)
        for node in nodes:
            size = self._size(node)
            self._forms[id(node)] = solution[place[id(node)]].reshape(size, size, 2)

    def _eliminate(self, nodes: list[Node], place: dict[int, slice], unknowns: int) -> Matrix:
        """M - sum conj(S) M' S^T over the edges inside = the same sum over the edges that lead outside."""
        algebra = self._field.algebra
        equations = self._field.zeros(unknowns, unknowns + 1)
        equations[:, :-1] = algebra.identity(unknowns)
        for node in nodes:
            steps, size, rows = self._coordinates.steps(node), self._size(node), place[id(node)]
            outside = self._form([s for s in steps if id(s.target) not in place], size)
            equations[rows, -1] = outside.reshape(-1, 2)
            for step in (s for s in steps if id(s.target) in place):
                at = rows, place[id(step.target)]
                weights = algebra.minus(self._field.doubled(step.matrix))
                equations[at] = algebra.plus(equations[at], weights)
        if not equations[:, -1].any():
            return self._field.zeros(unknowns)  # no goal ahead: the least solution
        reduced, pivots = algebra.echelon(equations)
        if pivots != list(range(unknowns)):
            raise TooLarge
        return reduced[:, -1]

    def _form(self, steps: list[Step], size: int) -> Matrix:
        """sum conj(S) M' S^T over edges whose ends are known."""
        total = self._field.zeros(size, size)
        for step in steps:
            after = self._after(step.target)
            if after is not None:
                total = self._field.algebra.plus(total, self._field.form_of(step.matrix, after))
        return total

    def _after(self, node: Node) -> Matrix | None:
        """The form at the entry of a node; None for zero."""
        status = self._status(node, node.start)
        if status is Status.GOAL:
            if id(node) not in self._grams:
                self._grams[id(node)] = self._field.gram(self._coordinates.basis(node))
            return self._grams[id(node)]
        return None if status is Status.BAD else self._forms[id(node)]

    def _size(self, node: Node) -> int:
        return len(self._coordinates.basis(node))
