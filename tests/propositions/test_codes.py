"""Basis states of codes, and codes on some of their qubits, against dense matrices."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest
import stim
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit.quantum_info import DensityMatrix, Operator, Pauli, partial_trace

import qismc
from qismc import QuantumCircuit
from qismc.common.choices import method_and_numbers
from qismc.propositions.codes import Representatives, restricted
from qismc.propositions.propositions import Stabilised, Whole

from ..reference import meet, projector, span
from ..strategies import PAULI


def eigenspace(sign: int, string: str) -> np.ndarray:
    matrix = reduce(np.kron, [PAULI[letter] for letter in string]) * sign
    return span((np.eye(len(matrix)) + matrix) / 2)


@settings(max_examples=100)
@given(
    paulis=st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.tuples(st.sampled_from([1, -1]), st.text("IXYZ", min_size=n, max_size=n)),
            min_size=1,
            max_size=4,
        )
    )
)
def test_projections_of_representatives_span_the_code(paulis: list[tuple[int, str]]) -> None:
    """Strings may anticommute, depend on each other and contradict each other."""
    width = len(paulis[0][1])
    code = meet(*(eigenspace(*pauli) for pauli in paulis))
    found = Representatives(Stabilised(tuple(paulis), tuple(range(width))))
    words = found.words()
    assert found.dimension == len(words) == code.shape[1]
    assert words == sorted(words)
    if words:
        columns = projector(code)[:, [int(word, 2) for word in words]]
        assert span(columns).shape[1] == code.shape[1]


def joint_projector(paulis: tuple[tuple[int, str], ...], count: int) -> np.ndarray:
    found = np.eye(2**count, dtype=complex)
    for sign, text in paulis:
        found = found @ (np.eye(2**count) + sign * Operator(Pauli(text[::-1])).data) / 2
    return found


@pytest.mark.parametrize("seed", range(20))
def test_ranges_of_reduced_states(seed: int) -> None:
    random = np.random.default_rng(seed)
    tableau = stim.Tableau.from_conjugated_generators(
        xs=[stim.PauliString(f"{'_' * k}X{'_' * (3 - k)}") for k in range(4)],
        zs=[stim.PauliString(f"{'_' * k}Z{'_' * (3 - k)}") for k in range(4)],
    )
    for _ in range(12):
        a, b = (int(k) for k in random.permutation(4)[:2])
        tableau.append(stim.Tableau.from_named_gate("CX"), [a, b])
        tableau.append(stim.Tableau.from_named_gate(str(random.choice(["H", "S", "X"]))), [a])
    generators = [tableau.z_output(k) for k in range(int(random.integers(1, 5)))]
    paulis = tuple((int(np.real(p.sign)), str(p)[1:].replace("_", "I")) for p in generators)
    qubits = tuple(int(k) for k in random.permutation(4)[: int(random.integers(1, 4))])

    found = restricted(Stabilised(paulis, (0, 1, 2, 3)), qubits)

    kept = sorted(qubits)
    whole = DensityMatrix(joint_projector(paulis, 4) / 2 ** (4 - len(paulis)))
    reduced = partial_trace(whole, [k for k in range(4) if k not in qubits]).data
    if isinstance(found, Whole):
        own = np.eye(2 ** len(kept))
    else:
        ordered = tuple((sign, "".join(text[qubits.index(k)] for k in kept)) for sign, text in found.paulis)
        own = joint_projector(ordered, len(kept))
    assert np.allclose(reduced / np.max(np.linalg.eigvalsh(reduced)), own)


def test_sp_on_some_qubits_of_a_clifford_program() -> None:
    qc = QuantumCircuit(3)
    qc.h(0)
    qc.cx(0, 1)
    qc.mark("m")
    qc.z(0)
    for place, holds in (("q[0]", True), ("q[1], q[0]", False), ("q[2]", True), ("q[2], q[0]", True)):
        formula = f"AG (leaf -> sp(m) on {place})"
        for engine in ("exact", "stabiliser"):
            assert bool(qismc.check(qc, formula, **method_and_numbers(engine, "auto"))) == holds
