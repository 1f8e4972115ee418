"""Large programs against stim's samples: right ones, and ones with a seeded bug."""

from __future__ import annotations

from random import Random

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.circuit import library as gates

import qismc
from benchmarks.clifford import random_dynamic
from benchmarks.simulators import stim_circuit

QUBITS, COINS = 24, 16
SHOTS = 256
"""A wrong final state is seen in at least a quarter of all shots."""


def dropped(circuit: QuantumCircuit, random: Random) -> None:
    """One gate is missing."""
    places = [k for k, step in enumerate(circuit.data) if step.operation.name in ("cx", "s", "h")]
    del circuit.data[random.choice(places)]


def flipped(circuit: QuantumCircuit, random: Random) -> None:
    """One sign is wrong: a Pauli too many."""
    place = random.randrange(len(circuit.data) // 2)
    pauli = random.choice([gates.XGate(), gates.YGate(), gates.ZGate()])
    circuit.data.insert(place, CircuitInstruction(pauli, [circuit.qubits[random.randrange(QUBITS)]], []))


def swapped(circuit: QuantumCircuit, random: Random) -> None:
    """One outcome goes to another bit."""
    places = [k for k, step in enumerate(circuit.data) if step.operation.name == "measure"]
    first = random.randrange(1, len(places))
    bits = [circuit.data[places[first]].clbits, circuit.data[places[first - 1]].clbits]
    circuit.data[places[first]] = circuit.data[places[first]].replace(clbits=bits[1])


BUGS = {"right": None, "dropped": dropped, "flipped": flipped, "swapped": swapped}


def is_always_zero(circuit: QuantumCircuit) -> bool:
    native = stim_circuit(circuit)
    assert native is not None
    native.append("M", range(QUBITS))
    shots = native.compile_sampler(seed=5).sample(SHOTS)
    return not shots[:, -QUBITS:].any()


@pytest.mark.parametrize("bug", BUGS)
@pytest.mark.parametrize("seed", range(4))
def test_verdicts_are_those_of_the_samples(bug: str, seed: int) -> None:
    case = random_dynamic(QUBITS, COINS, seed)
    change = BUGS[bug]
    if change is not None:
        change(case.circuit, Random(seed))
    result = qismc.check(case.circuit, dict(case.formulas), props=case.props)
    assert result.engine == "stabiliser"
    assert bool(result) == is_always_zero(case.circuit)
    assert bug != "right" or result
    if not result:
        assert result.counterexample is not None and result.counterexample.replayed


def test_every_sample_is_possible() -> None:
    random = Random(3)
    circuit = QuantumCircuit(30, 30)
    for _ in range(200):
        circuit.cx(*random.sample(range(30), 2))
        circuit.h(random.randrange(30))
    circuit.measure(range(30), range(30))
    native = stim_circuit(circuit)
    assert native is not None
    for shot in native.compile_sampler(seed=1).sample(5):
        value = sum(int(bit) << k for k, bit in enumerate(shot))
        seen = qismc.check(circuit, {"seen": f"EF (leaf & c == {value})"})
        assert seen and seen.engine == "stabiliser" and seen["seen"].witness.steps[-1].store["c"] == value  # type: ignore[union-attr]
