"""Small, slow and obvious: random structures, random formulas and the expansion laws of CTL by iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from qismc.ctl.graph import Graph, Mask
from qismc.language.syntax import And, Atom, Constant, Formula, Iff, Implies, Not, Or, Temporal

NAMES = ("p", "q", "r")
Set = frozenset[int]


def graph_of(successors: Sequence[Sequence[int]]) -> Graph:
    """The graph in which `successors[l]` follow l."""
    sources = [k for k, row in enumerate(successors) for _ in row]
    return Graph.from_edges(len(successors), sources, [target for row in successors for target in row])


@dataclass(frozen=True)
class Structure:
    """A Kripke structure: successors and the locations of each name."""

    successors: tuple[tuple[int, ...], ...]
    labels: dict[str, Set]

    @property
    def graph(self) -> Graph:
        return graph_of(self.successors)

    def atoms(self, node: Formula, _where: Mask) -> Mask:
        assert isinstance(node, Atom)
        return mask(len(self.successors), self.labels[node.name])


def mask(size: int, members: Set) -> Mask:
    return np.isin(np.arange(size), list(members))


@st.composite
def structures(draw: st.DrawFn, most: int = 7) -> Structure:
    size = draw(st.integers(1, most))
    place = st.integers(0, size - 1)
    rows = draw(st.lists(st.lists(place, min_size=1, max_size=3), min_size=size, max_size=size))
    labels = {name: draw(st.frozensets(place)) for name in NAMES}
    return Structure(tuple(tuple(row) for row in rows), labels)


def _extend(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    quantifier = st.sampled_from("AE")
    pairs = st.tuples(inner, inner)
    return st.one_of(
        inner.map(Not),
        *(pairs.map(lambda pair, kind=kind: kind(*pair)) for kind in (And, Or, Implies, Iff)),
        st.builds(lambda q, op, p: Temporal(q, op, (p,)), quantifier, st.sampled_from("XFG"), inner),
        st.builds(Temporal, quantifier, st.sampled_from("UWR"), pairs),
    )


formulas: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(st.sampled_from(NAMES).map(Atom), st.booleans().map(Constant)), _extend, max_leaves=6
)


def naive(formula: Formula, structure: Structure) -> Set:
    """The set of locations, from the expansion laws p U q = q | p & X(p U q) and their like."""
    everything = frozenset(range(len(structure.successors)))

    def value(part: Formula) -> Set:
        return naive(part, structure)

    def step(quantifier: str, target: Set) -> Set:
        test = all if quantifier == "A" else any
        return frozenset(x for x in everything if test(y in target for y in structure.successors[x]))

    def fixed(start: Set, change: Callable[[Set], Set]) -> Set:
        while (after := change(start)) != start:
            start = after
        return start

    match formula:
        case Constant(truth):
            return everything if truth else frozenset()
        case Atom(name):
            return structure.labels[name]
        case Not(a):
            return everything - value(a)
        case And(a, b):
            return value(a) & value(b)
        case Or(a, b):
            return value(a) | value(b)
        case Implies(a, b):
            return (everything - value(a)) | value(b)
        case Iff(a, b):
            return everything - (value(a) ^ value(b))
        case Temporal(quantifier, op, parts):
            first, last = value(parts[0]), value(parts[-1])
            match op:
                case "X":
                    return step(quantifier, first)
                case "F":
                    return fixed(frozenset(), lambda z: first | step(quantifier, z))
                case "G":
                    return fixed(everything, lambda z: first & step(quantifier, z))
                case "U":
                    return fixed(frozenset(), lambda z: last | (first & step(quantifier, z)))
                case "W":
                    return fixed(everything, lambda z: last | (first & step(quantifier, z)))
                case "R":
                    return fixed(everything, lambda z: last & (first | step(quantifier, z)))
    raise TypeError(formula)
