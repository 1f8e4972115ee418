"""Random Qiskit programs with nested control flow."""

from __future__ import annotations

import random
from collections.abc import Callable

from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import CircuitError
from qiskit.circuit.classical import expr, types

QUBITS = 3


def _variables_may_count() -> bool:
    """Does this Qiskit take a variable as the parameter of a for loop? The oldest ones take none."""
    circuit = QuantumCircuit(1)
    try:
        with circuit.for_loop(range(2), expr.Var.new("i", types.Uint(4))):
            circuit.x(0)
    except CircuitError:
        return False
    return True


VARIABLES_COUNT = _variables_may_count()


class Generator:
    """Builds one program; every loop ends with positive probability in each turn."""

    def __init__(self, seed: int, exportable: bool = False) -> None:
        self.exportable = exportable
        self.random = random.Random(seed)
        self.c = ClassicalRegister(2, "c")
        self.d = ClassicalRegister(1, "d")
        self.circuit = QuantumCircuit(QuantumRegister(2, "q"), QuantumRegister(1, "r"), self.c, self.d)
        self.u = self.circuit.add_var("u", expr.lift(1, types.Uint(3)))
        self.b = self.circuit.add_var("b", expr.lift(False))

    def build(self) -> QuantumCircuit:
        for _ in range(6):
            self.statement(2, False)
        return self.circuit

    def statement(self, depth: int, in_loop: bool) -> None:
        simple: list[Callable[[], object]] = [
            self.gate,
            self.gate,
            self.gate,
            self.measure,
            self.reset,
            self.store,
        ]
        nested = [self.if_else, self.while_loop, self.for_loop, self.switch, self.box]
        choice = self.random.choice(simple + (nested if depth else []))
        if choice in nested:
            choice(depth - 1, in_loop)  # type: ignore[call-arg]
        else:
            choice()

    def gate(self) -> None:
        circuit, rng = self.circuit, self.random
        a, b, c = rng.sample(range(QUBITS), QUBITS)
        rng.choice(
            [
                lambda: circuit.h(a),
                lambda: circuit.t([a, b]),
                lambda: circuit.cx(a, b),
                lambda: circuit.ry(rng.random() * 3, a),
                lambda: circuit.ccx(a, b, c, ctrl_state=rng.randrange(4)),
                lambda: circuit.cu(0.3, 0.4, 0.5, 0.6, a, b, ctrl_state=rng.randrange(2)),
                lambda: circuit.y(a) if self.exportable else circuit.initialize("+", a),
            ]
        )()

    def measure(self) -> None:
        self.circuit.measure(self.random.randrange(QUBITS), self.random.choice([*self.c, *self.d]))

    def reset(self) -> None:
        self.circuit.reset(self.random.randrange(QUBITS))

    def store(self) -> None:
        rng = self.random
        if rng.random() < 0.5:
            self.circuit.store(self.u, expr.add(self.u, expr.lift(rng.randrange(4), types.Uint(3))))
        else:
            self.circuit.store(self.b, expr.bit_xor(self.b, self.c[0]))

    def condition(self) -> object:
        rng = self.random
        return rng.choice(
            [
                (self.c, rng.randrange(5)),
                (self.c[1], rng.randrange(2)),
                expr.less(self.u, rng.randrange(8)),
                expr.logic_or(self.b, expr.logic_not(self.d[0])),
                expr.not_equal(expr.bit_and(self.c, 2), 0),
                expr.index(self.u, 1),
            ]
        )

    def body(self, depth: int, in_loop: bool) -> None:
        for _ in range(self.random.randrange(1, 3)):
            self.statement(depth, in_loop)
        if in_loop and self.random.random() < 0.5:
            with self.circuit.if_test(self.condition()):
                self.random.choice([self.circuit.break_loop, self.circuit.continue_loop])()

    def if_else(self, depth: int, in_loop: bool) -> None:
        with self.circuit.if_test(self.condition()) as otherwise:
            self.body(depth, in_loop)
        if self.random.random() < 0.5:
            with otherwise:
                self.body(depth, in_loop)

    def while_loop(self, depth: int, _: bool) -> None:
        bit, value, qubit = (
            self.c[self.random.randrange(2)],
            self.random.randrange(2),
            self.random.randrange(QUBITS),
        )
        with self.circuit.while_loop((bit, value)):
            self.circuit.h(qubit)
            self.circuit.measure(qubit, bit)
            self.body(depth, True)

    def for_loop(self, depth: int, _: bool) -> None:
        kind = self.random.randrange(3 if VARIABLES_COUNT else 2)
        if kind == 0:
            with self.circuit.for_loop(range(self.random.randrange(3))) as index:
                self.circuit.rx(0.7 * index + 0.1, 0)
                self.body(depth, True)
        elif kind == 1:
            with self.circuit.for_loop((3, 1)):
                self.body(depth, True)
        else:
            with self.circuit.for_loop(range(3), expr.Var.new("i", types.Uint(3))) as index:
                with self.circuit.if_test(expr.less_equal(1, index)):  # it may not capture other variables
                    self.gate()
                self.measure()

    def switch(self, depth: int, in_loop: bool) -> None:
        with self.circuit.switch(self.random.choice([self.c, self.u])) as case:
            with case(0, 2):
                self.body(depth, in_loop)
            with case(3):
                self.body(depth, in_loop)
            if self.random.random() < 0.5:
                with case(case.DEFAULT):
                    self.body(depth, in_loop)

    def box(self, depth: int, _: bool) -> None:
        with self.circuit.box():
            self.body(depth, False)
