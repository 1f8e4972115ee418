"""Random Clifford circuits with everything that can happen to bits, and formulas about them."""

from __future__ import annotations

from math import pi
from random import Random

import numpy as np
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import library as gates
from qiskit.circuit.classical import expr
from qiskit.quantum_info import random_clifford

from ..levels.programs import STATES, WideWriter

PAULIS = [gates.XGate(), gates.YGate(), gates.ZGate(), gates.RZGate(pi), gates.PauliGate("XZ")]
ONE = [gates.HGate(), gates.SGate(), gates.SXdgGate(), gates.RYGate(pi / 2), gates.UGate(pi / 2, 0, pi)]
TWO = [gates.CXGate(), gates.CZGate(), gates.CYGate(ctrl_state=0), gates.SwapGate(), gates.RZZGate(pi / 2)]
LETTERS = "01+-rl"


class CliffordWriter(WideWriter):
    """Clifford gates, often Paulis where they are conditional; `simple` leaves out what cannot be merged."""

    def __init__(self, random: Random, simple: bool = False, size: int = 5) -> None:
        self.simple = simple
        super().__init__(random, size=size)
        self.look()

    def look(self) -> None:
        """At the end measure all qubits in some basis, so that formulas can tell states apart."""
        self.circuit.barrier(label="end")
        self.circuit.append(random_clifford(3, seed=self.random.randrange(10**6)).to_instruction(), range(3))
        self.circuit.add_register(ClassicalRegister(3, "m"))
        self.circuit.measure(range(3), self.circuit.cregs[-1])

    def gate(self) -> None:
        conditional = len(self.circuit._control_flow_scopes) > 0
        if conditional and (self.simple or self.random.random() < 0.6):
            gate = self.random.choice(PAULIS)
        elif self.random.random() < 0.1:
            gate = random_clifford(2, seed=self.random.randrange(10**6)).to_instruction()
        else:
            gate = self.random.choice([*PAULIS, *ONE, *TWO])
        self.circuit.append(gate, self.random.sample(range(3), gate.num_qubits))

    def prepare(self) -> None:
        if self.simple and self.circuit._control_flow_scopes:
            return self.gate()
        state = np.array(self.random.choice(STATES))
        self.circuit.initialize(state / np.linalg.norm(state), self.random.sample(range(3), 2))
        return None

    def measure(self) -> None:
        if not self.simple or not self.circuit._control_flow_scopes:
            super().measure()

    def reset(self) -> None:
        if not self.simple or not self.circuit._control_flow_scopes:
            super().reset()


def formulas(random: Random) -> dict[str, str]:
    """Questions about a store and a state at the end."""

    def ket(count: int) -> str:
        return "".join(random.choice(LETTERS) for _ in range(count))

    def pauli() -> str:
        return random.choice("+-") + "".join(random.choice("IXYZ") for _ in range(3))

    c, d, u = random.randrange(8), random.randrange(4), random.randrange(4)
    first, second = random.sample(range(3), 2)
    bit = random.randrange(3)
    return {
        "one": f"AG (end & c[{bit}] -> |{ket(1)}> on q[{first}])",
        "kept": f"AG (c == {c} -> |{ket(2)}> on q[{first}], q[{second}])",
        "code": f"AG (end -> stab({pauli()}))",
        "across": f"AG (end & u < 2 -> ~(|{ket(2)}> on q[{second}], q[{first}]))",
        "sum": f"AG (end & d == {d} -> |00> {random.choice('+-')} |11> on q[{first}], q[{second}])",
        "reach": f"EF (leaf & c == {c})",
        "chance": f"P>0 [F (c == {c} & u == {u})]",
        "never": f"AG (leaf -> c != {c} | d == {d})",
        "both": f"AG (end -> (c[0] -> |{ket(1)}> on q[0]) & (u == 0 -> stab({pauli()})))",
        "start": f"u == {u}",
        **{f"m{k}": f"EF (leaf & m == {k} & c == {c})" for k in range(8)},
        **{f"n{k}": f"EF (leaf & m == {k} & u == {u})" for k in range(8)},
    }


def random_loops(random: Random) -> QuantumCircuit:
    """Loops whose conditions are about several bits, with Paulis under such conditions inside."""
    circuit = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(3, "c"))
    _some_statements(circuit, random)
    with circuit.while_loop(_condition(circuit, random)):
        _some_statements(circuit, random)
        if random.random() < 0.3:
            with circuit.while_loop(_condition(circuit, random)):
                _some_statements(circuit, random)
    circuit.barrier(label="end")
    return circuit


def _some_statements(circuit: QuantumCircuit, random: Random) -> None:
    for _ in range(random.randrange(2, 6)):
        qubit = random.randrange(3)
        match random.randrange(6):
            case 0:
                circuit.append(random.choice(ONE), [qubit])
            case 1:
                circuit.append(random.choice(TWO), random.sample(range(3), 2))
            case 2:
                circuit.measure(qubit, random.randrange(3))
            case 3:
                circuit.reset(qubit)
            case _:
                with circuit.if_test(_condition(circuit, random)):
                    circuit.append(random.choice(PAULIS[:3]), [qubit])
    circuit.measure(random.randrange(3), random.randrange(3))


def _condition(circuit: QuantumCircuit, random: Random) -> expr.Expr:
    (register,), value = circuit.cregs, random.randrange(1, 8)
    single = expr.bit_and(register[0], register[random.randrange(1, 3)])
    compared = [compare(register, value) for compare in (expr.equal, expr.not_equal, expr.less)]
    return random.choice([*compared, expr.not_equal(register, 0), expr.lift(register[0]), single])
