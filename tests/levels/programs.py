"""Random circuits with everything that can happen to bits: inputs, arithmetic, channels, shared registers."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit import library as gates
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Kraus

from qismc import QuantumCircuit

from ..differential.circuits import Writer

FLIPS = [np.sqrt(0.5) * np.eye(2), np.sqrt(0.5) * np.array([[0, 1], [1, 0]])]
THREE = [np.sqrt(0.5) * np.eye(2), 0.5 * np.diag([1, -1]), 0.5 * np.array([[0, -1j], [1j, 0]])]
STATES = ([1, 0, 0, 1], [0, 1, -1j, 0], [1, 1, 1, 1])


class WideWriter(Writer):
    """Three qubits, a register and another that shares its bits, a variable and perhaps an input."""

    def __init__(self, random: Random, literal_angles: bool = False, size: int = 5) -> None:
        self.random = random
        angles = [gates.RYGate(0.7), gates.RZGate(0.3), gates.RXGate(1.4)]
        self.one = [gates.HGate(), gates.XGate(), gates.TGate(), gates.SGate(), gates.SXGate()]
        self.one += angles if literal_angles else [gates.RYGate(np.pi / 3)]
        self.circuit = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(3, "c"))
        shared = [self.circuit.clbits[2], self.circuit.clbits[0]]
        self.circuit.add_register(ClassicalRegister(name="d", bits=shared))
        two = types.Uint(2)
        known = random.random() < 0.5
        self.chosen = self.circuit.add_var("i", self.number()) if known else self.circuit.add_input("i", two)
        self.variable = self.circuit.add_var("u", self.number())
        self.circuit.h([0, 1])
        self.circuit.measure(random.randrange(3), 0)
        self.statements(2, False, size)

    def number(self) -> Any:
        return expr.lift(self.random.randrange(4), types.Uint(2))

    def gate(self) -> None:
        two = [gates.CXGate(), gates.CZGate(), gates.CHGate(), gates.SwapGate(), gates.RZZGate(np.pi / 4)]
        further = [gates.CCXGate(), gates.XGate().control(1, ctrl_state=0)]
        gate = self.random.choice([*self.one, *two, *further])
        self.circuit.append(gate, self.random.sample(range(3), gate.num_qubits))

    def measure(self) -> None:
        self.circuit.measure(self.random.randrange(3), self.random.randrange(3))

    def reset(self) -> None:
        self.circuit.reset(self.random.randrange(3))

    def prepare(self) -> None:
        if self.random.random() < 0.4:
            self.circuit.append(Kraus(self.random.choice([FLIPS, THREE])), [self.random.randrange(3)])
        else:
            state = np.array(self.random.choice(STATES))
            self.circuit.initialize(state / np.linalg.norm(state), self.random.sample(range(3), 2))

    def store(self) -> None:
        target, other = self.random.choice([self.variable, self.chosen]), self.chosen
        values = [
            expr.bit_xor(target, self.random.randrange(1, 4)),
            expr.add(target, other),
            expr.sub(target, self.number()),
            expr.bit_and(target, other),
            expr.bit_not(target),
            expr.shift_left(target, 1),
            expr.mul(target, other),
            expr.cast(expr.lift(self.circuit.clbits[0]), types.Uint(2)),
        ]
        self.circuit.store(target, self.random.choice(values))

    def condition(self) -> Any:
        bits, registers = self.circuit.clbits, self.circuit.cregs
        register = self.random.choice(registers)
        return self.random.choice(
            [
                (self.random.choice(bits), self.random.randrange(2)),
                (register, self.random.randrange(2**register.size)),
                expr.less(self.variable, self.random.randrange(1, 4)),
                expr.less_equal(registers[0], self.random.randrange(1, 7)),
                expr.equal(self.variable, self.chosen),
                expr.bit_xor(bits[0], bits[1]),
                expr.logic_or(bits[0], expr.logic_not(bits[2])),
                expr.greater(self.chosen, self.variable),
                expr.not_equal(registers[1], self.variable),
                expr.index(registers[0], self.variable),
            ]
        )
