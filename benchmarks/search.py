"""Oracles between two layers of Hadamard gates: GHZ, Bernstein-Vazirani and Grover's search.

All have an oracle and a last stage that interferes its answers; `broken` leaves a gate or a control out.
"""

from __future__ import annotations

from typing import Literal

from qiskit import QuantumCircuit

from benchmarks.case import Case, at_least, bits, case, fits, ket, power_of_two

Broken = Literal["oracle", "diffusion"]
And = tuple[tuple[int, ...], int]  # controls and target


def ghz(n: int, broken: Broken | None = None) -> Case:
    """A parity oracle between Hadamards makes (|0…0> - |1…1>)/sqrt(2)."""
    at_least(2, n=n)
    qc, last = QuantumCircuit(n), n - 1
    qc.h(range(last))
    qc.x(last)
    for control in reversed(range(1 if broken == "oracle" else 0, last)):
        qc.cx(control, last)
    qc.h(range(1 if broken == "diffusion" else 0, n))
    return case(f"ghz-{n}", qc, {"target": f"span({ket('0' * n)}, {ket('1' * n)})"}, broken=broken)


def bernstein_vazirani(n: int, secret: int, broken: Literal["oracle"] | None = None) -> Case:
    """One query of x -> secret . x reveals the secret: bit k on qubit k, the answer on qubit n."""
    at_least(1, n=n)
    fits(secret, n)
    queried = [k for k in range(n) if secret >> k & 1]
    if broken == "oracle":
        if not queried:
            raise ValueError("the oracle of secret 0 has no gate to leave out; choose another secret")
        queried.pop()
    qc = QuantumCircuit(n + 1)
    qc.x(n)
    qc.h(range(n + 1))
    for k in queried:
        qc.cx(k, n)
    qc.h(range(n + 1))
    return case(f"bv-{n}-{secret:x}", qc, {"target": f"span({ket(bits(secret, n) + '1')})"}, broken=broken)


def grover_tree(b: int, broken: Broken | None = None) -> Case:
    """One Grover iteration over b data qubits, the zero test by a tree of b - 1 Toffoli gates."""
    power_of_two("b", b)
    return _grover(f"grover-{b}", b, _tree(b), broken)


def grover_linear(b: int, broken: Broken | None = None) -> Case:
    """One Grover iteration over b data qubits, the zero test by a chain of b - 1 Toffoli gates."""
    at_least(2, b=b)
    return _grover(f"grover-{b}-linear", b, _chain(b), broken)


def _tree(b: int) -> list[And]:
    """Helper b + i tells whether all data qubits below its two inputs are 0."""
    return [((2 * i, 2 * i + 1), b + i) for i in range(b - 1)]


def _chain(b: int) -> list[And]:
    """Helper b + i - 1 tells whether the data qubits 0 … i are 0; a copy of the last one is the answer."""
    links: list[And] = [((i, b + i - 2), b + i - 1) for i in range(2, b)]
    return [((0, 1), b), *links, ((2 * b - 2,), 2 * b - 1)]


def _grover(name: str, b: int, test: list[And], broken: Broken | None) -> Case:
    """H, flip the sign of |0…0> (the marked state), H, flip it again (the diffusion), H."""
    qc = QuantumCircuit(test[-1][1] + 1)
    qc.h(range(b))
    _flip_zero(qc, b, _without_a_control(test) if broken == "oracle" else test)
    qc.h(range(b))
    _flip_zero(qc, b, test)
    qc.h(range(1 if broken == "diffusion" else 0, b))
    marked, uniform = ket("0" * qc.num_qubits), ket("+" * b + "0" * (qc.num_qubits - b))
    return case(name, qc, {"target": f"span({marked}, {uniform})"}, broken=broken)


def _without_a_control(test: list[And]) -> list[And]:
    last = max(k for k, (controls, _) in enumerate(test) if len(controls) == 2)
    controls, target = test[last]
    return [*test[:last], (controls[1:], target), *test[last + 1 :]]


def _flip_zero(qc: QuantumCircuit, b: int, test: list[And]) -> None:
    """|x> -> -|x> if all data qubits are 0, which is what the last target of the test tells."""
    for gate in test:
        _and(qc, b, *gate)
    qc.z(test[-1][1])
    for gate in reversed(test):
        _and(qc, b, *gate)


def _and(qc: QuantumCircuit, b: int, controls: tuple[int, ...], target: int) -> None:
    """Data qubits count when they are 0, helpers when they are 1."""
    negated = [qubit for qubit in controls if qubit < b]
    for qubit in negated:
        qc.x(qubit)
    if len(controls) == 1:
        qc.cx(controls[0], target)
    else:
        qc.ccx(*controls, target)
    for qubit in negated:
        qc.x(qubit)
