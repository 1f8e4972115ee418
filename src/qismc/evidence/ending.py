"""What is true where an execution ends that was replayed on a tableau."""

from __future__ import annotations

from typing import NamedTuple

from typing_extensions import assert_never

from qismc._core import Strings, Tableau
from qismc.evidence.local import is_true
from qismc.language import Atom, Bit, Compare, Formula, PropName, Quantum
from qismc.program import Store, is_reserved
from qismc.propositions import resolve_tree
from qismc.questions import Names
from qismc.stabiliser import Across, Codes, Impossible, NotStabiliser, Requirement, Within
from qismc.system import names_of


class Ending(NamedTuple):
    """A location with the one state there; signs of the tableau are plain numbers."""

    names: Names
    codes: Codes
    point: int
    store: Store
    tableau: Tableau

    def holds(self, formula: Formula) -> bool:
        """The truth of a formula without temporal operators; raises NotStabiliser."""
        return is_true(formula, self._atom)

    def _atom(self, atom: Formula) -> bool:
        match atom:
            case Quantum(subspace):
                requirements = self.codes.requirements(resolve_tree(subspace, self.names.scope))
                return all(self._is_met(requirement) for requirement in requirements)
            case Atom(name) if name in self.names.scope.props:
                return self._atom(Quantum(PropName(name)))
            case Atom(name) if name in ("leaf", "loop") or name in self.names.program.marks:
                return name in names_of(self.names.program, self.point)
            case Atom(name) if name in self.names.program.variables and not is_reserved(name):
                return self.names.program.variables[name].value(self.store) != 0
            case Bit(ref):
                return self.names.bits(ref).value(self.store) != 0
            case Compare():
                return self.names.comparison(atom)(self.store)
        raise NotStabiliser(f"{atom!r} is not asked of single locations")

    def _is_met(self, requirement: Requirement) -> bool:
        match requirement:
            case Within(generators):
                return self._is_stabilised(generators)
            case Across():
                raise NotStabiliser("complements are left to vectors")
            case Impossible():
                return False
        assert_never(requirement)

    def _is_stabilised(self, generators: Strings) -> bool:
        for k in range(len(generators)):
            letters, minus = generators[k]
            sign = self.tableau.sign(letters)
            if sign is None or bool(sign) != minus:
                return False
        return True
