"""An independent reading of Qiskit circuits: statevectors that branch. It never looks at our own code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import CASE_DEFAULT, ClassicalRegister, Clbit
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Operator

from .worlds import MAX_MEASUREMENTS, Outcome, add, apply_matrix, flip, is_zero, project


@dataclass(frozen=True)
class World:
    psi: np.ndarray
    bits: tuple[int, ...]
    values: dict[Any, int]
    trail: tuple[int, ...] = ()
    """The outcomes so far."""


def interpret(circuit: QuantumCircuit) -> Outcome:
    """The distribution over (classical bits, variables by name) with the mixed state of each."""
    names = list(circuit.iter_vars())
    outcome: Outcome = {}
    for world in final_worlds(circuit):
        add(outcome, (world.bits, tuple(int(world.values[v]) for v in names)), world.psi)
    return outcome


def final_worlds(circuit: QuantumCircuit) -> list[World]:
    """Everything that can happen, with outcomes and unnormalised states; without what measures too often."""
    psi = np.zeros(2**circuit.num_qubits, dtype=complex)
    psi[0] = 1
    qubits = {q: k for k, q in enumerate(circuit.qubits)}
    clbits = {c: k for k, c in enumerate(circuit.clbits)}
    ended, broken, continued = Block(circuit, qubits, clbits).run([World(psi, (0,) * circuit.num_clbits, {})])
    assert not broken and not continued
    return ended


class Block:
    def __init__(self, circuit: QuantumCircuit, qubits: dict, clbits: dict) -> None:
        self.circuit, self.qubits, self.clbits = circuit, qubits, clbits

    def run(self, worlds: list[World]) -> tuple[list[World], list[World], list[World]]:
        """Worlds that reach the end, a break, a continue."""
        broken: list[World] = []
        continued: list[World] = []
        for instruction in self.circuit.data:
            worlds, b, c = self.step(instruction, worlds)
            broken += b
            continued += c
        return worlds, broken, continued

    def step(self, instruction: Any, worlds: list[World]) -> tuple[list[World], list[World], list[World]]:
        operation = instruction.operation
        qubits = [self.qubits[q] for q in instruction.qubits]
        clbits = [self.clbits[c] for c in instruction.clbits]
        name = operation.name
        blocks = [
            Block(b, dict(zip(b.qubits, qubits, strict=True)), dict(zip(b.clbits, clbits, strict=True)))
            for b in getattr(operation, "blocks", ())
        ]
        if name == "break_loop":
            return [], worlds, []
        if name == "continue_loop":
            return [], [], worlds
        if name in ("if_else", "switch_case", "box"):
            return self.choose(operation, blocks, worlds)
        if name == "while_loop":
            return self.repeat(operation, blocks[0], worlds), [], []
        if name == "for_loop":
            return self.iterate(operation, blocks[0], worlds), [], []
        return [w for world in worlds for w in self.plain(operation, qubits, clbits, world)], [], []

    def choose(self, operation: Any, blocks: list[Block], worlds: list[World]) -> Any:
        ended, broken, continued = [], [], []
        for world in worlds:
            block = self.chosen(operation, blocks, world)
            e, b, c = block.run([world]) if block is not None else ([world], [], [])
            ended += e
            broken += b
            continued += c
        return ended, broken, continued

    def chosen(self, operation: Any, blocks: list[Block], world: World) -> Block | None:
        if operation.name == "box":
            return blocks[0]
        if operation.name == "if_else":
            if self.holds(operation.condition, world):
                return blocks[0]
            return blocks[1] if len(blocks) > 1 else None
        target = operation.target
        value = self.evaluate(target, world) if isinstance(target, expr.Expr) else self.read(target, world)
        fallback = None
        for (labels, _), block in zip(operation.cases_specifier(), blocks, strict=True):
            if any(label is not CASE_DEFAULT and int(label) == int(value) for label in labels):
                return block
            if CASE_DEFAULT in labels:
                fallback = block
        return fallback

    def repeat(self, operation: Any, body: Block, worlds: list[World]) -> list[World]:
        done: list[World] = []
        while worlds:
            inside = [w for w in worlds if self.holds(operation.condition, w)]
            done += [w for w in worlds if not self.holds(operation.condition, w)]
            ended, broken, continued = body.run(inside)
            done += broken
            worlds = ended + continued
        return done

    def iterate(self, operation: Any, body: Block, worlds: list[World]) -> list[World]:
        indices, parameter, circuit = operation.params
        done: list[World] = []
        for value in indices:
            turn = body
            if isinstance(parameter, expr.Var):
                worlds = [replace(w, values={**w.values, parameter: value}) for w in worlds]
            elif parameter is not None and parameter in circuit.parameters:
                bound = circuit.assign_parameters({parameter: value})
                turn = Block(bound, body.qubits, body.clbits)
            ended, broken, continued = turn.run(worlds)
            done += broken
            worlds = ended + continued
        return done + worlds

    def plain(self, operation: Any, qubits: list[int], clbits: list[int], world: World) -> list[World]:
        name = operation.name
        if name in ("barrier", "delay"):
            return [world]
        if name == "measure":
            return self.measure(qubits[0], clbits[0], world)
        if name == "reset":
            return _reset(world, qubits[:1])
        if name == "initialize":
            state = np.asarray(Operator(_preparation(operation)).data)[:, 0]
            column = np.zeros((state.size, state.size), dtype=complex)
            column[:, 0] = state
            return [replace(w, psi=apply_matrix(w.psi, column, qubits)) for w in _reset(world, qubits)]
        if name == "kraus":
            images = [apply_matrix(world.psi, k, qubits) for k in operation.params]
            return [replace(world, psi=psi) for psi in images if not is_zero(psi)]
        if name == "store":
            return [self.store(operation, world)]
        return [replace(world, psi=apply_matrix(world.psi, Operator(operation).data, qubits))]

    def measure(self, qubit: int, bit: int, world: World) -> list[World]:
        if len(world.trail) == MAX_MEASUREMENTS:
            return []
        outcomes = []
        for value in (0, 1):
            psi = project(world.psi, qubit, value)
            if not is_zero(psi):
                bits = (*world.bits[:bit], value, *world.bits[bit + 1 :])
                outcomes.append(replace(world, psi=psi, bits=bits, trail=(*world.trail, value)))
        return outcomes

    def store(self, operation: Any, world: World) -> World:
        value, target = int(self.evaluate(operation.rvalue, world)), operation.lvalue
        if isinstance(target, expr.Index):
            place = self.evaluate(target.index, world)
            target = target.target
            old = int(self.evaluate(target, world))
            value = (old & ~(1 << place)) | (value << place)
        if target.standalone:
            return replace(world, values={**world.values, target: value})
        register = [target.var] if isinstance(target.var, Clbit) else list(target.var)
        bits = list(world.bits)
        for place, bit in enumerate(register):
            bits[self.clbits[bit]] = (value >> place) & 1
        return replace(world, bits=tuple(bits))

    def read(self, target: Any, world: World) -> int:
        register = [target] if isinstance(target, Clbit) else list(target)
        return sum(world.bits[self.clbits[bit]] << k for k, bit in enumerate(register))

    def holds(self, condition: Any, world: World) -> bool:
        if isinstance(condition, expr.Expr):
            return bool(self.evaluate(condition, world))
        return self.read(condition[0], world) == int(condition[1])

    def evaluate(self, node: Any, world: World) -> int:
        limit = 2**node.type.width if isinstance(node.type, types.Uint) else 2
        return int(self.raw(node, world)) % limit

    def raw(self, node: Any, world: World) -> int:
        if isinstance(node, expr.Value):
            return int(node.value)
        if isinstance(node, expr.Var):
            if isinstance(node.var, Clbit | ClassicalRegister):
                return self.read(node.var, world)
            return world.values[node]
        if isinstance(node, expr.Cast):
            value = self.evaluate(node.operand, world)
            return int(bool(value)) if isinstance(node.type, types.Bool) else value
        if isinstance(node, expr.Index):
            return self.evaluate(node.target, world) >> self.evaluate(node.index, world) & 1
        if isinstance(node, expr.Unary):
            value = self.evaluate(node.operand, world)
            return {"LOGIC_NOT": int(not value), "BIT_NOT": ~value, "NEGATE": -value}[node.op.name]
        a, b = self.evaluate(node.left, world), self.evaluate(node.right, world)
        return _binary(node.op.name, a, b)


def _binary(name: str, a: int, b: int) -> int:
    table = {
        "BIT_AND": lambda: a & b, "BIT_OR": lambda: a | b, "BIT_XOR": lambda: a ^ b,
        "LOGIC_AND": lambda: a and b, "LOGIC_OR": lambda: a or b, "EQUAL": lambda: a == b,
        "NOT_EQUAL": lambda: a != b, "LESS": lambda: a < b, "LESS_EQUAL": lambda: a <= b,
        "GREATER": lambda: a > b, "GREATER_EQUAL": lambda: a >= b, "SHIFT_LEFT": lambda: a << b,
        "SHIFT_RIGHT": lambda: a >> b, "ADD": lambda: a + b, "SUB": lambda: a - b, "MUL": lambda: a * b,
        "DIV": lambda: a // b,
    }  # fmt: skip
    return int(table[name]())


def _reset(world: World, qubits: list[int]) -> list[World]:
    worlds = [world]
    for qubit in qubits:
        halves = []
        for w in worlds:
            zero, one = project(w.psi, qubit, 0), flip(project(w.psi, qubit, 1), qubit)
            halves += [replace(w, psi=psi) for psi in (zero, one) if not is_zero(psi)]
        worlds = halves
    return worlds


def _preparation(operation: Any) -> QuantumCircuit:
    circuit = operation.definition.copy()
    circuit.data = [i for i in circuit.data if i.operation.name != "reset"]
    return circuit
