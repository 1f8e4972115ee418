"""What stands near each other in an order of levels, against sets that are found one gate at a time."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from qiskit.circuit.library import Initialize
from qiskit.circuit.random import random_circuit

from qismc import QuantumCircuit
from qismc.engines.ordering import Sets, guessed_order, interactions, level_order, nearest, order_of
from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.statements import Apply


def listed(sets: Sets) -> Counter[tuple[int, ...]]:
    """The sets of several things, and how often each occurs."""
    found = (tuple(sorted(sets.members[a:b].tolist())) for a, b in pairwise(sets.ends))
    return Counter(together for together in found if len(together) > 1)


def one_by_one(program: Program) -> Counter[tuple[int, ...]]:
    placed = [f.on(s.qubits) for s in program.code if isinstance(s, Apply) for f in s.operator.factors]
    sets = (tuple(sorted({*f.targets, *(c for c, _ in f.controls)})) for f in placed)
    return Counter(together for together in sets if len(together) > 1)


@pytest.mark.parametrize("seed", range(5))
def test_gates_of_random_circuits(seed: int) -> None:
    program = read_program(random_circuit(6, 12, max_operands=4, seed=seed))
    assert listed(interactions(program)) == one_by_one(program) != Counter()


def test_preparations_join_qubits_too() -> None:
    circuit = QuantumCircuit(4)
    circuit.cx(0, 3)
    circuit.append(Initialize([0.6, 0, 0, 0.8]), [2, 1])
    found = listed(interactions(read_program(circuit)))
    assert found[0, 3] == 1 and found[1, 2] >= 1 and set(found) == {(0, 3), (1, 2)}


def test_no_gates() -> None:
    assert not listed(interactions(read_program(QuantumCircuit(3))))


def test_weights_count_like_repetitions() -> None:
    """A chain through scattered numbers: its order is the chain's, whichever way the sets are given."""
    chain = [4, 0, 7, 2, 6, 1, 5, 3]
    links = {tuple(sorted(pair)): 1 + k for k, pair in enumerate(pairwise(chain))}
    every = [pair for pair, times in links.items() for _ in range(times)]
    ends = np.arange(0, 2 * len(every) + 1, 2, dtype=np.int32)
    repeated = nearest(8, Sets(ends, np.array(every, dtype=np.int32).ravel()), seed=1)
    assert repeated == order_of(8, links, seed=1) and repeated in (chain, chain[::-1])


def test_guesses_that_a_search_would_keep() -> None:
    """A guess is an order; where it says so, it is the one that a search finds, whatever its seed."""
    settled = []
    for seed in range(30):
        size = 4 + seed
        program = read_program(random_circuit(size, 1 + seed % 4, max_operands=2, seed=seed))
        guess = guessed_order(program)
        assert sorted(guess.order) == list(range(size))
        assert not guess.settled or guess.order == level_order(program, seed)
        settled.append(guess.settled)
    assert {True, False} == set(settled)
