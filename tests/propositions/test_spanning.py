"""Spaces written out: on many qubits if they have few dimensions; the same on every engine."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.engines.dense import DenseEngine
from qismc.engines.native import NativeEngine
from qismc.language.parser import parse_subspace
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm
from qismc.program import read_program
from qismc.propositions.propositions import Nothing, Perp, SpanOf, Whole, join, meet, perp
from qismc.propositions.propositions import Proposition as Meaning
from qismc.propositions.resolving import Scope, resolve
from qismc.propositions.spanning import expand, extent, spanning

from .. import reference
from ..all_engines import make_engine
from ..compare import columns
from ..reference import Matrix, ket, same, span
from ..strategies import Proposition, propositions

WIDTH = 9


def copied(count: int) -> QuantumCircuit:
    circuit = QuantumCircuit(2 * count + 1)
    for k in range(count):
        circuit.cx(k, count + k)
    circuit.t(0)
    return circuit


@pytest.mark.parametrize("wanted", [0, 1])
def test_a_start_that_leaves_qubits_free(wanted: int) -> None:
    circuit, formula = copied(12), f"AG (leaf -> |{wanted}> on q[24])"
    full = qismc.check(circuit, formula, init="full on q[0:12]", numbers="exact")
    assert full.verdict is Verdict.UNKNOWN and full.reason is not None
    assert full.reason.startswith("form: init has no small spanning set") and "'any on ...'" in full.reason
    every = qismc.check(circuit, formula, init="any on q[0:12]", numbers="exact")
    assert every.verdict is (Verdict.VIOLATED if wanted else Verdict.HOLDS)


@pytest.mark.parametrize(("strings", "verdict"), [(12, "unknown"), (24, "violated")])
def test_codes_are_starts_by_their_dimension(engine: str, strings: int, verdict: str) -> None:
    """Of 25 qubits 24 strings leave two dimensions, 12 leave 8192."""
    code = ", ".join("I" * k + "ZZ" + "I" * (23 - k) for k in range(strings))
    result = qismc.check(copied(12), "AG |0> on q[24]", init=f"stab({code})", numbers=engine)
    assert result.verdict is Verdict(verdict)


@settings(max_examples=8)
@given(space=propositions(2), qubits=st.permutations(range(WIDTH)).map(lambda order: order[:2]))
def test_anything_on_few_of_many_qubits(engine: str, space: Proposition, qubits: list[int]) -> None:
    """The others are |0>; amplitude |ab> of the space is that of the word with a and b at the qubits."""
    if " on " in space.text or not space.space.shape[1]:
        return
    text = f"({space.text}) on {', '.join(f'q[{q}]' for q in qubits)}"
    found = Model(QuantumCircuit(WIDTH), init=text, numbers=engine).sp(0)
    assert found.dimension == space.space.shape[1]
    expected = np.zeros((2**WIDTH, space.space.shape[1]), dtype=complex)
    for index in range(4):
        place = sum((index >> 1 - k & 1) << WIDTH - 1 - q for k, q in enumerate(qubits))
        expected[place] = space.space[index]
    assert engine == "exact" or same(columns(found), expected)


STARTS = {
    "stab(ZZIIIIIII, XXXXXXXXX, IZZIIIIII, IIIZZIIII, IIIIIZZII, IIIIIIIZZ)": 2**3,
    "stab(XX) on q[0], q[8]": 2,
    "(stab(XX, -ZZ) on q[0], q[8]) /\\ (|0> + |1> on q[3]) /\\ (|-r> on q[5], q[4])": 1,
    "(stab(ZZ) on q[0], q[8]) /\\ (|01> + |10> on q[3], q[2])": 2,
    "(~|+> on q[0]) /\\ (stab(YY) on q[1], q[2])": 2,
    "full on q[6:9]": 2**3,
    "(|00> \\/ stab(XX)) on q[1], q[7]": 3,
    "|01+> on q[8], q[0], q[3]": 1,
    "(|0+1-rl010> + |111111111>) on q[8], q[7], q[6], q[5], q[4], q[3], q[2], q[1], q[0]": 1,
    "|000000011> \\/ (stab(ZZIIIIIII, IZZIIIIII, IIZZIIIII, IIIZZIIII, IIIIZZIII, IIIIIZZII, IIIIIIZZI))": 5,
    "(stab(Z) on q[0]) /\\ (stab(X) on q[0])": 0,
}


@pytest.mark.parametrize(("text", "dimension"), STARTS.items())
def test_starts_on_nine_qubits(text: str, dimension: int) -> None:
    """Both engines find the same space; its dimension is known."""
    if not dimension:
        with pytest.raises(qismc.SpecError, match="zero space"):
            Model(QuantumCircuit(WIDTH), init=text).sp(0)
        return
    found = {name: Model(QuantumCircuit(WIDTH), init=text, numbers=name).sp(0) for name in ("exact", "float")}
    assert found["exact"].dimension == found["float"].dimension == dimension
    small = QuantumCircuit(WIDTH)
    assert qismc.check(small, "p", init=text, props={"p": found["exact"]}, numbers="float")


def test_a_meet_of_three_pieces() -> None:
    """Their product: a Bell state, three states orthogonal to another one, two letters."""
    text = "(stab(XX, -ZZ) on q[0], q[1]) /\\ (~(|00> + |11>) on q[2], q[3]) /\\ (|-r> on q[5], q[4])"
    bell, others = np.array([0, 1, 1, 0]), np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, -1]])
    letters, rest = np.kron([1, 1j], [1, -1]), ket("000")[:, 0]
    columns_of = [reduce(np.kron, [bell, other, letters, rest]) for other in others]
    found = columns(Model(QuantumCircuit(WIDTH), init=text, numbers="float").sp(0))
    assert same(found, span(np.array(columns_of, dtype=complex).T))


QUBITS = 2
EYE = np.eye(2, dtype=complex)
LETTERS = {"0": (1, 0), "1": (0, 1), "+": (1, 1), "-": (1, -1)}
KETS = ("00", "01", "10", "11", "+0", "-0", "1+", "++")


def line(*letters: str) -> reference.Matrix:
    """The product of single-qubit states, qubit 0 first."""
    found = np.ones((1, 1), dtype=complex)
    for letter in letters:
        found = np.kron(found, np.array(LETTERS[letter], dtype=complex).reshape(2, 1))
    return reference.span(found)


def drawn(rng: random.Random, depth: int) -> tuple[str, reference.Matrix]:
    """A subspace of two qubits as text, and the matrix of an orthonormal basis."""
    kind = rng.choice(["ket", "single", "join", "join", "meet", "not"]) if depth else "ket"
    if kind == "ket":
        bits = rng.choice(KETS)
        return f"|{bits}>", line(*bits)
    if kind == "single":
        bit, qubit = rng.choice("01+-"), rng.randrange(QUBITS)
        space = np.kron(line(bit), EYE) if qubit == 0 else np.kron(EYE, line(bit))
        return f"|{bit}> on q[{qubit}]", space
    if kind == "not":
        text, space = drawn(rng, depth - 1)
        return f"~({text})", reference.complement(space)
    (left, one), (right, two) = drawn(rng, depth - 1), drawn(rng, depth - 1)
    if kind == "join":
        return f"({left}) \\/ ({right})", reference.join(one, two)
    return f"({left}) /\\ ({right})", reference.meet(one, two)


def test_random_propositions() -> None:
    model, rng = Model(QuantumCircuit(QUBITS)), random.Random(27)
    seen = set()
    for _ in range(600):
        text, space = drawn(rng, 3)
        expected = {0: "zero", 1 << QUBITS: "whole"}.get(space.shape[1])
        found = extent(model.names.meaning(parse_subspace(text)), QUBITS)
        assert found == expected, text
        seen.add(found)
    assert seen == {"zero", "whole", None}


@pytest.mark.parametrize(
    ("text", "expected"), [("p \\/ ~p", "whole"), ("p /\\ ~p", "zero"), ("p \\/ |1> on q[0]", None)]
)
def test_wide_propositions_by_their_form(text: str, expected: str | None) -> None:
    model = Model(QuantumCircuit(40), props={"p": f"|{'0' * 40}>"})
    assert extent(model.names.meaning(parse_subspace(text)), 40) == expected


def test_complements_of_deep_propositions_are_written_in_linear_time() -> None:
    """Every level once looked at the complement of the level below twice: 60 levels never ended."""
    proposition: Meaning = SpanOf(("0",), (0,))
    for level in range(60):
        other = Perp(SpanOf(("1",), (level,)))
        proposition = (meet if level % 2 else join)(proposition, other)
    assert perp(perp(proposition)) == proposition
    assert meet(proposition, perp(proposition)) == Nothing()
    assert join(perp(proposition), proposition) == Whole()


FEW = 3
"""Qubits of starts that every engine finds."""
SCOPE = Scope(read_program(QuantumCircuit(FEW)))
EXACT = make_engine("exact", FEW)
DENSE = DenseEngine(FEW, Budget(Limits()))
TRAIN = NativeEngine(ComplexForm(), (2, 0, 1), Budget(Limits()))
DENOMINATORS = 5000


def in_the_field(column: Matrix) -> object:
    """The exact vector with these (Gaussian rational) amplitudes."""
    ring = EXACT.ring

    def number(x: float) -> object:
        nearest = Fraction(x).limit_denominator(DENOMINATORS)
        assert abs(float(nearest) - x) < 1e-9
        return ring.rational(nearest)

    numbers = [number(z.real) + number(z.imag) * ring.turn(Fraction(1, 4)) for z in column]
    return EXACT.combine(numbers, expand(EXACT, Whole()))


@given(propositions(FEW))
def test_start_states_are_the_same_on_every_engine(meaning: Proposition) -> None:
    proposition = resolve(meaning.text, SCOPE)
    exact = spanning(EXACT, proposition, "a start")
    dense = spanning(DENSE, proposition, "a start")
    trains = spanning(TRAIN, proposition, "a start")
    assert len(exact) == len(dense) == len(trains)
    for vector, column, train in zip(exact, dense, trains, strict=True):
        line = EXACT.span()
        line.add(vector)
        scaled = column / column[np.flatnonzero(np.abs(column) > 1e-6)[-1]]  # its last entry is the leading 1
        assert line.contains(in_the_field(scaled))
        other = TRAIN.span()
        other.add(train)
        assert other.contains(TRAIN.amplitudes(column))
