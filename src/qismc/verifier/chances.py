"""Qualitative probability on the claimed places: `p U q` with probability 1, or with a positive one.

A location is a goal (q), bad (neither p nor q) or open. States are rows of coordinates on the kept vectors of
a place. What arrives is followed from the start through open places; backwards, conditions are collected that
a state never reaches a goal. The goal is possible iff something arrives at one. It is certain iff nothing
arrives at a bad location and no state that arrives satisfies all conditions of its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from qismc.common.lazily import cached_method, cached_property
from qismc.program import Havoc
from qismc.verifier.outcome import NotChecked, Refused
from qismc.verifier.system import System
from qismc.verifier.vectors import Echelon, Entries, Tally, Vector

Status = Literal["goal", "bad", "open"]


@dataclass
class PlaceStep:
    """An edge in coordinates: row k is the image of kept vector k."""

    target: int
    rows: list[Entries]


@dataclass
class CheckedUntil:
    """`p U q` from any location of a checked system."""

    system: System
    hold: frozenset[int]
    goal: frozenset[int]
    tally: Tally

    @property
    def _p(self) -> int:
        return self.system.arena.ring.p

    def possible(self, location: int) -> bool:
        """Some execution from the states here; none if there are no states."""
        if not self.system.states(*self.system.locations[location]):
            return False
        status, start = self._start(location)
        if status != "open":
            return status == "goal"
        return any(self._status(place) == "goal" for place in self._reached(start))

    def certain(self, location: int) -> bool:
        """Almost all executions from the states here."""
        if not self.system.states(*self.system.locations[location]):
            return True
        status, start = self._start(location)
        if status != "open":
            return status == "goal"
        reached = self._reached(start)
        if any(self._status(place) == "bad" for place in reached):
            return False
        conditions = self._conditions
        own = [row for step in start for row in self._pulled(step, conditions)]
        size = len(start[0].rows) if start else 0
        if self._some_satisfies([{k: 1} for k in range(size)], own):
            return False
        opened = [place for place in reached if self._status(place) == "open"]
        if any(self._some_satisfies(reached[place], conditions[place]) for place in opened):
            return False
        if self._is_left_open:
            raise NotChecked(
                "probability 1 where a loop leaves a value open: nobody says how often it is which"
            )
        return True

    @cached_property
    def _is_left_open(self) -> bool:
        """Does a loop choose between ways without probabilities? Once, all are looked at."""
        places, code = self.system.places, self.system.program.code
        chosen = [k for k, place in enumerate(places) if isinstance(code[place.end - 1], Havoc)]
        return any(len(set(places[k].ways)) > 1 and k in self._after(k) for k in chosen)

    def _after(self, place: int) -> set[int]:
        """The places that are reached from one, itself only over a loop."""
        found, waiting = set[int](), [place]
        while waiting:
            ways = self.system.places[waiting.pop()].ways
            self.tally.spend(len(ways))
            new = {target for target in ways if target is not None} - found
            found |= new
            waiting += new
        return found

    # --- the graph in coordinates ------------------------------------------------------------------------

    @cached_method
    def _status(self, place: int) -> Status:
        return self._status_from(place, self.system.places[place].start)

    def _status_from(self, place: int, point: int) -> Status:
        """The first location of a place, from a point on, that decides."""
        run = self.system.places[place]
        self.tally.spend(run.end - run.start)
        for here in range(point, run.end):
            location = self.system.index[place, here]
            if location in self.goal:
                return "goal"
            if location not in self.hold:
                return "bad"
        return "open"

    def _start(self, location: int) -> tuple[Status, list[PlaceStep]]:
        place, point = self.system.locations[location]
        vectors = [state.vector for state in self.system.states(place, point)]
        return self._status_from(place, point), list(self._made(place, point, vectors))

    @cached_method
    def steps(self, place: int) -> list[PlaceStep]:
        start = self.system.places[place].start
        found = list(self._made(place, start, [state.vector for state in self.system.states(place, start)]))
        self.tally.keep(sum(len(row) for step in found for row in step.rows))
        return found

    def _made(self, place: int, point: int, vectors: list[Vector]) -> Iterator[PlaceStep]:
        for target, images in self.system.images(place, point, vectors):
            rows = []
            for image in images:
                row = self._span(target).coordinates(image)
                if row is None:
                    raise Refused(f"an image is outside of the span at place {target}")
                rows.append(row)
            yield PlaceStep(target, rows)

    @cached_method
    def _span(self, place: int) -> Echelon:
        states = self.system.states(place, self.system.places[place].start)
        return Echelon.of(self._p, self.tally, (state.vector for state in states))

    # --- rows --------------------------------------------------------------------------------------------

    def _new(self) -> Echelon:
        """A space of rows; a determinant of rows has at most the bits of all vectors and steps on the way."""
        return Echelon(self._p, self.tally, weight=self.system.weight)

    def _times(self, row: Entries, rows: list[Entries]) -> Entries:
        found: Entries = {}
        for k, factor in row.items():
            self.tally.spend(len(rows[k]))
            for column, value in rows[k].items():
                found[column] = (found.get(column, 0) + factor * value) % self._p
        return {column: value for column, value in found.items() if value}

    def _reached(self, start: list[PlaceStep]) -> dict[int, list[Entries]]:
        """What arrives where; only open places are left."""
        spans: dict[int, Echelon] = {}
        found: dict[int, list[Entries]] = {}
        pending = [(step.target, row) for step in start for row in step.rows]
        while pending:
            place, row = pending.pop()
            if row and spans.setdefault(place, self._new()).add(Vector(row)):
                found.setdefault(place, []).append(row)
                if self._status(place) == "open":
                    pending += [(step.target, self._times(row, step.rows)) for step in self.steps(place)]
        return found

    @cached_property
    def _conditions(self) -> dict[int, list[Entries]]:
        """For every place, rows f with f(x) = 0 for all f iff no goal is ever reached from x."""
        count = range(len(self.system.places))
        spans = [self._new() for _ in count]
        found: dict[int, list[Entries]] = {place: [] for place in count}
        grown = True
        while grown:
            grown = False
            self.tally.spend(len(count))
            for place in count:
                rows = [row for step in self.steps(place) for row in self._pulled(step, found)]
                new = [row for row in rows if row and spans[place].add(Vector(row))]
                found[place] += new
                grown = grown or bool(new)
        return found

    def _pulled(self, step: PlaceStep, conditions: dict[int, list[Entries]]) -> list[Entries]:
        """The conditions at the end of a step as conditions at its beginning."""
        status = self._status(step.target)
        if status == "bad":
            return []
        size = len(self.system.places[step.target].vectors)
        ahead = [{k: 1} for k in range(size)] if status == "goal" else conditions[step.target]
        pulled = []
        for condition in ahead:
            self.tally.spend(len(condition) * len(step.rows))
            values = {
                k: sum(row.get(c, 0) * f for c, f in condition.items()) for k, row in enumerate(step.rows)
            }
            pulled.append({k: value % self._p for k, value in values.items() if value % self._p})
        return pulled

    def _some_satisfies(self, rows: list[Entries], conditions: list[Entries]) -> bool:
        """Is there a combination of the rows, not zero, on which all conditions vanish?"""
        span = self._new()
        for row in rows:
            self.tally.spend(sum(map(len, conditions)))
            values = {
                number: sum(row.get(k, 0) * factor for k, factor in condition.items()) % self._p
                for number, condition in enumerate(conditions)
            }
            if not span.add(Vector({k: value for k, value in values.items() if value})):
                return True
        return False
