"""Random Qiskit circuits with all control flow, and their transition systems by dense linear algebra.

A place is (path, bits, variables). A path leads through instructions: (index, block, turn) for each one that
is entered, then the index of a statement, HEAD for the head of a for loop's turn, or END alone.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from qiskit.circuit import Parameter
from qiskit.circuit import library as gates
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Operator

from qismc import QuantumCircuit

from ..program.interpreter import Block, World
from ..reference import LOWER, PROJECT, Edge, Matrix, Reference, embed, ket

HEAD, END = "head", ("end",)
JUMPS = ("break_loop", "continue_loop")


class CircuitReference(Reference):
    """The reference for a circuit; sp, wp and the choice of edges are those of toy programs."""

    def __init__(self, circuit: QuantumCircuit, paths: str = "feasible", **annotations: Matrix) -> None:
        self.circuit, self.num_qubits = circuit, circuit.num_qubits
        self.size = 2**circuit.num_qubits
        self.walker = self
        self._init = ket("0" * circuit.num_qubits)
        self._annotations, self._paths = annotations, paths
        self.start = (self.settle((0,)), (0,) * circuit.num_clbits, ())

    # --- paths -------------------------------------------------------------------------------------------

    def block(self, path: tuple) -> Block:
        """The block that a path's last part stands in, with its bits bound to the outermost ones."""
        qubits = {q: k for k, q in enumerate(self.circuit.qubits)}
        clbits = {c: k for k, c in enumerate(self.circuit.clbits)}
        block = Block(self.circuit, qubits, clbits)
        for index, arm, turn in path[:-1]:
            instruction = block.circuit.data[index]
            inner = instruction.operation.blocks[arm]
            if instruction.operation.name == "for_loop":
                values, parameter, _ = instruction.operation.params
                if parameter in inner.parameters:
                    inner = inner.assign_parameters({parameter: list(values)[turn]})
            qubits = {x: block.qubits[y] for x, y in zip(inner.qubits, instruction.qubits, strict=True)}
            clbits = {x: block.clbits[y] for x, y in zip(inner.clbits, instruction.clbits, strict=True)}
            block = Block(inner, qubits, clbits)
        return block

    def settle(self, path: tuple) -> tuple:
        """The next visible statement: plain barriers, boxes and ends of blocks are none."""
        while path[-1] != HEAD:
            data, index = self.block(path).circuit.data, path[-1]
            if index == len(data):
                if len(path) == 1:
                    return END
                path = self.again(path[:-1])
                continue
            operation = data[index].operation
            if operation.name == "box":
                path = (*path[:-1], (index, 0, 0), 0)
            elif operation.name == "for_loop" and list(operation.params[0]):
                return (*path[:-1], (index, 0, 0), HEAD)
            elif operation.name == "for_loop" or (operation.name == "barrier" and not operation.label):
                path = (*path[:-1], index + 1)
            else:
                return path
        return path

    def again(self, entered: tuple) -> tuple:
        """Behind the end of an entered block: the head of its loop, the next turn, or what follows."""
        index, _, turn = entered[-1]
        operation = self.block(entered).circuit.data[index].operation
        if operation.name == "while_loop":
            return (*entered[:-1], index)
        if operation.name == "for_loop" and turn + 1 < len(list(operation.params[0])):
            return (*entered[:-1], (index, 0, turn + 1), HEAD)
        return (*entered[:-1], index + 1)

    def jump(self, name: str, path: tuple) -> tuple:
        """Where break or continue leads."""
        entered = path[:-1]
        loops = ("while_loop", "for_loop")
        while self.block(entered).circuit.data[entered[-1][0]].operation.name not in loops:
            entered = entered[:-1]
        return self.again(entered) if name == "continue_loop" else (*entered[:-1], entered[-1][0] + 1)

    # --- edges -------------------------------------------------------------------------------------------

    def edges(self, place: Any) -> list[Edge]:
        path, bits, values = place
        same = [np.eye(self.size, dtype=complex)]
        if path == END:
            return [Edge(place, place, same)]
        if path[-1] == HEAD:
            return [Edge(place, (self.settle((*path[:-1], 0)), bits, values), same)]
        block, index = self.block(path), path[-1]
        operation, world = block.circuit.data[index].operation, World(np.zeros(0), bits, dict(values))
        following, name = (*path[:-1], index + 1), operation.name
        if name in JUMPS:
            following = self.jump(name, path)
        elif name in ("if_else", "switch_case"):
            chosen = block.chosen(operation, list(range(len(operation.blocks))), world)
            following = following if chosen is None else (*path[:-1], (index, chosen, 0), 0)
        elif name == "while_loop" and block.holds(operation.condition, world):
            following = (*path[:-1], (index, 0, 0), 0)
        elif name == "store":
            values = tuple(sorted(block.store(operation, world).values.items(), key=lambda v: v[0].name))
        target = self.settle(following)
        if name != "measure":
            return [Edge(place, (target, bits, values), self.kraus(block, index) or same)]
        qubit, bit = self.bits_of(block, index)
        return [
            Edge(place, (target, (*bits[:bit], b, *bits[bit + 1 :]), values), [self.wide(PROJECT[b], qubit)])
            for b in (0, 1)
        ]

    def bits_of(self, block: Block, index: int) -> tuple[tuple[int, ...], int]:
        instruction = block.circuit.data[index]
        bits = [block.clbits[c] for c in instruction.clbits]
        return tuple(block.qubits[q] for q in instruction.qubits), bits[0] if bits else -1

    def wide(self, small: Matrix, qubits: tuple[int, ...]) -> Matrix:
        return embed(small, qubits, self.num_qubits)

    def kraus(self, block: Block, index: int) -> list[Matrix]:
        operation, (qubits, _) = block.circuit.data[index].operation, self.bits_of(block, index)
        if operation.name == "reset":
            return [self.wide(k, qubits) for k in (PROJECT[0], LOWER)]
        if operation.name == "initialize":
            state = np.array(operation.params, dtype=complex)
            return [self.wide(np.outer(state, unit), qubits) for unit in np.eye(len(state))]
        silent = ("if_else", "switch_case", "while_loop", "store", "barrier", *JUMPS)
        return [] if operation.name in silent else [self.wide(Operator(operation).data, qubits)]

    def names(self, place: Any) -> set[str]:
        found = {"init"} if place == self.start else set()
        if place[0] == END or place[0][-1] == HEAD:
            return found | {"leaf" if place[0] == END else "loop"}
        operation = self.block(place[0]).circuit.data[place[0][-1]].operation
        found |= {operation.label} if operation.name == "barrier" else set()
        return found | ({"loop"} if operation.name == "while_loop" else set())


class Writer:
    """Writes a random circuit on two qubits, two overlapping registers and a variable."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.circuit = QuantumCircuit(2, 2)
        self.circuit.add_register(type(self.circuit.cregs[0])(name="d", bits=self.circuit.clbits[::-1]))
        self.variable = self.circuit.add_var("u", expr.lift(random.randrange(4), types.Uint(2)))
        self.circuit.h([0, 1])
        self.circuit.measure(random.randrange(2), 0)
        self.statements(2, False, 4)

    def statements(self, depth: int, inside: bool, most: int) -> None:
        for _ in range(self.random.randint(1, most)):
            kinds = [self.gate, self.gate, self.measure, self.measure, self.reset, self.store, self.prepare]
            kinds += [self.leave] if inside else []
            choices = [self.branch, self.loop, self.turns, self.switch, self.box] if depth else []
            kind = self.random.choice(kinds + choices)
            kind(depth - 1, inside) if kind in choices else kind()

    def gate(self) -> None:
        one = [gates.HGate(), gates.XGate(), gates.TGate(), gates.RYGate(np.pi / 3)]
        gate = self.random.choice([*one, gates.CXGate(), gates.CHGate(), gates.SwapGate()])
        self.circuit.append(gate, self.random.sample([0, 1], gate.num_qubits))

    def measure(self) -> None:
        self.circuit.measure(self.random.randrange(2), self.random.randrange(2))

    def reset(self) -> None:
        self.circuit.reset(self.random.randrange(2))

    def store(self) -> None:
        value = expr.bit_xor(self.variable, self.random.randrange(1, 4))
        self.circuit.store(self.variable, value)

    def prepare(self) -> None:
        state = self.random.choice([[1, 0, 0, 1], [0, 1, -1j, 0], [1, 1, 1, 1]])
        self.circuit.initialize(np.array(state) / np.linalg.norm(state), self.random.sample([0, 1], 2))

    def condition(self) -> Any:
        bit, register = self.random.choice(self.circuit.clbits), self.random.choice(self.circuit.cregs)
        small = expr.less(self.variable, self.random.randrange(1, 4))
        return self.random.choice([(bit, 1), (bit, 0), (register, self.random.randrange(4)), small])

    def leave(self) -> None:
        with self.circuit.if_test(self.condition()):
            self.random.choice([self.circuit.break_loop, self.circuit.continue_loop])()

    def branch(self, depth: int, inside: bool) -> None:
        with self.circuit.if_test(self.condition()) as otherwise:
            self.statements(depth, inside, 2)
        if self.random.random() < 0.5:
            with otherwise:
                self.statements(depth, inside, 2)

    def loop(self, depth: int, _: bool) -> None:
        with self.circuit.while_loop(self.condition()):
            self.body(depth)
            self.measure()

    def body(self, depth: int) -> None:
        """Statements of a loop, often with a way out in their middle."""
        self.statements(depth, True, 2)
        if self.random.random() < 0.5:
            self.leave()
            self.gate()

    def turns(self, depth: int, _: bool) -> None:
        angle = Parameter(f"t{depth}{self.random.randrange(10**6)}")
        with self.circuit.for_loop(self.random.choice([range(2), [0, 2], []]), angle):
            self.circuit.rx(angle * np.pi / 2, self.random.randrange(2))
            self.body(depth)

    def switch(self, depth: int, inside: bool) -> None:
        values = self.random.sample(range(4), 2)
        with self.circuit.switch(self.random.choice(self.circuit.cregs)) as case:
            with case(*values):
                self.statements(depth, inside, 2)
            with case(case.DEFAULT):
                self.statements(depth, inside, 2)

    def box(self, depth: int, _: bool) -> None:
        with self.circuit.box():
            self.statements(depth, False, 2)
