"""The catalogue of constructions: each returns a `Case`, a circuit with its specification and verdict."""

from __future__ import annotations

import random

from qiskit import QuantumCircuit

from benchmarks.case import Case, at_least, case, ket, power_of_two
from benchmarks.clifford import (
    cluster_grid,
    cluster_wire,
    random_dynamic,
    repetition_table,
    teleported_plus,
)
from benchmarks.codes import five_qubit_code, repetition_code, steane_code, surface_code
from benchmarks.dynamic import quantum_walk, repeat_until_success, teleportation_chain
from benchmarks.fourier import distributed_phase_estimation, distributed_qft, phase_estimation, qft
from benchmarks.measured import (
    all_measured,
    all_outcomes_qft,
    dynamic_ghz,
    ghz_measured,
    iterative_phase_estimation,
    loop_among_live_bits,
    repetition_memory,
    semiclassical_qft,
    surface_memory,
)
from benchmarks.quantities import (
    coin_race,
    coins,
    parity_chain,
    search,
    success_beside_ghz,
    teleported_coin,
    walk_between_walls,
)
from benchmarks.rotations import ising_chain, layered_swap_test, swap_test
from benchmarks.search import bernstein_vazirani, ghz, grover_linear, grover_tree

__all__ = [
    "Case",
    "all_measured",
    "all_outcomes_qft",
    "bernstein_vazirani",
    "cluster_grid",
    "cluster_wire",
    "coin_race",
    "coins",
    "distributed_phase_estimation",
    "distributed_qft",
    "dynamic_ghz",
    "five_qubit_code",
    "ghz",
    "ghz_measured",
    "grover_linear",
    "grover_tree",
    "ising_chain",
    "iterative_phase_estimation",
    "layered_swap_test",
    "loop_among_live_bits",
    "parity_chain",
    "phase_estimation",
    "qft",
    "quantum_walk",
    "random_clifford_t",
    "random_dynamic",
    "repeat_until_success",
    "repetition_code",
    "repetition_memory",
    "repetition_table",
    "search",
    "semiclassical_qft",
    "steane_code",
    "success_beside_ghz",
    "surface_code",
    "surface_memory",
    "swap_test",
    "teleportation_chain",
    "teleported_coin",
    "teleported_plus",
    "w_state",
    "walk_between_walls",
]

ONE_QUBIT_GATES = ("h", "s", "t", "sdg", "tdg", "x", "z")


def w_state(n: int) -> Case:
    """The equal superposition of the n kets with a single 1; n is a power of two: all splits are even."""
    power_of_two("n", n)
    qc = QuantumCircuit(n)
    qc.x(0)
    half = n // 2
    while half:
        for k in range(0, n, 2 * half):
            qc.ch(k, k + half)
            qc.cx(k + half, k)
        half //= 2
    terms = " + ".join(ket("0" * k + "1" + "0" * (n - k - 1)) for k in range(n))
    return case(f"w-{n}", qc, {"target": f"span({terms})"})


def random_clifford_t(n: int, gates: int, seed: int) -> Case:
    """`gates` random gates, then their inverses: back to all zero, through states that nothing compresses."""
    at_least(1, n=n)
    at_least(0, gates=gates)
    rng = random.Random(seed)
    qc = QuantumCircuit(n)
    for _ in range(gates):
        if n > 1 and rng.random() < 0.4:
            qc.cx(*rng.sample(range(n), 2))
        else:
            getattr(qc, rng.choice(ONE_QUBIT_GATES))(rng.randrange(n))
    mirrored = qc.compose(qc.inverse())
    return case(f"clifford-t-{n}-{gates}-{seed}", mirrored, {"target": f"span({ket('0' * n)})"})
