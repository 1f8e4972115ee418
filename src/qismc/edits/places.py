"""Places between statements at which an insertion has the same effect.

What acts on some qubits only can change places with a statement that touches none of them. So there are not
many places to insert a gate, however long the program is: for each qubit as many as statements touch it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qismc.edits.kinds import STEPS, Room
from qismc.program import Apply, Statement


class InsertPlace(NamedTuple):
    """Before the statement at a point, or after it on the way that falls through."""

    point: int
    after: bool = False


class InsertPlaces:
    """The places beside some points of a program; what is beside the first points comes first."""

    def __init__(self, room: Room, points: Sequence[int]) -> None:
        self._room = room
        self._rank = {point: number for number, point in enumerate(points)}
        self._all = [InsertPlace(point, after) for point in sorted(points) for after in room.places(point)]
        self._groups: dict[frozenset[int], list[list[InsertPlace]]] = {}

    def groups(self, qubits: Iterable[int]) -> list[list[InsertPlace]]:
        """The places, those together at which it is the same to act on the qubits."""
        touched = frozenset(qubits)
        if touched not in self._groups:
            found: list[list[InsertPlace]] = []
            for place in self._all:
                if found and self._is_same(found[-1][-1], place, touched):
                    found[-1].append(place)
                else:
                    found.append([place])
            nearest = [min(self._rank[place.point] for place in group) for group in found]
            self._groups[touched] = [group for _, group in sorted(zip(nearest, found, strict=True))]
        return self._groups[touched]

    def _is_same(self, first: InsertPlace, second: InsertPlace, qubits: frozenset[int]) -> bool:
        """Is there nothing between the two but one step that touches none of the qubits?"""
        program, (point, after) = self._room.program, first
        if after or not isinstance(program.code[point], STEPS):
            return False
        after_it = second == (point, True)
        if not after_it and second != (point + 1, False):
            return False
        joins = second.point != point and (second.point in program.joined or second.point in program.marked)
        return not joins and qubits.isdisjoint(program.code[point].qubits)

    def same_as(self, place: InsertPlace, statement: Statement) -> list[InsertPlace]:
        """All places at which the statement acts as at this one; those in a row of its like come first.

        Where gates of one kind follow one another, often one of them is missing.
        """
        group = next((g for g in self.groups(statement.qubits) if place in g), [place])
        return sorted(group, key=lambda p: (not self._in_row(p, statement), self._rank.get(p.point, 0)))

    def _in_row(self, place: InsertPlace, statement: Statement) -> bool:
        code, point = self._room.program.code, place.point
        beside = (point,) if place.after else (point - 1, point)
        return any(0 <= p < len(code) and _are_alike(code[p], statement) for p in beside)


def _are_alike(first: Statement, second: Statement) -> bool:
    if isinstance(first, Apply) and isinstance(second, Apply):
        return first.operator == second.operator
    return type(first) is type(second)
