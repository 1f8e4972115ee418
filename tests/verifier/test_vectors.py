"""Sparse vectors act as Qiskit's Operators say, modulo a prime."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from qismc.language import syntax
from qismc.language.parser import parse_subspace
from qismc.program import read_program
from qismc.program.statements import Apply
from qismc.verifier import vectors
from qismc.verifier.numbers import Residues
from qismc.verifier.outcome import NotChecked
from qismc.verifier.vectors import Arena, Echelon, Tally, Vector

RING = Residues.draw(240)


def random_circuit(seed: int) -> QuantumCircuit:
    rng = random.Random(seed)
    circuit = QuantumCircuit(3)
    for _ in range(12):
        a, b, c = rng.sample(range(3), 3)
        turn = rng.randrange(1, 12) * math.pi / 6
        rng.choice(
            [
                lambda a=a: circuit.h(a),
                lambda a=a, t=turn: circuit.u(t, t / 2, -t, a),
                lambda a=a, b=b: circuit.cx(a, b),
                lambda a=a, b=b, c=c: circuit.ccx(a, b, c),
                lambda a=a, b=b, t=turn: circuit.rxx(t, a, b),
                lambda a=a, b=b: circuit.ecr(a, b),
                lambda a=a, b=b: circuit.iswap(a, b),
            ]
        )()
    return circuit


def state(arena: Arena, circuit: QuantumCircuit) -> Vector:
    vector = Vector({0: 1})
    for statement in read_program(circuit).code:
        if isinstance(statement, Apply):
            vector = arena.apply(statement.operator, statement.qubits, vector)
    return vector


@pytest.mark.parametrize("seed", range(12))
def test_circuits_agree_with_qiskit_on_what_is_zero(seed: int) -> None:
    """Amplitudes, and the inner product with another circuit's state."""
    arena, conjugate = Arena(RING, Tally()), Arena(RING.conjugate, Tally())
    circuit, other = random_circuit(seed), random_circuit(seed + 100)
    expected = Statevector(circuit).data
    assert set(state(arena, circuit).entries) == {k for k in range(8) if abs(expected[k]) > 1e-9}
    overlap = Statevector(other).inner(Statevector(circuit))
    assert (arena.inner(state(conjugate, other), state(arena, circuit)) == 0) == (abs(overlap) < 1e-9)
    assert arena.inner(state(conjugate, circuit), state(arena, circuit)) == 1


def test_kets_read_left_to_right() -> None:
    tree = parse_subspace("|01> + i |r->")
    assert isinstance(tree, syntax.Ket)
    found = Arena(RING, Tally()).ket([(term.coefficient, term.letters) for term in tree.terms])
    half, i = RING.rational(1) / RING.rational(2), RING.turn(Fraction(1, 4))
    assert found.entries[0] == (i * half).value  # i/2 |00>
    assert found.entries[2] == (RING.rational(1) - i * half).value  # bit 1 is qubit 1
    assert found.entries[1] == (-half).value


def test_parts_and_spans() -> None:
    arena, tally = Arena(RING, Tally()), Tally()
    ghz = Vector({0b000: 1, 0b111: 1})
    assert [part.entries for part in arena.part(ghz, (2, 0))] == [{0: 1}, {0b11: 1}]
    span = Echelon(RING.p, tally)
    one, two = Vector({0: 1, 1: 2}, 5.0), Vector({1: 3, 2: 1}, 7.0)
    assert span.add(one) and span.add(two) and not span.add(Vector({0: 1, 1: 5, 2: 1}))
    assert span.dimension == 2 and not span.contains(Vector({0: 1}))
    assert span.coordinates(Vector({0: 2, 1: 7, 2: 1})) == {0: 2, 1: 1}
    assert tally.questions == 5 and tally.bits >= 5 * 4 + 7 * 3


def test_large_states_are_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_TERMS", 4)
    circuit = QuantumCircuit(3)
    for qubit in range(3):
        circuit.h(qubit)
    with pytest.raises(NotChecked, match="more than 4 terms"):
        state(Arena(RING, Tally()), circuit)
