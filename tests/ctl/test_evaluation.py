"""The CTL engine against the expansion laws, against pyModelChecking, and its laziness."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, check
from qismc.ctl import Evaluation, Graph, evaluate
from qismc.ctl.evaluation import Truth, of_executions, truths
from qismc.ctl.graph import Mask
from qismc.demo import TARGET, repeat_until_success
from qismc.language import parse_formula
from qismc.language.syntax import Atom, Formula, Quantum, Temporal, subformulas

from .oracle import NAMES, Structure, formulas, graph_of, mask, naive, structures
from .peer import started


def members(truth: Mask) -> frozenset[int]:
    return frozenset(np.flatnonzero(truth).tolist())


@settings(max_examples=400, deadline=None)
@given(structures(), formulas)
def test_agrees_with_the_expansion_laws(structure: Structure, formula: Formula) -> None:
    assert members(evaluate(formula, structure.graph, structure.atoms)) == naive(formula, structure)


@settings(max_examples=300, deadline=None)
@given(structures(), formulas, st.data())
def test_partial_questions_have_the_same_answers(
    structure: Structure, formula: Formula, data: st.DataObject
) -> None:
    """Whatever is asked first, and however atoms lie where they were not asked, the answers are the same."""
    size = len(structure.successors)
    noise = data.draw(st.randoms(use_true_random=False))

    def atoms(node: Formula, where: Mask) -> Mask:
        lies = np.array([noise.random() < 0.5 for _ in range(size)])
        return np.where(where, structure.atoms(node, where), lies)

    evaluation = Evaluation(structure.graph, atoms)
    truth = naive(formula, structure)
    for location in data.draw(st.permutations(range(size))):
        assert evaluation.holds(formula, location) == (location in truth)


def test_agrees_with_pymodelchecking() -> None:
    with started() as ask:

        @settings(max_examples=150, deadline=None)
        @given(structures(), formulas)
        def compare(structure: Structure, formula: Formula) -> None:
            edges = [(x, y) for x, row in enumerate(structure.successors) for y in row]
            size = len(structure.successors)
            labels = [[name for name in NAMES if x in structure.labels[name]] for x in range(size)]
            theirs = ask(edges, labels, formula)
            assert naive(formula, structure) == theirs
            assert members(evaluate(formula, structure.graph, structure.atoms)) == theirs

        compare()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("AX p", "!EX !p"),
        ("AF p", "!EG !p"),
        ("AG p", "!EF !p"),
        ("A[p U q]", "!E[!p R !q]"),
        ("A[p W q]", "!E[!q U !p & !q]"),
        ("E[p W q]", "E[p U q] | EG p"),
        ("A[p R q]", "A[q W p & q]"),
        ("AF p", "A[true U p]"),
        ("EG p", "E[false R p]"),
    ],
)
@settings(max_examples=40, deadline=None)
@given(structure=structures())
def test_dualities(left: str, right: str, structure: Structure) -> None:
    graph, atoms = structure.graph, structure.atoms
    values = [evaluate(parse_formula(text), graph, atoms) for text in (left, right)]
    assert np.array_equal(*values)


class Recorder:
    """Atoms from a table; notes where each was asked."""

    def __init__(self, size: int, **table: set[int]) -> None:
        self.size, self.table, self.asked = size, table, {}

    def __call__(self, node: Formula, where: Mask) -> Mask:
        name = "psi" if isinstance(node, Quantum) else node.name
        self.asked.setdefault(name, set()).update(np.flatnonzero(where).tolist())
        return mask(self.size, frozenset(self.table[name]))


CHAIN = graph_of([[1], [2], [3], [3], [0]])  # 4 cannot be reached from 0


def asked(text: str, **table: set[int]) -> set[int]:
    recorder = Recorder(5, psi={0, 1, 2, 3, 4}, **table)
    Evaluation(CHAIN, recorder).holds(parse_formula(text))
    return recorder.asked.get("psi", set())


@pytest.mark.parametrize(
    ("text", "table", "where"),
    [
        ("AG (leaf -> ~psi)", {"leaf": {3}}, {3}),
        ("AG (~psi | !leaf)", {"leaf": {3}}, {3}),
        ("EF (~psi & leaf)", {"leaf": {2}}, {2}),
        ("~psi", {}, {0}),
        ("AX ~psi", {}, {1}),
        ("AG ~psi", {}, {0, 1, 2, 3}),
        ("leaf & ~psi", {"leaf": {3}}, set()),
        ("A[~psi U leaf]", {"leaf": {2}}, {0, 1}),
        ("A[leaf U ~psi]", {"leaf": {0}}, {0, 1}),
        ("A[~psi R leaf]", {"leaf": {0, 1}}, {0, 1}),
        ("A[leaf R ~psi]", {"leaf": {1}}, {0, 1}),
        ("A[~psi W leaf]", {"leaf": {1}}, {0}),
        ("true | AG ~psi", {}, set()),
    ],
)
def test_atoms_are_asked_only_where_they_matter(
    text: str, table: dict[str, set[int]], where: set[int]
) -> None:
    assert asked(text, **table) == where


def test_answers_are_remembered() -> None:
    recorder = Recorder(5, p={0, 1, 2, 3})
    counted: list[set[int]] = []

    def atoms(node: Formula, where: Mask) -> Mask:
        counted.append(set(np.flatnonzero(where).tolist()))
        return recorder(node, where)

    evaluation = Evaluation(CHAIN, atoms)
    formula = parse_formula("AG p & EF p & p")
    assert evaluation.holds(formula)
    assert evaluation.holds(formula)
    assert sum(map(len, counted)) == 4
    assert members(evaluation.known(Atom("p"))) == {0, 1, 2, 3}


@pytest.mark.parametrize("shape", ["chain", "wide", "random"])
def test_large_graphs_with_long_and_wide_parts(shape: str) -> None:
    """Enough locations to use array rounds and single steps; checked against numpy's own reachability."""
    size = 20_000
    generator = np.random.default_rng(7)
    chain = np.minimum(np.arange(size) + 1, size - 1)
    heads = {
        "chain": chain,
        "wide": np.where(np.arange(size) == 0, 0, size - 1),
        "random": generator.integers(0, size, size),
    }[shape]
    extra = np.arange(size) if shape == "wide" else chain
    tails = np.zeros(size, dtype=int) if shape == "wide" else np.arange(size)
    graph = Graph.from_edges(size, np.concatenate([np.arange(size), tails]), np.concatenate([heads, extra]))
    p = generator.random(size) < 0.7
    q = generator.random(size) < 0.01
    table = {"p": p, "q": q}
    for text in ("E[p U q]", "A[p U q]"):
        result = evaluate(parse_formula(text), graph, lambda node, _: table[node.name])
        inner = result[graph.targets]
        reduce = np.logical_or if text[0] == "E" else np.logical_and
        assert np.array_equal(result, q | (p & reduce.reduceat(inner, graph.offsets[:-1])))
        assert result[q].all()
        assert not (result & ~p & ~q).any()


def test_conjunctions_are_announced_once_and_their_parts_remembered() -> None:
    """What is dear is told of together, where cheap parts hold; inner conjunctions are known as well."""
    graph = Graph(np.array([0, 1, 2, 3]), np.array([1, 2, 2]))
    truths = {"p": [0, 1, 1], "a": [1, 1, 1], "b": [1, 1, 0], "c": [1, 1, 1]}
    told: list[tuple[list[str], frozenset[int]]] = []

    def atoms(atom: Formula, _: Mask) -> Mask:
        assert isinstance(atom, Atom)
        return np.array(truths[atom.name], dtype=bool)

    def cost(formula: Formula) -> int:
        return sum(1 if name == "p" else 1_000 for name in truths if f"'{name}'" in repr(formula))

    def together(parts: Sequence[Formula], where: Mask) -> None:
        told.append(([part.name for part in parts if isinstance(part, Atom)], members(where)))

    evaluation = Evaluation(graph, atoms, cost, together)
    formula = parse_formula("a & p & b & c")
    assert members(evaluation.truth(formula)) == {1}
    assert told == [(["a", "p", "b", "c"], {0, 1, 2})]
    inner = parse_formula("a & p & b")
    assert [members(mask) for mask in evaluation.found(inner)] == [{0, 1, 2}, {1}]
    assert [members(mask) for mask in evaluation.found(parse_formula("a & p"))] == [{0, 1}, {1}]
    assert members(evaluation.truth(parse_formula("p & (a & c)"))) == {1, 2}
    assert told[1:] == [(["a", "c"], {1, 2})]


GRAPH = graph_of([[1, 2], [1], [0]])
SETS = {"p": [True, False, True], "q": [False, True, False]}


def atoms(formula: object, _: object) -> np.ndarray:
    assert isinstance(formula, Atom)
    return np.array(SETS[formula.name])


def test_known_values_are_right_and_the_others_unknown() -> None:
    formula = parse_formula("AX (p | EX q)")
    lazy = Evaluation(GRAPH, atoms)
    lazy.holds(formula)
    full = Evaluation(GRAPH, atoms)
    for part, truth in truths(lazy, formula).items():
        expected = full.truth(part).tolist()
        assert all(v is None or v == e for v, e in zip(truth.values(), expected, strict=True))
    assert truths(lazy, formula)[formula].values() == [True, None, None]


def test_nothing_new_is_computed() -> None:
    formula = parse_formula("p & q")
    evaluation = Evaluation(GRAPH, lambda *_: 1 / 0)  # type: ignore[arg-type, return-value]
    assert {v for t in truths(evaluation, formula).values() for v in t.values()} == {None}


def test_operands_of_probability_operators_are_parts() -> None:
    assert len(list(subformulas(parse_formula("P=1 [F (p & q)]")))) == 4


def test_results_carry_the_truth_of_their_parts() -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    result = check(circuit, {"safe": "AG (leaf -> t)"}, props={"t": TARGET})
    truth = result["safe"].truth
    leaf = truth["leaf"].index(True)
    assert list(truth) == ["AG (leaf -> t)", "leaf -> t", "leaf", "t"]
    assert truth["t"][leaf] is False
    assert {v for k, v in enumerate(truth["t"]) if k != leaf} == {None}


def test_the_word_of_the_graph_on_paths_counts_no_more() -> None:
    formula = parse_formula("AF leaf")
    assert isinstance(formula, Temporal)
    everywhere = np.ones(3, dtype=bool)
    found = {formula: Truth(everywhere, ~everywhere), formula.operands[0]: Truth(everywhere, everywhere)}
    kept = of_executions(found, formula, 0, True)
    assert kept[formula].values() == [True, None, None]
    assert kept[formula.operands[0]].values() == [True, True, True]


def test_a_refined_verdict_and_its_truths_agree() -> None:
    """The measurements contradict each other on the only path of the graph that avoids the end."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 1)):
        circuit.x(0)
        circuit.measure(0, 0)
    for formula in ("AF leaf", "EG !leaf", "EF (leaf & |1>)"):
        result = qismc.check(circuit, formula)["spec"]
        root = next(iter(result.truths.values()))
        assert root.values()[0] is bool(result)
