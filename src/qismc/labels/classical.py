"""Labels that need no states: points of the program and values of the store."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from qismc.errors import SpecError
from qismc.language import syntax
from qismc.program import LOCATION, Variable
from qismc.questions import Names
from qismc.system import TransitionSystem, names_of, points_of

Mask = npt.NDArray[np.bool_]


class ClassicalLabels:
    """The truth of atoms about points and stores at the locations of a system."""

    def __init__(self, system: TransitionSystem, names: Names) -> None:
        self._system = system
        self._names = names
        self._selected: dict[str, Mask] = {}
        """Where the names of points lead."""

    def __call__(self, atom: syntax.Formula, where: Mask) -> Mask:
        """The atom's truth at the locations of `where`; elsewhere the answer is arbitrary."""
        if isinstance(atom, syntax.Atom):
            return self._named(atom.name, where)
        if isinstance(atom, syntax.Bit):
            return self._true(self._names.bits(atom.ref), where)
        if isinstance(atom, syntax.Compare):
            return self._stores(self._names.comparison(atom), self._names.observed(atom), where)
        raise TypeError(f"{type(atom).__name__} is no atom about points and stores")

    def names_at(self, index: int) -> list[str]:
        """The labels that a report shows at a location."""
        found = names_of(self._names.program, self._system.location(index).point)
        return ["init", *found] if index == 0 else found

    def _named(self, name: str, where: Mask) -> Mask:
        located = LOCATION.match(name)
        if located:
            return self._single(int(located[1]))
        if name in ("leaf", "loop") or name in self._names.program.marks:
            return self._points(name)
        if name == "init":
            return self._single(0)
        return self._true(self._names.program.variables[name], where)

    def _single(self, index: int) -> Mask:
        if index >= self._system.num_locations:
            raise SpecError(
                f"there is no location l{index}", hint=f"the last one is l{self._system.num_locations - 1}"
            )
        mask = np.zeros(self._system.num_locations, dtype=bool)
        mask[index] = True
        return mask

    def _points(self, name: str) -> Mask:
        if name not in self._selected:
            program = self._names.program
            found = np.zeros(len(program.code), dtype=bool)
            found[points_of(name, program)] = True
            self._selected[name] = found[self._system.points]
        return self._selected[name]

    def _true(self, variable: Variable, where: Mask) -> Mask:
        return self._stores(lambda store: variable.value(store) != 0, variable.mask, where)

    def _stores(self, chosen: Callable[[int], bool], read: int, where: Mask) -> Mask:
        """Where a condition on the positions of the mask `read` holds, worked out once for each value there.

        Long executions have thousands of nodes, of which a formula often asks for the last alone.
        """
        nodes, truth = self._system.nodes, np.zeros(len(self._system.nodes), dtype=bool)
        asked = np.flatnonzero(self._system.gathered(where)).tolist()
        values = [nodes[k].store & read for k in asked]
        known = {value: chosen(value) for value in set(values)}
        truth[asked] = [known[value] for value in values]
        return self._system.spread(truth)
