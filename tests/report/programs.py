"""Programs whose pictures are looked at."""

from __future__ import annotations

import random

from qismc import QuantumCircuit, Result, check
from qismc.demo import TARGET, repeat_until_success


def violated() -> Result:
    """The repeat-until-success bug: one formula fails, one holds."""
    spec = {"correct": "AG (leaf -> target)", "bits": "AG (c == 0 | c == 1)"}
    return check(repeat_until_success(reset_ancilla=False), spec, props={"target": TARGET})


def random_program(seed: int, length: int = 8) -> QuantumCircuit:
    """Gates, measurements, resets and nested conditionals on three qubits and two bits."""
    rng = random.Random(seed)
    circuit = QuantumCircuit(3, 2)
    _fill(circuit, rng, length, depth=2)
    return circuit


def _fill(circuit: QuantumCircuit, rng: random.Random, length: int, depth: int) -> None:
    for _ in range(length):
        first, second = rng.sample(range(3), 2)
        kind = rng.choice(["h", "t", "cx", "measure", "reset", "if", "ry", "h", "cx"])
        if kind == "cx":
            circuit.cx(first, second)
        elif kind == "measure":
            circuit.measure(first, rng.randrange(2))
        elif kind == "reset":
            circuit.reset(first)
        elif kind == "ry":
            circuit.ry(0.3 * rng.randrange(1, 5), first)
        elif kind == "if" and depth:
            with circuit.if_test((circuit.clbits[rng.randrange(2)], rng.randrange(2))):
                _fill(circuit, rng, 3, depth - 1)
        else:
            circuit.h(first) if kind == "h" else circuit.t(first)


def long_program(rounds: int) -> QuantumCircuit:
    """Twelve locations and four blocks per round."""
    circuit = QuantumCircuit(2, 1)
    for _ in range(rounds):
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
            circuit.x(1)
    return circuit
