"""Fractions in numbers, and numbers that only look like them."""

from __future__ import annotations

from fractions import Fraction
from math import asin, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from qiskit.circuit.library import CXGate, HGate, RYGate, UnitaryGate, XGate
from qiskit.quantum_info import Statevector

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.language.coefficients import Rational
from qismc.language.syntax import Threshold
from qismc.probability.likelihood import Likelihood, Undecidable, known_text, recognised

from ..reference import Reference
from ..strategies import toys
from ..toy import Gate, Measure, Test, Toy, While
from .dense import Chosen, effect, until


@pytest.mark.parametrize("fraction", ["1/2", "1/16", "9/16", "1/3", "355/1130", "1/4096", "0", "1"])
def test_fractions(fraction: str) -> None:
    value = Fraction(fraction)
    assert recognised(float(value) + 3e-15, 1e-14) == value


@pytest.mark.parametrize("value", [1 / pi, sqrt(2) / 2, 0.1234567891, 1 / 5003])
def test_other_numbers(value: float) -> None:
    assert recognised(value, 1e-14) is None


def test_an_error_that_would_let_anything_pass_recognises_nothing() -> None:
    assert recognised(0.5, 1e-3) is None
    draw = np.random.default_rng(1)
    assert not any(recognised(x, 1e-9) for x in draw.random(500))


def test_text() -> None:
    assert known_text(0.0625, 1e-14) == "0.0625 (recognised as 1/16)"
    assert known_text(1.0, 1e-14) == "1"
    assert known_text(sqrt(0.5), 1e-14) == "0.707106781187"


def always(_: object) -> bool:
    return True


@st.composite
def questions(draw: st.DrawFn, loops: bool = True) -> tuple[Toy, str, Chosen, Chosen, bool]:
    """(program, path formula, hold, goal, negated) with path formula = [not] hold U goal."""
    toy = draw(toys(most=3, size=5, loops=loops))
    leaf = (len(toy.body),)
    shapes: list[tuple[str, Chosen, Chosen, bool]] = [
        ("F leaf", always, lambda p: p[0] == leaf, False),
        ("F (leaf & c == 1)", always, lambda p: p[0] == leaf and p[1] == 1, False),
        ("G !(leaf & c == 0)", always, lambda p: p[0] == leaf and p[1] == 0, True),
        ("G c == 0", always, lambda p: p[1] != 0, True),
        ("c == 0 U leaf", lambda p: p[1] == 0, lambda p: p[0] == leaf, False),
        ("c == 0 W leaf", lambda p: p[0] != leaf, lambda p: p[0] != leaf and p[1] != 0, True),
        ("leaf R c == 0", lambda p: p[0] != leaf, lambda p: p[1] != 0, True),
    ]
    return toy, *draw(st.sampled_from(shapes))


@settings(max_examples=60)
@given(case=questions(), merged=st.booleans())
def test_against_density_matrices(
    engine: str, case: tuple[Toy, str, Chosen, Chosen, bool], merged: bool
) -> None:
    toy, path, hold, goal, negated = case
    low, high = until(Reference(toy), hold, goal)
    if negated:
        low, high = 1 - high, 1 - low
    found = qismc.check(toy.circuit(), f"P=? [{path}]", numbers=engine, keep_dead=not merged).results[0]
    assert found.verdict is Verdict.HOLDS and found.probability is not None, found.reason
    assert low - 1e-9 <= float(found.probability) <= high + 1e-9
    assert found.probability.error < 1e-9
    if high - low < 1e-9:
        bounds = {relation: f"P{relation}{(low + high) / 2 + 0.01:.9f} [{path}]" for relation in (">=", "<")}
        if (low + high) / 2 + 0.01 < 1:
            result = qismc.check(toy.circuit(), bounds, numbers=engine)
            assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.HOLDS]


@given(toy=toys(most=2, size=4))
def test_several_start_states_make_an_interval(engine: str, toy: Toy) -> None:
    leaf, size = (len(toy.body),), 2**toy.num_qubits
    reference = Reference(toy, init=np.eye(size, dtype=complex))
    expected, moved = effect(reference, always, lambda p: p[0] == leaf and p[1] == 1)
    assume(moved < 1e-12)
    found = asked(toy.circuit(), "F (leaf & c == 1)", init="full", numbers=engine)
    values = np.linalg.eigvalsh(expected)
    assert np.allclose([found.low, found.high], [values[0], values[-1]], atol=1e-8)


# --- closed forms -------------------------------------------------------------------------------------------


def asked(circuit: QuantumCircuit, path: str, **options: object) -> Likelihood:
    found = qismc.check(circuit, f"P=? [{path}]", **options).results[0]
    assert found.probability is not None, found.reason
    return found.probability


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_grover(turns: int) -> None:
    """sin^2((2k + 1) t) with sin t = 2^(-n/2)."""
    circuit = QuantumCircuit(3, 3)
    circuit.h([0, 1, 2])
    for _ in range(turns):
        circuit.ccz(0, 1, 2)
        circuit.h([0, 1, 2])
        circuit.x([0, 1, 2])
        circuit.ccz(0, 1, 2)
        circuit.x([0, 1, 2])
        circuit.h([0, 1, 2])
    circuit.measure([0, 1, 2], [0, 1, 2])
    angle = asin(sqrt(1 / 8))
    assert float(asked(circuit, "F (leaf & c == 7)")) == pytest.approx(sin((2 * turns + 1) * angle) ** 2)


def coin_until(circuit: QuantumCircuit, angle: float) -> None:
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.reset(0)
        circuit.ry(angle, 0)
        circuit.measure(0, 0)


def test_a_geometric_loop_with_two_ways_out() -> None:
    """Two biased coins in turn; the first heads wins: p / (1 - (1 - p)(1 - q))."""
    circuit = QuantumCircuit(2, 2)
    p, q = 0.3, 0.6
    with circuit.while_loop((circuit.cregs[0], 0)):
        circuit.reset(0)
        circuit.ry(2 * asin(sqrt(p)), 0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 0)):
            circuit.reset(1)
            circuit.ry(2 * asin(sqrt(q)), 1)
            circuit.measure(1, 1)
    expected = p / (1 - (1 - p) * (1 - q))
    assert float(asked(circuit, "F (leaf & c[0])")) == pytest.approx(expected, abs=1e-12)
    assert asked(circuit, "F leaf") == Likelihood(1.0, 1.0, 0.0)


def test_a_walk_with_absorbing_ends() -> None:
    """The Hadamard walk between two walls: how often it ends at the left one; reference: dense matrices."""
    places = 6
    shift = np.zeros((2 * places, 2 * places))
    for x in range(places):
        shift[2 * ((x - 1) % places), 2 * x] = 1
        shift[2 * ((x + 1) % places) + 1, 2 * x + 1] = 1
    step = shift @ np.kron(np.eye(places), np.array([[1, 1], [1, -1]]) / sqrt(2))
    state, returned = np.zeros(2 * places), 0.0
    state[2 * 1 + 1] = 1.0
    for _ in range(4000):
        state = step @ state
        returned += float(np.sum(state[:2] ** 2))
        state[:2] = 0
        state[-2:] = 0
    circuit = walk(places)
    assert float(asked(circuit, "F (leaf & left)")) == pytest.approx(returned, abs=1e-9)


def walk(places: int) -> QuantumCircuit:
    """Coin on qubit 0, position on the others, one bit for each end."""
    from qiskit.circuit import ClassicalRegister, QuantumRegister

    width = 3
    size = 2**width
    shift = np.zeros((2 * size, 2 * size))
    for x in range(size):
        shift[2 * ((x - 1) % size), 2 * x] = 1
        shift[2 * ((x + 1) % size) + 1, 2 * x + 1] = 1
    coin, place, ends = QuantumRegister(1, "coin"), QuantumRegister(width, "x"), QuantumRegister(1, "end")
    left, right = ClassicalRegister(1, "left"), ClassicalRegister(1, "right")
    circuit = QuantumCircuit(coin, place, ends, left, right)
    circuit.x([coin[0], place[0]])
    with circuit.while_loop((left, 0)):
        circuit.h(coin[0])
        circuit.append(UnitaryGate(shift), [coin[0], *place])
        for value, register in ((0, left), (places - 1, right)):
            circuit.reset(ends[0])
            circuit.mcx(list(place), ends[0], ctrl_state=value)
            circuit.measure(ends[0], register[0])
        with circuit.if_test((right, 1)):
            circuit.break_loop()
    return circuit


@pytest.mark.parametrize("p", [0.1, 0.5, 0.7])
def test_bernoulli_factory(p: float) -> None:
    """The parity of two coins with bias p, in superposition: heads with probability 4 p (1 - p)."""
    circuit = QuantumCircuit(2, 2)
    with circuit.while_loop((circuit.clbits[1], 0)):
        circuit.reset([0, 1])
        circuit.ry(2 * asin(sqrt(p)), [0, 1])
        circuit.cx(0, 1)
        circuit.h(0)
        circuit.measure(1, 1)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[1], 1)):
            circuit.break_loop()
    # given odd parity the state is |01> + |10>: the first qubit is |+>, and the coin always says 0
    assert float(asked(circuit, "F (leaf & c[0])")) == pytest.approx(0, abs=1e-12)
    single = QuantumCircuit(2, 1)
    single.ry(2 * asin(sqrt(p)), 0)
    single.ry(2 * asin(sqrt(p)), 0)
    single.measure(0, 0)
    assert float(asked(single, "F c == 1")) == pytest.approx(4 * p * (1 - p))


def test_an_eavesdropper_shows_up_in_a_quarter_of_the_cases() -> None:
    """BB84 with bases that agree: the eavesdropper guesses the basis, measures and sends on what she saw."""
    circuit = QuantumCircuit(2, 4)
    circuit.h(1)
    circuit.measure(1, 0)  # Alice's bit
    circuit.reset(1)
    circuit.h(1)
    circuit.measure(1, 1)  # the eavesdropper's basis
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.h(0)
    circuit.measure(0, 2)
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.h(0)
    circuit.measure(0, 3)  # Bob
    found = qismc.check(
        circuit, {"noticed": "P>=0.249 [F (leaf & c[0] != c[3])]", "p": "P=? [F (leaf & c[0] != c[3])]"}
    )
    assert found["noticed"] and float(found["p"].probability) == pytest.approx(1 / 4)  # type: ignore[arg-type]


# --- the ends of the scale and doubt ------------------------------------------------------------------------


def test_zero_and_one_are_exact() -> None:
    """A loop that ends almost surely, however small the chance per turn: numbers alone would not know."""
    circuit = QuantumCircuit(1, 1)
    coin_until(circuit, pi / 512)
    specs = [
        "P>=1 [F leaf]",
        "P<1 [F leaf]",
        "P<=0 [G !leaf]",
        "P>=0 [F leaf]",
        "P<=1 [F leaf]",
        "P<0 [F leaf]",
    ]
    verdicts = [r.verdict.name for r in qismc.check(circuit, specs)]
    assert verdicts == ["HOLDS", "VIOLATED", "HOLDS", "HOLDS", "HOLDS", "VIOLATED"]
    assert asked(circuit, "F leaf") == Likelihood(1.0, 1.0, 0.0)
    assert asked(circuit, "G !leaf") == Likelihood(0.0, 0.0, 0.0)


def test_a_loop_that_never_ends_with_positive_probability() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.measure(0, 0)
    assert float(asked(circuit, "F leaf")) == pytest.approx(0.5)
    assert float(asked(circuit, "G !leaf")) == pytest.approx(0.5)


def test_at_a_location_the_least_and_the_most_favourable_state_count() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.reset(1)
    circuit.mark("mixed")
    circuit.measure(0, 0)
    specs = {
        "least": "AG (mixed -> P>=0.01 [F c == 1])",
        "most": "AG (mixed -> P<=0.99 [F c == 1])",
        "interval": "AG (mixed -> P>=0 [F c == 1] & P<=1 [F c == 1])",
        "start": "P>=0.49 [F c == 1]",
    }
    verdicts = {r.name: r.verdict.name for r in qismc.check(circuit, specs)}
    assert verdicts == {"least": "VIOLATED", "most": "VIOLATED", "interval": "HOLDS", "start": "HOLDS"}


def test_a_state_given_as_numbers() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    state = Statevector([sqrt(0.2), sqrt(0.8)])
    assert float(asked(circuit, "F c == 1", init=state)) == pytest.approx(0.8)


@pytest.mark.parametrize("init", ["~|00>", "~(|00> \\/ |11>)", "~|01> /\\ ~|10>"])
def test_complements_as_starts(engine: str, init: str) -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.cx(0, 1)
    circuit.measure([0, 1], [0, 1])
    low, high = {"~|00>": (0, 1), "~(|00> \\/ |11>)": (1, 1), "~|01> /\\ ~|10>": (0, 0)}[init]
    found = asked(circuit, "F (leaf & c[1])", init=init, numbers=engine)
    assert (found.low, found.high) == pytest.approx((low, high))


def test_values_that_nobody_chose_have_no_probability(tmp_path: Path) -> None:
    text = "OPENQASM 3.0;\ninput bit x;\nqubit q;\nbit c;\nif (x) { h q; }\nc = measure q;\n"
    file = tmp_path / "open.qasm"
    file.write_text(text)
    with pytest.raises(qismc.QismcError, match=r"open.qasm:2.*leaves a value open"):
        qismc.check(file, "P=? [F c == 1]")


def test_comparing() -> None:
    half = Likelihood(0.5, 0.5, 1e-9)
    assert half.satisfies(Threshold(">=", Rational(Fraction(49, 100))))
    assert not half.satisfies(Threshold("<", Rational(Fraction(49, 100))))
    with pytest.raises(Undecidable, match=r"0\.5 \(recognised as 1/2\), error < 1e-0[89]"):
        half.satisfies(Threshold("<", Rational(Fraction(1, 2))))
    wide = Likelihood(0.25, 0.5, 0.0)
    assert not wide.satisfies(Threshold(">", Rational(Fraction(1, 3))))
    assert not wide.satisfies(Threshold("<", Rational(Fraction(1, 3))))
    with pytest.raises(ValueError, match="depends on the state"):
        float(wide)
    assert wide.complement == Likelihood(0.5, 0.75, 0.0)
    assert Likelihood.within(-1e-17, 1e-17, 1e-12).low == 5e-18


def test_at_the_start_only_init_counts(engine: str) -> None:
    """A loop comes back to the first location with other states, whose probability is another one."""
    body = (
        Gate(RYGate(0.7), (0,)),
        Gate(CXGate(), (0, 1)),
        Measure(0, 0),
        Gate(HGate(), (1,)),
    )
    toy = Toy(2, 2, (While(Test(0, 0), body), Measure(1, 1)))
    low, high = until(Reference(toy), always, lambda p: p[0] == (2,) and p[1] == 3)
    found = asked(toy.circuit(), "F (leaf & c == 3)", numbers=engine)
    assert low - 1e-9 <= float(found) <= high + 1e-9 and high - low < 1e-9
    bounds = [f"P>={low - 0.001:.6f} [F (leaf & c == 3)]", f"P<={low + 0.001:.6f} [F (leaf & c == 3)]"]
    assert qismc.check(toy.circuit(), bounds, numbers=engine)
    inside = [f"AG ({bound})" for bound in bounds]
    assert not any(qismc.check(toy.circuit(), inside, numbers=engine).results)


def test_an_annotation_where_no_execution_arrives(engine: str) -> None:
    """Its states are in no location of the system, and no probability depends on them."""
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.barrier(label="never")
        circuit.h(0)
    circuit.h(0)
    circuit.measure(0, 0)
    found = qismc.check(circuit, "P=? [F c == 1]", annotations={"never": "|0>"}, numbers=engine).results[0]
    assert found.probability is not None and float(found.probability) == pytest.approx(1 / 2)


def test_a_location_that_is_reached_very_seldom() -> None:
    """With an amplitude of 1e-10: numbers have no state there, and nothing holds for want of one."""
    circuit = QuantumCircuit(2, 2)
    circuit.ry(2e-10, 0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.barrier(label="M")
    circuit.h(0)
    circuit.measure(1, 1)
    assert qismc.check(circuit, "EF (M & c == 1)")
    for bound in ("P<=1/2", "P>=1/2"):
        result = qismc.check(circuit, f"AG (M & c == 1 -> {bound} [F (leaf & c >= 2)])")
        assert result.verdict is Verdict.UNKNOWN and "rounding hides" in str(result.results[0].reason)


def test_what_is_certain_needs_no_numbers() -> None:
    """A walk on a ring of 16 until it is found at 0: many dimensions go round, and P=1 is quick to decide."""
    position, coin, found = range(4), 4, 5
    walk = QuantumCircuit(6, 1)
    walk.x(0)
    walk.h(coin)
    walk.s(coin)
    with walk.while_loop((walk.clbits[0], 0)):
        walk.h(coin)
        for _ in range(2):  # one step forwards if the coin is 1, then backwards if it is 0
            for k in reversed(position):
                walk.append(XGate().control(k + 1), [coin, *range(k), k])
            walk.x([*position, coin])
        walk.append(XGate().control(4, ctrl_state=0), [*position, found])
        walk.measure(found, 0)
    specs = {"sure": "P=1 [F leaf]", "likely": "P>=0.9 [F leaf]"}
    result = qismc.check(walk, {**specs, "asked": "P=? [F leaf]", "never": "P=? [F false]"})
    assert result and result.to_json()["stats"]["max_dimension"] > 16
    assert result["asked"].probability == Likelihood.exactly(1.0)
    assert result["never"].probability == Likelihood.exactly(0.0)
