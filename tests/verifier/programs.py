"""Programs and certificates that tests doctor."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import qismc
from qismc import QuantumCircuit
from qismc.program import read_program
from qismc.program.program import Program
from qismc.verifier import Accepted, verify
from qismc.verifier.certificate import read_certificate


def attempts() -> QuantumCircuit:
    """A repeat-until-success loop without the reset: its exit is reached in two dimensions."""
    circuit = QuantumCircuit(3, 1)
    circuit.x(2)
    circuit.measure(2, 0)
    circuit.mark("entered")
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.t(0)
        circuit.cx(0, 1)
        circuit.h(0)
        circuit.mark("tried")
        circuit.cx(0, 1)
        circuit.t(0)
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


TARGET = "1/sqrt(3) |001> + i sqrt(2)/sqrt(3) |011>"


def random_program(seed: int) -> QuantumCircuit:
    """Gates with angles that are multiples of pi, measurements, resets, branches and a loop."""
    rng = random.Random(seed)
    circuit = QuantumCircuit(3, 2)
    _fill(circuit, rng, 9)
    if rng.random() < 0.5:
        with circuit.while_loop((circuit.clbits[0], 1)):
            _fill(circuit, rng, 3)
            circuit.measure(rng.randrange(3), 0)
    return circuit


def _fill(circuit: QuantumCircuit, rng: random.Random, length: int) -> None:
    for _ in range(length):
        first, second = rng.sample(range(3), 2)
        match rng.choice(["h", "t", "cx", "measure", "reset", "if", "ry", "cp", "initialize", "mark"]):
            case "cx":
                circuit.cx(first, second)
            case "cp":
                circuit.cp(rng.randrange(1, 8) * math.pi / 6, first, second)
            case "measure":
                circuit.measure(first, rng.randrange(2))
            case "reset":
                circuit.reset(first)
            case "ry":
                circuit.ry(rng.randrange(1, 12) * math.pi / 6, first)
            case "initialize":
                circuit.initialize([0.6, 0.8j], first)
            case "mark":
                circuit.mark("here")
            case "if":
                with circuit.if_test((circuit.clbits[rng.randrange(2)], rng.randrange(2))):
                    circuit.h(first)
                    circuit.x(second)
                    circuit.mark("inside")
            case "h":
                circuit.h(first)
            case _:
                circuit.t(first)


def certified(
    path: Path, circuit: QuantumCircuit, spec: Any, **options: Any
) -> tuple[qismc.Result, dict[str, Any]]:
    """The result of a check, and its certificate as data."""
    file = path / "certificate.json"
    result = qismc.check(circuit, spec, certificate=file, **options)
    return result, json.loads(file.read_text(encoding="utf-8"))


def verified(path: Path, data: dict[str, Any], circuit: QuantumCircuit | Program) -> Accepted:
    """What the checker says about (doctored) data."""
    file = path / "doctored.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return verify(read_certificate(str(file)), read_program(circuit))
