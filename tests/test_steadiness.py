"""After improbable outcomes rounding must not pass for states that arrive, nor hide those that do."""

from __future__ import annotations

import math
import random
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumRegister, transpile
from qiskit.circuit.library import RYGate, UnitaryGate
from qiskit.quantum_info import random_unitary

import qismc
from qismc import Limits, Model, QuantumCircuit, Verdict
from qismc.engines.dense import DenseEngine
from qismc.fixpoint import float_check as steadiness
from qismc.limits import Budget


def undone(amplitudes: list[float], layers: int, *, merged: bool) -> QuantumCircuit:
    """Slightly turned qubits, a circuit and its inverse; if all outcomes are 1, another qubit, which is 0."""
    count = len(amplitudes) + 1
    draw, body = random.Random(1), QuantumCircuit(count)
    for _ in range(layers):
        for j in range(count):
            body.ry(draw.uniform(0, 6), j)
            body.rx(draw.uniform(0, 6), j)
            body.rz(draw.uniform(0, 6), j)
        for j in range(count):
            body.cx(j, (j + 1) % count)
    back = body.inverse()
    if merged:  # angles depend on each other, and nobody knows how
        back = transpile(body, basis_gates=["u", "cx"], optimization_level=1).inverse()
    c, d = ClassicalRegister(count - 1, "c"), ClassicalRegister(1, "d")
    circuit = QuantumCircuit(QuantumRegister(count, "q"), c, d)
    for j, amplitude in enumerate(amplitudes):
        circuit.ry(2 * math.asin(amplitude), j)
    circuit.compose(body, inplace=True)
    circuit.compose(back, inplace=True)
    circuit.measure(range(count - 1), c)
    with circuit.if_test((c, 2 ** (count - 1) - 1)):
        circuit.measure(count - 1, d[0])
    return circuit


@pytest.mark.parametrize(
    ("amplitudes", "layers"),
    [([2e-5] * 2, 1), ([1e-4] * 3, 3), ([1e-3] * 4, 3), ([1e-2] * 6, 3), ([1e-6] * 2, 3), ([1e-2] * 2, 3)],
)
def test_what_rounding_leaves_is_no_state(amplitudes: list[float], layers: int) -> None:
    """q[2] is 0: the formulas are right and wrong."""
    circuit = undone(amplitudes, layers, merged=True)
    assert qismc.check(circuit, "AG !(leaf & d == 1)").verdict is not Verdict.VIOLATED
    assert qismc.check(circuit, "EF (leaf & d == 1)").verdict is not Verdict.HOLDS
    assert qismc.check(undone(amplitudes, layers, merged=False), "AG !(leaf & d == 1)")


def test_outcomes_that_are_not_that_improbable_are_decided() -> None:
    assert qismc.check(undone([1e-2] * 2, 3, merged=True), "AG !(leaf & d == 1)")


@pytest.mark.parametrize("qubits", [12, 13, 20])
@pytest.mark.parametrize(("amplitude", "apart"), [(2e-5, 3e-3), (1e-4, 1e-4)])
def test_what_is_small_beside_all_of_a_state_is_there(qubits: int, amplitude: float, apart: float) -> None:
    """Given two improbable outcomes, the third is not certain at all."""
    angle = 1.2345678912345678
    circuit = QuantumCircuit(qubits, 3)
    circuit.ry(2 * math.asin(amplitude), 0)
    circuit.ry(2 * math.asin(1.1 * amplitude), 1)
    circuit.h(3)
    circuit.append(RYGate(angle).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.append(RYGate(-(angle + apart)).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.measure([0, 1, 2], [0, 1, 2])
    assert qismc.check(circuit, "AG !(leaf & c == 7)").verdict is not Verdict.HOLDS


@pytest.mark.parametrize("qubits", [12, 13, 19])
def test_small_parts_that_add_up_are_not_cut_off(qubits: int) -> None:
    """Each pair of turns leaves 1e-12: together more than rounding."""
    angle, circuit = 1.2345678912345678, QuantumCircuit(qubits)
    circuit.ry(0.8, 0)
    circuit.h(2)
    circuit.cz(2, 3)
    for _ in range(300):
        circuit.cry(angle, 0, 1)
        circuit.cx(0, 2)
        circuit.h(3)
        circuit.cz(2, 3)
        circuit.cry(-(angle + 1.9e-12), 0, 1)
        circuit.cz(2, 3)
        circuit.h(3)
        circuit.cx(0, 2)
    assert qismc.check(circuit, "AG (leaf -> |0> on q[1])").verdict is not Verdict.HOLDS


def test_many_outcomes_are_improbable_and_there() -> None:
    """A hundred coins beside an angle without a form: fair outcomes do not magnify rounding."""
    circuit = QuantumCircuit(2, 1)
    circuit.ry(1.2345678912345678, 1)
    for _ in range(100):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(0)
    found = qismc.check(circuit, "AG (leaf -> |0> on q[1])")
    assert found.verdict is Verdict.VIOLATED


def pair_and_back() -> tuple[QuantumCircuit, QuantumCircuit]:
    """Two turns, and their inverse as one gate: angles that depend on each other."""
    pair = QuantumCircuit(1)
    pair.rx(0.3, 0)
    pair.ry(0.4, 0)
    return pair, transpile(pair, basis_gates=["u"], optimization_level=1).inverse()


@pytest.mark.parametrize("store", ["auto", "graph", "levels"])
@pytest.mark.parametrize(
    ("formula", "wrong"),
    [
        ("AG !(leaf & c[2] == 1)", Verdict.VIOLATED),
        ("EF (leaf & c[2] == 1)", Verdict.HOLDS),
        ("AG (leaf -> |0> on q[2])", Verdict.VIOLATED),
        ("AF (leaf & c[2] == 0)", Verdict.VIOLATED),
    ],
)
def test_gates_without_angles_round_as_well(store: str, formula: str, wrong: Verdict) -> None:
    """Eighths of a turn and their inverses around small angles; then two turns and their merged inverse."""
    pair, back = pair_and_back()
    eighths = QuantumCircuit(3)
    for j in range(3):
        for _ in range(3):
            eighths.h(j)
            eighths.t(j)
    eighths.cx(0, 1)
    eighths.cx(1, 2)
    eighths.cx(2, 0)
    circuit = QuantumCircuit(3, 3)
    circuit.ry(1e-5, 0)
    circuit.ry(1e-5, 1)
    circuit.compose(eighths, inplace=True)
    circuit.compose(eighths.inverse(), inplace=True)
    circuit.measure([0, 1], [0, 1])
    circuit.compose(pair, [2], inplace=True)
    circuit.compose(back, [2], inplace=True)
    circuit.measure(2, 2)
    assert qismc.check(circuit, formula, method=store).verdict is not wrong  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("formula", "options"),
    [
        ("P=1 [F leaf] & EF (leaf & d == 1)", {}),
        ("P>=0.5 [F c==0] & EF (leaf & d == 1)", {}),
        ("EF (leaf & d == 1)", {"annotations": {"init": "|000>"}}),
    ],
)
@pytest.mark.parametrize("amplitude", [5e-6, 2e-5])
def test_probabilities_and_annotations_rest_on_the_same_states(
    formula: str, options: dict[str, Any], amplitude: float
) -> None:
    circuit = undone([amplitude] * 2, 3, merged=True)
    assert qismc.check(circuit, formula, **options).verdict is not Verdict.HOLDS


@pytest.mark.parametrize("qubits", [3, 14, 20])
def test_coins_beside_angles_that_depend_on_each_other(qubits: int) -> None:
    """What is decided in floating point stays decided, however many outcomes there are."""
    pair, back = pair_and_back()
    circuit = QuantumCircuit(qubits, 2)
    circuit.compose(pair, [0], inplace=True)
    circuit.compose(back, [0], inplace=True)
    for _ in range(30):
        circuit.h(1)
        circuit.measure(1, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(2)
    circuit.measure(0, 1)
    assert qismc.check(circuit, {"a": "AG !(leaf & c[1] == 1)", "b": "AG (leaf -> |0> on q[0])"})


def test_edges_that_no_state_takes() -> None:
    pair, back = pair_and_back()
    circuit = QuantumCircuit(2, 2)
    circuit.compose(pair, [0], inplace=True)
    circuit.compose(back, [0], inplace=True)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.measure(1, 1)
    found = qismc.check(circuit, "EF c == 3", paths="all")
    assert found.verdict is not Verdict.UNKNOWN


def test_an_improbable_execution_shows_what_it_shows() -> None:
    """Beside another outcome that nobody can tell from an impossible one."""
    circuit = QuantumCircuit(2, 2)
    circuit.ry(1e-6 * 0.987654321234, 0)
    circuit.ry(1.2345678912345678, 1)
    circuit.measure([0, 1], [0, 1])
    assert qismc.check(circuit, "EF (leaf & c == 3)")


@pytest.mark.parametrize("qubits", [3, 14])
def test_matrices_without_an_exact_form(qubits: int) -> None:
    """A random matrix and its adjoint around small angles: what is written is the identity up to rounding."""
    matrix = random_unitary(8, seed=7)
    circuit = QuantumCircuit(qubits, 3)
    circuit.ry(5e-6, 0)
    circuit.ry(5e-6, 1)
    circuit.append(UnitaryGate(matrix), [0, 1, 2])
    circuit.append(UnitaryGate(matrix.adjoint()), [0, 1, 2])
    circuit.measure([0, 1, 2], [0, 1, 2])
    assert qismc.check(circuit, "AG !(leaf & c[2] == 1)").verdict is not Verdict.VIOLATED


@pytest.mark.parametrize("qubits", [4, 13])
def test_the_float_engine_decides_no_more_than_it_sees(qubits: int) -> None:
    """The third outcome is possible: what is cut off of large states must not make it impossible."""
    angle, amplitude, circuit = 1.2345678912345678, 1.2e-5, QuantumCircuit(qubits, 3)
    circuit.ry(2 * math.asin(amplitude), 0)
    circuit.ry(2 * math.asin(1.1 * amplitude), 1)
    circuit.h(3)
    circuit.append(RYGate(angle).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.append(RYGate(-(angle + 1e-2)).control(2, annotated=False), [0, 1, 2])
    circuit.cx(0, 3)
    circuit.measure([0, 1, 2], [0, 1, 2])
    assert qismc.check(circuit, "AG !(leaf & c == 7)", numbers="float").verdict is not Verdict.HOLDS


def _conjunction(count: int, amplitude: float, *, related: bool = False) -> QuantumCircuit:
    """f tells whether all of c are 1, each of which is improbable; with related angles f is its negation."""
    inputs, parts = QuantumRegister(count, "a"), QuantumRegister(count - 1, "t")
    target, rest = QuantumRegister(1, "d"), QuantumRegister(1, "p")
    circuit = QuantumCircuit(
        inputs, parts, target, rest, ClassicalRegister(count, "c"), ClassicalRegister(1, "f")
    )
    for qubit in inputs:
        circuit.ry(2 * math.asin(amplitude), qubit)
    if related:
        pair = QuantumCircuit(1)
        pair.rx(0.3, 0)
        pair.ry(0.4, 0)
        circuit.x(target)
        circuit.compose(pair, target, inplace=True)
        merged = transpile(pair, basis_gates=["u"], optimization_level=1)
        circuit.compose(merged.inverse(), target, inplace=True)
    else:
        circuit.append(UnitaryGate(random_unitary(2, seed=3)), rest)
    circuit.ccx(inputs[0], inputs[1], parts[0])
    for k in range(2, count):
        circuit.ccx(parts[k - 2], inputs[k], parts[k - 1])
    circuit.cx(parts[count - 2], target)
    circuit.measure(inputs, circuit.cregs[0])
    circuit.measure(target, circuit.cregs[1])
    return circuit


@pytest.mark.parametrize(("count", "amplitude"), [(6, 1e-3), (6, 0.01), (4, 1e-4), (8, 0.01), (10, 0.01)])
def test_what_trains_drop_decides_nothing(count: int, amplitude: float) -> None:
    """The conjunction is 1 with an amplitude that is less than rounding leaves of the whole state."""
    ones = 2**count - 1
    expected = {
        "AG (leaf -> f == 0)": False,
        "EF (leaf & f == 1)": True,
        f"EF (leaf & c == {ones} & f == 0)": False,
        f"AG (leaf & c == {ones} -> f == 1)": True,
        "P=1 [G f == 0]": False,
    }
    result = qismc.check(_conjunction(count, amplitude), list(expected))
    for found, truth in zip(result, expected.values(), strict=True):
        assert found.verdict in (Verdict.UNKNOWN, Verdict.HOLDS if truth else Verdict.VIOLATED), found.spec


@pytest.mark.parametrize("count", [5, 7, 9])
def test_replays_that_drop_something_confirm_nothing(count: int) -> None:
    """d is 0 exactly when all of c are 1: generic angles do not know that, and large replays forget it."""
    ones = 2**count - 1
    specs = [f"AG !(leaf & c == {ones} & f == 1)", f"AG (leaf & c == {ones} -> |0> on d)"]
    circuit = _conjunction(count, 0.01, related=True)
    assert all(found.verdict is not Verdict.VIOLATED for found in qismc.check(circuit, specs))
    assert not qismc.check(circuit, f"EF (leaf & c == {ones} & f == 1)")


@pytest.mark.parametrize("engine", ["auto", "float"])
@pytest.mark.parametrize("amplitude", [1e-5, 2e-6, 1e-2])
def test_what_is_possible_is_so_however_improbable(amplitude: float, engine: str) -> None:
    """`P>0` and `EF` say the same of programs that end; lengths along an execution must not multiply."""
    circuit = QuantumCircuit(6, 5)
    for qubit in range(5):
        circuit.ry(2 * math.asin(amplitude * (1 + qubit / 97)), qubit)
    circuit.measure(range(5), range(5))
    goals = ["c == 3", "c == 5"] if amplitude < 1e-4 else ["c == 31"]
    for goal in goals:
        specs = [f"P>0 [F (leaf & {goal})]", f"P=1 [G !(leaf & {goal})]", f"P=1 [F (leaf & !({goal}))]"]
        found = [one.verdict for one in qismc.check(circuit, specs, numbers=engine)]
        assert found == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.VIOLATED]


@pytest.mark.parametrize("engine", ["auto", "float", "exact"])
def test_weakest_preconditions_after_improbable_outcomes(engine: str) -> None:
    """A body and its inverse are the identity, so wp at the start is the complement of |001>."""
    draw, body = random.Random(1), QuantumCircuit(3)
    for qubit in range(3):
        body.ry(draw.uniform(0, 6), qubit)
        body.rx(draw.uniform(0, 6), qubit)
    for qubit in range(3):
        body.cx(qubit, (qubit + 1) % 3)
    circuit = QuantumCircuit(3, 2)
    circuit.measure([0, 1], [0, 1])
    circuit.ry(2 * math.asin(2e-6), [0, 1])
    circuit.compose(body, inplace=True)
    circuit.compose(body.inverse(), inplace=True)
    specs = {"P=1 [F leaf] & |000>": True, "|000>": True, "!(|000>)": False, "EF (init & |000>)": True}
    result = qismc.check(circuit, list(specs), annotations={"leaf": "~|111>"}, numbers=engine)
    for found, truth in zip(result, specs.values(), strict=True):
        assert found.verdict in (Verdict.UNKNOWN, Verdict.HOLDS if truth else Verdict.VIOLATED), found.spec


def test_images_over_edges_are_held_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 14 measured qubits they were 16,384 arrays of 16,384 amplitudes."""
    alive, most, honest = set[int](), [0], steadiness.FloatStates.over

    def counted(*args: Any) -> Iterator[tuple[Any, Any]]:
        for number, (arrival, image) in enumerate(honest(*args)):
            alive.add(number)
            weakref.finalize(image, alive.discard, number)
            most[0] = max(most[0], len(alive))
            yield arrival, image
            del image

    monkeypatch.setattr(steadiness.FloatStates, "over", counted)
    circuit = QuantumCircuit(6, 6)
    for qubit in range(6):
        circuit.ry(0.0031415 + qubit / 12345, qubit)
        circuit.rx(0.1234567, qubit)
    circuit.measure(range(6), range(6))
    assert Model(circuit).sp("leaf").dimension == 64
    assert 1 <= most[0] <= 3


@pytest.mark.parametrize("seed", range(20))
def test_amplitudes_over_edges(seed: int) -> None:
    """As far as they matter, those of all images at once."""
    rng = np.random.default_rng(seed)
    engine = DenseEngine(1, Budget(Limits()))
    found = {k: float(10.0 ** rng.uniform(-6, 0)) for k in range(5)}
    images = [(k, np.array([10.0 ** rng.uniform(-12, 0), 0], dtype=complex)) for k in found]
    lengths = [float(abs(image[0])) for _, image in images]
    whole = max(found[k] * lengths[k] for k in found) if max(lengths) > steadiness.SEEN else 1.0
    for enough in (1e-12, 1e-6, 1e-4, 1e-2, 1.0):
        over: float = steadiness._amplitude_over(engine, iter(images), found, enough)  # type: ignore[arg-type]
        assert min(over, enough) == pytest.approx(min(whole, enough))
        assert (over >= enough) == (whole >= enough)
