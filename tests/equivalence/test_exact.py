"""Two measuring programs over the field, against plain matrices."""

from __future__ import annotations

import random

import numpy as np
import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import QuantumCircuit, Verdict
from tests.program.interpreter import interpret

LETTERS = {"0": [1, 0], "1": [0, 1], "+": [1, 1], "r": [1, 1j]}
Operators = dict[object, np.ndarray]


def choi(circuit: QuantumCircuit) -> Operators:
    """C_x for every store x, by an interpreter that is not ours; partners come behind the qubits."""
    count = circuit.num_qubits
    wide = qiskit.QuantumCircuit(2 * count, circuit.num_clbits)
    for k in range(count):
        wide.h(k)
        wide.cx(k, count + k)
    wide.compose(circuit, range(count), range(circuit.num_clbits), inplace=True)
    return dict(interpret(wide))


def same(left: Operators, right: Operators) -> bool:
    """Are all operators equal?"""
    size = len(next(iter(left.values())))
    nothing = np.zeros((size, size))
    return all(np.allclose(left.get(x, nothing), right.get(x, nothing)) for x in {*left, *right})


def random_program(draw: random.Random, length: int) -> QuantumCircuit:
    circuit = QuantumCircuit(2, 2)
    for _ in range(length):
        _random_statement(circuit, draw, nested=False)
    return circuit


def _random_statement(circuit: QuantumCircuit, draw: random.Random, *, nested: bool) -> None:
    kind = draw.choice(["gate"] * 5 + ["measure", "measure", "reset", "if", "if"])
    if kind == "gate":
        name = draw.choice(["h", "t", "x", "z", "cx", "sx", "ry"])
        qubits = draw.sample([0, 1], 2 if name == "cx" else 1)
        getattr(circuit, name)(*([0.7] if name == "ry" else []), *qubits)
    elif kind == "measure":
        circuit.measure(draw.randrange(2), draw.randrange(2))
    elif kind == "reset":
        circuit.reset(draw.randrange(2))
    elif not nested:
        with circuit.if_test((circuit.clbits[draw.randrange(2)], draw.randrange(2))):
            _random_statement(circuit, draw, nested=True)
            circuit.x(0)


def variant(circuit: QuantumCircuit, draw: random.Random) -> QuantumCircuit:
    """The same with one more gate at the end, or with gates that cancel."""
    other = circuit.copy()
    match draw.randrange(4):
        case 0:
            other.z(0)
        case 1:
            other.s(1)
            other.sdg(1)
        case 2:
            with other.if_test((other.clbits[0], 1)):
                other.z(1)
        case _:
            other.measure(1, 1)
    return other


@pytest.mark.parametrize("seed", range(16))
def test_random_programs_agree_with_matrices(seed: int) -> None:
    draw = random.Random(seed)
    left = random_program(draw, 8)
    right = variant(left, draw) if seed % 4 else random_program(draw, 8)
    operators = choi(left), choi(right)
    expected = same(*operators)
    result = qismc.equivalent(left, right)
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)
    assert result.engine in ("exact", "stabiliser")
    if not expected:
        letters = result.notes[0].partition("|")[2].partition(">")[0]
        assert not same(*(_on_input(found, letters) for found in operators))
        assert result.counterexample.replayed


def _on_input(stores: dict[int, np.ndarray], letters: str) -> dict[int, np.ndarray]:
    """The states from a product of letters: partners projected on its conjugate."""
    state = np.ones(1)
    for letter in letters:
        state = np.kron(LETTERS[letter], state)
    bra = np.kron(state.reshape(1, -1), np.eye(4))
    return {x: bra @ rho @ bra.conj().T for x, rho in stores.items()}


def until_one(bias: float) -> QuantumCircuit:
    """Tosses two coins until they differ, then tells the first: von Neumann's trick."""
    pair, seen = QuantumRegister(2, "pair"), ClassicalRegister(1, "c")
    again = ClassicalRegister(1, "again")
    circuit = QuantumCircuit(pair, seen, again)
    circuit.reset(pair)
    circuit.x(pair[0])
    circuit.measure(pair[0], again[0])
    with circuit.while_loop((again, 1)):
        circuit.reset(pair)
        circuit.ry(bias, pair[0])
        circuit.ry(bias, pair[1])
        circuit.measure(pair[0], seen[0])
        circuit.cx(pair[0], pair[1])
        circuit.x(pair[1])
        circuit.measure(pair[1], again[0])
    circuit.reset(pair)
    return circuit


def test_a_loop_makes_a_fair_coin_of_a_biased_one() -> None:
    """Exactly: the linear equations of the expected visits are solved over the field."""
    fair = QuantumCircuit(QuantumRegister(2, "pair"), ClassicalRegister(1, "c"))
    fair.reset([0, 1])
    fair.h(0)
    fair.measure(0, 0)
    fair.reset(0)
    result = qismc.equivalent(until_one(2 * np.arccos(np.sqrt(1 / 3))), fair, to=())
    assert result.verdict is Verdict.HOLDS and result.engine == "exact"
    unfair = QuantumCircuit(QuantumRegister(2, "pair"), ClassicalRegister(1, "c"))
    unfair.reset([0, 1])
    unfair.ry(np.pi / 3, 0)
    unfair.measure(0, 0)
    wrong = qismc.equivalent(until_one(np.pi / 3), unfair, to=())
    assert wrong.verdict is Verdict.VIOLATED
    assert "probability of c = 1 is 0.5, in the reference 0.25" in wrong.notes[0]


def test_differences_that_floating_point_calls_equal() -> None:
    """cos(1e-5)^2 and 1 differ by 1e-10."""
    tilted, plain = QuantumCircuit(1, 1), QuantumCircuit(1, 1)
    tilted.ry(2e-5, 0)
    for circuit in (tilted, plain):
        circuit.measure(0, 0)
    assert qismc.equivalent(tilted, plain).verdict is not Verdict.HOLDS


def test_many_qubits() -> None:
    """Twelve qubits of input, four of them measured on the way."""
    first, second = QuantumCircuit(12, 4), QuantumCircuit(12, 4)
    for circuit in (first, second):
        for k in range(11):
            circuit.cx(k, k + 1)
        circuit.measure(range(4), range(4))
    first.x(5)
    with first.if_test((first.clbits[3], 1)):
        first.z(7)
    second.x(5)
    second.z(7)
    with second.if_test((second.clbits[3], 0)):
        second.z(7)
    assert qismc.equivalent(first, second).verdict is Verdict.HOLDS
    second.cz(7, 9)
    assert qismc.equivalent(first, second).verdict is Verdict.VIOLATED
