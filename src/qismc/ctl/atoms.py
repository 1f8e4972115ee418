"""Which atoms hold at which locations; quantum atoms are decided when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from qismc.ctl.graph import Mask
from qismc.engines import Vector
from qismc.errors import (
    ANGLES_AS_WRITTEN,
    LimitReached,
    NoCompactForm,
    NumbersDisagree,
    NumericDoubt,
    SpecError,
)
from qismc.fixpoint import FloatReplay, LocatedState, Solved
from qismc.language import KnownCosts, cost, syntax
from qismc.program import LOCATION, Variable
from qismc.propositions import Membership, Proposition
from qismc.questions import Names, mentions_post
from qismc.system import Node, TransitionSystem, names_of, points_of

REACHED = syntax.Atom("reached")


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


class Labels:
    """The truth of atomic formulas at the locations of a system: l |= psi iff sp(l) <= psi <= wp(l)."""

    def __init__(
        self,
        solved: Solved,
        names: Names,
        replay: FloatReplay,
        likely: Callable[[syntax.Probability, Mask], Mask] | None = None,
    ) -> None:
        """`likely` knows the truth of probability formulas; without it there are none."""
        self.system = solved.system
        self._names = names
        self._posts = solved.posts
        self._pres = solved.pres
        self._replay = replay
        self._likely = likely
        self._membership = Membership(solved.engine)
        self._numeric = Membership(replay.engine)
        self._propositions: dict[syntax.Quantum, Proposition] = {}
        self._costs: KnownCosts = {}
        self._classical = ClassicalLabels(solved.system, names)
        self._quantum: dict[tuple[syntax.Quantum, int], bool] = {}
        self.asked = 0
        self.confirmed = True
        """Did every confirmation of formal angles in floating point end in time?"""

    def __call__(self, atom: syntax.Formula, where: Mask) -> Mask:
        """The atom's truth at the locations of `where`; elsewhere the answer is arbitrary."""
        quantum = self.as_quantum(atom)
        if quantum is not None:
            return self._held(quantum, where)
        if isinstance(atom, syntax.Probability) and self._likely is not None:
            return self._likely(atom, where)
        return self._reached() if atom == REACHED else self._classical(atom, where)

    def _reached(self) -> Mask:
        nodes, posts = self.system.nodes, self._posts
        if not posts.cuts:  # what arrives at a node goes through all of it
            return self.system.spread(np.array([posts.dimension(n, n.start) > 0 for n in nodes], dtype=bool))
        parts = [[posts.dimension(n, p) > 0 for p in range(n.start, n.end)] for n in nodes]
        return np.array([value for part in parts for value in part], dtype=bool)

    # --- quantum -----------------------------------------------------------------------------------------

    def as_quantum(self, atom: syntax.Formula) -> syntax.Quantum | None:
        """The atom as a statement about the state, if it is one; a bare name may be a proposition's."""
        if isinstance(atom, syntax.Atom) and atom.name in self._names.scope.props:
            return syntax.proposition_named(atom.name)
        return atom if isinstance(atom, syntax.Quantum) else None

    def cost(self, formula: syntax.Formula) -> int:
        """How dear the truth of a formula is; names of propositions are as dear as what they stand for."""
        return cost(formula, self._names.scope.props, self._costs)

    def proposition(self, atom: syntax.Quantum) -> Proposition:
        """The proposition that a quantum atom stands for."""
        found = self._propositions.get(atom)
        if found is None:
            found = self._propositions[atom] = self._names.meaning(atom.subspace)
        return found

    def _held(self, atom: syntax.Quantum, where: Mask) -> Mask:
        truth = np.zeros(self.system.num_locations, dtype=bool)
        asked = where.nonzero()[0].tolist()
        for index, found in self._states([k for k in asked if (atom, k) not in self._quantum]):
            self._quantum[atom, index] = self._holds_at(self.proposition(atom), index, found)
        truth[asked] = [self._quantum[atom, k] for k in asked]
        return truth

    def together(self, atoms: Sequence[syntax.Formula], where: Mask) -> None:
        """Where all of the atoms are asked for at once: what one test can say about many of them."""
        if self._pres is not None or self._posts.engine.assumed.rooted:
            return
        plain = [q for q in map(self.as_quantum, atoms) if q is not None and self._is_plain(q)]
        chosen = list(dict.fromkeys(plain))
        lines = self._membership.lines(tuple(map(self.proposition, chosen))) if len(chosen) > 1 else None
        if lines is None:
            return
        for index, found in self._states(np.flatnonzero(where).tolist()):
            if self._membership.all_hold(lines, [vector for vector, _ in found]):
                self._quantum.update(((chosen[number], index), True) for number in lines.among)
                self.asked += len(lines.among)

    def _is_plain(self, atom: syntax.Quantum) -> bool:
        """Is what it stands for known without sp of another place?"""
        return not mentions_post(atom, self._names.scope)

    def _states(self, indices: list[int]) -> Iterator[tuple[int, list[LocatedState]]]:
        """The sp vectors at ascending locations, walking each node once."""
        by_node: dict[int, tuple[Node, list[int]]] = {}
        for index in indices:
            node, point = self.system.node_of(index)
            by_node.setdefault(id(node), (node, []))[1].append(point)
        for node, points in by_node.values():
            first = self.system.first(node)
            for point, found in self._posts.walk(node, points):
                yield first + point - node.start, found

    def _holds_at(self, proposition: Proposition, index: int, found: list[LocatedState]) -> bool:
        self.asked += 1
        outside = next((f for f in found if not self._membership.contains(proposition, f.vector)), None)
        if outside is not None:
            self._confirm_outside(proposition, index, outside)
            return False
        self._confirm_inside(proposition, index, found)
        if self._pres is None:
            return True
        complement = self._pres.complement(*self.system.node_of(index))
        return all(self._membership.orthogonal(proposition, vector) for vector in complement)

    def _confirm_outside(self, proposition: Proposition, index: int, found: LocatedState) -> None:
        """With unknown angles "outside" means "for generic angles": the numbers themselves must agree."""
        if self._posts.engine.assumed.tentative and self._numerically_inside(proposition, index, found):
            where = self.system.location(index)
            raise NumbersDisagree(
                f"at {where.name} ({where.text}) the state is outside the proposition for generic angles, "
                "but within rounding of it for the angles of this program"
            )

    def _confirm_inside(self, proposition: Proposition, index: int, states: list[LocatedState]) -> None:
        """Square roots of roots were taken with either sign: the numbers must see them inside, too."""
        if self._posts.engine.assumed.rooted:
            inside = [self._numerically_inside(proposition, index, found) for found in states]
            if False in inside:
                raise NumbersDisagree(f"a state at l{index} is outside the proposition in floating point")

    def _numerically_inside(self, proposition: Proposition, index: int, found: LocatedState) -> bool | None:
        """None where floating point takes too long, now or before."""
        if not self.confirmed:
            return None
        point = self.system.node_of(index)[1]
        try:
            return self._numeric.contains(proposition, self._replay.at(found, point))
        except (LimitReached, NoCompactForm) as limit:
            if not self._posts.engine.assumed.proved:
                raise NumericDoubt(
                    f"a state for generic angles could not be confirmed in floating point ({limit.reason})",
                    hint=ANGLES_AS_WRITTEN,
                ) from None
            self.confirmed = False  # decimals as written: exp(i angle) is transcendental, the verdict stands
            return None

    def contains(self, atom: syntax.Quantum, vector: Vector, *, numeric: bool = False) -> bool:
        """Is a state in the proposition? A numeric one is a state of the simulator."""
        membership = self._numeric if numeric else self._membership
        return membership.contains(self.proposition(atom), vector)

    def outside(self, atom: syntax.Quantum, index: int) -> list[LocatedState]:
        """The concrete states at a location that are not in the proposition, in order of arrival."""
        found = self._posts.at(*self.system.node_of(index))
        return [f for f in found if not self.contains(atom, f.vector)]

    def labelled(self) -> Mapping[tuple[syntax.Quantum, int], bool]:
        """Every quantum label that was asked for: (atom, location) -> truth."""
        return self._quantum

    def arrived(self, index: int) -> list[LocatedState]:
        """The concrete states that span sp at a location."""
        return self._posts.at(*self.system.node_of(index))

    def names_at(self, index: int) -> list[str]:
        """The classical labels that a report shows at a location."""
        return self._classical.names_at(index)
