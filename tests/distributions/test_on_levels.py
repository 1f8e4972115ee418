"""Distributions with the store on levels, against the explicit store, density matrices and closed forms."""

from __future__ import annotations

from math import asin, cos, pi, sin
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

from qismc import Limits, Model, QuantumCircuit
from qismc.distributions import on_levels as outcomes_on_levels
from qismc.distributions import outcomes
from qismc.distributions.on_levels import LevelOutcomes
from qismc.errors import LimitReached
from qismc.levels import histogram
from qismc.levels.region import ControlGraph
from qismc.probability.distribution import Outcomes
from qismc.program import read_program
from qismc.symbolic.arithmetic import NotOnLevels
from qismc.system.flow import all_bits

from ..levels.programs import WideWriter
from ..probability.dense import arrivals
from ..reference import Reference
from ..strategies import toys
from ..toy import Toy


@pytest.fixture(params=["listed", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read a vector."""
    if request.param == "one by one":
        monkeypatch.setattr(histogram, "MOST_LISTED", 0)
    return str(request.param)


def on_levels(circuit: QuantumCircuit, *registers: str, **options: object) -> Outcomes:
    """The distribution, if levels give it."""
    seen: list[LevelOutcomes] = []
    with pytest.MonkeyPatch.context() as patch:
        table = LevelOutcomes.table
        patch.setattr(LevelOutcomes, "table", lambda self, given: seen.append(self) or table(self, given))
        found = Model(circuit, store="levels", **options).outcomes(*registers)  # type: ignore[arg-type]
    assert seen, "levels were not asked"
    return found


def assert_same(found: Outcomes, expected: Outcomes) -> None:
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
    assume(ControlGraph(program).is_acyclic and outcomes._certain_loops(program) is not None)
    model = Model(circuit, store="levels")
    try:
        LevelOutcomes(model, all_bits(program))
    except NotOnLevels:  # channels and inputs
        assume(False)
    shown = [name for name, variable in program.variables.items() if not variable.hidden]
    for registers in (shown, shown[:1], shown[-1:]):
        for most in (histogram.MOST_LISTED, 0):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(histogram, "MOST_LISTED", most)
                found = on_levels(circuit, *registers)
            assert_same(found, Model(circuit, store="explicit").outcomes(*registers))


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
    expected = Model(circuit, store="explicit").outcomes("b")
    assert_same(Model(circuit).outcomes("b"), expected)

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
    with pytest.raises(NotOnLevels, match="several states"):
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
    monkeypatch.setattr(outcomes_on_levels.LevelOutcomes, "table", late)
    with pytest.raises(LimitReached, match="time limit of 60 s"):
        Model(circuit, store="levels", limits=Limits(seconds=60)).outcomes()


@pytest.mark.parametrize("inside", [False, True])
def test_turns_of_unrolled_loops(inside: bool, tmp_path: Path) -> None:
    """Where outcomes decide how often a loop turns, the graph counts."""
    loop = "for uint i in [0:2] { h q[0]; way[i] = measure q[0]; }"
    file = tmp_path / "turns.qasm"
    body = f"if (way[3]) {{ {loop} }}" if inside else loop
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[5] way;\nry(0.7) q[1];'
    head += "\nway[3] = measure q[1];"
    file.write_text(f"{head}\n{body}\nh q[0];\nway[4] = measure q[0];\n")
    found, expected = (Model(file, store=store).outcomes() for store in ("levels", "explicit"))
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
    monkeypatch.setattr(histogram, "MOST_LISTED", 0)
    monkeypatch.setattr(histogram, "MOST_VALUES", 15)
    model = Model(circuit, store="levels")
    with pytest.raises(NotOnLevels, match="more than 15 values are possible"):
        LevelOutcomes(model, 15).table(list(model.program.variables.values()))
    assert len(model.outcomes()) == 16
    with pytest.raises(LimitReached, match="locations"):
        Model(circuit, limits=Limits(locations=20)).outcomes()
