"""A dense simulator that follows every branch of a small program and decides formulas at its ends."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Pauli

from benchmarks.case import Case

TOLERANCE = 1e-9
LETTERS = {"0": (1, 0), "1": (0, 1), "+": (1, 1), "-": (1, -1)}
Vector = NDArray[np.complex128]


@dataclass(frozen=True)
class Branch:
    """An unnormalised state, one axis per qubit, and the bits measured on the way to it."""

    state: Vector
    store: tuple[int, ...]

    @property
    def probability(self) -> float:
        return float(np.linalg.norm(self.state) ** 2)


class Simulator:
    """Runs at most `turns` turns of each loop; with a seed, takes one random outcome instead of all."""

    def __init__(self, circuit: QuantumCircuit, turns: int = 3, seed: int | None = None) -> None:
        self.circuit, self.turns = circuit, turns
        self.rng = None if seed is None else random.Random(seed)

    def leaves(self) -> list[Branch]:
        n = self.circuit.num_qubits
        state = np.zeros((2,) * n, dtype=complex)
        state[(0,) * n] = 1
        return list(self._run(list(self.circuit.data), Branch(state, (0,) * self.circuit.num_clbits)))

    def _run(self, rest: list[Any], branch: Branch) -> Iterator[Branch]:
        for k, instruction in enumerate(rest):
            after = self._after(instruction, branch)
            if len(after) == 1:
                branch = after[0]
                continue
            for each in after:
                yield from self._run(rest[k + 1 :], each)
            return
        yield branch

    def _after(self, instruction: Any, branch: Branch) -> list[Branch]:
        operation, qubits = instruction.operation, [self._qubit(q) for q in instruction.qubits]
        if operation.name == "measure":
            return self._measured(branch, qubits[0], self.circuit.find_bit(instruction.clbits[0]).index)
        if operation.name == "reset":
            return self._reset(branch, qubits[0])
        if operation.name == "if_else":
            body = operation.blocks[0 if self._met(operation.condition, branch) else 1 :][:1]
            return list(self._run(list(body[0].data), branch)) if body else [branch]
        if operation.name == "while_loop":
            return self._looped(operation, branch)
        return [replace(branch, state=applied(Operator(operation).data, branch.state, qubits))]

    def _looped(self, operation: Any, branch: Branch) -> list[Branch]:
        running, done = [branch], []
        for _ in range(self.turns + 1):
            done += [b for b in running if not self._met(operation.condition, b)]
            running = [b for b in running if self._met(operation.condition, b)]
            running = [end for b in running for end in self._run(list(operation.blocks[0].data), b)]
        return done

    def _measured(self, branch: Branch, qubit: int, bit: int) -> list[Branch]:
        ends = []
        for outcome in (0, 1):
            store = (*branch.store[:bit], outcome, *branch.store[bit + 1 :])
            projector = np.diag([1 - outcome, outcome]).astype(complex)
            ends.append(Branch(applied(projector, branch.state, [qubit]), store))
        return self._possible(ends)

    def _reset(self, branch: Branch, qubit: int) -> list[Branch]:
        kraus = [np.array(k, dtype=complex) for k in ([[1, 0], [0, 0]], [[0, 1], [0, 0]])]
        return self._possible([replace(branch, state=applied(k, branch.state, [qubit])) for k in kraus])

    def _possible(self, ends: list[Branch]) -> list[Branch]:
        ends = [end for end in ends if end.probability > TOLERANCE**2]
        return ends if self.rng is None else [self.rng.choice(ends)]

    def _met(self, condition: Any, branch: Branch) -> bool:
        bits, value = condition
        chosen = list(bits) if hasattr(bits, "__len__") else [bits]
        found = [branch.store[self.circuit.find_bit(bit).index] for bit in chosen]
        return sum(bit << k for k, bit in enumerate(found)) == int(value)

    def _qubit(self, qubit: Any) -> int:
        return int(self.circuit.find_bit(qubit).index)


def applied(matrix: Vector, state: Vector, qubits: list[int]) -> Vector:
    """The matrix, whose least significant bit is the first qubit, on those axes of the state."""
    k, n = len(qubits), state.ndim
    outputs = list(range(n, n + k))
    result = [outputs[qubits[::-1].index(q)] if q in qubits else q for q in range(n)]
    # einsum, unlike tensordot, starts no threads that wait for each other on a busy machine
    image: Vector = np.einsum(matrix.reshape((2,) * (2 * k)), outputs + qubits[::-1], state, range(n), result)
    return image


def ket(text: str) -> Vector:
    """|letters> as a vector, the first letter most significant; x^k repeats a letter."""
    letters = re.sub(r"(.)\^(\d+)\s*", lambda run: run.group(1) * int(run.group(2)), text[1:-1])
    vector = np.ones(1, dtype=complex)
    for letter in letters:
        vector = np.kron(vector, LETTERS[letter])
    return vector


def inside(branch: Branch, text: str, circuit: QuantumCircuit) -> bool:
    """Whether the state is in the subspace `span(…)` or `stab(…)`, perhaps `on` some qubits."""
    match = re.fullmatch(r"(\w+)\((.*)\)(?: on (.*))?", text)
    assert match, text
    kind, body, places = match.groups()
    named = {r.name: [circuit.find_bit(q).index for q in r] for r in circuit.qregs}
    qubits = list(range(circuit.num_qubits))
    if places is not None:
        refs = [re.fullmatch(r"(\w+)(?:\[(\d+)\])?", place) for place in places.split(", ")]
        assert all(refs), text
        qubits = [q for ref in refs if ref for q in _named(named[ref[1]], ref[2])]
    state = np.moveaxis(branch.state, qubits, range(len(qubits))).reshape(2 ** len(qubits), -1)
    return _spanned(state, body) if kind == "span" else _stabilised(branch.state, body, qubits)


def _named(register: list[int], index: str | None) -> list[int]:
    return register if index is None else [register[int(index)]]


def _spanned(state: Vector, body: str) -> bool:
    source = re.sub(r"\|[01+\-](?:[01+\-^\s]|\d)*>", lambda k: f"ket({k.group()!r})", body)
    names = {"ket": ket, "sqrt": np.sqrt, "exp": np.exp, "i": 1j, "pi": np.pi}
    vectors = eval(f"[{source}]", names)
    basis = np.linalg.qr(np.array(vectors).T)[0]
    return float(np.linalg.norm(state - basis @ (basis.conj().T @ state))) < TOLERANCE * np.linalg.norm(state)


def _stabilised(state: Vector, body: str, qubits: list[int]) -> bool:
    for string in body.split(", "):
        image = -state if string.startswith("-") else state
        for letter, qubit in zip(string.lstrip("-"), qubits, strict=True):
            image = applied(Pauli(letter).to_matrix(), image, [qubit])
        if np.linalg.norm(image - state) > TOLERANCE * np.linalg.norm(state):
            return False
    return True


class Bits(int):
    """A classical register: compares as a number, and its bits can be indexed."""

    def __getitem__(self, k: int) -> bool:
        return bool(self >> k & 1)


def true_at(branch: Branch, formula: str, case: Case) -> bool:
    """A Boolean formula over propositions and classical registers at the end of a branch."""
    names: dict[str, Any] = {name: inside(branch, text, case.circuit) for name, text in case.props.items()}
    for register in case.circuit.cregs:
        values = [branch.store[case.circuit.find_bit(bit).index] for bit in register]
        names[register.name] = Bits(sum(bit << k for k, bit in enumerate(values)))
    source = re.sub(r"\((\S+) -> (\w+)\)", r"(not \1 or \2)", formula)
    source = re.sub(r"!(?!=)", "not ", source.replace("&", "and").replace("|", "or"))
    return bool(eval(source, names))


def verdict(case: Case, turns: int = 3, seed: int | None = None) -> str:
    """Decides `AG (leaf -> …)` and `EF (leaf & …)`; other formulas are taken to hold."""
    leaves = Simulator(case.circuit, turns, seed).leaves()
    for formula in case.formulas.values():
        always = re.fullmatch(r"AG \(leaf -> (.*)\)", formula)
        if always and not all(true_at(leaf, always.group(1), case) for leaf in leaves):
            return "violated"
        once = re.fullmatch(r"EF \(leaf & (.*)\)", formula)
        if once and not any(true_at(leaf, once.group(1), case) for leaf in leaves):
            return "violated"
    return "holds"
