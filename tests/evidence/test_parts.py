"""Which part of a proposition fails."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import numpy.typing as npt
import pytest

import qismc
from qismc import QuantumCircuit
from qismc.demo import TARGET, repeat_until_success
from qismc.evidence.parts import SpanFactor, factors, outside_text
from qismc.evidence.states import density


def parts(circuit: QuantumCircuit, formula: str, engine: str) -> list[str]:
    result = qismc.check(circuit, formula, numbers=engine)
    assert result.counterexample is not None
    return [hint.text for hint in result.counterexample.hints if hint.kind == "part"]


def flipped() -> QuantumCircuit:
    """(|00> + |11>)|0> with a flip of the second qubit."""
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.x(1)
    return circuit


def test_generators(engine: str) -> None:
    found = parts(flipped(), "AG (leaf -> stab(XXI, ZZI, IIZ))", engine)
    assert found == ["1 of 3 generators fail: ZZI (expectation -1)"]
    found = parts(flipped(), "AG (leaf -> stab(XX, -ZZ) on q[1], q[2])", engine)
    assert found == ["2 of 2 generators on q[1], q[2] fail: XX (expectation 0), -ZZ (expectation 0)"]


def test_sides_of_a_meet(engine: str) -> None:
    formula = "AG (leaf -> (|00> + |11> on q[0], q[1]) /\\ (|0> on q[2]))"
    assert parts(flipped(), formula, engine) == ["1 of 2 sides of the meet fail: |00> + |11> on q[0], q[1]"]


def test_letters_of_a_ket(engine: str) -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.x(2)
    assert parts(circuit, "AG (leaf -> |+00>)", engine) == [
        "1 of 3 qubits fail: q[2] should be |0> and is |1>"
    ]


@pytest.mark.parametrize("formula", ["AG (leaf -> |0> on q[1])", "AG (leaf -> ~(|01> + |10>) on q[0], q[1])"])
def test_nothing_is_said_where_there_are_no_parts(formula: str, engine: str) -> None:
    assert parts(flipped(), formula, engine) == []


def test_more_qubits_than_dense_arrays_have() -> None:
    circuit = QuantumCircuit(30)
    circuit.x(17)
    found = parts(circuit, f"AG (leaf -> |{'0' * 30}>)", "exact")
    assert found == ["1 of 30 qubits fail: q[17] should be |0> and is |1>"]


def test_factors_of_a_span() -> None:
    """Small states are plain arrays, whatever engine decides."""
    pair = "q[0], q[1] should be in span(|00>, |11>) and is sqrt(1/2)|01> + sqrt(1/2)|10>"
    found = parts(flipped(), "AG (leaf -> span(|000>, |110>))", "auto")
    assert found == [f"1 of 2 factors of the span fail: {pair}"]
    found = parts(flipped(), "AG (leaf -> span(|000>, |110>, |001>, |111>))", "auto")
    assert found == [f"the span speaks of some qubits only: {pair}"]
    found = parts(flipped(), "AG (leaf -> span(|10>, |11>) on q[2], q[1])", "auto")
    assert found == ["the span speaks of some qubits only: q[2] should be |1> and is |0>"]
    found = parts(flipped(), "AG (leaf -> span(|00>, |11>) on q[0], q[2])", "auto")
    assert found == ["the part outside of span(|00>, |11>) is |10>, squared length 0.5"]


def shares(circuit: QuantumCircuit, spec: str, engine: str, **options: object) -> list[str]:
    result = qismc.check(circuit, spec, numbers=engine, **options)  # type: ignore[arg-type]
    return [hint.text.split(" (")[0] for hint in result["spec"].hints if hint.kind == "overlap"]


def test_repeat_until_success(engine: str) -> None:
    circuit = repeat_until_success(reset_ancilla=False)
    found = shares(circuit, "AG (leaf -> target)", engine, props={"target": TARGET})
    assert found == ["0.3333 of the final state lies in target"]


@pytest.mark.parametrize(("proposition", "text"), [
    ("|0> on q[1]", "0.5 of the final state lies in |0> on q[1]"),
    ("span(|01>, |10>) on q[0], q[1]", "the final state is orthogonal to span(|01>, |10>) on q[0], q[1]"),
    ("|+> on q[0]", "0.5 of the final state lies in |+> on q[0]"),
])  # fmt: skip
def test_local_propositions(proposition: str, text: str, engine: str) -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    assert shares(circuit, f"AG (leaf -> {proposition})", engine) == [text]


def test_many_qubits() -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    for k in range(39):
        circuit.cx(k, k + 1)
    found = shares(circuit, "AG (leaf -> |00> on q[0], q[39])", "exact")
    assert found == ["0.5 of the final state lies in |00> on q[0], q[39]"]


@pytest.mark.parametrize(("angle", "text"), [
    ("pi/64", "0.9994 of the final state lies in |0>"),
    ("pi/1024", "all but 2.4e-06 of the final state lies in |0>"),
])  # fmt: skip
def test_nearly_all(angle: str, text: str, engine: str) -> None:
    circuit = QuantumCircuit(1)
    circuit.ry(math.pi / int(angle.removeprefix("pi/")), 0)
    assert shares(circuit, "AG (leaf -> |0>)", engine) == [text]


def test_within_rounding() -> None:
    """After 80 controlled preparations the flipped part has weight 2^-80."""
    circuit = QuantumCircuit(81)
    circuit.h(range(80))
    circuit.mcx(list(range(80)), 80)
    found = shares(circuit, "AG (leaf -> |0> on q[80])", "exact")
    assert found == [
        "the final state is within rounding of |0> on q[80]: only exact arithmetic tells them apart"
    ]


Array = npt.NDArray[np.complex128]
CUTS = [((0,), (1,), (2,)), ((0, 2), (1,)), ((0, 3), (1, 2)), ((0, 1, 2, 3),), ((0,), (1, 3), (2, 4))]


def random_rows(rng: np.random.Generator, dimension: int, width: int) -> Array:
    return rng.normal(size=(dimension, 2**width)) + 1j * rng.normal(size=(dimension, 2**width))


def placed(parts: list[Array], cut: tuple[tuple[int, ...], ...]) -> Array:
    """The operators on the places of a cut as one operator on all places in order."""
    order = [place for places in cut for place in places]
    count = len(order)
    whole = reduce(np.kron, parts).reshape((2,) * (2 * count))
    axes = [order.index(k) for k in range(count)]
    return np.asarray(whole.transpose([*axes, *(count + a for a in axes)]).reshape(2**count, 2**count))


def projector(rows: Array) -> Array:
    left, lengths, _ = np.linalg.svd(rows.T, full_matrices=False)
    kept = left[:, lengths > 1e-9]
    return np.asarray(kept @ kept.conj().T)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("seed", range(3))
def test_factors_of_a_product(cut: tuple[tuple[int, ...], ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    dimensions = [int(rng.integers(1, 2 ** len(places))) for places in cut]
    parts = [projector(random_rows(rng, d, len(p))) for d, p in zip(dimensions, cut, strict=True)]
    whole = placed(parts, cut)
    found = factors(_mixed(rng, whole))
    assert sorted(factor.places for factor in found) == sorted(cut)  # no random factor is a product itself
    again = [factor.basis @ factor.basis.conj().T for factor in found]
    assert np.allclose(placed(again, tuple(factor.places for factor in found)), whole)


def _mixed(rng: np.random.Generator, whole: Array) -> Array:
    """States that span what a projector projects on, more than are needed."""
    dimension = round(float(np.real(np.trace(whole))))
    return np.asarray(random_rows(rng, dimension + 1, len(whole).bit_length() - 1) @ whole.T)


@pytest.mark.parametrize("seed", range(4))
def test_a_state_is_inside_iff_every_factor_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cut = ((0, 2), (1,), (3,))
    parts = [projector(random_rows(rng, d, len(p))) for d, p in zip((2, 1, 1), cut, strict=True)]
    whole = placed(parts, cut)
    found = factors(_mixed(rng, whole))
    for broken in range(-1, len(cut)):
        chosen = [np.eye(len(p)) - p if k == broken else p for k, p in enumerate(parts)]
        state = placed(chosen, cut) @ random_rows(rng, 1, 4)[0]
        outside = [f.places for f in found if not f.contains(density(state, 4, f.places))]
        assert outside == ([] if broken < 0 else [cut[broken]])
        assert np.allclose(whole @ state, state) == (not outside)


def test_everything_and_texts() -> None:
    rows = np.zeros((2, 4), dtype=complex)
    rows[0, 0] = rows[1, 1] = 1
    first, second = factors(rows)
    assert (first.text, second.text) == ("|0>", "span(|0>, |1>)")
    assert second.is_everything and not first.is_everything
    pair = factors(np.array([[1, 0, 0, 0], [0, 0, 0, 1]], dtype=complex))
    assert [f.text for f in pair] == ["span(|00>, |11>)"]


def test_the_part_outside() -> None:
    (pair,) = factors(np.array([[1, 0, 0, 0], [0, 0, 0, 1]], dtype=complex))
    state = np.array([3, 4, 0, 0], dtype=complex) / 5
    assert outside_text(pair, np.outer(state, state)) == (
        "the part outside of span(|00>, |11>) is |01>, squared length 0.64"
    )
    inside, across = np.eye(4)[0], np.eye(4)[1]
    assert outside_text(pair, np.outer(inside, inside).astype(complex)) is None
    assert outside_text(pair, np.outer(across, across).astype(complex)) is None


def test_many_states_are_counted() -> None:
    rng = np.random.default_rng(0)
    assert "3 more)" in SpanFactor((0, 1, 2), np.linalg.qr(random_rows(rng, 7, 3).T)[0]).text
