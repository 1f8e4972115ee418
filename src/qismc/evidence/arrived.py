"""The states that arrive at locations, for pages that show them."""

from __future__ import annotations

from typing import NamedTuple

from qismc.engines import Numeric
from qismc.errors import QismcError, Undecided
from qismc.evidence.later import Later
from qismc.fixpoint import Shadow, Solved
from qismc.propositions import Term

STATES_SHOWN = 4
TERMS_SHOWN = 8


class LargestTerms(NamedTuple):
    """The largest terms of a state, and how many others there are."""

    terms: tuple[Term, ...]
    left_out: int


class ArrivedStates(NamedTuple):
    """dim sp of a location, and some of the states that span it."""

    dimension: int
    states: tuple[LargestTerms, ...]


class Arrived:
    """Numeric states at the locations of a solved system, computed when somebody looks.

    They do not travel: a pickled copy is empty.
    """

    def __init__(self, solved: Solved | None = None, shadow: Later[Shadow] | None = None) -> None:
        self._solved, self._shadow = solved, shadow

    def __reduce__(self) -> tuple[type[Arrived], tuple[()]]:
        return Arrived, ()

    def at(self, index: int) -> ArrivedStates | None:
        """What arrives at a location; None where that is not known."""
        if self._solved is None or self._shadow is None:
            return None
        shadow = self._shadow()
        simulator: Numeric = shadow.engine
        node, point = self._solved.system.node_of(index)
        try:
            found = self._solved.posts.at(node, point)
            states = [shadow.at(one, point) for one in found[:STATES_SHOWN]]
            kets = [simulator.largest(state, TERMS_SHOWN) for state in states]
        except (Undecided, QismcError):
            return None
        return ArrivedStates(
            len(found), tuple(LargestTerms(tuple(terms), left_out) for terms, left_out in kets)
        )
