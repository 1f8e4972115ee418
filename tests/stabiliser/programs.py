"""Random Clifford circuits with everything that can happen to bits, and formulas about them."""

from __future__ import annotations

from math import pi
from random import Random

import numpy as np
from qiskit import ClassicalRegister
from qiskit.circuit import library as gates
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
