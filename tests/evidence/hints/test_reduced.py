"""Reduced states, against Qiskit's partial trace."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import Statevector, partial_trace, random_statevector

from qismc.evidence.hints.reduced import density, mixture, mixture_text, reduced_state

BELL = np.asarray(np.array([1, 0, 0, 1]) / 2**0.5, dtype=complex)


@pytest.mark.parametrize("qubits", [(0,), (2, 0), (1, 3, 2)])
def test_density_matrices(qubits: tuple[int, ...]) -> None:
    state = random_statevector(16, seed=7)
    ours = density(state.reverse_qargs().data, 4, qubits)  # our first qubit is the most significant one
    others = [q for q in range(4) if q not in qubits]
    kept = sorted(qubits)
    theirs = partial_trace(state, others).data  # its qubit k, least significant first, is kept[k]
    axes = [len(kept) - 1 - kept.index(q) for q in qubits]
    tensor = theirs.reshape((2,) * (2 * len(kept)))
    theirs = tensor.transpose([*axes, *(len(kept) + a for a in axes)]).reshape(ours.shape)
    assert np.allclose(ours, theirs)


def test_mixtures_add_up() -> None:
    state = random_statevector(8, seed=3).data
    parts = mixture(density(state, 3, (0, 1)))
    assert sum(weight for weight, _ in parts) == pytest.approx(1)
    assert len(parts) == 2  # the Schmidt rank against the third qubit


@pytest.mark.parametrize(("label", "qubits", "text"), [
    ("01", (0,), "|0>"),
    ("01", (1, 0), "|10>"),
    ("+0", (0,), "sqrt(1/2)|0> + sqrt(1/2)|1>"),
])  # fmt: skip
def test_pure_parts_are_kets(label: str, qubits: tuple[int, ...], text: str) -> None:
    state = Statevector.from_label(label).data
    assert mixture_text(density(state, 2, qubits)) == text


def test_entangled_parts_are_mixtures() -> None:
    assert mixture_text(density(BELL, 2, (0,))) == "mixed: |0> (0.5) or |1> (0.5)"
    many = np.asarray(np.eye(8).reshape(-1) / 8**0.5, dtype=complex)  # three Bell pairs
    assert mixture_text(density(many, 6, (0, 1, 2))).endswith("or 4 more")


def test_hints_speak_of_parts_only() -> None:
    assert reduced_state(BELL, ("a", "b"), (0, 1), 3) is None
    assert reduced_state(BELL, ("a", "b"), (), 3) is None
    hint = reduced_state(BELL, ("a", "b"), (1,), 3)
    assert hint is not None
    assert hint.text == "at the end b: mixed: |0> (0.5) or |1> (0.5) (reduced state)"
    assert hint.steps == (3,)
