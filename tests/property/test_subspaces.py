"""The laws of subspaces, on the operations of every engine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qismc import QuantumCircuit
from qismc.engines.engine import Engine, Vector
from qismc.program import read_program
from qismc.propositions.membership import Membership
from qismc.propositions.propositions import Proposition
from qismc.propositions.propositions import join as join_of
from qismc.propositions.propositions import meet as meet_of
from qismc.propositions.propositions import perp as perp_of
from qismc.propositions.resolving import Scope, resolve
from qismc.propositions.spanning import expand
from qismc.system.edges import families

from .. import reference
from ..all_engines import make_engine
from ..strategies import Vectors, unitaries, vectors
from ..toy import Reset, Statement, Toy

WIDTH = 2
SIZE = 2**WIDTH
SPACES = vectors(WIDTH)
Space = list[Vector]


@pytest.fixture(scope="module")
def arena(engine: str) -> Engine:
    return make_engine(engine, WIDTH)


SCOPE = Scope(read_program(QuantumCircuit(WIDTH)))


def proposition(space: Vectors) -> Proposition:
    return resolve(space.text, SCOPE)


def basis(engine: Engine, meaning: Proposition | Space) -> Space:
    """Independent vectors."""
    span = engine.span()
    vectors = meaning if isinstance(meaning, list) else expand(engine, meaning)
    return [v for v in vectors if span.add(v)]


def below(engine: Engine, small: Space, large: Space) -> bool:
    span = engine.span()
    for vector in large:
        span.add(vector)
    return all(span.contains(vector) for vector in small)


def equal(engine: Engine, left: Space, right: Space) -> bool:
    return below(engine, left, right) and below(engine, right, left)


def perp(engine: Engine, space: Space) -> Space:
    return engine.complement(space)


@given(x=SPACES)
def test_double_complement_and_dimensions(arena: Engine, x: Vectors) -> None:
    space = basis(arena, proposition(x))
    other = perp(arena, space)
    assert len(space) == x.space.shape[1]
    assert len(space) + len(other) == SIZE
    assert equal(arena, perp(arena, other), space)
    assert all(arena.inner_is_zero(a, b) for a in space for b in other)


@given(x=SPACES, y=SPACES)
def test_de_morgan(arena: Engine, x: Vectors, y: Vectors) -> None:
    p, q = proposition(x), proposition(y)
    both = basis(arena, basis(arena, p) + basis(arena, q))
    assert equal(arena, perp(arena, both), basis(arena, meet_of(perp_of(p), perp_of(q))))


@given(x=SPACES, y=SPACES)
def test_orthomodular_law(arena: Engine, x: Vectors, y: Vectors) -> None:
    """X <= Z implies Z = X \\/ (Z /\\ X^perp)."""
    p, z = proposition(x), join_of(proposition(x), proposition(y))
    assert equal(arena, basis(arena, z), basis(arena, p) + basis(arena, meet_of(z, perp_of(p))))


@given(x=SPACES, y=SPACES)
def test_dimensions_of_join_and_meet(arena: Engine, x: Vectors, y: Vectors) -> None:
    p, q = proposition(x), proposition(y)
    a, b, shared = basis(arena, p), basis(arena, q), basis(arena, meet_of(p, q))
    assert len(basis(arena, a + b)) + len(shared) == len(a) + len(b)
    assert len(shared) == reference.meet(x.space, y.space).shape[1]
    assert below(arena, shared, a)
    assert below(arena, shared, b)


@given(x=vectors(WIDTH, least=1), data=st.data())
def test_independent_of_the_spanning_set(arena: Engine, x: Vectors, data: st.DataObject) -> None:
    """Other vectors of the same span, in another order, span the same."""
    count = x.columns.shape[1]
    mixed = data.draw(st.permutations([x.columns[:, k] for k in range(count)]))
    mixed = [*mixed, mixed[0] + 1j * mixed[-1]]
    again = [arena.amplitudes(v) for v in mixed if np.linalg.norm(v) > 0]
    assert equal(arena, basis(arena, proposition(x)), again)


def kraus(statement: Statement) -> list[object]:
    """The operators of a statement as the pipeline sees them."""
    first = read_program(Toy(WIDTH, 1, (statement,)).circuit()).code[0]
    found = families(first, None)
    return list(found[0]) if found else [first]


def image(engine: Engine, operators: list[object], space: Space) -> Space:
    images = [engine.run(engine.compile([k]), v) for k in operators for v in space]  # type: ignore[list-item]
    return basis(engine, [v for v in images if not engine.is_zero(v)])


STEPS = st.one_of(unitaries(WIDTH), st.integers(0, WIDTH - 1).map(Reset))


@given(x=SPACES, y=SPACES, step=STEPS)
def test_images_preserve_joins(arena: Engine, x: Vectors, y: Vectors, step: Statement) -> None:
    a, b, k = basis(arena, proposition(x)), basis(arena, proposition(y)), kraus(step)
    assert equal(arena, image(arena, k, basis(arena, a + b)), image(arena, k, a) + image(arena, k, b))


@given(x=SPACES, step=STEPS)
def test_images_have_the_right_dimension(arena: Engine, x: Vectors, step: Statement) -> None:
    expected = reference.image(reference.kraus_of(step, WIDTH), x.space)
    assert len(image(arena, kraus(step), basis(arena, proposition(x)))) == expected.shape[1]


@given(x=SPACES, y=SPACES, v=vectors(WIDTH, least=1, most=1))
def test_membership_in_compound_propositions(arena: Engine, x: Vectors, y: Vectors, v: Vectors) -> None:
    a, b, tests = proposition(x), proposition(y), Membership(arena)
    vector = expand(arena, proposition(v))[0]
    meanings = {
        a: x.space,
        perp_of(a): reference.complement(x.space),
        join_of(a, perp_of(b)): reference.join(x.space, reference.complement(y.space)),
        meet_of(perp_of(a), b): reference.meet(reference.complement(x.space), y.space),
        perp_of(join_of(a, b)): reference.complement(reference.join(x.space, y.space)),
    }
    for meaning, space in meanings.items():
        assert tests.contains(meaning, vector) == reference.below(v.space, space)
        assert tests.orthogonal(meaning, vector) == reference.below(v.space, reference.complement(space))


PAULI = {
    "I": np.eye(2),
    "X": np.array([[0, 1], [1, 0]]),
    "Y": np.array([[0, -1j], [1j, 0]]),
    "Z": np.diag([1, -1]),
}


@given(
    string=st.text("IXYZ", min_size=WIDTH, max_size=WIDTH),
    sign=st.sampled_from(["", "-"]),
    v=vectors(WIDTH, 1, 1),
)
def test_stabilised_subspaces(arena: Engine, string: str, sign: str, v: Vectors) -> None:
    matrix = np.kron(PAULI[string[0]], PAULI[string[1]]) * (-1 if sign else 1)
    expected = reference.kernel(matrix - np.eye(SIZE))
    meaning = resolve(f"stab({sign}{string})", SCOPE)
    vector = expand(arena, proposition(v))[0]
    assert len(basis(arena, meaning)) == expected.shape[1]
    assert Membership(arena).contains(meaning, vector) == reference.below(v.space, expected)
    assert Membership(arena).orthogonal(meaning, vector) == reference.below(
        v.space, reference.complement(expected)
    )
