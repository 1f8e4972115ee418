"""Grover's search, several iterations, with the oracle as a chain or as a tree of Toffoli gates.

An iteration turns the state inside the plane of the marked ket and the uniform superposition. `turned`:
after every iteration it is in this plane. `settles`: from some time on it is there for ever. Chain and tree
need a helper for each Toffoli gate, and the plane says that all of them are |0> again.

Bugs: a diffusion that forgets an H, and an oracle that does not undo one of its Toffoli gates.
"""

from __future__ import annotations

from qiskit import QuantumRegister

import qismc
from qismc import QuantumCircuit

SIZE, ITERATIONS = 4, 2
SPECS = {"turned": "AG (turned -> plane)", "settles": "AF AG plane"}
EXPECTED = {
    "chain": {"turned": "holds", "settles": "holds"},
    "tree": {"turned": "holds", "settles": "holds"},
    "broken_diffusion": {"turned": "violated", "settles": "violated"},
    "broken_oracle": {"turned": "violated", "settles": "violated"},
}
Toffoli = tuple[int, int, int]


def chain(size: int = SIZE, iterations: int = ITERATIONS) -> QuantumCircuit:
    """The conjunction of all qubits, one after the other."""
    links = [(k, size + k - 2, size + k - 1) for k in range(2, size)]
    return _search("chain", size, iterations, [(0, 1, size), *links])


def tree(size: int = SIZE, iterations: int = ITERATIONS) -> QuantumCircuit:
    """The conjunction of all qubits, pair by pair."""
    return _search("tree", size, iterations, _tree(size))


def broken_diffusion(size: int = SIZE, iterations: int = ITERATIONS) -> QuantumCircuit:
    """The bug: the diffusion leaves qubit 0 in the other basis."""
    return _search("broken_diffusion", size, iterations, _tree(size), turned_back=range(1, size))


def broken_oracle(size: int = SIZE, iterations: int = ITERATIONS) -> QuantumCircuit:
    """The bug: the oracle leaves its first helper entangled with the data."""
    return _search("broken_oracle", size, iterations, _tree(size), undone=slice(1, None))


def _search(
    name: str,
    size: int,
    iterations: int,
    test: list[Toffoli],
    *,
    turned_back: range | None = None,
    undone: slice = slice(None),
) -> QuantumCircuit:
    data, helper = QuantumRegister(size, "data"), QuantumRegister(size - 1, "helper")
    qc = QuantumCircuit(data, helper, name=name)
    zeros = [data[k] for k in range(size) if marked(size)[k] == "0"]
    qc.h(data)
    for _ in range(iterations):
        qc.x(zeros)
        _flip_sign(qc, test, test[undone])
        qc.x(zeros)
        qc.h(data)
        qc.x(data)
        _flip_sign(qc, test, test)
        qc.x(data)
        qc.h([data[k] for k in turned_back or range(size)])
        qc.mark("turned")
    return qc


def _flip_sign(qc: QuantumCircuit, computed: list[Toffoli], undone: list[Toffoli]) -> None:
    """|x> -> -|x> if all data qubits are 1; the last helper knows."""
    for first, second, target in computed:
        qc.ccx(first, second, target)
    qc.z(computed[-1][2])
    for first, second, target in reversed(undone):
        qc.ccx(first, second, target)


def _tree(size: int) -> list[Toffoli]:
    """Helper size + k is the conjunction of the nodes 2k and 2k + 1."""
    return [(2 * k, 2 * k + 1, size + k) for k in range(size - 1)]


def marked(size: int) -> str:
    """The item that is searched for: 011011011…"""
    return "".join("011"[k % 3] for k in range(size))


def plane(size: int) -> str:
    """The marked item and the uniform superposition, all helpers in |0>."""
    return f"span(|{marked(size)}0^{size - 1}>, |+^{size} 0^{size - 1}>)"


def run(size: int = SIZE, iterations: int = ITERATIONS) -> dict[str, qismc.Result]:
    """The four programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(size, iterations), SPECS, props={"plane": plane(size)})
        for circuit in (chain, tree, broken_diffusion, broken_oracle)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
