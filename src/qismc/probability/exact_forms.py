"""Is a probability exactly a given fraction? Linear equations over the field of the exact engine.

With the vectors v_1, v_2, .. that span sp at a node, the effect E of reaching a goal is a form
M[i, j] = <v_i|E|v_j>. At goals it is the Gram matrix G, at bad nodes 0; an edge that sends v_i to
sum_a S[i, a] w_a gives  M = sum conj(S) M' S^T. These are linear equations over the field. The probability of
a state x is the fraction f for all x in the kernel of M - f G.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from qismc.common.graphs import strong_components
from qismc.engines import Engine, Exact, Vector
from qismc.numbers import Matrix
from qismc.probability.coordinates import Coordinates, ExactEdge
from qismc.probability.until import Status, Until
from qismc.program import Leaf
from qismc.system import At, Node

MOST_UNKNOWNS = 400
"""Largest number of unknowns that are eliminated exactly (cubic time); above it floating point is used."""
MOST_NODES = 20_000


class Field:
    """The numbers behind the vectors of an exact engine that knows conjugates."""

    def __init__(self, engine: Exact) -> None:
        self._form = engine.form
        self.algebra = self._form.algebra
        self.gram = engine.gram
        """All <left|right> of some vectors."""

    @classmethod
    def of(cls, engine: Engine) -> Field | None:
        """None for floating point, and for fields without conjugates."""
        exact = engine.exact
        return None if exact is None or not exact.field.conjugating else cls(exact)

    def scaled(self, matrix: Matrix, number: Fraction) -> Matrix:
        """The matrix times a fraction."""
        size = len(matrix)
        diagonal = self.zeros(size, size)
        diagonal[range(size), range(size)] = self._form.pack([self._form.ring.rational(number)], (1,))
        return self.algebra.image(matrix, diagonal)

    def zeros(self, *shape: int) -> Matrix:
        return np.zeros((*shape, self.algebra.words), dtype=np.uint64)

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
        rows, columns, words = step.shape
        flat = step.reshape(1, rows * columns, words)
        pairs = self.algebra.image(self.algebra.conjugate(flat).swapaxes(0, 1), flat)
        blocks = pairs.reshape(rows, columns, rows, columns, words).transpose(0, 2, 1, 3, 4)
        return np.asarray(blocks.reshape(rows * rows, columns * columns, words))


class TooLarge(Exception):  # noqa: N818 - the caller goes on in floating point
    """The equations are too many, or have no unique solution."""


def components(nodes: Sequence[Node], targets: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The strongly connected ones, the last ones first; raises TooLarge."""
    if len(nodes) > MOST_NODES:
        raise TooLarge
    return strong_components(nodes, targets)


Weight = tuple[Node, Node, Matrix]
"""What the entries of the second node's matrix, in a row, contribute to those of the first one's."""


def least_solution(
    field: Field, given: Mapping[Node, Matrix], weights: Iterable[Weight]
) -> Mapping[Node, Matrix]:
    """The square matrices X with X[n] = given[n] + the sum of W X[m] over the weights (n, m, W).

    Raises TooLarge, also where several solutions are left.
    """
    place, unknowns = dict[Node, slice](), 0
    for node, matrix in given.items():
        place[node] = slice(unknowns, unknowns + len(matrix) ** 2)
        unknowns = place[node].stop
    if not any(matrix.any() for matrix in given.values()):
        return given
    if unknowns > MOST_UNKNOWNS:
        raise TooLarge
    algebra = field.algebra
    equations = field.zeros(unknowns, unknowns + 1)
    equations[:, :-1] = algebra.identity(unknowns)
    for node, matrix in given.items():
        equations[place[node], -1] = matrix.reshape(-1, algebra.words)
    for node, other, weight in weights:
        at = place[node], place[other]
        equations[at] = algebra.plus(equations[at], algebra.minus(weight))
    reduced, pivots = algebra.echelon(equations)
    if pivots != list(range(unknowns)):
        raise TooLarge
    return {node: reduced[place[node], -1].reshape(matrix.shape) for node, matrix in given.items()}


def component_solution(
    field: Field,
    given: Mapping[Node, Matrix],
    inner: Sequence[tuple[Node, ExactEdge]],
    *,
    forwards: bool,
) -> Mapping[Node, Matrix]:
    """What is given at the nodes of a component and what its inner edges add: visits forwards, else forms."""
    if not inner:
        return given
    doubled = ((node, step.target, field.doubled(step.matrix)) for node, step in inner)
    if not forwards:
        return least_solution(field, given, doubled)
    adjoint = ((target, node, field.algebra.conjugate(m).swapaxes(0, 1)) for node, target, m in doubled)
    return least_solution(field, given, adjoint)


class Forms:
    """The forms of one `p U q`."""

    def __init__(self, coordinates: Coordinates, field: Field, until: Until) -> None:
        self._coordinates = coordinates
        self._field = field
        self._until = until
        self._forms: dict[Node, Matrix] = {}
        self._grams: dict[Node, Matrix] = {}

    def kernel(self, location: At, vectors: list[Vector], number: Fraction) -> int | None:
        """The dimension of the states at a location that have exactly this probability; None if too dear."""
        try:
            start = list(self._coordinates.steps_from(location, vectors))
            self._solve([step.target for step in start])
            form = self._form(start, len(vectors))
        except TooLarge:
            return None
        algebra = self._field.algebra
        scaled = self._field.scaled(self._field.gram(vectors), number)
        return len(vectors) - len(algebra.echelon(algebra.plus(form, algebra.minus(scaled)))[1])

    # --- equations ---------------------------------------------------------------------------------------

    def _solve(self, first: list[Node]) -> None:
        """The forms of all open nodes ahead, component by component, the last ones first.

        Those that are known have known ones ahead.
        """
        for component in components(self._coordinates.ahead(first, self._is_unsolved), self._targets):
            self._solve_component(component)

    def _is_unsolved(self, node: Node) -> bool:
        return node not in self._forms and self._until.status(node) is Status.OPEN

    def _targets(self, node: Node) -> list[Node]:
        return [step.target for step in self._coordinates.steps(node)]

    def _solve_component(self, nodes: list[Node]) -> None:
        """M - sum conj(S) M' S^T over the edges inside = the same sum over the edges that lead outside."""
        inside, given, inner = set(nodes), dict[Node, Matrix](), list[tuple[Node, ExactEdge]]()
        for node in nodes:
            steps = self._coordinates.steps(node)
            outside = [step for step in steps if step.target not in inside]
            given[node] = self._form(outside, len(self._coordinates.basis(node)))
            inner += [(node, step) for step in steps if step.target in inside]
        self._forms |= component_solution(self._field, given, inner, forwards=False)

    def _form(self, steps: list[ExactEdge], size: int) -> Matrix:
        """sum conj(S) M' S^T over edges whose ends are known."""
        total = self._field.zeros(size, size)
        for step in steps:
            after = self._after(step.target)
            if after is not None:
                total = self._field.algebra.plus(total, self._field.form_of(step.matrix, after))
        return total

    def _after(self, node: Node) -> Matrix | None:
        """The form at the entry of a node; None for zero."""
        status = self._until.status(node)
        if status is Status.GOAL:
            if node not in self._grams:
                self._grams[node] = self._field.gram(self._coordinates.basis(node))
            return self._grams[node]
        return None if status is Status.BAD else self._forms[node]


class ExactVisits:
    """R at the entry of every node, component by component; raises TooLarge.

    R is 1 at the start, and an edge that sends v_i to sum_a S[i, a] w_a adds  S^T R conj(S)  to what arrives:
    the adjoint of the equations of forms.
    """

    def __init__(self, coordinates: Coordinates, field: Field) -> None:
        self.field = field
        self._coordinates = coordinates
        solved, entry = coordinates.solved, coordinates.solved.explorer.entry
        self._code = solved.explorer.program.code
        self._arriving = {entry: field.algebra.identity(len(coordinates.basis(entry)))}
        for component in reversed(components(list(solved.system.nodes), self._targets)):
            self._solve(component)

    def at(self, node: Node) -> Matrix:
        size = len(self._coordinates.basis(node))
        found = self._arriving.get(node)
        return self.field.zeros(size, size) if found is None else found

    def _steps(self, node: Node) -> list[ExactEdge]:
        """The end goes to itself for ever; that is no further arrival."""
        return [] if isinstance(self._code[node.last], Leaf) else self._coordinates.steps(node)

    def _targets(self, node: Node) -> list[Node]:
        return [step.target for step in self._steps(node)]

    def _solve(self, nodes: list[Node]) -> None:
        """R - sum S^T R' conj(S) over the edges inside = what arrives from outside; then R goes on."""
        inside = set(nodes)
        steps = [(node, step) for node in nodes for step in self._steps(node)]
        inner = [(node, step) for node, step in steps if step.target in inside]
        given = {node: self.at(node) for node in nodes}
        self._arriving |= component_solution(self.field, given, inner, forwards=True)
        for node, step in steps:
            if step.target not in inside:
                arriving = self.field.pushed(step.matrix, self.at(node))
                self._arriving[step.target] = self.field.algebra.plus(self.at(step.target), arriving)
