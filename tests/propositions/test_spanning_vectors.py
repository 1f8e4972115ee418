"""Spaces on many qubits: written out if they have few dimensions; what is said where they have many."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, QuantumCircuit, Verdict

from ..compare import columns
from ..reference import ket, same, span
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
