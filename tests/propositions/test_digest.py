"""Different meanings have different texts, equal ones have equal texts."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from qiskit.quantum_info import Statevector

from qismc import Model, QuantumCircuit
from qismc.propositions.digest import meaning_text, proposition_text, seed_of


def prepared(angle: float) -> QuantumCircuit:
    circuit = QuantumCircuit(1)
    circuit.ry(angle, 0)
    return circuit


TEXTS = [
    "|0>",
    "|0> + 3|1>",
    "|0> + 5|1>",
    "stab(Z)",
    "stab(-Z)",
    "~|0>",
    "|0> \\/ stab(X)",
    "|0> /\\ stab(X)",
    "full",
    "zero",
    "|0> on q[0]",
]


def meanings() -> list[object]:
    vectors = [Statevector(np.array([1, 0])), Statevector(np.array([0.6, 0.8]))]
    spaces = [Model(prepared(angle)).sp(where) for angle in (0.5, 0.7) for where in ("init", "leaf")]
    bounded = Model(prepared(0.5), annotations={"leaf": "|0>"})
    circuits = [prepared(0.5), prepared(0.7)]
    return [
        *TEXTS,
        *vectors,
        *circuits,
        [*vectors],
        [*circuits],
        *spaces,
        bounded.sp("leaf"),
        bounded.wp("leaf"),
    ]


def test_meanings_are_told_apart() -> None:
    for one, two in combinations(map(meaning_text, meanings()), 2):
        assert one != two
    assert list(map(meaning_text, meanings())) == list(map(meaning_text, meanings()))


def test_propositions_are_told_apart() -> None:
    model = Model(prepared(0.5), props={f"p{k}": text for k, text in enumerate(TEXTS)})
    texts = {proposition_text(model.scope.prop(f"p{k}")) for k in range(len(TEXTS))}
    assert len(texts) == len(TEXTS)


def test_seeds_depend_on_every_part() -> None:
    seeds = {seed_of(*parts) for parts in (("a",), ("b",), ("a", "b"), ("ab",), ("a", ""), ())}
    assert len(seeds) == 6 and all(0 <= seed < 1 << 53 for seed in seeds)
