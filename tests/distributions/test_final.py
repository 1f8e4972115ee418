"""Outcomes read off the states before the last measurements, against those that are followed one by one."""

from __future__ import annotations

from math import acos, asin, cos, inf, pi, sin, sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr
from qiskit.circuit.library import QFTGate
from qiskit.quantum_info import Statevector

from qismc import Limits, Model, QuantumCircuit
from qismc.distributions import final as final_outcomes
from qismc.distributions import quantities
from qismc.distributions.final import LevelOutcomes, distribution_at_the_end
from qismc.errors import LimitReached
from qismc.levels import lengths
from qismc.levels.region import ControlGraph
from qismc.probability.distribution import Outcomes
from qismc.program import read_program
from qismc.symbolic.arithmetic import NotSymbolic
from qismc.system.flow import all_bits

from ..levels.programs import WideWriter
from ..probability.dense import arrivals
from ..reference import Reference
from ..strategies import toys
from ..toy import Toy


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where there is little to measure."""
    monkeypatch.setattr(final_outcomes, "FEW_BITS", 0)


def one_by_one(circuit: QuantumCircuit, *registers: str, **options: object) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(final_outcomes, "MOST_QUBITS", 0)
        return Model(circuit, **options).outcomes(*registers)


def is_read_at_once(circuit: QuantumCircuit, **options: object) -> bool:
    model = Model(circuit, **options)
    variables = list(model.program.variables.values())
    observed = sum(1 << bit for variable in variables for bit in variable.bits)
    return distribution_at_the_end(model, variables, observed) is not None


def assert_same(found: Outcomes, expected: Outcomes) -> None:
    assert list(found) == list(expected)
    assert list(found.values()) == pytest.approx(list(expected.values()), abs=1e-11)
    assert found.error < 1e-9 and found.unfinished == pytest.approx(expected.unfinished, abs=1e-11)
    assert [loop.turns for loop in found.loops] == pytest.approx([loop.turns for loop in expected.loops])


@settings(max_examples=60)
@given(toy=toys(most=3, size=5), targets=st.lists(st.integers(0, 2), max_size=3))
def test_random_programs_with_loops(toy: Toy, targets: list[int]) -> None:
    """Against density matrices: the bits before and the qubits at the end, together."""
    circuit = toy.circuit()
    circuit.add_register(end := ClassicalRegister(3, "end"))
    qubits = [target % toy.num_qubits for target in targets]
    for k, qubit in enumerate(qubits):
        circuit.measure(qubit, end[k])
    leaf = (len(toy.body),)
    states, rest, _ = arrivals(Reference(toy), lambda place: place[0] == leaf)
    expected: dict[tuple[int, int], float] = {}
    for place, rho in states.items():
        for index, weight in enumerate(np.diag(rho).real):
            digits = [index >> (toy.num_qubits - 1 - qubit) & 1 for qubit in qubits]
            key = place[1], sum(digit << k for k, digit in enumerate(digits))
            expected[key] = expected.get(key, 0.0) + float(weight)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(final_outcomes, "FEW_BITS", 0)
        found = Model(circuit).outcomes("c", "end")
    assert set(found) == {key for key, weight in expected.items() if weight > 1e-12}
    for key, weight in found.items():
        assert weight == pytest.approx(expected[key], abs=rest + 1e-9)  # type: ignore[index]


def test_twelve_qubits_against_amplitudes() -> None:
    circuit = QuantumCircuit(12)
    for k in range(12):
        circuit.ry(0.2 + k / 5, k)
        circuit.cx(k, (k + 5) % 12)
        circuit.rz(0.3, k)
        circuit.h((k + 3) % 12)
    chances = Statevector(circuit).probabilities()
    circuit.measure_all()
    assert is_read_at_once(circuit)
    found = Model(circuit).outcomes()
    assert [found.get(k, 0.0) for k in range(1 << 12)] == pytest.approx(chances, abs=1e-12)


def test_improbable_outcomes_of_many_qubits() -> None:
    """Most of them have less than 1e-9, which is what trains of 17 qubits would be exact to."""
    circuit = QuantumCircuit(17, 16)
    circuit.x(16)
    circuit.h(range(16))
    for k in range(16):
        circuit.cp(2 * pi * 0.3 * 2**k, k, 16)
    circuit.append(QFTGate(16).inverse(), range(16))
    chances = Statevector(circuit).probabilities(range(16))
    circuit.measure(range(16), range(16))
    assert is_read_at_once(circuit)
    found = Model(circuit).outcomes()
    assert len(found) == 1 << 16 and found.error < 1e-10
    assert np.max(np.abs([found[k] - chances[k] for k in found])) <= found.error  # type: ignore[index]


def test_improbable_outcomes_behind_a_measurement(at_once: None) -> None:
    """Their probabilities of 1e-16 are within the error, and they are possible."""
    circuit = QuantumCircuit(3, 4)
    circuit.ry(0.5, 0)
    circuit.measure(0, 0)
    circuit.ry(2 * asin(1e-4), [1, 2])
    circuit.measure([0, 1, 2], [1, 2, 3])
    assert is_read_at_once(circuit)
    assert_same(Model(circuit).outcomes(), one_by_one(circuit))
    assert len(Model(circuit).outcomes()) == 8


def test_outcomes_too_improbable_for_numbers_are_followed_one_by_one(at_once: None) -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.ry(2 * asin(1e-4), [0, 1, 2])  # 1e-12 is the amplitude of |111>
    circuit.measure([0, 1, 2], [0, 1, 2])
    assert not is_read_at_once(circuit)
    assert len(Model(circuit).outcomes()) == 8


def test_impossible_outcomes_are_left_out(at_once: None) -> None:
    """Rounding leaves amplitudes of 1e-17 that are zero, and tiny ones that are not."""
    circuit = QuantumCircuit(3, 3)
    circuit.h(0)
    circuit.t(0)
    circuit.t(0)
    circuit.sdg(0)
    circuit.h(0)  # back at |0>
    circuit.ry(1e-7, 1)
    circuit.measure([0, 1, 2], [0, 1, 2])
    found = Model(circuit).outcomes()
    assert set(found) == {0, 2} and found[2] == pytest.approx(2.5e-15, rel=1e-9)


def test_feedback_and_resets_before(at_once: None) -> None:
    circuit = QuantumCircuit(3, 4)
    circuit.ry(0.4, 0)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(2)
    circuit.reset(1)
    circuit.cx(2, 1)
    circuit.h(0)
    circuit.measure([0, 1, 2], [1, 2, 3])
    assert is_read_at_once(circuit)
    assert_same(Model(circuit).outcomes(), one_by_one(circuit))


def test_some_registers_in_any_order(at_once: None) -> None:
    q, a, b = QuantumRegister(3, "q"), ClassicalRegister(2, "a"), ClassicalRegister(70, "b")
    circuit = QuantumCircuit(q, a, b)
    circuit.ry(1.0, q)
    circuit.cx(0, 2)
    circuit.x(1)
    circuit.measure(1, b[3])
    circuit.measure([2, 0, 0], [b[69], a[1], b[0]])
    assert is_read_at_once(circuit)
    for registers in ((), ("a",), ("b",), ("b", "a")):
        assert_same(Model(circuit).outcomes(*registers), one_by_one(circuit, *registers))


def test_numbers_that_decide_nothing_are_followed_one_by_one(at_once: None) -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.ry(2 * acos(sqrt(1 / 3)), 0)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    assert not is_read_at_once(circuit, numbers="float")
    assert not is_read_at_once(circuit, init="full on q[0]")  # the answer depends on the start
    assert_same(Model(circuit, numbers="float").outcomes(), Model(circuit).outcomes())


def test_what_rounding_makes_of_a_start_is_in_the_error() -> None:
    """The state of 18 qubits is a train, which cuts off 1e-12."""
    start = QuantumCircuit(18)
    start.ry(1e-12, 0)
    start.cx(0, 1)
    start.h([0, 1])
    circuit = QuantumCircuit(18, 18)
    circuit.measure(range(18), range(18))
    assert is_read_at_once(circuit, init=start)
    found = Model(circuit, init=start).outcomes()
    assert abs(found[0] - (0.25 + 0.25e-12)) <= found.error  # (1 + sin(1e-12)) / 4
    assert abs(found[1] - (0.25 - 0.25e-12)) <= found.error


def test_angles_of_the_start_that_cancel(at_once: None) -> None:
    """What the sum of doubles leaves is 1e-14, and no outcome."""
    angles = [float(angle) for angle in np.random.default_rng(0).uniform(0, 3, 200)]
    start = QuantumCircuit(2)
    for angle in (*angles, -sum(angles)):
        start.ry(angle, 0)
    circuit = QuantumCircuit(2, 2)
    circuit.measure([0, 1], [0, 1])
    assert set(Model(circuit, init=start).outcomes()) == set(one_by_one(circuit, init=start)) == {0}


def test_limits_while_outcomes_are_read(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = final_outcomes._Reading._digits

    def slow(self: Any, *given: Any) -> Any:
        found = digits(self, *given)
        monkeypatch.setattr(self._budget, "_clock", lambda: inf)
        return found

    monkeypatch.setattr(final_outcomes._Reading, "_digits", slow)
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with pytest.raises(LimitReached, match="time limit of 60 s passed during reading outcomes"):
        Model(circuit, limits=Limits(seconds=60)).outcomes()


def test_both_ways_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What numbers leave open is followed one by one in what is left of it."""

    def in_vain(model: Model, *_: object) -> None:
        monkeypatch.setattr(model.budget, "_clock", lambda: inf)

    monkeypatch.setattr(quantities, "distribution_at_the_end", in_vain)
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with pytest.raises(LimitReached, match="time limit of 60 s"):
        Model(circuit, limits=Limits(seconds=60)).outcomes()


@pytest.fixture(params=["listed", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read a vector."""
    if request.param == "one by one":
        monkeypatch.setattr(lengths, "MOST_LISTED", 0)
    return str(request.param)


def on_levels(circuit: QuantumCircuit, *registers: str, **options: object) -> Outcomes:
    """The distribution, if levels give it."""
    seen: list[LevelOutcomes] = []
    with pytest.MonkeyPatch.context() as patch:
        table = LevelOutcomes.table
        patch.setattr(LevelOutcomes, "table", lambda self, given: seen.append(self) or table(self, given))
        found = Model(circuit, method="levels", **options).outcomes(*registers)  # type: ignore[arg-type]
    assert seen, "levels were not asked"
    return found


def assert_same_table(found: Outcomes, expected: Outcomes) -> None:
    assert list(found) == list(expected)
    error = found.error + expected.error
    assert list(found.values()) == pytest.approx(list(expected.values()), abs=error) and error < 1e-8
    assert found.unfinished == expected.unfinished == 0
    assert [loop.turns for loop in found.loops] == pytest.approx([loop.turns for loop in expected.loops])


@settings(max_examples=25)
@given(seed=st.integers(0, 10**9), literal=st.booleans())
def test_random_programs(seed: int, literal: bool) -> None:
    """Feed-forward, arithmetic, overwritten bits, switches, registers that share bits."""
    circuit = WideWriter(Random(seed), literal).circuit
    program = read_program(circuit)
    assume(ControlGraph(program).is_acyclic and quantities._certain_loops(program) is not None)
    model = Model(circuit, method="levels")
    try:
        LevelOutcomes(model, all_bits(program))
    except NotSymbolic:  # channels and inputs
        assume(False)
    shown = [name for name, variable in program.variables.items() if not variable.hidden]
    for registers in (shown, shown[:1], shown[-1:]):
        for most in (lengths.MOST_LISTED, 0):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(lengths, "MOST_LISTED", most)
                found = on_levels(circuit, *registers)
            assert_same_table(found, Model(circuit, method="graph").outcomes(*registers))


@settings(max_examples=30)
@given(toy=toys(most=3, size=6, loops=False))
def test_against_density_matrices(toy: Toy) -> None:
    states, _, _ = arrivals(Reference(toy), lambda place: place[0] == (len(toy.body),))
    expected = {place[1]: float(np.trace(state).real) for place, state in states.items()}
    found = on_levels(toy.circuit())
    assert dict(found) == pytest.approx({k: v for k, v in expected.items() if v > 1e-12}, abs=1e-9)


def test_values_that_are_functions_of_many_outcomes(way: str) -> None:
    """The parity and the number of five coins, written into registers."""
    registers = (ClassicalRegister(5, "c"), ClassicalRegister(1, "odd"), ClassicalRegister(1, "again"))
    circuit = QuantumCircuit(QuantumRegister(5, "q"), *registers)
    circuit.ry(0.6, range(5))
    circuit.measure(range(5), range(5))
    parity = expr.lift(circuit.clbits[0])
    for bit in circuit.clbits[1:5]:
        parity = expr.bit_xor(parity, bit)
    with circuit.if_test(parity):
        circuit.x(0)
        circuit.x(1)
    circuit.store(circuit.clbits[5], parity)
    circuit.store(circuit.clbits[6], parity)
    found = on_levels(circuit, "odd")
    assert found[1] == pytest.approx((1 - cos(0.6) ** 5) / 2, abs=1e-12)
    assert list(on_levels(circuit, "odd", "again")) == [(0, 0), (1, 1)]
    both = on_levels(circuit, "odd", "c")
    assert len(both) == 32 and all(key[0] == bin(key[1]).count("1") % 2 for key in both)  # type: ignore[index,arg-type]


def test_hundreds_of_outcomes_beside_a_register() -> None:
    """A walk of 200 measured steps: only where it ends is asked for."""
    circuit = QuantumCircuit(
        QuantumRegister(1, "q"), ClassicalRegister(200, "way"), ClassicalRegister(2, "end")
    )
    for step in range(200):
        circuit.ry(0.7, 0)
        circuit.measure(0, step)
    circuit.measure(0, 200)
    circuit.ry(2 * pi / 3, 0)
    circuit.measure(0, 201)
    found = Model(circuit).outcomes("end")
    assert [found[k] for k in (0, 1, 2, 3)] == pytest.approx([1 / 8, 3 / 8, 3 / 8, 1 / 8], abs=found.error)
    assert found.error < 1e-8


def test_auto_takes_levels_where_the_store_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight qubits measured twice: 256 states are mixed before the second time."""
    circuit = QuantumCircuit(QuantumRegister(8, "q"), ClassicalRegister(8, "a"), ClassicalRegister(8, "b"))
    for layer in range(2):
        for qubit in range(8):
            circuit.ry(0.3 + 0.1 * qubit + 0.05 * layer, qubit)
        circuit.cx(range(7), range(1, 8))
        circuit.measure(range(8), range(8 * layer, 8 * layer + 8))
    expected = Model(circuit, method="graph").outcomes("b")
    assert_same_table(Model(circuit).outcomes("b"), expected)

    def refused(*_: object) -> None:
        raise AssertionError("levels")

    monkeypatch.setattr(LevelOutcomes, "table", refused)
    with pytest.raises(AssertionError, match="levels"):
        Model(circuit).outcomes("b")


def test_starts(way: str) -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    circuit.h(1)
    circuit.measure(1, 1)
    found = on_levels(circuit, init="(|0> + |1>) on q[0]")
    assert dict(found) == pytest.approx(dict.fromkeys(range(4), 0.25), abs=1e-12)
    with pytest.raises(NotSymbolic, match="several states"):
        LevelOutcomes(Model(circuit, init="full on q[0]"), 3)


def test_improbable_outcomes_are_listed(way: str) -> None:
    circuit = QuantumCircuit(1, 3)
    for bit in range(3):
        circuit.ry(2 * asin(1e-3), 0)
        circuit.measure(0, bit)
        circuit.reset(0)
    found = on_levels(circuit)
    assert len(found) == 8 and abs(found[7] - 1e-18) <= found.error


def test_numbers_that_confirm_nothing_are_followed_one_by_one(way: str) -> None:
    """Literal angles: 1e-30 is possible for generic ones, and within the error of numbers."""
    circuit = QuantumCircuit(1, 3)
    for bit in range(3):
        circuit.ry(2e-10 + 1e-11 * sin(bit), 0)
        circuit.measure(0, bit)
        circuit.reset(0)
    model = Model(circuit)
    variables = list(model.program.variables.values())
    assert LevelOutcomes(model, 7).table(variables) is None
    assert len(model.outcomes()) == 8


def test_limits(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    circuit = QuantumCircuit(2, 4)
    for bit in range(4):
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.measure(1, bit)

    def late(self: LevelOutcomes, given: object) -> None:
        monkeypatch.setattr(self._model.budget, "_clock", lambda: np.inf)
        original(self, given)

    original = LevelOutcomes.table
    monkeypatch.setattr(final_outcomes.LevelOutcomes, "table", late)
    with pytest.raises(LimitReached, match="time limit of 60 s"):
        Model(circuit, method="levels", limits=Limits(seconds=60)).outcomes()


@pytest.mark.parametrize("inside", [False, True])
def test_turns_of_unrolled_loops(inside: bool, tmp_path: Path) -> None:
    """Where outcomes decide how often a loop turns, the graph counts."""
    loop = "for uint i in [0:2] { h q[0]; way[i] = measure q[0]; }"
    file = tmp_path / "turns.qasm"
    body = f"if (way[3]) {{ {loop} }}" if inside else loop
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[5] way;\nry(0.7) q[1];'
    head += "\nway[3] = measure q[1];"
    file.write_text(f"{head}\n{body}\nh q[0];\nway[4] = measure q[0];\n")
    found, expected = (Model(file, method=store).outcomes() for store in ("levels", "graph"))
    assert dict(found) == pytest.approx(dict(expected), abs=1e-9)
    assert [(loop.source, loop.turns) for loop in found.loops] == [
        (loop.source, pytest.approx(loop.turns)) for loop in expected.loops
    ]
    assert len(found.loops) == 1


def test_values_that_are_too_many_are_left_to_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has a limit of its own; a list that goes on for ever has none."""
    circuit = QuantumCircuit(1, 4)
    for bit in range(4):
        circuit.h(0)
        circuit.t(0)
        circuit.measure(0, bit)
    monkeypatch.setattr(lengths, "MOST_LISTED", 0)
    monkeypatch.setattr(lengths, "MOST_VALUES", 15)
    model = Model(circuit, method="levels")
    with pytest.raises(NotSymbolic, match="more than 15 values are possible"):
        LevelOutcomes(model, 15).table(list(model.program.variables.values()))
    assert len(model.outcomes()) == 16
    with pytest.raises(LimitReached, match="locations"):
        Model(circuit, limits=Limits(locations=20)).outcomes()
