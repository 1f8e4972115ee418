"""Inside or orthogonal, for every kind of proposition, against dense projectors."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.engines.engine import Engine, Vector
from qismc.engines.exact import ExactEngine
from qismc.errors import NoCompactForm
from qismc.language import parse_formula
from qismc.program import read_program
from qismc.propositions.membership import Membership
from qismc.propositions.propositions import Whole
from qismc.propositions.resolving import Scope, resolve
from qismc.propositions.spanning import expand
from qismc.propositions.states import letter

from ..all_engines import make_engine
from ..reference import ZERO, Matrix, complement, projector
from ..strategies import Proposition, propositions

WIDTH = 3
SCOPE = Scope(read_program(QuantumCircuit(WIDTH)))


@pytest.fixture(scope="module")
def arena(engine: str) -> Engine:
    return make_engine(engine, WIDTH)


def vector(engine: Engine, column: Matrix) -> Vector:
    """An integer combination of basis states."""
    numbers = [
        engine.ring.rational(int(z.real))
        + engine.ring.turn(Fraction(1, 4)) * engine.ring.rational(int(z.imag))
        for z in column
    ]
    return engine.combine(numbers, expand(engine, Whole()))


entries = st.lists(st.sampled_from([0, 0, 0, 1, -1, 1j, 2]), min_size=2**WIDTH, max_size=2**WIDTH)


@given(meaning=propositions(WIDTH), amplitudes=entries.filter(any))
def test_inside_and_orthogonal(arena: Engine, meaning: Proposition, amplitudes: list[complex]) -> None:
    column = np.array(amplitudes, dtype=complex)
    onto = projector(meaning.space)
    proposition, membership = resolve(meaning.text, SCOPE), Membership(arena)
    state = vector(arena, column)
    assert membership.contains(proposition, state) == (np.linalg.norm(column - onto @ column) < ZERO)
    assert membership.orthogonal(proposition, state) == (np.linalg.norm(onto @ column) < ZERO)


PARTS = ("ZI", "-XX", "ZZ", "YY", "IX")


@pytest.mark.parametrize("engine", ["exact"])
@given(first=st.sampled_from(PARTS), second=st.sampled_from(PARTS), amplitudes=entries.filter(any))
def test_what_shows_a_state_outside(engine: str, first: str, second: str, amplitudes: list[complex]) -> None:
    """Exactly the basis states of the other qubit with a component in it have one outside of a code."""
    arena = make_engine(engine, WIDTH)
    proposition = resolve(f"(stab({first}) /\\ stab({second})) on q[0], q[1]", SCOPE)
    membership, state = Membership(arena), vector(arena, np.array(amplitudes, dtype=complex))
    moved = membership.moved(proposition, state)
    assert (moved is None) == membership.contains(proposition, state)
    if moved is not None:
        assert isinstance(arena, ExactEngine)
        bits = arena.first(moved)
        assert bits is not None
        block = [z if k & 1 == bits[2] else 0 for k, z in enumerate(amplitudes)]
        assert not membership.contains(proposition, vector(arena, np.array(block, dtype=complex)))
    assert membership.moved(resolve("full", SCOPE), state) is None


@given(meaning=propositions(WIDTH))
def test_expansions_span_the_proposition(arena: Engine, meaning: Proposition) -> None:
    """As many independent vectors as its dimension, all inside, and their complement is orthogonal."""
    proposition, membership, span = resolve(meaning.text, SCOPE), Membership(arena), arena.span()
    found = [v for v in expand(arena, proposition) if span.add(v)]
    assert len(found) == meaning.space.shape[1]
    assert all(membership.contains(proposition, v) for v in found)
    outside = arena.complement(found)
    assert len(outside) == complement(meaning.space).shape[1]
    assert all(membership.orthogonal(proposition, v) for v in outside)


def test_a_join_of_different_kinds_on_many_qubits_is_limited_by_its_dimension() -> None:
    """|0...0> joined to a code of 2^9 dimensions, then to one of 2^12."""
    for width, allowed in ((10, True), (13, False)):
        engine = make_engine("exact", width)
        scope = Scope(read_program(QuantumCircuit(width)))
        code = resolve(f"stab({'X' * width}) \\/ |{'0' * width}>", scope)
        start = engine.product([letter(engine.ring, "0")] * width)
        other = engine.product([letter(engine.ring, "0")] * (width - 1) + [letter(engine.ring, "1")])
        if allowed:
            membership = Membership(engine)
            assert membership.contains(code, start) and not membership.contains(code, other)
        else:
            with pytest.raises(NoCompactForm, match=f"no small spanning set over {width} qubits"):
                Membership(engine).contains(code, start)


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
    model = Model(circuit, props={"all": " /\\ ".join(texts)}).asking([parse_formula("all")])
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
    model = Model(circuit).asking([])
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
    result = qismc.check(circuit, f"AG (leaf -> {' & '.join(props)})", props=props, numbers=engine)
    assert result.verdict is (Verdict.HOLDS if wrong is None else Verdict.VIOLATED)
    for q in range(5):
        alone = qismc.check(circuit, f"AG (leaf -> plus{q})", props=props, numbers=engine)
        assert bool(alone) == (q != wrong)
