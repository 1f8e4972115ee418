"""One step of Grover's search among 2^64 items.

The step turns the state inside the plane of the marked ket and the uniform superposition: `plane`. It turns
it by 5e-10 only, which floating point takes for zero, but exact arithmetic sees it: `moves`. The bug: an
oracle that looks at one qubit fewer marks two items, and the state leaves the plane.
"""

from __future__ import annotations

import qismc
from qismc import QuantumCircuit

QUBITS = 64
MARKED = 0x0123_4567_89AB_CDEF
SPECS = {"plane": "AG (leaf -> marked \\/ uniform)", "moves": "AG (leaf -> !uniform)"}
PROPS = {"marked": f"|{MARKED:0{QUBITS}b}>", "uniform": f"|+^{QUBITS}>"}
EXPECTED = {
    "search": {"plane": "holds", "moves": "holds"},
    "short_oracle": {"plane": "violated", "moves": "holds"},
}


def search() -> QuantumCircuit:
    """Uniform superposition, oracle, reflection about the uniform superposition."""
    return _search(list(range(QUBITS)))


def short_oracle() -> QuantumCircuit:
    """The bug: the oracle does not look at qubit 0."""
    return _search(list(range(1, QUBITS)))


def _search(seen: list[int]) -> QuantumCircuit:
    qc = QuantumCircuit(QUBITS)
    everything = list(range(QUBITS))
    qc.h(everything)
    _flip_sign(qc, seen, f"{MARKED:0{QUBITS}b}")
    qc.h(everything)
    _flip_sign(qc, everything, "0" * QUBITS)
    qc.h(everything)
    return qc


def _flip_sign(qc: QuantumCircuit, qubits: list[int], digits: str) -> None:
    """|x> -> -|x> if x has the given digit at each of the qubits."""
    zeros = [k for k in qubits if digits[k] == "0"]
    last = qubits[-1]
    qc.x(zeros)
    qc.h(last)
    qc.mcx(qubits[:-1], last)
    qc.h(last)
    qc.x(zeros)


def run() -> dict[str, qismc.Result]:
    """Both programs with their verdicts."""
    return {
        circuit.__name__: qismc.check(circuit(), SPECS, props=PROPS) for circuit in (search, short_oracle)
    }


if __name__ == "__main__":
    for name, result in run().items():
        print(f"--- {name}\n{result}\n")
