"""Random Qiskit programs with every construct that QisMC reads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from qiskit import QuantumCircuit, QuantumRegister
from qiskit.circuit import library as gates
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Kraus, random_unitary

from ..program.programs import QUBITS, Generator

ONE = (
    gates.HGate(), gates.XGate(), gates.YGate(), gates.ZGate(), gates.SGate(), gates.SdgGate(), gates.TGate(),
    gates.TdgGate(), gates.SXGate(), gates.SXdgGate(), gates.IGate(), gates.RYGate(np.pi / 3),
    gates.RXGate(-3 * np.pi / 4), gates.RZGate(0.7), gates.PhaseGate(np.pi / 8),
    gates.U3Gate(0.3, np.pi, -0.7), gates.UGate(np.pi / 2, 0, np.pi), gates.RGate(np.pi / 2, np.pi / 4),
    gates.HGate().power(0.5),
)  # fmt: skip
TWO = (
    gates.CXGate(), gates.CZGate(), gates.CYGate(), gates.CHGate(), gates.SwapGate(), gates.iSwapGate(),
    gates.DCXGate(), gates.ECRGate(), gates.CSGate(), gates.CSXGate(), gates.CPhaseGate(np.pi / 4),
    gates.CRYGate(np.pi / 2), gates.CRZGate(0.4), gates.RZZGate(np.pi / 3), gates.RXXGate(np.pi / 2),
    gates.RYYGate(1.1), gates.RZXGate(np.pi / 4), gates.XXPlusYYGate(np.pi / 2, 0.2),
    gates.CUGate(0.1, 0.2, 0.3, 0.4), gates.XGate().control(1, ctrl_state=0), gates.TGate().control(1),
    gates.PauliGate("XZ"),
)  # fmt: skip
THREE = (
    gates.CCXGate(), gates.CCZGate(), gates.CSwapGate(), gates.RCCXGate(),
    gates.XGate().control(2, ctrl_state=1), gates.MCPhaseGate(np.pi / 4, 2), gates.PauliGate("YXZ"),
    gates.QFTGate(3),
)  # fmt: skip
FLIPS = [np.sqrt(0.75) * np.eye(2), 0.5 * np.array([[0, 1], [1, 0]])]
DAMPING = [np.diag([1, np.sqrt(0.5)]), np.array([[0, np.sqrt(0.5)], [0, 0]])]
STATES = ([1, 0, 0, 1], [0, 1, -1j, 0], [1, 1, 1, 1], [3, 0, 0, 4], [1, 0.2, 0, 0])


class Everything(Generator):
    """Builds one program."""

    def __init__(self, seed: int, size: int = 6) -> None:
        super().__init__(seed)
        self.circuit = QuantumCircuit(QuantumRegister(QUBITS, "q"), self.c, self.d)
        self.u = self.circuit.add_var("u", expr.lift(1, types.Uint(3)))
        self.b = self.circuit.add_var("b", expr.lift(False))
        self.size = size

    def build(self) -> QuantumCircuit:
        for qubit in range(QUBITS):
            if self.random.random() < 0.6:
                self.circuit.append(self.random.choice(ONE), [qubit])
        for _ in range(self.size):
            self.statement(2, False)
        return self.circuit

    def gate(self) -> None:
        rare = (self.matrix, self.channel, self.prepare, self.composite, self.idle, self.diagonal)
        if self.random.random() < 0.3:
            self.random.choice(rare)()
            return
        gate = self.random.choice(self.random.choice((ONE, ONE, TWO, TWO, THREE)))
        self.circuit.append(gate, self.places(gate.num_qubits))

    def places(self, count: int) -> list[int]:
        return self.random.sample(range(QUBITS), count)

    def matrix(self) -> None:
        width = self.random.choice((1, 2))
        exact = np.kron(np.array([[1, 1], [1, -1]]) / np.sqrt(2), np.eye(width))
        wanted = random_unitary(2**width, seed=self.random.randrange(10**6)).data
        self.circuit.unitary(exact if self.random.random() < 0.5 else wanted, self.places(width))

    def channel(self) -> None:
        self.circuit.append(Kraus(self.random.choice((FLIPS, DAMPING))), self.places(1))

    def prepare(self) -> None:
        state = np.array(self.random.choice(STATES), dtype=complex)
        self.circuit.initialize(state / np.linalg.norm(state), self.places(2))

    def composite(self) -> None:
        inner = QuantumCircuit(2, name="inner")
        inner.append(self.random.choice(ONE), [0])
        inner.append(self.random.choice(TWO), [1, 0])
        gate = inner.to_gate()
        if self.random.random() < 0.3:
            gate = gate.inverse()
        if self.random.random() < 0.3:
            gate = gate.control(1, ctrl_state=self.random.randrange(2))
        self.circuit.append(gate, self.places(gate.num_qubits))

    def idle(self) -> None:
        forms: list[Callable[[], object]] = [
            self.circuit.barrier,
            lambda: self.circuit.delay(10, 0),
            lambda: self.circuit.id(1),
        ]
        self.random.choice(forms)()

    def diagonal(self) -> None:
        phases = [self.random.choice((1, -1, 1j, -1j, np.exp(0.3j))) for _ in range(4)]
        self.circuit.append(gates.DiagonalGate(phases), self.places(2))

    def store(self) -> None:
        rng, three = self.random, types.Uint(3)
        number = expr.lift(rng.randrange(8), three)
        wide = expr.cast(expr.lift(self.c), three)
        values = [
            expr.add(self.u, number), expr.sub(self.u, number), expr.bit_xor(self.u, wide),
            expr.bit_and(self.u, number), expr.bit_or(self.u, wide), expr.bit_not(self.u),
            expr.shift_left(self.u, 1), expr.shift_right(self.u, 1), expr.mul(self.u, wide), number,
        ]  # fmt: skip
        tests = [
            expr.bit_xor(self.b, self.c[0]), expr.less(self.u, number), expr.equal(self.u, wide),
            expr.logic_and(self.b, self.d[0]), expr.greater_equal(self.u, number), expr.index(self.u, 2),
        ]  # fmt: skip
        target, value = (self.u, rng.choice(values)) if rng.random() < 0.6 else (self.b, rng.choice(tests))
        self.circuit.store(target, value)

    def condition(self) -> object:
        further = [
            (self.d, self.random.randrange(2)),
            expr.greater(self.u, self.random.randrange(7)),
            expr.less_equal(self.c, self.random.randrange(4)),
            expr.equal(expr.bit_or(self.c, 1), 3),
            expr.bit_xor(self.c[0], self.d[0]),
        ]
        return self.random.choice([super().condition(), super().condition(), *further])
