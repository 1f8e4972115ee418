"""Expected visits over the field of the exact engine: the adjoint of the forms of effects, without rounding.

R is 1 at the start, and an edge that sends v_i to sum_a S[i, a] w_a adds  S^T R conj(S)  to what arrives.
"""

from __future__ import annotations

from qismc.fixpoint import Solved
from qismc.numbers import Matrix
from qismc.probability import Coordinates, ExactEdge, Field, components, least_solution
from qismc.program import Leaf
from qismc.system import Node


class Visits:
    """R at the entry of every node, component by component; raises TooLarge."""

    def __init__(self, solved: Solved, coordinates: Coordinates, field: Field) -> None:
        self.field = field
        self._coordinates = coordinates
        self._leaves = {
            id(node)
            for node in solved.system.nodes
            if isinstance(solved.explorer.program.code[node.last], Leaf)
        }
        self._arriving: dict[int, Matrix] = {}
        entry = solved.explorer.entry
        self._arriving[id(entry)] = field.algebra.identity(len(coordinates.basis(entry)))
        for component in reversed(components(list(solved.system.nodes), self._targets)):
            self._solve(component)

    def at(self, node: Node) -> Matrix:
        size = len(self._coordinates.basis(node))
        found = self._arriving.get(id(node))
        return self.field.zeros(size, size) if found is None else found

    def _steps(self, node: Node) -> list[ExactEdge]:
        """The end goes to itself for ever; that is no further arrival."""
        return [] if id(node) in self._leaves else self._coordinates.steps(node)

    def _targets(self, node: Node) -> list[Node]:
        return [step.target for step in self._steps(node)]

    def _solve(self, nodes: list[Node]) -> None:
        """R - sum S^T R' conj(S) over the edges inside = what arrives from outside; then R goes on."""
        inside = {id(node) for node in nodes}
        steps = [(node, step) for node in nodes for step in self._steps(node)]
        within = [(node, step) for node, step in steps if id(step.target) in inside]
        if within:
            given = [(node, self.at(node)) for node in nodes]
            weights = ((step.target, node, self._weight(step)) for node, step in within)
            self._arriving |= least_solution(self.field, given, weights)
        for node, step in steps:
            if id(step.target) not in inside:
                arriving = self.field.pushed(step.matrix, self.at(node))
                self._arriving[id(step.target)] = self.field.algebra.plus(self.at(step.target), arriving)

    def _weight(self, step: ExactEdge) -> Matrix:
        """(conj(S) (x) S)^dagger: the adjoint of what effects use."""
        adjoint: Matrix = self.field.algebra.conjugate(self.field.doubled(step.matrix)).swapaxes(0, 1)
        return adjoint
