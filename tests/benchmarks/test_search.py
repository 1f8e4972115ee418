"""GHZ, Bernstein-Vazirani and Grover: sizes, final states and verdicts."""

from collections.abc import Callable

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from benchmarks.case import Case
from benchmarks.search import Broken, bernstein_vazirani, ghz, grover_linear, grover_tree

from .oracle import Simulator, verdict

Build = Callable[[int, str | None], Case]

BROKEN = [None, "oracle", "diffusion"]


@pytest.mark.parametrize(("b", "qubits", "gates"), [(4, 7, 58), (8, 15, 118), (16, 31, 238), (64, 127, 958)])
def test_trees_have_the_published_sizes(b: int, qubits: int, gates: int) -> None:
    circuit = grover_tree(b).circuit
    assert (circuit.num_qubits, circuit.size()) == (qubits, gates)


@pytest.mark.parametrize(("b", "qubits", "gates"), [(32, 64, 482), (64, 128, 962), (150, 300, 2252)])
def test_chains_have_the_published_sizes(b: int, qubits: int, gates: int) -> None:
    circuit = grover_linear(b).circuit
    assert (circuit.num_qubits, circuit.size()) == (qubits, gates)


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize(
    ("build", "size"), [(ghz, 2), (ghz, 6), (grover_tree, 2), (grover_tree, 4), (grover_tree, 8)]
)
def test_ghz_and_trees_have_the_claimed_verdict(build: Build, size: int, broken: str | None) -> None:
    case = build(size, broken)
    assert verdict(case) == case.expected == ("violated" if broken else "holds")


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("b", [2, 3, 4, 6])
def test_chains_have_the_claimed_verdict(b: int, broken: Broken | None) -> None:
    case = grover_linear(b, broken)
    assert verdict(case) == case.expected == ("violated" if broken else "holds")


@pytest.mark.parametrize(
    "circuit", [grover_tree(4).circuit, grover_linear(3, "diffusion").circuit, ghz(5).circuit]
)
def test_the_simulator_agrees_with_qiskit(circuit: QuantumCircuit) -> None:
    (leaf,) = Simulator(circuit).leaves()
    by_qiskit = Statevector(circuit.reverse_bits()).data
    assert np.allclose(leaf.state.ravel(), by_qiskit)


def test_ghz_ends_in_the_odd_cat_state() -> None:
    state = Statevector(ghz(4).circuit).data
    assert abs(state[0]) == pytest.approx(2**-0.5)
    assert state[-1] == pytest.approx(-state[0])


def test_one_iteration_amplifies_the_marked_state() -> None:
    """sin((2k + 1) t) with sin(t) = 1/sqrt(N) after k = 1 iterations."""
    state = Statevector(grover_tree(4).circuit)
    assert abs(state.data[0]) == pytest.approx(np.sin(3 * np.arcsin(1 / 4)))


@pytest.mark.parametrize(("n", "secret"), [(1, 0), (1, 1), (4, 0b0110), (5, 0b10011)])
def test_bernstein_vazirani_finds_the_secret(n: int, secret: int) -> None:
    case = bernstein_vazirani(n, secret)
    assert Statevector(case.circuit).probabilities()[secret | 1 << n] == pytest.approx(1)
    assert verdict(case) == case.expected == "holds"


def test_bernstein_vazirani_with_a_gate_missing_finds_another() -> None:
    case = bernstein_vazirani(4, 0b0110, "oracle")
    assert verdict(case) == case.expected == "violated"


def test_targets_of_long_registers_are_short() -> None:
    assert grover_linear(150).props == {"target": "span(|0^300>, |+^150 0^150>)"}
    assert bernstein_vazirani(100, 1).props == {"target": "span(|10^99 1>)"}


def test_names_say_what_is_broken() -> None:
    assert grover_linear(32).name == "grover-32-linear"
    assert ghz(50, "oracle").name == ghz(50, "oracle").circuit.name == "ghz-50-broken-oracle"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: ghz(1), "n is 1; it must be at least 2"),
        (lambda: grover_tree(6), "b is 6; it must be a power of two"),
        (lambda: grover_linear(1), "b is 1"),
        (lambda: bernstein_vazirani(3, 8), "8 does not fit into 3 bits"),
        (lambda: bernstein_vazirani(3, 0, "oracle"), "no gate to leave out"),
    ],
)
def test_impossible_sizes_are_refused(build: Callable[[], Case], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()
