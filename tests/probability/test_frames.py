"""Bases of arrays and of trains, against NumPy."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from hypothesis import given

from qismc import Model, QuantumCircuit, Verdict, check
from qismc.engines.dense import DenseEngine
from qismc.limits import Budget, Limits
from qismc.probability import frames as module
from qismc.probability.frames import ArrayBasis, Basis, Frames, basis, making

from ..strategies import toys
from ..toy import Toy


@pytest.mark.parametrize("kind", [Basis, ArrayBasis])
def test_coefficients_and_rests(kind: type[Basis]) -> None:
    engine = DenseEngine(3, Budget(Limits()))
    random = np.random.default_rng(0)
    numbers = random.normal(size=(8, 8)) + 1j * random.normal(size=(8, 8))
    units = np.linalg.qr(numbers)[0].T[:5]
    found = ArrayBasis(engine, 6) if kind is ArrayBasis else Basis(engine)
    for count, unit in enumerate(units):
        vector = numbers[count]
        expected = units[:count].conj() @ vector
        assert np.allclose(found.coefficients(vector), expected, atol=1e-14)
        rest = found.without(vector, found.coefficients(vector))
        assert np.allclose(rest, vector - units[:count].T @ expected, atol=1e-14)
        found.append(unit)
    assert np.array_equal(np.array(found.vectors), units)


def test_arrays_are_kept_together() -> None:
    assert isinstance(basis(DenseEngine(2, Budget(Limits())), 3), ArrayBasis)


def frames_of(model: Model) -> Frames:
    return Frames(model.solved(), Budget(Limits()))


@given(toy=toys(most=3, size=5))
def test_frames_span_sp_and_edges_keep_lengths(engine: str, toy: Toy) -> None:
    model = Model(toy.circuit(), numbers=engine)
    frames = frames_of(model)
    for k, station in enumerate(frames.stations):
        basis = frames.bases[k]
        gram = np.array([[frames.engine.inner(a, b) for b in basis] for a in basis])
        assert np.allclose(gram, np.eye(len(basis)), atol=1e-10)
        assert len(basis) == model.solved().posts.dimension(*station)
        total = sum(edge.matrix.conj().T @ edge.matrix for edge in frames.chain.edges[k])
        assert np.allclose(total, np.eye(len(basis)), atol=1e-9)
        assert frames.chain.slack[k] < 1e-9


def test_trains_and_arrays_give_the_same_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = QuantumCircuit(3, 1)
    circuit.h([0, 1])
    circuit.cx(0, 2)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.reset(2)
        circuit.ry(0.4, 2)
        circuit.cx(1, 2)
        circuit.measure(2, 0)
    dense = frames_of(Model(circuit))
    monkeypatch.setattr("qismc.engines.numeric.SMALL", 0)
    monkeypatch.setattr(module, "MOST_ARRAY_QUBITS", 0)
    trains = frames_of(Model(circuit))
    assert type(dense.engine) is not type(trains.engine)
    for k in range(len(dense.chain)):
        for a, b in zip(dense.chain.edges[k], trains.chain.edges[k], strict=True):
            assert np.allclose(np.linalg.svd(a.matrix)[1], np.linalg.svd(b.matrix)[1], atol=1e-9)
        assert trains.chain.slack[k] < 1e-10


def test_init_is_told_apart_from_what_comes_back() -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.ry(0.3, 0)
        circuit.measure(0, 0)
        circuit.h(0)
    frames = frames_of(Model(circuit))
    assert frames.chain.dims[frames.entry] == 2 and frames.start.shape == (2, 1)


def test_few_states_of_more_qubits_are_arrays() -> None:
    """Their rounding is known better than the noise that trains cut off."""
    circuit = QuantumCircuit(14, 1)
    circuit.h(0)
    for k in range(13):
        circuit.cx(k, k + 1)
    circuit.measure(13, 0)
    frames = frames_of(Model(circuit))
    assert isinstance(frames.engine, DenseEngine)
    assert max(frames.chain.slack) < 1e-12


def test_gates_made_of_gates_are_rounded_as_often_as_their_parts() -> None:
    parts = QuantumCircuit(1)
    for _ in range(50):
        parts.ry(0.3, 0)
        parts.rz(0.7, 0)
    whole, plain = QuantumCircuit(1, 1), QuantumCircuit(1, 1)
    whole.append(parts.to_gate(), [0])
    plain.compose(parts, inplace=True)
    slacks = []
    for circuit in (whole, plain):
        circuit.measure(0, 0)
        slacks.append(frames_of(Model(circuit)).chain.slack[0])
    assert slacks[0] == pytest.approx(slacks[1], rel=0.01) and slacks[0] > 400 * module.DENSE_ROUNDING


def test_starts_made_by_gates_are_rounded_as_well() -> None:
    start = QuantumCircuit(1)
    for _ in range(50):
        start.ry(0.3, 0)
        start.rz(0.7, 0)
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    assert frames_of(Model(circuit, init=start)).chain.slack[0] > 400 * module.DENSE_ROUNDING


SCALE = 10**40
ROOT = Fraction(isqrt(SCALE**2 // 2), SCALE)
"""1/sqrt(2) with forty digits."""


def cost(circuit: QuantumCircuit, init: object) -> float:
    return making(DenseEngine(circuit.num_qubits, Budget(Limits())), Model(circuit, init=init).init)


@pytest.mark.parametrize("digits", [4, 5])
def test_sums_whose_terms_cancel(digits: int) -> None:
    scale = 10**digits
    near = int(ROOT * scale)
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    init = f"|+> - 1/sqrt(2) |0> - {near}/{scale} |1> + 1/{10 * scale} |0>"
    zero, one = Fraction(1, 10 * scale), ROOT - Fraction(near, scale)
    expected = zero**2 / (zero**2 + one**2)
    found = check(circuit, "P=? [F (leaf & c == 0)]", init=init).results[0].probability
    assert found is not None and abs(Fraction(found.low) - expected) <= found.error


@pytest.mark.parametrize("scale", [10, 10**4, 10**5])
def test_starts_that_are_nearly_parallel(scale: int) -> None:
    """Their span is that of |++> and another state, which the difference shows with fewer digits."""
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    init = f"span(|++>, |++> + 1/{3 * scale} |+-> + 3/{7 * scale} |-+>)"
    found = check(circuit, "P=? [F (leaf & c == 1)]", init=init).results[0].probability
    assert found is not None and found.low == pytest.approx(0, abs=1e-12)
    assert abs(Fraction(found.high) - Fraction(81, 130)) <= found.error
    below = Fraction(81, 130) - Fraction(1, 10**12)
    wrong = f"P<={below.numerator}/{below.denominator} [F (leaf & c == 1)]"
    assert check(circuit, wrong, init=init).verdict is not Verdict.HOLDS


def test_starts_that_numbers_cannot_tell_apart() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.measure([0, 1], [0, 1])
    init = "span(|00>, |00> + 1/10000000000 |11>)"  # |11> is in it
    for formula in ("P=? [F (leaf & c == 3)]", "P<=1/2 [F (leaf & c == 3)]"):
        result = check(circuit, formula, init=init)
        assert result.verdict is Verdict.UNKNOWN and "rounding hides" in str(result.results[0].reason)
    assert not check(circuit, "P=1 [F (leaf & c == 0)]", init=init)  # decided without numbers


def test_what_is_rounded_and_what_is_not() -> None:
    circuit = QuantumCircuit(3)
    prepared = QuantumCircuit(3)
    prepared.h([0, 1, 2])
    assert cost(circuit, prepared) == 3
    for init in ("|000>", "|+-r>", "|001> + |010> - 1/2 |100>", "full on q[0]", "stab(ZZI, IZZ)"):
        assert cost(circuit, init) == 0
    assert cost(circuit, "|+00> + |-00>") == pytest.approx(2**0.5)
    assert cost(circuit, "|+00> - 99/100 |+00>") == pytest.approx(199)
