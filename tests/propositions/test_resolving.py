"""Texts of subspaces as propositions, against projectors in NumPy."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from qiskit.circuit.random import random_circuit
from qiskit.quantum_info import Pauli, Statevector, partial_trace

import qismc
from qismc import Model, QuantumCircuit
from qismc.propositions.resolving import meaning_text, proposition_text, seed_of

BELL = np.array([1, 0, 0, 1]) / np.sqrt(2)
CODES = [("II",), ("-II",), ("II", "ZZ"), ("XX",), ("-XX", "II"), ("XX", "-XX"), ("-II", "II"), ("ZI",)]


def basis(paulis: tuple[str, ...]) -> np.ndarray:
    """Columns that span the joint +1 eigenspace."""
    projector = np.eye(4, dtype=complex)
    for text in paulis:
        flipped = text[0] * (text[0] == "-") + text.lstrip("-")[::-1]  # Qiskit writes qubit 0 last
        projector = projector @ (np.eye(4) + Pauli(flipped).to_matrix()) / 2
    vectors, sizes, _ = np.linalg.svd(projector)
    return vectors[:, sizes > 0.5]


def contains(columns: np.ndarray, vector: np.ndarray) -> bool:
    return np.linalg.matrix_rank(columns) == np.linalg.matrix_rank(np.column_stack([columns, vector]))


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize(("left", "right"), list(product(CODES, CODES)))
def test_joins_of_stabilisers_with_identities(
    engine: str, left: tuple[str, ...], right: tuple[str, ...]
) -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    text = " \\/ ".join(f"stab({', '.join(code)})" for code in (left, right))
    joined = np.column_stack([basis(left), basis(right)])
    expected = joined.size > 0 and contains(joined, BELL)
    assert bool(qismc.check(circuit, f"AG (leaf -> {text})", numbers=engine)) == expected


# --- on, around everything ---------------------------------------------------------------------------------


def bell_on_outer() -> QuantumCircuit:
    circuit = QuantumCircuit(3, 1)
    circuit.h(0)
    circuit.cx(0, 2)
    return circuit


def maker() -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    return circuit


OBJECTS = {
    "text": "|00> + |11>",
    "stabilisers": "stab(XX, ZZ)",
    "vector": Statevector(BELL),
    "circuit": maker(),
    "subspace": qismc.Model(maker()).sp("leaf"),
    "complement": "~span(|01>, |10>, |00> - |11>)",
    "list": ["|00> + |11>", "|00> + |11>"],
}


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize("kind", OBJECTS)
def test_on_around_named_propositions_and_objects(kind: str, engine: str) -> None:
    options = {"props": {"bell": OBJECTS[kind]}, "numbers": engine}
    circuit = bell_on_outer()
    assert qismc.check(circuit, "AG (leaf -> bell on q[0], q[2])", **options)
    assert qismc.check(circuit, "AG (leaf -> bell on q[2], q[0])", **options)
    assert not qismc.check(circuit, "AG (leaf -> bell on q[0], q[1])", **options)
    assert qismc.check(circuit, "AG (leaf -> ((bell on q[0], q[2]) /\\ (|0> on q[1])))", **options)


def test_a_proposition_of_few_qubits_needs_on() -> None:
    with pytest.raises(qismc.SpecError, match="2 letters, the program has 3 qubits"):
        qismc.check(bell_on_outer(), "AG bell", props={"bell": "|00> + |11>"})
    with pytest.raises(qismc.SpecError, match="'on' names 1"):
        qismc.check(bell_on_outer(), "AG (bell on q[0])", props={"bell": Statevector(BELL)})
    with pytest.raises(qismc.SpecError, match="inside another"):
        qismc.check(bell_on_outer(), "AG (one on q[0])", props={"one": "|1> on q[2]"})


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize("seed", range(8))
def test_sp_on_some_qubits_is_the_support_of_the_reduced_state(seed: int, engine: str) -> None:
    """Against partial traces: sp(here) on Q is the range of the reduced state of `here` on Q."""
    first = random_circuit(4, 2, max_operands=2, seed=seed)
    second = random_circuit(2, 1, max_operands=2, seed=seed + 100)
    circuit = QuantumCircuit(4)
    circuit.compose(first, inplace=True)
    circuit.mark("here")
    circuit.compose(second, [0, 1], inplace=True)
    before = Statevector(first)
    after = before.evolve(second, [0, 1])
    for kept in ([0], [1, 2], [0, 3]):
        left = [q for q in range(4) if q not in kept]
        ranges = [np.asarray(partial_trace(state, left).data) for state in (before, after)]
        rank = np.linalg.matrix_rank(ranges[0], tol=1e-9)
        inside = rank == np.linalg.matrix_rank(np.hstack(ranges), tol=1e-9)
        names = ", ".join(f"q[{q}]" for q in kept)
        assert bool(qismc.check(circuit, f"AG (leaf -> sp(here) on {names})", numbers=engine)) == inside
        apart = np.allclose(ranges[0] @ ranges[1], 0)
        outside = qismc.check(circuit, f"AG (leaf -> ~sp(here) on {names})", numbers=engine)
        assert bool(outside) == apart


def test_slices() -> None:
    circuit = QuantumCircuit(5)
    circuit.x([1, 2])
    assert qismc.check(circuit, "AG (leaf -> |110> on q[1:4])")
    assert qismc.check(circuit, "AG (leaf -> |0110> on q[:3], q[4])")
    assert not qismc.check(circuit, "AG (leaf -> |11> on q[0:2])")
    with pytest.raises(qismc.SpecError, match="is empty"):
        qismc.check(circuit, "AG (|1> on q[2:2])")
    with pytest.raises(qismc.SpecError, match="out of range"):
        qismc.check(circuit, "AG (|11> on q[4:6])")
    with pytest.raises(qismc.SpecError, match="a slice is no formula"):
        qismc.check(circuit, "AG q[4:6]")


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
