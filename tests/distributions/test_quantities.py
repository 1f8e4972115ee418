"""Outcomes and expectation values against density matrices, shots and closed forms."""

from __future__ import annotations

from math import asin, inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.quantum_info import Operator, Pauli, SparsePauliOp, Statevector

from qismc import Model, QuantumCircuit, SpecError, UsageError
from qismc.demo import repeat_until_success
from qismc.errors import NumericDoubt
from qismc.probability.frames import DENSE_ROUNDING

from ..probability.dense import STILL, arrivals
from ..reference import Reference, embed
from ..strategies import toys
from ..toy import Toy, While


@settings(max_examples=40)
@given(toy=toys(most=3, size=5))
def test_distribution_at_the_end(engine: str, toy: Toy) -> None:
    leaf = (len(toy.body),)
    found, rest, _ = arrivals(Reference(toy), lambda place: place[0] == leaf)
    outcomes = Model(toy.circuit(), numbers=engine).outcomes("c")
    expected = {place[1]: float(np.trace(rho).real) for place, rho in found.items()}
    assert outcomes.keys() == {value for value, weight in expected.items() if weight > 1e-12}
    for value, weight in outcomes.items():
        assert weight == pytest.approx(expected[value], abs=rest + 1e-9)  # type: ignore[index]
    assert outcomes.unfinished == pytest.approx(rest, abs=rest + 1e-9)
    assert outcomes.error < 1e-9


@settings(max_examples=40)
@given(toy=toys(most=2, size=5))
def test_turns_of_loops(toy: Toy) -> None:
    reference = Reference(toy)
    leaf = (len(toy.body),)
    _, rest, visits = arrivals(reference, lambda place: place[0] == leaf)
    assume(rest < STILL)
    expected: dict[tuple[int, ...], float] = {}
    for (path, store), count in visits.items():
        statement = reference.walker.statement(path)
        if isinstance(statement, While) and statement.test.holds(store) and count > 1e-12:
            expected[path] = expected.get(path, 0.0) + count
    found = [loop.turns for loop in Model(toy.circuit()).outcomes().loops]
    if len(found) == len(expected):  # the toy writer makes all loops in one Python line: they count together
        assert found == pytest.approx([expected[path] for path in sorted(expected)], abs=1e-7)
    assert sum(found) == pytest.approx(sum(expected.values()), abs=1e-7)


@settings(max_examples=30)
@given(toy=toys(most=3, size=5), paulis=st.text("IXYZ", min_size=3, max_size=3), value=st.integers(0, 1))
def test_expectation_values(engine: str, toy: Toy, paulis: str, value: int) -> None:
    leaf = (len(toy.body),)
    found, rest, _ = arrivals(Reference(toy), lambda place: place[0] == leaf)
    chosen = {place: rho for place, rho in found.items() if place[1] % 2 == value}
    weight = sum(float(np.trace(rho).real) for rho in chosen.values())
    assume(rest < STILL and weight > 1e-3)
    string = paulis[: toy.num_qubits]
    pieces = [embed(Operator(Pauli(letter)).data, (q,), toy.num_qubits) for q, letter in enumerate(string)]
    observable = np.linalg.multi_dot(pieces) if len(pieces) > 1 else pieces[0]
    expected = sum(np.trace(observable @ rho).real for rho in chosen.values()) / weight
    model = Model(toy.circuit(), numbers=engine)
    assert model.expectation(string, given=f"c[0] == {value}") == pytest.approx(expected, abs=1e-7)
    labelled = SparsePauliOp(string[::-1], 2.0)
    doubled = model.expectation(labelled, given=f"c[0] == {value}")
    assert doubled == pytest.approx(2 * expected, abs=1e-7) and doubled.error < 1e-6


def test_against_shots() -> None:
    """Counts of Aer, fixed seed: every frequency within five standard deviations."""
    aer = pytest.importorskip("qiskit_aer")
    circuit = QuantumCircuit(3, 3)
    circuit.ry(0.7, [0, 1, 2])
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(2)
    circuit.rx(1.1, 1)
    circuit.measure([1, 2], [1, 2])
    shots = 20_000
    run = aer.AerSimulator(seed_simulator=7).run(circuit, shots=shots).result()
    counts = {int(bits, 2): count for bits, count in run.get_counts().items()}
    outcomes = Model(circuit).outcomes()
    assert sum(outcomes.values()) == pytest.approx(1)
    assert counts.keys() <= outcomes.keys()
    for value, probability in outcomes.items():
        deviation = sqrt(shots * probability * (1 - probability))
        assert abs(counts.get(value, 0) - shots * probability) <= 5 * deviation + 1  # type: ignore[call-overload]


# --- closed forms -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reset", "turns"), [(True, 4 / 3), (False, 2)])
def test_repeat_until_success(reset: bool, turns: float) -> None:
    """A turn succeeds with probability 3/4; the broken loop takes longer."""
    outcomes = Model(repeat_until_success(reset_ancilla=reset)).outcomes("c")
    (loop,) = outcomes.loops
    assert dict(outcomes) == {0: pytest.approx(1)} and outcomes.unfinished == 0
    assert loop.turns == pytest.approx(turns)
    assert loop.source is not None and "while" in loop.text


@pytest.mark.parametrize("p", [0.5, 0.01])
def test_nested_geometric_loops(p: float) -> None:
    """The outer loop takes 1/p turns on average, the inner one 1/p in each of them."""
    circuit = QuantumCircuit(1, 2)
    angle = 2 * asin(sqrt(p))
    with circuit.while_loop((circuit.clbits[0], 0)):
        with circuit.while_loop((circuit.clbits[1], 0)):
            circuit.reset(0)
            circuit.ry(angle, 0)
            circuit.measure(0, 1)
        circuit.reset(0)
        circuit.measure(0, 1)
        circuit.ry(angle, 0)
        circuit.measure(0, 0)
    outer, inner = Model(circuit).outcomes().loops
    assert (outer.turns, inner.turns) == (pytest.approx(1 / p), pytest.approx(1 / p**2))


def test_loops_that_never_end() -> None:
    """With probability 1/2 the second loop is for ever; the first one takes two turns on average."""
    circuit = QuantumCircuit(2, 2)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.reset(0)
        circuit.h(0)
        circuit.measure(0, 0)
    circuit.h(1)
    with circuit.while_loop((circuit.clbits[1], 0)):
        circuit.measure(1, 1)
    outcomes = Model(circuit).outcomes()
    assert outcomes.unfinished == pytest.approx(0.5)
    assert dict(outcomes) == {3: pytest.approx(0.5)}
    assert [loop.turns for loop in outcomes.loops] == [pytest.approx(2), inf]


def test_a_loop_inside_an_endless_one_that_is_entered_finitely_often() -> None:
    """Outside, nothing ends. Inside, |1> goes round once and is put to |0>, which never comes again."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    with circuit.while_loop((circuit.clbits[1], 0)):
        circuit.measure(0, 0)
        with circuit.while_loop((circuit.clbits[0], 1)):
            circuit.x(0)
            circuit.measure(0, 0)
    outcomes = Model(circuit).outcomes()
    assert outcomes.unfinished == 1 and len(outcomes) == 0 and outcomes.shots() == inf
    assert [loop.turns for loop in outcomes.loops] == [inf, pytest.approx(0.5)]


def test_for_loops_count_their_turns() -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.for_loop(range(5)):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.break_loop()
        circuit.reset(0)
    (loop,) = Model(circuit).outcomes().loops
    assert loop.turns == pytest.approx(1 + 1 / 2 + 1 / 4 + 1 / 8 + 1 / 16)


# --- errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measured", [False, True])
def test_gates_up_to_the_visit_are_in_the_error(measured: bool) -> None:
    """Also where the visit is in the middle of a run of gates."""
    gates, circuit = QuantumCircuit(1), QuantumCircuit(1, 1)
    for _ in range(100):
        gates.ry(0.3, 0)
        gates.rz(0.7, 0)
    expected = Statevector(gates).expectation_value(Pauli("X"))
    if measured:
        circuit.measure(0, 0)
    circuit.compose(gates, [0], inplace=True)
    circuit.mark("here")
    circuit.h(0)
    found = Model(circuit).expectation("X", at="here")
    assert 200 * DENSE_ROUNDING < found.error < 1e-10
    assert abs(found - expected.real) <= found.error


# --- places, registers, starts ------------------------------------------------------------------------------


def registers() -> QuantumCircuit:
    a, b = ClassicalRegister(2, "a"), ClassicalRegister(1, "b")
    circuit = QuantumCircuit(QuantumRegister(2, "q"), a, b)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure([0, 1], a)
    circuit.h(0)
    circuit.measure(0, b[0])
    return circuit


def test_several_registers_are_joint() -> None:
    model = Model(registers())
    together = model.outcomes()
    assert together.registers == ("a", "b")
    assert dict(together) == {key: pytest.approx(1 / 4) for key in ((0, 0), (0, 1), (3, 0), (3, 1))}
    assert together.marginal("a") == {0: pytest.approx(1 / 2), 3: pytest.approx(1 / 2)}
    assert dict(model.outcomes("b", "a")) == {(b, a): pytest.approx(1 / 4) for b in (0, 1) for a in (0, 3)}
    assert dict(model.outcomes("b")) == {0: pytest.approx(1 / 2), 1: pytest.approx(1 / 2)}


def test_at_a_mark_the_first_visit_counts() -> None:
    circuit = QuantumCircuit(1, 1)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.h(0)
        circuit.measure(0, 0)
        circuit.mark("thrown")
        circuit.barrier()
    outcomes = Model(circuit).outcomes("c", at="thrown")
    assert dict(outcomes) == {0: pytest.approx(1 / 2), 1: pytest.approx(1 / 2)} and outcomes.unfinished == 0
    assert [loop.turns for loop in outcomes.loops] == [pytest.approx(1)]


def test_a_mark_that_may_be_missed() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.ry(pi / 3, 1)
        circuit.mark("here")
        circuit.x(1)
    model = Model(circuit)
    assert model.outcomes(at="here").unfinished == pytest.approx(1 / 2)
    assert model.expectation("Z on q[1]", at="here") == pytest.approx(1 / 2)
    assert model.expectation("0.5 Z on q[1] + 1/2 ZI - IZ", given="c == 0") == pytest.approx(0)


def test_teleportation_of_any_state_has_uniform_outcomes() -> None:
    """init leaves the state open, and the outcomes do not depend on it; the state itself does."""
    circuit = QuantumCircuit(3, 2)
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    model = Model(circuit, init=["|000>", "|100>"])
    assert dict(model.outcomes()) == {value: pytest.approx(1 / 4) for value in range(4)}
    with pytest.raises(SpecError, match=r"expectation value depends on the state.*between -1 and 1"):
        model.expectation("Z on q[2]", given="c == 0")
    direct = QuantumCircuit(1, 1)
    direct.measure(0, 0)
    with pytest.raises(SpecError, match=r"P\(c = 0\) depends on the state"):
        Model(direct, init="full").outcomes()


def test_a_complement_as_start() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    outcomes = Model(circuit, init="~(|00> \\/ |01> \\/ |10>)").outcomes()
    assert dict(outcomes) == {value: pytest.approx(1 / 4) for value in range(4)}


def test_what_cannot_be_asked() -> None:
    model = Model(registers())
    with pytest.raises(SpecError, match="unknown classical variable 'd'"):
        model.outcomes("d")
    with pytest.raises(SpecError, match="unknown mark 'lef'"):
        model.outcomes(at="lef")
    with pytest.raises(SpecError, match="no classical registers"):
        Model(QuantumCircuit(1)).outcomes()
    with pytest.raises(UsageError, match="'a == 1' has probability 0"):
        model.expectation("ZZ", given="a == 1")
    with pytest.raises(SpecError, match="no classical condition"):
        model.expectation("ZZ", given="|00>")


def test_what_is_improbable_is_not_said_to_be_impossible() -> None:
    """c == 3 has the probability 1e-16, less than the error of others; c == 4 cannot be."""
    circuit = QuantumCircuit(3, 3)
    circuit.ry(2 * asin(1e-4), [0, 1])
    circuit.measure([0, 1, 2], [0, 1, 2])
    model = Model(circuit)
    with pytest.raises(NumericDoubt, match=r"'c == 3' has a probability below .*, too little"):
        model.expectation("ZII", given="c == 3")
    with pytest.raises(UsageError, match="'c == 4' has probability 0"):
        model.expectation("ZII", given="c == 4")
    assert model.expectation("ZII", given="c == 1") == pytest.approx(-1)


def test_what_is_possible_at_a_later_visit_only() -> None:
    """Executions come back to the first location with c == 1, and start there with c == 0."""
    circuit = QuantumCircuit(1, 1)
    with circuit.for_loop(range(3)):
        circuit.mark("here")
        circuit.h(0)
        circuit.measure(0, 0)
    for at in ("here", "init", 0):
        with pytest.raises(UsageError, match="'c == 1' has probability 0"):
            Model(circuit).expectation("Z", at=at, given="c == 1")


def test_a_place_that_is_never_reached() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("never")
        circuit.h(0)
    with pytest.raises(UsageError, match="'never' has probability 0"):
        Model(circuit).expectation("Z", at="never")


def test_marks_in_front_of_final_measurements_stay_there() -> None:
    """Measurements nobody asks for are left out, but what is given speaks of the program as written."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.mark("M")
    circuit.measure(1, 1)
    model = Model(circuit)
    for condition in ("c[0] & !M", "c[0] | M", "!M -> c[0]"):
        assert float(model.expectation("ZI", given=condition)) == pytest.approx(-1)
    with pytest.raises(UsageError, match="probability 0"):
        model.expectation("ZI", given="M")


def test_outcomes_that_numbers_do_not_see_are_possible() -> None:
    circuit = QuantumCircuit(1, 2)
    circuit.ry(pi / 2**40, 0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.h(0)
    circuit.measure(0, 1)
    found = Model(circuit).outcomes("c")
    assert list(found) == [0, 1, 3] and found[0] == pytest.approx(1)
    assert max(found[1], found[3]) <= found.error and found.shots() > 1e6
    assert "rarest" in str(found)


def test_coefficients_that_are_no_numbers() -> None:
    with pytest.raises(SpecError, match="too large"):
        Model(QuantumCircuit(1)).expectation("1e400 Z")
