"""Reduced states against Qiskit's partial trace; overlaps against projectors written out by NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.quantum_info import DensityMatrix, Statevector, partial_trace, random_statevector

from qismc import Model, QuantumCircuit
from qismc.engines.dense import DenseEngine
from qismc.engines.engine import Numeric, Vector
from qismc.engines.native import NativeEngine
from qismc.evidence.states import (
    Singles,
    density,
    mixture,
    mixture_text,
    overlap,
    reduced,
    reduced_state,
    replaced,
)
from qismc.limits import Budget, Limits
from qismc.numbers.forms import ComplexForm
from qismc.propositions.resolving import resolve

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
    assert not list(reduced_state(BELL, ("a", "b"), (0, 1), 3))
    assert not list(reduced_state(BELL, ("a", "b"), (), 3))
    (hint,) = reduced_state(BELL, ("a", "b"), (1,), 3)
    assert hint is not None
    assert hint.text == "at the end b: mixed: |0> (0.5) or |1> (0.5) (reduced state)"
    assert hint.steps == (3,)


HERE, THERE = (random_statevector(8, seed=seed).data for seed in (1, 2))


def engine(kind: str) -> DenseEngine | NativeEngine:
    budget = Budget(Limits())
    return DenseEngine(3, budget) if kind == "dense" else NativeEngine(ComplexForm(), [2, 0, 1], budget)


def kept(state: np.ndarray, qubits: tuple[int, ...]) -> np.ndarray:
    """Qiskit counts qubits from the other end of our kets."""
    others = [2 - q for q in range(3) if q not in qubits]
    return np.asarray(partial_trace(DensityMatrix(state), others).data)


@pytest.mark.parametrize("kind", ["dense", "train"])
@pytest.mark.parametrize("qubit", range(3))
def test_reduced_states(kind: str, qubit: int) -> None:
    made = engine(kind)
    found = reduced(made, made.amplitudes(HERE), (qubit,))
    assert found is not None and np.allclose(found, kept(HERE, (qubit,)))


def test_replaced_qubits_have_the_other_state_and_the_rest_keeps_its_own() -> None:
    made = engine("dense")
    for qubits in ((0,), (1,), (0, 2)):
        others = tuple(q for q in range(3) if q not in qubits)
        states = replaced(made, HERE, THERE, qubits)
        assert states is not None
        for state in states:  # eigenvectors of both sides: products
            inner = kept(state, qubits)
            assert np.allclose(inner @ kept(THERE, qubits), kept(THERE, qubits) @ inner)
            outer = kept(state, others)
            assert np.allclose(outer @ kept(HERE, others), kept(HERE, others) @ outer)
            assert np.isclose(np.trace(inner @ inner).real, 1)
        assert len(states) == 2 ** (2 * min(len(qubits), len(others)))


@pytest.mark.parametrize("kind", ["dense", "train"])
def test_a_pure_qubit_is_turned(kind: str) -> None:
    made = engine(kind)
    pair, plus = np.array([1, 0, 0, 1]) / 2**0.5, np.array([1, 1]) / 2**0.5
    here = made.amplitudes(np.kron(plus, pair))
    there = made.amplitudes(np.kron(np.array([0, 1j]), np.array([0, 1, 0, 0])))
    (found,) = replaced(made, here, there, (0,)) or ()
    wanted = made.amplitudes(np.kron(np.array([0, 1]), pair))
    assert abs(made.inner(found, wanted)) == pytest.approx(1)


def test_entangled_qubits_of_trains_are_not_replaced() -> None:
    made = engine("train")
    assert replaced(made, made.amplitudes(HERE), made.amplitudes(THERE), (0,)) == []
    assert reduced(made, made.amplitudes(HERE), (0, 1)) is None


COUNT = 8
ORDER = [2, 0, 1, 7, 5, 6, 3, 4]
RANDOM = random_statevector(2**COUNT, seed=1).data
PLAIN = 3 * Statevector.from_label("0+1r" + "01-l").data


def states(amplitudes: np.ndarray) -> list[tuple[Numeric, Vector]]:
    budget = Budget(Limits())
    engines: list[Numeric] = [DenseEngine(COUNT, budget), NativeEngine(ComplexForm(), ORDER, budget)]
    return [(engine, engine.amplitudes(amplitudes)) for engine in engines]


def kept_of_singles(amplitudes: np.ndarray, qubit: int) -> np.ndarray:
    """Qiskit counts qubits from the other end of our kets."""
    state = DensityMatrix(amplitudes / np.linalg.norm(amplitudes))
    return np.asarray(partial_trace(state, [COUNT - 1 - q for q in range(COUNT) if q != qubit]).data)


@pytest.mark.parametrize("amplitudes", [RANDOM, PLAIN], ids=["random", "plain"])
def test_every_qubit(amplitudes: np.ndarray) -> None:
    for engine, state in states(amplitudes):
        singles = Singles(engine, state)
        for qubit in range(COUNT):
            expected, found = kept_of_singles(amplitudes, qubit), singles.reduced(qubit)
            assert found is not None and np.allclose(found, expected)
            for letter in "01+-":
                ket = Statevector.from_label(letter).data
                inside = singles.inside(qubit, letter)
                assert inside is not None and np.isclose(inside, (ket.conj() @ expected @ ket).real)


def test_arrays_and_trains_are_both_looked_at() -> None:
    (_, array), (_, train) = states(RANDOM)[1], states(PLAIN)[1]
    assert array.dense and not train.dense


MODEL = Model(QuantumCircuit(3), numbers="float")
STATE = random_statevector(8, seed=5).data  # qubit 0 is the most significant one, as in our kets
ZERO, ONE = np.array([1, 0]), np.array([0, 1])
PLUS = np.array([1, 1]) / 2**0.5


def line(vector: np.ndarray) -> np.ndarray:
    return np.outer(vector, vector.conj())


CASES = {
    "|0> on q[1]": np.kron(np.kron(np.eye(2), line(ZERO)), np.eye(2)),
    "|0+> on q[2], q[0]": np.kron(np.kron(line(PLUS), np.eye(2)), line(ZERO)),
    "span(|00> + |11>) on q[0], q[1]": np.kron(line(BELL), np.eye(2)),
    "~(|0> on q[1])": np.eye(8) - np.kron(np.kron(np.eye(2), line(ZERO)), np.eye(2)),
    "(|0> on q[0]) /\\ (|+> on q[2])": np.kron(np.kron(line(ZERO), np.eye(2)), line(PLUS)),
    "(|0> on q[0]) \\/ (|0> on q[1])": np.eye(8) - np.kron(np.kron(line(ONE), line(ONE)), np.eye(2)),
    "stab(ZZ) on q[0], q[1]": np.kron(np.diag([1, 0, 0, 1]), np.eye(2)),
    "(|0> on q[0]) /\\ (|1> on q[0])": np.zeros((8, 8)),
    "full": np.eye(8),
    "zero": np.zeros((8, 8)),
}  # fmt: skip


@pytest.mark.parametrize("text", CASES)
@pytest.mark.parametrize("kind", ["dense", "train"])
def test_shares(text: str, kind: str) -> None:
    budget = Budget(Limits())
    engine = DenseEngine(3, budget) if kind == "dense" else NativeEngine(ComplexForm(), [2, 0, 1], budget)
    found = overlap(engine, resolve(text, MODEL.scope), engine.amplitudes(STATE))
    assert found == pytest.approx(float(np.real(STATE.conj() @ CASES[text] @ STATE)), abs=1e-9)


def test_wide_propositions_have_no_answer() -> None:
    engine = DenseEngine(12, Budget(Limits()))
    model = Model(QuantumCircuit(12), numbers="float")
    proposition = resolve(
        "(|0000> on q[0], q[1], q[2], q[3]) /\\ (|000000> on q[4], q[5], q[6], q[7], q[8], q[9])", model.scope
    )
    state = np.zeros(2**12, dtype=complex)
    state[0] = 1
    assert overlap(engine, proposition, state) is None
