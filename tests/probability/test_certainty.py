"""What graphs of single states decide, against absorption in random Markov chains."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit
from qismc.probability.certainty import ChainOfStates

OPEN, GOAL, BAD, SEVERAL = range(4)


@settings(max_examples=300)
@given(seed=st.integers(0, 10**9))
def test_against_absorption(seed: int) -> None:
    """With equal weights for all edges; nodes with several states lead on to anything."""
    random = Random(seed)
    size = random.randrange(2, 9)
    kinds = [random.choice([OPEN, OPEN, OPEN, GOAL, BAD, SEVERAL if seed % 2 else OPEN]) for _ in range(size)]
    kinds[0] = OPEN
    edges = [sorted({random.randrange(size) for _ in range(random.randrange(1, 4))}) for _ in range(size)]
    kind = np.array(kinds)
    leaving = [(k, target) for k in range(size) if kinds[k] != SEVERAL for target in edges[k]]
    chain = ChainOfStates(leaving, kind != SEVERAL, kind == GOAL, (kind == OPEN) | (kind == SEVERAL))
    least, most = (_absorbed(kinds, edges, several) for several in (0.0, 1.0))
    for k in (k for k in random.sample(range(size), size) if kinds[k] == OPEN):
        for answer, says in ((chain.possible(k), _positive), (chain.certain(k), _sure)):
            if answer is not None:
                assert {says(least[k]), says(most[k])} == {answer} or SEVERAL in kinds
                assert answer in (says(least[k]), says(most[k]))
            else:
                assert SEVERAL in kinds


def _absorbed(kinds: list[int], edges: list[list[int]], several: float) -> np.ndarray:
    """After 4,096 steps: the matrix of one step is squared twelve times."""
    step = np.eye(len(kinds))
    for k in (k for k, kind in enumerate(kinds) if kind == OPEN):
        step[k] = 0.0
        step[k, edges[k]] = 1 / len(edges[k])
    for _ in range(12):
        step = step @ step
    return step @ [{GOAL: 1.0, SEVERAL: several}.get(kind, 0.0) for kind in kinds]


def _positive(chance: float) -> bool:
    return chance > 1e-9


def _sure(chance: float) -> bool:
    return chance > 1 - 1e-6


def test_a_node_that_decides_whoever_enters_it_is_no_way() -> None:
    """Asked from a point behind the bad one, the node leads to the goal; nobody comes that far."""
    first, middle, last = range(3)
    edges = [(first, middle), (middle, last), (last, last)]
    goals, undecided = (np.arange(3) == k for k in (last, first))
    chain = ChainOfStates(edges, np.ones(3, dtype=bool), goals, undecided)
    assert chain.possible(middle) is True and chain.certain(middle) is True
    assert chain.possible(first) is False and chain.certain(first) is False


@pytest.mark.parametrize("paths", ["feasible", "all"])
def test_nested_bounds_of_zero_and_one(paths: str) -> None:
    """A second measurement of a qubit says the same: with paths="all" there are edges that no state takes."""
    circuit = QuantumCircuit(2, 3)
    circuit.h([0, 1])
    circuit.measure([0, 1, 0], [0, 1, 2])
    specs = {
        "same": "AG (c == 1 -> P=1 [F (leaf & c[2] | c[1])])",
        "ends": "AG P=1 [F leaf]",
        "other": "AG (leaf & c == 5 -> P>0 [F c == 5])",
        "never": "AG !(P>0 [F (leaf & c == 4)] & c[0])",
        "open": "AG (c == 1 -> P>0 [F c == 3])",
    }
    result = qismc.check(circuit, specs, paths=paths)  # type: ignore[arg-type]
    expected = {"same": True, "ends": True, "other": True, "never": True, "open": False}
    assert {r.name: bool(r) for r in result} == expected
