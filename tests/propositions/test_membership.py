"""Inside or orthogonal, for every kind of proposition, against dense projectors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc import QuantumCircuit
from qismc.engines.engine import Engine, Vector
from qismc.engines.exact import ExactEngine
from qismc.errors import NoCompactForm
from qismc.program import read_program
from qismc.propositions.expansion import basis, expand
from qismc.propositions.membership import Membership
from qismc.propositions.resolving import Scope, resolve
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
    return engine.combine(numbers, basis(engine))


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
