"""Stations of a program: vectors are kept at the ends of nodes and at annotated points only."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from qismc.system import Application, Node


class At(NamedTuple):
    """A point of a node."""

    node: Node
    point: int


class Cuts:
    """The annotated points, sorted; within a node they separate stations."""

    def __init__(self, points: Iterable[int] = ()) -> None:
        self._points = sorted(set(points))

    def __bool__(self) -> bool:
        return bool(self._points)

    def after(self, node: Node, point: int) -> int | None:
        """The first cut of the node behind `point`."""
        if not self._points:
            return None
        k = bisect_right(self._points, point)
        return self._points[k] if k < len(self._points) and self._points[k] < node.end else None

    def before(self, node: Node, point: int) -> int | None:
        """The last cut of the node in front of `point`."""
        k = bisect_left(self._points, point) - 1
        return self._points[k] if k >= 0 and self._points[k] >= node.start else None

    def station_at_or_before(self, node: Node, point: int) -> At:
        if not self._points:
            return At(node, node.start)
        return At(node, max(node.start, self.before(node, point + 1) or node.start))

    def station_at_or_after(self, node: Node, point: int) -> At:
        following = self.after(node, point - 1)
        return At(node, node.last if following is None else following)


def adjoint(applications: Iterable[Application]) -> list[Application]:
    """The adjoint of a product: adjoint operators in reverse order."""
    return [Application(a.operator.adjoint, a.qubits) for a in reversed(list(applications))]
