"""Whole and zero propositions, against ranks of dense projectors."""

from __future__ import annotations

import random

import numpy as np
import pytest

from qismc import Model, QuantumCircuit
from qismc.language.parser import parse_subspace
from qismc.propositions.expansion import extent
from qismc.propositions.propositions import Nothing, Perp, Proposition, SpanOf, Whole, join, meet, perp

from .. import reference

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
    proposition: Proposition = SpanOf(("0",), (0,))
    for level in range(60):
        other = Perp(SpanOf(("1",), (level,)))
        proposition = (meet if level % 2 else join)(proposition, other)
    assert perp(perp(proposition)) == proposition
    assert meet(proposition, perp(proposition)) == Nothing()
    assert join(perp(proposition), proposition) == Whole()
