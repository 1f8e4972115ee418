"""Many lines at once, against each of them by a dense projector."""

from __future__ import annotations

import random

import numpy as np
import pytest
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.engines.engine import Vector
from qismc.engines.exact import ExactEngine
from qismc.language import parse_formula
from qismc.propositions.membership import Membership
from qismc.propositions.propositions import Proposition
from qismc.propositions.resolving import resolve

KETS = {
    "|0>": [1, 0],
    "|1>": [0, 1],
    "|+>": [1, 1],
    "|l>": [1, -1j],
    "|0> - i |1>": [1, -1j],
    "|1> + |0>": [1, 1],
    "|0> + 1/2 |1>": [1, 0.5],
    "|+> - |->": [0, 1],
    "2 |0> + sqrt(3) |1>": [2, 3**0.5],
}
"""States of one qubit; the last two have no amplitude whose absolute value is seen to be 1."""
UNSURE = list(KETS)[-2:]


def prepared(draw: random.Random, chosen: list[str], *, entangled: bool) -> QuantumCircuit:
    """A circuit that makes the chosen state of every qubit, entangled with another one or not."""
    circuit = QuantumCircuit(len(chosen))
    for qubit, text in enumerate(chosen):
        if text == "|1>":
            circuit.x(qubit)
        elif text != "|0>":
            circuit.h(qubit)
        if text in ("|l>", "|0> - i |1>"):
            circuit.sdg(qubit)
    if entangled:
        circuit.cx(*draw.sample(range(len(chosen)), 2))
    return circuit


def holds(circuit: QuantumCircuit, text: str, qubit: int) -> bool:
    """Is the reduced state of a qubit the one that the text says?"""
    state = np.moveaxis(Statevector(circuit).data.reshape([2] * circuit.num_qubits), -1 - qubit, 0).reshape(
        2, -1
    )
    ket = np.array(KETS[text]) / np.linalg.norm(KETS[text])
    return bool(np.allclose(np.outer(ket, ket.conj()) @ state, state))


def together(
    membership: Membership, propositions: tuple[Proposition, ...], vectors: list[Vector]
) -> frozenset[int]:
    """Numbers of propositions that one test finds all vectors in."""
    lines = membership.lines(propositions)
    return lines.among if lines is not None and membership.all_hold(lines, vectors) else frozenset()


@pytest.mark.parametrize("seed", range(40))
def test_what_one_test_says_each_test_says(seed: int) -> None:
    draw = random.Random(seed)
    width = draw.choice([2, 3, 4])
    made = draw.choices(list(KETS)[:6], k=width)
    circuit = prepared(draw, made, entangled=draw.random() < 0.4)
    asked = [text if draw.random() < 0.8 else draw.choice(list(KETS)) for text in made]
    qubits = draw.sample(range(width), draw.randint(2, width))
    texts = [f"span({asked[qubit]}) on q[{qubit}]" for qubit in qubits]
    model = Model(circuit, props={"all": " /\\ ".join(texts)})
    model.observe([parse_formula("all")])
    solved, engine = model.solved(), model.engine
    assert isinstance(engine, ExactEngine)
    node = solved.system.node_of(solved.system.num_locations - 1)
    vectors = [found.vector for found in solved.posts.at(*node)]
    propositions = tuple(resolve(text, model.scope) for text in texts)
    membership, truths = Membership(engine), [holds(circuit, asked[q], q) for q in qubits]
    found = together(membership, propositions, vectors)
    assert [membership.contains(each, vectors[0]) for each in propositions] == truths
    lines = {k for k, qubit in enumerate(qubits) if asked[qubit] not in UNSURE}
    assert found == (lines if len(lines) > 1 and all(truths[k] for k in lines) else frozenset())


def test_a_qubit_is_asked_about_once() -> None:
    """Of two lines on one qubit one is left to be asked for alone; several qubits make a line, too."""
    circuit = QuantumCircuit(3)
    circuit.x(2)
    model = Model(circuit)
    model.observe([])
    solved, engine = model.solved(), model.engine
    texts = ["|0> on q[0]", "|1> on q[0]", "|01> on q[1], q[2]", "span(|00>, |11>) on q[0], q[1]", "full"]
    propositions = tuple(resolve(text, model.scope) for text in texts)
    arrived = solved.posts.at(*solved.system.node_of(solved.system.num_locations - 1))
    assert together(Membership(engine), propositions, [arrived[0].vector]) == {0, 2}
    assert together(Membership(engine), propositions[1:], [arrived[0].vector]) == frozenset()
    assert Membership(engine).lines(propositions[3:]) is None


@pytest.mark.parametrize("engine", ["exact", "float"])
@pytest.mark.parametrize("wrong", [None, 3])
def test_conjunctions_of_lines(engine: str, wrong: int | None) -> None:
    circuit = QuantumCircuit(5)
    circuit.h(range(5))
    if wrong is not None:
        circuit.z(wrong)
    props = {f"plus{q}": f"span(|0> + |1>) on q[{q}]" for q in range(5)}
    result = qismc.check(circuit, f"AG (leaf -> {' & '.join(props)})", props=props, engine=engine)
    assert result.verdict is (Verdict.HOLDS if wrong is None else Verdict.VIOLATED)
    for q in range(5):
        alone = qismc.check(circuit, f"AG (leaf -> plus{q})", props=props, engine=engine)
        assert bool(alone) == (q != wrong)
