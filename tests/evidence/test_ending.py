"""What is true at the end of a replay on a tableau, against states of qiskit."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.quantum_info import Pauli, Statevector

from qismc import Model
from qismc._core import Tableau
from qismc.evidence.ending import Ending
from qismc.language.parser import parse_formula
from qismc.stabiliser.codes import Codes
from qismc.stabiliser.paulis import NotStabiliser

QUBITS = 3


def random_clifford(random: Random) -> QuantumCircuit:
    circuit = QuantumCircuit(QUBITS)
    for _ in range(12):
        name = random.choice(("h", "s", "x", "cx", "cz"))
        getattr(circuit, name)(*random.sample(range(QUBITS), 2 if name.startswith("c") else 1))
    return circuit


def ended(circuit: QuantumCircuit, store: int = 0, point: int | None = None) -> Ending:
    """Where the gates of a circuit lead; by default its last point."""
    model = Model(circuit, props={"prop": "|000>"} if circuit.num_qubits == QUBITS else None)
    codes, code = Codes(circuit.num_qubits), model.program.code
    tableau, last = Tableau(circuit.num_qubits), len(code) - 1
    codes.gates.run(tableau, code, 0, last)
    return Ending(model.names, codes, last if point is None else point, store, tableau)


@pytest.mark.parametrize("seed", range(4))
def test_strings_stabilise_the_states_that_they_stabilise(seed: int) -> None:
    circuit = random_clifford(Random(seed))
    ending, state = ended(circuit), Statevector(circuit)
    found = set()
    for letters in product("IXYZ", repeat=QUBITS):
        value = state.expectation_value(Pauli("".join(reversed(letters)))).real
        for sign in (1, -1):
            text = f"stab({'-' if sign < 0 else ''}{''.join(letters)})"
            if set(letters) == {"I"} and sign < 0:
                continue
            holds = ending.holds(parse_formula(text))
            assert holds == np.isclose(value * sign, 1), text
            found.add(holds)
    assert found == {True, False}


@pytest.mark.parametrize("seed", range(4))
def test_kets_and_names_of_propositions(seed: int) -> None:
    circuit = random_clifford(Random(seed))
    ending, state = ended(circuit), Statevector(circuit)
    for bits in product("01", repeat=QUBITS):
        weight = abs(state.data[int("".join(reversed(bits)), 2)]) ** 2
        assert ending.holds(parse_formula(f"|{''.join(bits)}>")) == np.isclose(weight, 1)
    assert ending.holds(parse_formula("prop")) == np.isclose(abs(state.data[0]), 1)
    assert ending.holds(parse_formula("full")) and not ending.holds(parse_formula("zero"))


def test_stores_and_points() -> None:
    circuit = QuantumCircuit(1)
    circuit.add_register(ClassicalRegister(3, "c"), ClassicalRegister(1, "d"))
    circuit.x(0)
    for store in range(16):
        ending, c, d = ended(circuit, store), store % 8, store // 8
        for text, expected in {
            "c == 5": c == 5,
            "c[1]": bool(c & 2),
            "d": bool(d),
            "leaf & c <= 3 -> d": c > 3 or bool(d),
            "c + d >= 5": c + d >= 5,
        }.items():
            assert ending.holds(parse_formula(text)) == expected, (text, store)
    assert not ended(circuit, point=0).holds(parse_formula("leaf"))


@pytest.mark.parametrize("text", ["~|000>", "init", "reached"])
def test_what_is_left_to_others(text: str) -> None:
    with pytest.raises(NotStabiliser):
        ended(QuantumCircuit(QUBITS)).holds(parse_formula(text))
