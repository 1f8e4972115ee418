"""Is a probability exactly a given fraction? Decided over the field of the exact engine.

With the vectors v_1, v_2, .. that span sp at a node, the effect E of reaching a goal is a form
M[i, j] = <v_i|E|v_j>. At goals it is the Gram matrix G, at bad nodes 0; an edge that sends v_i to
sum_a S[i, a] w_a gives  M = sum conj(S) M' S^T. These are linear equations over the field. The probability of
a state x is the fraction f for all x in the kernel of M - f G.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from qismc.engines import Vector
from qismc.numbers import Matrix
from qismc.probability.certainty import Status
from qismc.probability.coordinates import Coordinates, Step
from qismc.probability.exact_equations import Field, TooLarge, components, least_solution
from qismc.system import Node


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
        """The forms of all open nodes ahead, component by component, the last ones first.

        Those that are known have known ones ahead.
        """
        for component in components(self._open_from(first), self._targets):
            self._solve_component(component)

    def _targets(self, node: Node) -> list[Node]:
        return [step.target for step in self._coordinates.steps(node)]

    def _open_from(self, first: list[Node]) -> list[Node]:
        found: list[Node] = []
        seen: set[int] = set()
        pending = list(first)
        while pending:
            node = pending.pop()
            if id(node) in seen or id(node) in self._forms:
                continue
            seen.add(id(node))
            if self._status(node, node.start) is Status.OPEN:
                found.append(node)
                pending += self._targets(node)
        return found

    def _solve_component(self, nodes: list[Node]) -> None:
        """M - sum conj(S) M' S^T over the edges inside = the same sum over the edges that lead outside."""
        inside = {id(node) for node in nodes}
        given, weights = [], []
        for node in nodes:
            steps = self._coordinates.steps(node)
            outside = [step for step in steps if id(step.target) not in inside]
            given.append((node, self._form(outside, len(self._coordinates.basis(node)))))
            weights += [(node, step) for step in steps if id(step.target) in inside]
        if not weights:
            self._forms.update((id(node), form) for node, form in given)
            return
        doubled = ((node, step.target, self._field.doubled(step.matrix)) for node, step in weights)
        self._forms |= least_solution(self._field, given, doubled)

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
