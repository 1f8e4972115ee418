"""Where one state arrives, and no more, the system is a Markov chain, and its graph says what is possible.

From a node whose sp is a line every edge that carries something is taken with a positive probability, and
what arrives at a node of the same kind is all that can be there. So, as far as such nodes lead, a goal is
reached with positive probability iff a way leads to it, and with probability 1 iff no way leads to a bad
node, or to an open one from which none leads to a goal. Nothing is computed with states, and every node is
looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from qismc.system import Node


class ChainOfStates:
    """Answers for the lines of one `p U q`; None where a way leads to a node with several states."""

    def __init__(
        self,
        lines: Iterable[Node],
        targets: Callable[[Node], Iterable[Node]],
        is_goal: Callable[[Node], bool | None],
    ) -> None:
        """`targets` says where a line leads; `is_goal`, of nodes that are entered, is None for open ones."""
        self._nodes = {id(node): node for node in lines}
        self._before: dict[int, list[int]] = {}
        self._decisive: dict[int, bool] = {}
        several: set[int] = set()
        for node in self._nodes.values():
            for target in targets(node):
                self._before.setdefault(id(target), []).append(id(node))
                goal = is_goal(target)
                if goal is not None:
                    self._decisive[id(target)] = goal
                elif id(target) not in self._nodes:
                    several.add(id(target))
        goals, bad = ({k for k, goal in self._decisive.items() if goal == wanted} for wanted in (True, False))
        self._winning = self._leading_to(goals)
        self._open = self._leading_to(several)
        lost = self._nodes.keys() - self._winning - self._open
        self._losing = self._leading_to(bad | (lost - goals)) | lost

    def possible(self, node: Node) -> bool | None:
        """Does some execution from the state of an open node reach a goal?"""
        if id(node) in self._winning:
            return True
        return False if self._is_known(node) else None

    def certain(self, node: Node) -> bool | None:
        """Do almost all executions from the state of an open node reach a goal?"""
        if id(node) in self._losing:
            return False
        return True if self._is_known(node) else None

    def _is_known(self, node: Node) -> bool:
        return id(node) in self._nodes and id(node) not in self._open

    def _leading_to(self, ends: set[int]) -> set[int]:
        """Lines from which a way leads to one of the nodes. Some were asked about from a point behind the one
        that decides whoever enters them: no way leads through these."""
        found: set[int] = set()
        pending = list(ends)
        while pending:
            for before in self._before.get(pending.pop(), ()):
                if before not in found:
                    found.add(before)
                    if before not in self._decisive:
                        pending.append(before)
        return found
