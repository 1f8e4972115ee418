"""Bounds against every way to settle the uncertain edges."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qismc.ctl.graph import Graph, Mask
from qismc.ctl.partial import Bounds, PartialEvaluation
from qismc.evidence.explaining import explain
from qismc.language.parser import parse_formula
from qismc.language.syntax import Atom, Formula

from .oracle import Structure, formulas, mask, naive, structures

MOST_UNCERTAIN = 6


@st.composite
def uncertain(draw: st.DrawFn) -> tuple[Structure, set[tuple[int, int]]]:
    """A structure, and the edges that may be missing."""
    structure = draw(structures(most=4))
    edges = sorted({(a, b) for a, row in enumerate(structure.successors) for b in row})
    return structure, set(draw(st.lists(st.sampled_from(edges), unique=True, max_size=MOST_UNCERTAIN)))


def evaluation(structure: Structure, doubtful: set[tuple[int, int]]) -> PartialEvaluation:
    size = len(structure.successors)
    edges = {(a, b) for a, row in enumerate(structure.successors) for b in row}
    certain = edges - doubtful
    stuck = set(range(size + 1)) - {a for a, _ in certain}
    certain |= {(a, size) for a in stuck}

    def atoms(atom: Formula, _where: Mask) -> Bounds:
        assert isinstance(atom, Atom)
        truth = np.append(mask(size, structure.labels[atom.name]), False)
        return Bounds(truth, truth)

    def graph(pairs: set[tuple[int, int]]) -> Graph:
        ordered = sorted(pairs)
        return Graph.from_edges(size + 1, [a for a, _ in ordered], [b for _, b in ordered])

    return PartialEvaluation(graph(certain), graph(edges | {(size, size)}), size, atoms)


@given(uncertain(), formulas)
def test_bounds_hold_for_every_choice_of_edges(
    case: tuple[Structure, set[tuple[int, int]]], formula: Formula
) -> None:
    structure, doubtful = case
    found = evaluation(structure, doubtful).bounds(formula)
    ordered = sorted(doubtful)
    for kept in chain.from_iterable(combinations(ordered, k) for k in range(len(ordered) + 1)):
        gone = doubtful - set(kept)
        rows = tuple(
            tuple(b for b in row if (a, b) not in gone) for a, row in enumerate(structure.successors)
        )
        if not all(rows):
            continue  # every execution goes on
        truth = naive(formula, Structure(rows, structure.labels))
        for location in range(len(rows)):
            assert not found.must[location] or location in truth
            assert found.may[location] or location not in truth


@given(structures(), formulas)
def test_without_doubt_the_bounds_are_the_truth(structure: Structure, formula: Formula) -> None:
    partial = evaluation(structure, set())
    truth = naive(formula, structure)
    for location in range(len(structure.successors)):
        assert partial.says(formula, location in truth, location)
        assert not partial.says(formula, location not in truth, location)


def test_nothing_is_known_of_nowhere() -> None:
    structure = Structure(((0,),), {name: frozenset({0}) for name in "pqr"})
    partial = evaluation(structure, {(0, 0)})
    assert not partial.says(Atom("p"), True, 1)
    assert not partial.says(Atom("p"), False, 1)


def test_evidence_does_not_lead_nowhere() -> None:
    """What is true whatever happens is not shown by a path whose end is unknown, though it be short."""
    structure = Structure(((1, 2), (1,), (3,), (3,)), {})
    partial = evaluation(structure, {(1, 1)})
    for text in ("EG true", "E[false R true]", "E[true W false]"):
        formula = parse_formula(text)
        assert partial.says(formula, True, 0)
        assert explain(formula, partial).steps == (0, 2, 3)
