"""Executions of a Qiskit circuit by dense linear algebra, straight from its instructions: no code of QisMC.

A place is a program point with the values of all classical bits. States are columns in Qiskit's order: qubit
0 is the least significant digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from qiskit import QuantumCircuit
from qiskit.circuit import Clbit, IfElseOp, WhileLoopOp
from qiskit.quantum_info import Operator

Matrix = npt.NDArray[np.complex128]
Truths = npt.NDArray[np.bool_]
Place = tuple[int, int]
ZERO = 1e-7
MOST_STATES = 200


# --- subspaces ---------------------------------------------------------------------------------------------


def span(vectors: Matrix) -> Matrix:
    left, sizes, _ = np.linalg.svd(vectors, full_matrices=False)
    return left[:, : int((sizes > ZERO).sum())]


def perp(space: Matrix) -> Matrix:
    left, sizes, _ = np.linalg.svd(space, full_matrices=True)
    return left[:, int((sizes > ZERO).sum()) :]


def inside(vectors: Matrix, space: Matrix) -> bool:
    return float(np.linalg.norm(vectors - space @ (space.conj().T @ vectors))) < 1e-6


def embed(small: Matrix, qubits: list[int], count: int) -> Matrix:
    """An operator on some qubits as an operator on all, entry by entry."""
    found = np.zeros((2**count, 2**count), dtype=complex)
    for column in range(2**count):
        inner = sum((column >> q & 1) << k for k, q in enumerate(qubits))
        rest = column & ~sum(1 << q for q in qubits)
        for row in range(len(small)):
            outer = rest | sum((row >> k & 1) << q for k, q in enumerate(qubits))
            found[outer, column] += small[row, inner]
    return found


# --- programs ----------------------------------------------------------------------------------------------


@dataclass
class Line:
    """One step of the flattened program; `go` is where control goes next, `other` if a condition fails."""

    kind: Literal["gate", "measure", "reset", "test", "goto", "end"]
    kraus: tuple[Matrix, ...] = ()
    bits: tuple[int, ...] = ()
    value: int = 0
    go: int = -1
    other: int = -1


class Code:
    """A circuit with tests and loops as a list of lines; marks name the line that follows them."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self.width = circuit.num_qubits
        self.lines: list[Line] = []
        self._marks: dict[str, set[int]] = {}
        self._block(circuit, list(range(circuit.num_qubits)), list(range(circuit.num_clbits)))
        self.end = len(self.lines)
        self._add(Line("end", (np.eye(2**self.width, dtype=complex),), go=self.end))
        self.marks = {name: {self.settled(k) for k in points} for name, points in self._marks.items()}

    def settled(self, point: int) -> int:
        while self.lines[point].kind == "goto":
            point = self.lines[point].go
        return point

    def _add(self, line: Line) -> Line:
        line.go = line.go if line.go >= 0 else len(self.lines) + 1
        self.lines.append(line)
        return line

    def _block(self, circuit: QuantumCircuit, qubits: list[int], bits: list[int]) -> None:
        for item in circuit.data:
            where = [qubits[circuit.find_bit(q).index] for q in item.qubits]
            into = [bits[circuit.find_bit(b).index] for b in item.clbits]
            self._instruction(item.operation, circuit, where, into, bits)

    def _instruction(
        self, operation: Any, circuit: QuantumCircuit, qubits: list[int], into: list[int], bits: list[int]
    ) -> None:
        project = [np.diag([1, 0]).astype(complex), np.diag([0, 1]).astype(complex)]
        lower = np.array([[0, 1], [0, 0]], dtype=complex)
        if operation.name == "barrier":
            if operation.label:
                self._marks.setdefault(operation.label, set()).add(len(self.lines))
        elif operation.name == "measure":
            self._add(Line("measure", tuple(embed(p, qubits, self.width) for p in project), (into[0],)))
        elif operation.name == "reset":
            kraus = tuple(embed(k, qubits, self.width) for k in (project[0], lower))
            self._add(Line("reset", kraus))
        elif isinstance(operation, IfElseOp | WhileLoopOp):
            self._branch(operation, circuit, qubits, into, bits)
        else:
            self._add(Line("gate", (embed(Operator(operation).data, qubits, self.width),)))

    def _branch(
        self, operation: Any, circuit: QuantumCircuit, qubits: list[int], into: list[int], bits: list[int]
    ) -> None:
        target, value = operation.condition
        read = [target] if isinstance(target, Clbit) else list(target)
        known = tuple(bits[circuit.find_bit(bit).index] for bit in read)
        if isinstance(operation, WhileLoopOp) and any(len(self.lines) in p for p in self._marks.values()):
            self._add(
                Line("gate", (np.eye(2**self.width, dtype=complex),))
            )  # a mark is not passed in each turn
        head = len(self.lines)
        test = self._add(Line("test", (np.eye(2**self.width, dtype=complex),), known, int(value)))
        self._block(operation.blocks[0], qubits, into)
        if isinstance(operation, WhileLoopOp):
            self._add(Line("goto", go=head))
        elif len(operation.blocks) > 1:
            leap = self._add(Line("goto"))
            test.other = len(self.lines)
            self._block(operation.blocks[1], qubits, into)
            leap.go = len(self.lines)
            return
        test.other = len(self.lines)

    def edges(self, place: Place) -> list[tuple[Place, tuple[Matrix, ...]]]:
        point, store = place
        line = self.lines[point]
        if line.kind == "measure":
            (bit,), target = line.bits, self.settled(line.go)
            return [((target, store & ~(1 << bit) | b << bit), (line.kraus[b],)) for b in (0, 1)]
        if line.kind == "test":
            value = sum((store >> bit & 1) << k for k, bit in enumerate(line.bits))
            return [((self.settled(line.go if value == line.value else line.other), store), line.kraus)]
        return [((self.settled(line.go), store), line.kraus)]


# --- executions --------------------------------------------------------------------------------------------

Formula = tuple[Any, ...]
"""("atom", place -> bool), ("not", f), ("and" | "or", f, g), ("A" | "E", one of X F G U W R, one f or two),
("P=1" | "P>0", "F" | "G", atom)."""


class Walk:
    """What can happen from a start: spans at all places, and the tree of executions from a single state."""

    def __init__(self, circuit: QuantumCircuit, init: Matrix | None = None) -> None:
        self.code = Code(circuit)
        first = np.eye(2**self.code.width, dtype=complex)[:, :1]
        self.init = first if init is None else span(init)
        self.start: Place = (self.code.settled(0), 0)
        self.sp = self._spread(self.start, self.init, lambda _: True)

    def _spread(self, start: Place, space: Matrix, leaves: Callable[[Place], bool]) -> dict[Place, Matrix]:
        """The spans of what arrives; places that are not left keep it."""
        found, pending = {start: space}, [start]
        while pending:
            place = pending.pop()
            for target, kraus in self.code.edges(place) if leaves(place) else ():
                known = found.get(target, np.zeros((len(space), 0)))
                grown = span(np.hstack([known, *(k @ found[place] for k in kraus)]))
                if grown.shape[1] > known.shape[1]:
                    found[target] = grown
                    pending.append(target)
        return found

    # --- the tree ---

    @cached_property
    def tree(self) -> tuple[list[tuple[Place, Matrix]], list[set[int]]]:
        """States at places, and the successors of the first MOST_STATES of them."""
        states: list[tuple[Place, Matrix]] = [(self.start, self.init[:, 0])]
        following: list[set[int]] = []
        while len(following) < min(len(states), MOST_STATES):
            place, state = states[len(following)]
            images = [(t, k @ state) for t, kraus in self.code.edges(place) for k in kraus]
            possible = [(t, image) for t, image in images if np.linalg.norm(image) > ZERO]
            following.append({self._number(states, t, image) for t, image in possible})
        return states, following

    @staticmethod
    def _number(states: list[tuple[Place, Matrix]], place: Place, image: Matrix) -> int:
        state = image / np.linalg.norm(image)
        for k, (other, known) in enumerate(states):
            if other == place and abs(np.vdot(known, state)) > 1 - 1e-10:
                return k
        states.append((place, state))
        return len(states) - 1

    def decide(self, formula: Formula) -> bool | None:
        """The truth at the start; None if more states would have to be looked at."""
        low, high = (self._truths(formula, unseen)[0] for unseen in (False, True))
        return bool(low) if low == high else None

    def _truths(self, formula: Formula, unseen: bool) -> Truths:
        """Per state; what lies behind states that were not followed counts as `unseen`."""
        states, _ = self.tree
        match formula:
            case ("atom", holds):
                return np.array([holds(place) for place, _ in states])
            case ("not", operand):
                return ~self._truths(operand, not unseen)
            case ("and", left, right):
                return self._truths(left, unseen) & self._truths(right, unseen)
            case ("or", left, right):
                return self._truths(left, unseen) | self._truths(right, unseen)
            case ("P=1" | "P>0" as bound, op, (_, holds)):
                chances = {place: self.chance(bound, op, holds, place) for place, _ in states}
                return np.array([unseen if chances[p] is None else chances[p] for p, _ in states])
        quantifier, op, *operands = formula
        parts = [self._truths(operand, unseen) for operand in operands]
        return self._fixed_point(quantifier, op, parts[0], parts[-1], unseen)

    def _fixed_point(self, quantifier: str, op: str, p: Truths, q: Truths, unseen: bool) -> Truths:
        quantify = any if quantifier == "E" else all

        def ahead(x: Truths) -> Truths:
            found = np.full(len(x), unseen)
            for k, following in enumerate(self.tree[1]):
                found[k] = quantify(x[j] for j in following)
            return found

        steps: dict[str, tuple[bool, Callable[[Truths], Truths]]] = {
            "F": (False, lambda x: p | ahead(x)),
            "G": (True, lambda x: p & ahead(x)),
            "U": (False, lambda x: q | (p & ahead(x))),
            "W": (True, lambda x: q | (p & ahead(x))),
            "R": (True, lambda x: q & (p | ahead(x))),
        }
        if op == "X":
            return ahead(p)
        first, step = steps[op]
        now = np.full(len(p), first)
        while ((after := step(now)) != now).any():
            now = after
        return now

    # --- probability ---

    def chance(self, bound: str, op: str, holds: Callable[[Place], bool], start: Place) -> bool | None:
        """From all states (P=1), or some (P>0), that can be at a place; None if long runs do not tell."""
        if op == "G":
            opposite = self.chance("P>0" if bound == "P=1" else "P=1", "F", lambda p: not holds(p), start)
            return None if opposite is None else not opposite
        if bound == "P>0":
            return any(map(holds, self._spread(start, self.sp[start], lambda place: not holds(place))))
        return self._certain(holds, start)

    def _certain(self, goal: Callable[[Place], bool], start: Place, steps: int = 600) -> bool | None:
        """By density matrices: does what has not reached a goal vanish?"""
        space = self.sp[start]
        waiting = {} if goal(start) else {start: space @ space.conj().T / space.shape[1]}
        left = [1.0]
        for _ in range(steps):
            after: dict[Place, Matrix] = {}
            for place, density in waiting.items():
                for target, kraus in self.code.edges(place):
                    if target in self.sp and not goal(target):
                        moved = sum(k @ density @ k.conj().T for k in kraus)
                        after[target] = after.get(target, np.zeros_like(density)) + moved
            waiting = after
            left.append(float(sum(np.trace(density).real for density in waiting.values())))
            if left[-1] < 1e-10:
                return True
        return False if left[-1] > 0.9999 * left[steps // 2] else None
