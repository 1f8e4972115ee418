"""sp of circuits whose outcomes nobody reads, compared with all executions in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import transpile
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, QuantumCircuit, Verdict

QUBITS = 7
GENERIC = ["h", "t", "ry", "cx", "cz", "rz"]
AFTER = ["z", "rz", "cz", "x", "swap"]
"""What leaves measured qubits in basis states."""


def gate(circuit: QuantumCircuit, rng: np.random.Generator, names: list[str]) -> None:
    name = str(rng.choice(names))
    first, second = (int(q) for q in rng.choice(QUBITS, 2, replace=False))
    match name:
        case "ry" | "rz":
            getattr(circuit, name)(float(rng.integers(1, 60)) / 10, first)
        case "cx" | "cz" | "swap":
            getattr(circuit, name)(first, second)
        case _:
            getattr(circuit, name)(first)


def measured(seed: int, *, changed: bool = False) -> QuantumCircuit:
    """A random circuit, of which most qubits are measured; a few gates and a reset follow."""
    rng, circuit = np.random.default_rng(seed), QuantumCircuit(QUBITS, QUBITS)
    for _ in range(30):
        gate(circuit, rng, GENERIC)
    if changed:
        circuit.y(int(rng.integers(QUBITS)))
    for qubit in rng.choice(QUBITS, int(rng.integers(4, QUBITS + 1)), replace=False):
        circuit.measure(int(qubit), int(qubit))
        gate(circuit, rng, AFTER)
    rng = np.random.default_rng(seed + 1000)
    for _ in range(int(rng.integers(4))):
        gate(circuit, rng, [*AFTER, "h"])
    if rng.random() < 0.3:
        circuit.reset(int(rng.integers(QUBITS)))
    return circuit


def executions(circuit: QuantumCircuit) -> np.ndarray:
    """The ends of all executions, as rows of unit length."""
    states = [Statevector.from_int(0, 2**QUBITS)]
    for instruction in circuit.data:
        places = [circuit.find_bit(q).index for q in instruction.qubits]
        if instruction.name in ("measure", "reset"):
            raising = instruction.name == "reset"
            kraus = [np.diag([1, 0]), np.array([[0, 1], [0, 0]]) if raising else np.diag([0, 1])]
            images = [_applied(state, k, places[0]) for state in states for k in kraus]
            states = [Statevector(v / np.linalg.norm(v)) for v in images if np.linalg.norm(v) > 1e-9]
        else:
            states = [state.evolve(instruction.operation, places) for state in states]
    return np.array([state.data for state in states])


def _applied(state: Statevector, kraus: np.ndarray, qubit: int) -> np.ndarray:
    tensor = state.data.reshape((2,) * QUBITS)
    axis = QUBITS - 1 - qubit
    return np.moveaxis(np.tensordot(kraus, tensor, (1, axis)), 0, axis).reshape(-1)


def rank(rows: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(rows, tol=1e-7))


@pytest.mark.parametrize("seed", range(20))
def test_dimensions(engine: str, seed: int) -> None:
    circuit = measured(seed)
    assert Model(circuit, numbers=engine).sp("leaf").dimension == rank(executions(circuit))


@pytest.mark.parametrize("seed", range(20))
def test_recorded_ends(engine: str, seed: int) -> None:
    """Of the program itself, and of one with a further gate in the middle."""
    circuit, other = measured(seed), measured(seed, changed=True)
    recorded = {"recorded": Model(circuit, numbers=engine, seed=1).sp("leaf")}
    ends, others = executions(circuit), executions(other)
    inside = rank(np.vstack([ends, others])) == rank(ends)
    for program, expected in ((circuit, True), (other, inside)):
        result = qismc.check(program, "AG (leaf -> recorded)", props=recorded, numbers=engine, seed=1)
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


def test_some_ends_differ() -> None:
    """The test above has answers of both kinds."""
    pairs = [(executions(measured(seed)), executions(measured(seed, changed=True))) for seed in range(20)]
    answers = {rank(np.vstack(pair)) == rank(pair[0]) for pair in pairs}
    assert answers == {False, True}


def test_outcomes_are_compared_within_their_blocks() -> None:
    """Ten measured qubits span 1,024 dimensions; each state is compared with those of its outcome alone."""
    rng, circuit = np.random.default_rng(3), QuantumCircuit(10, 10)
    for _ in range(6):
        for qubit in range(10):
            circuit.ry(float(rng.uniform(0, 6)), qubit)
            circuit.rz(float(rng.uniform(0, 6)), qubit)
        order = rng.permutation(10)
        for a, b in order.reshape(5, 2):
            circuit.cx(int(a), int(b))
    circuit.measure(range(10), range(10))
    model = Model(circuit, numbers="exact")
    assert model.sp("leaf").dimension == 1024
    assert model.engine.statistics()["work"] < 2**26  # 1,024 x 1,024 x 1,024 / 2 entries otherwise


def close(angle: float) -> QuantumCircuit:
    """64 outcomes, and a seventh qubit that is nearly in the same state for all of them."""
    circuit = QuantumCircuit(QUBITS, QUBITS)
    circuit.h(range(6))
    circuit.ry(2 * angle, 6)
    circuit.measure(range(6), range(6))
    return circuit


@pytest.mark.parametrize("angle", [0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-5, 1e-3])
def test_nearly_inside(engine: str, angle: float) -> None:
    """Inside, outside or in doubt, never the other way round."""
    recorded = {"recorded": Model(close(0), numbers=engine).sp("leaf")}
    verdict = qismc.check(close(angle), "AG (leaf -> recorded)", props=recorded, numbers=engine).verdict
    right = Verdict.VIOLATED if angle else Verdict.HOLDS
    negligible = angle <= 1e-10  # read as 0 by exact numbers; up to 1e-9 is zero in floating point
    assert verdict in {right, Verdict.UNKNOWN} or (negligible and verdict is Verdict.HOLDS)
    if angle == 0 or angle >= 1e-5:
        assert verdict is right


def merging(*, merged: bool) -> QuantumCircuit:
    """Both outcomes of a coin lead to one state, once by rotations and once by a gate that merges them."""
    rotations = QuantumCircuit(1)
    rotations.rx(0.3137155231, 0)
    rotations.ry(0.4271828182, 0)
    one = transpile(rotations, basis_gates=["u"], optimization_level=1) if merged else rotations
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as other:
        circuit.compose(rotations, [1], inplace=True)
    with other:
        circuit.compose(one, [1], inplace=True)
    circuit.reset(0)
    return circuit


@pytest.mark.parametrize("merged", [False, True])
def test_ends_that_have_fewer_dimensions_than_for_generic_angles(merged: bool) -> None:
    """For generic angles the end of the merged program would be everything on q[1]."""
    recorded = Model(merging(merged=merged)).sp("leaf")
    assert recorded.dimension == 1
    flipped = QuantumCircuit(2)
    flipped.rx(0.1123581321, 1)
    for program, verdict in ((merging(merged=False), Verdict.HOLDS), (flipped, Verdict.VIOLATED)):
        result = qismc.check(program, "AG (leaf -> recorded)", props={"recorded": recorded})
        assert result.verdict is verdict


def test_ends_with_generic_angles_need_no_second_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Special angles only lower ranks; that of the end was seen in floating point when it was recorded."""
    circuit = QuantumCircuit(3, 3)
    for qubit, angle in enumerate((0.3137155231, 0.4271828182, 0.5772156649)):
        circuit.rx(angle, qubit)
        circuit.cx(qubit, (qubit + 1) % 3)
    circuit.measure(range(3), range(3))
    model = Model(circuit, seed=1)
    recorded = {"recorded": model.sp("leaf")}
    assert model.engine.assumed.tentative
    monkeypatch.delattr("qismc.model.model.Model.in_floating_point")
    assert qismc.check(circuit, "AG (leaf -> recorded)", props=recorded, seed=1).engine == "exact"


def test_several_locations_that_have_fewer_dimensions_together() -> None:
    """Each has one state; for generic angles these would be two different ones."""
    circuit = merging(merged=True)
    circuit.mark("both")
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    recorded = Model(circuit).sp("both")
    assert recorded.dimension == 1 and recorded.engine.name == "float"
    result = qismc.check(circuit, "AG (both -> recorded)", props={"recorded": recorded})
    assert result.verdict is Verdict.HOLDS


def test_sp_in_formulas_keeps_apart_what_is_to_be_kept_apart() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.reset(0)
    assert qismc.check(circuit, "AG (leaf -> (sp(leaf) \\/ zero))", numbers="exact", keep_dead=True)
