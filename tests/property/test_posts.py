"""Relations between the strongest post-conditions of related programs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.circuit.library import RYGate, XGate

from qismc import Model
from qismc.fixpoint import propagate

from ..compare import columns, places
from ..reference import (
    Matrix,
    Reference,
    Walker,
    below,
    image,
    join,
    kraus_of,
    same,
)
from ..strategies import Vectors, lines, toys, unitaries, vectors
from ..toy import Block, Break, Gate, If, Mark, Measure, Reset, Statement, Test, Toy, While, arms


def rewrite(block: Block, change: Callable[[Statement], Block]) -> Block:
    """Every simple statement replaced by statements."""
    found: list[Statement] = []
    for statement in block:
        if isinstance(statement, If):
            then, otherwise = (rewrite(arm, change) for arm in arms(statement))
            found.append(If(statement.test, then, otherwise))
        elif isinstance(statement, While):
            found.append(While(statement.test, rewrite(statement.body, change)))
        else:
            found += change(statement)
    return tuple(found)


def model(toy: Toy, engine: str, **options: Any) -> Model:
    return Model(toy.circuit(), numbers=engine, keep_dead=True, **options)


def posts(toy: Toy, engine: str, **options: Any) -> dict[str, Matrix | int]:
    """sp at every mark and at the end: as a subspace on the float engine, else its dimension."""
    solved = model(toy, engine, **options)
    found = {name: solved.sp(name) for name in [*toy.marks, "leaf"]}
    return {name: columns(s) if engine == "float" else s.dimension for name, s in found.items()}


def alike(left: Matrix | int, right: Matrix | int) -> bool:
    return (
        same(left, right) if isinstance(left, np.ndarray) and isinstance(right, np.ndarray) else left == right
    )


def all_alike(left: dict[str, Matrix | int], right: dict[str, Matrix | int]) -> bool:
    return all(alike(left[name], right[name]) for name in left)


@given(toy=toys())
def test_posts_are_inductive(toy: Toy) -> None:
    """Every image is below its target, and init below sp(l0)."""
    solved = model(toy, "float")
    post = {place: columns(solved.sp(k)) for k, place in enumerate(places(toy, solved))}
    assert abs(post[Reference(toy).start][0]).max() > 0
    for place, states in post.items():
        for edge in Walker(toy).edges(place):
            reached = image(edge.kraus, states)
            assert below(reached, post[edge.target]) if reached.shape[1] else True


class LastInFirstOut(deque[Any]):
    """A work list in another order."""

    def popleft(self) -> Any:
        return self.pop()


@given(toy=toys())
def test_order_of_the_work_list_does_not_matter(engine: str, toy: Toy) -> None:
    breadth = posts(toy, engine)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(propagate, "deque", LastInFirstOut)
        assert all_alike(breadth, posts(toy, engine))


@given(toy=toys(), data=st.data())
def test_permuting_qubits_permutes_posts(engine: str, toy: Toy, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(toy.num_qubits)))

    def move(s: Statement) -> Block:
        if isinstance(s, Gate):
            return (Gate(s.operation, tuple(order[q] for q in s.qubits)),)
        return (replace(s, qubit=order[s.qubit]),) if isinstance(s, Measure | Reset) else (s,)

    moved = posts(replace(toy, body=rewrite(toy.body, move)), engine)
    for name, space in posts(toy, engine).items():
        if isinstance(space, np.ndarray):
            shape = (2,) * toy.num_qubits
            tensor = space.reshape(*shape, -1)
            inverse = [order.index(q) for q in range(toy.num_qubits)]
            space = tensor.transpose([*inverse, toy.num_qubits]).reshape(2**toy.num_qubits, -1)  # noqa: PLW2901
        assert alike(moved[name], space)


@given(toy=toys(most=2))
def test_an_idle_ancilla_tensors_posts(engine: str, toy: Toy) -> None:
    wider = posts(replace(toy, num_qubits=toy.num_qubits + 1), engine)
    for name, space in posts(toy, engine).items():
        assert alike(wider[name], np.kron(space, np.eye(2, 1)) if isinstance(space, np.ndarray) else space)


@given(toy=toys(), data=st.data())
def test_inserted_identities_change_nothing(engine: str, toy: Toy, data: st.DataObject) -> None:
    gate = data.draw(unitaries(toy.num_qubits))
    pair = (gate, Gate(gate.operation.inverse(), gate.qubits))
    padded = replace(
        toy, body=rewrite(toy.body, lambda s: (s, *pair) if isinstance(s, Gate | Mark) else (s,))
    )
    assert all_alike(posts(toy, engine), posts(padded, engine))


@st.composite
def starts(draw: st.DrawFn) -> tuple[Toy, Vectors, Vectors]:
    toy = draw(toys())
    return toy, draw(vectors(toy.num_qubits, 1, 2)), draw(vectors(toy.num_qubits, 1, 2))


@given(case=starts())
def test_posts_are_monotone_and_additive_in_init(engine: str, case: tuple[Toy, Vectors, Vectors]) -> None:
    toy, x, y = case
    one, two = posts(toy, engine, init=x.text), posts(toy, engine, init=y.text)
    both = posts(toy, engine, init=[x.text, y.text])
    for name, space in both.items():
        left, right = one[name], two[name]
        if isinstance(space, np.ndarray):
            assert same(join(left, right), space)
            assert below(left, space)
        else:
            assert max(left, right) <= space <= left + right


@given(toy=toys())
def test_dead_code_is_inert(engine: str, toy: Toy) -> None:
    """A branch that the store never takes, and one that no state takes."""
    dead = While(Test(toy.num_bits, 1), (Gate(XGate(), (0,)), Reset(0), Measure(0, toy.num_bits)))
    wider = Toy(toy.num_qubits, toy.num_bits + 1, rewrite(toy.body, lambda s: (s, dead)))
    plain = Toy(toy.num_qubits, toy.num_bits + 1, toy.body)
    assert all_alike(posts(plain, engine), posts(wider, engine))


@given(toy=toys(depth=0), data=st.data())
def test_measuring_twice_contradicts_itself_never(engine: str, toy: Toy, data: st.DataObject) -> None:
    qubit = data.draw(st.integers(0, toy.num_qubits - 1))
    twice = Toy(toy.num_qubits, 2, (*toy.body, Measure(qubit, 0), Measure(qubit, 1)))
    kept = Model(twice.circuit(), numbers=engine, paths="all", keep_dead=True)
    for location in kept.locations:
        if location.text == "end" and location.values["c"] in (1, 2):
            assert kept.sp(location.index).dimension == 0
    ends = [loc.values["c"] for loc in model(twice, engine).locations if loc.text == "end"]
    assert ends
    assert not {1, 2} & set(ends)


@given(line=lines(2, 4), turns=st.integers(0, 3))
def test_unrolling_a_loop_keeps_the_exit(engine: str, line: Block, turns: int) -> None:
    """The loop ends as soon as the measured bit is 0: k unrolled turns in front of it make no difference."""
    body: Block = (*line, Measure(0, 0))
    loop: Block = (While(Test(0, 1), body),)
    for _ in range(turns):
        loop = (If(Test(0, 1), (*body, *loop)),)
    start: Block = (Gate(RYGate(0.5), (0,)), Measure(0, 0))
    assert all_alike(
        posts(Toy(2, 1, (*start, *loop)), engine), posts(Toy(2, 1, (*start, While(Test(0, 1), body))), engine)
    )


@given(toy=toys(most=2), data=st.data())
def test_changing_the_basis_turns_posts(engine: str, toy: Toy, data: st.DataObject) -> None:
    """Start with W and replace every statement E by W E W^dagger: posts turn by W."""
    turn = data.draw(unitaries(toy.num_qubits))
    back = Gate(turn.operation.inverse(), turn.qubits)
    body = rewrite(toy.body, lambda s: (s,) if isinstance(s, Mark | Break) else (back, s, turn))
    turned = posts(replace(toy, body=(turn, *body)), engine)
    for name, space in posts(toy, engine).items():
        expected = kraus_of(turn, toy.num_qubits)[0] @ space if isinstance(space, np.ndarray) else space
        assert alike(turned[name], expected)
