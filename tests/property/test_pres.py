"""Weakest pre-conditions: the three cases of the paper, and relations between sp and wp."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qismc import Model, QuantumCircuit

from ..compare import agrees, columns, places
from ..reference import (
    PROJECT,
    Matrix,
    Walker,
    below,
    complement,
    embed,
    image,
    join,
    kraus_of,
    meet,
    nothing,
    preimage,
    span,
    whole,
)
from ..strategies import Vectors, lines, toys, unitaries, vectors
from ..toy import Block, Gate, Measure, Reset, Statement, Toy

WIDTH = 2
SIZE = 4


def pre(engine: str, statement: Statement, post: Vectors, where: str = "leaf") -> Model:
    toy = Toy(WIDTH, 1, (statement,))
    return Model(toy.circuit(), numbers=engine, annotations={where: post.text}, paths="all", keep_dead=True)


@given(gate=unitaries(WIDTH), y=vectors(WIDTH))
def test_unitary(engine: str, gate: Gate, y: Vectors) -> None:
    """wp = U^dagger Y."""
    unitary = kraus_of(gate, WIDTH)[0]
    assert agrees(pre(engine, gate, y).wp(0), unitary.conj().T @ y.space)


@given(qubit=st.integers(0, WIDTH - 1), y=vectors(WIDTH))
def test_measurement(engine: str, qubit: int, y: Vectors) -> None:
    """wp = meet over the outcomes of (P /\\ Y) \\/ P^perp."""
    parts = []
    for small in PROJECT:
        line = span(embed(small, (qubit,), WIDTH))
        parts.append(join(meet(line, y.space), complement(line)))
    assert agrees(pre(engine, Measure(qubit, 0), y).wp(0), meet(*parts))


@given(y=vectors(1), qubit=st.integers(0, 1))
def test_initialisation(engine: str, y: Vectors, qubit: int) -> None:
    """Resetting everything: the whole space if |0> is in Y, else nothing."""
    toy = Toy(1, 1, (Reset(0),))
    model = Model(toy.circuit(), numbers=engine, annotations={"leaf": y.text})
    inside = below(np.eye(2, 1, dtype=complex), y.space)
    assert agrees(model.wp(0), whole(2) if inside else nothing(2))


@given(qubit=st.integers(0, WIDTH - 1), y=vectors(WIDTH))
def test_resetting_one_of_many(engine: str, qubit: int, y: Vectors) -> None:
    """The pre-image under |0><0| and |0><1|, by its definition."""
    assert agrees(pre(engine, Reset(qubit), y).wp(0), preimage(kraus_of(Reset(qubit), WIDTH), y.space))


@given(y=vectors(WIDTH), amplitudes=st.sampled_from([(0.6, 0.8), (0.8, -0.6), (0.6, 0.8j)]))
def test_initialize_one_of_many(engine: str, y: Vectors, amplitudes: tuple[complex, complex]) -> None:
    circuit = QuantumCircuit(WIDTH, 1)
    circuit.initialize(list(amplitudes), 1)
    model = Model(circuit, numbers=engine, annotations={"leaf": y.text})
    column = np.array(amplitudes, dtype=complex).reshape(2, 1)
    kraus = [embed(column @ np.eye(2)[[k]], (1,), WIDTH) for k in (0, 1)]
    assert agrees(model.wp(0), preimage(kraus, y.space))


STEPS = st.one_of(unitaries(WIDTH), st.integers(0, WIDTH - 1).map(Reset))


@given(step=STEPS, x=vectors(WIDTH), y=vectors(WIDTH))
def test_galois_connection(step: Statement, x: Vectors, y: Vectors) -> None:
    """E(X) <= Y iff X <= E^-1(Y)."""
    forward = below(image(kraus_of(step, WIDTH), x.space), y.space) if x.columns.shape[1] else True
    assert forward == below(x.space, columns(pre("float", step, y).wp(0)))


@given(step=STEPS, y=vectors(WIDTH))
def test_adjoint_identity(engine: str, step: Statement, y: Vectors) -> None:
    """E^-1(Y) = (E^dagger(Y^perp))^perp."""
    adjoint: list[Matrix] = [k.conj().T for k in kraus_of(step, WIDTH)]
    assert agrees(pre(engine, step, y).wp(0), complement(image(adjoint, complement(y.space))))


@given(line=lines(WIDTH), y=vectors(WIDTH, least=1))
def test_on_a_unitary_line_wp_is_sp_of_the_inverse(engine: str, line: Block, y: Vectors) -> None:
    forward = Model(Toy(WIDTH, 1, line).circuit(), numbers=engine, annotations={"leaf": y.text})
    undo = tuple(Gate(g.operation.inverse(), g.qubits) for g in reversed(line) if isinstance(g, Gate))
    backward = Model(Toy(WIDTH, 1, undo).circuit(), numbers=engine, init=y.text)
    before, after = forward.wp("init"), backward.sp("leaf")
    assert before.dimension == after.dimension
    if engine == "float":
        assert below(columns(before), columns(after))


@given(toy=toys(), data=st.data())
def test_pres_are_inductive(toy: Toy, data: st.DataObject) -> None:
    """Every image of wp(l) is below wp of the target; wp is below every annotation."""
    where = data.draw(st.sampled_from([*toy.marks, "leaf"]))
    bound = data.draw(vectors(toy.num_qubits, least=1))
    model = Model(
        toy.circuit(), numbers="float", annotations={where: bound.text}, paths="all", keep_dead=True
    )
    wp = {place: columns(model.wp(k)) for k, place in enumerate(places(toy, model))}
    for place, states in wp.items():
        for edge in Walker(toy).edges(place):
            reached = image(edge.kraus, states)
            assert below(reached, wp[edge.target]) if reached.shape[1] else True
    for node, point in model.system.select(where):
        index = model.system.first(node) + point - node.start
        assert below(columns(model.wp(index)), bound.space)
