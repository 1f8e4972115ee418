"""Certainties and bounds at the ends of the scale: exactly, and in floating point with loops."""

from __future__ import annotations

from fractions import Fraction
from math import acos, cos, pi, sin, sqrt

import numpy as np
import pytest
from qiskit.circuit.library import RYGate, UnitaryGate

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.common.choices import Store
from qismc.errors import NumericDoubt


def seldom_left(angle: float, tilt: float, *, exact: bool) -> QuantumCircuit:
    """A loop that is left by a small rotation if q[1] is |1>, and never if it is |0>."""
    circuit = QuantumCircuit(2, 1)
    circuit.ry(tilt, 1)
    turn = np.array([[cos(angle / 2), -sin(angle / 2)], [sin(angle / 2), cos(angle / 2)]])
    gate = RYGate(angle).control(1) if exact else UnitaryGate(turn).control(1, annotated=False)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.append(gate, [1, 0])
        circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize("tilt", [0.01, 1.0, pi / 2])
@pytest.mark.parametrize("angle", [1e-5, 1e-4, 1e-3, 0.03, 0.5])
def test_what_is_dropped_in_every_turn_adds_up(angle: float, tilt: float) -> None:
    """The states that stay are one direction with those that leave, up to 1e-9 and less in each turn."""
    truth = sin(tilt / 2) ** 2
    specs = {
        "sure": "P=1 [F leaf]",
        "stays": "P>0 [G !leaf]",
        "asked": "P=? [F leaf]",
        "low": "P<=0.9 [F leaf]",
    }
    result = qismc.check(seldom_left(angle, tilt, exact=False), specs)
    assert result.engine == "float"
    assert result["sure"].verdict is not Verdict.HOLDS
    assert result["stays"].verdict is not Verdict.VIOLATED
    assert result["low"].verdict is not Verdict.VIOLATED
    if result["asked"].verdict is not Verdict.UNKNOWN:
        found = result["asked"].probability
        assert found is not None and abs(float(found) - truth) <= found.error
    if angle == 0.5:
        assert result["sure"].verdict is Verdict.VIOLATED


def test_exact_arithmetic_decides_where_numbers_know_nothing() -> None:
    circuit = seldom_left(1e-4, pi / 2, exact=True)
    specs = {
        "sure": "P=1 [F leaf]",
        "bound": "P>=1 [F leaf]",
        "less": "P<1 [F leaf]",
        "asked": "P=? [F leaf]",
    }
    result = qismc.check(circuit, specs)
    verdicts = [result[name].verdict for name in specs]
    assert verdicts == [Verdict.VIOLATED, Verdict.VIOLATED, Verdict.HOLDS, Verdict.UNKNOWN]
    assert result["asked"].reason is not None and "rounding adds up" in result["asked"].reason
    with pytest.raises(NumericDoubt, match="rounding adds up"):
        qismc.Model(circuit).outcomes()


@pytest.mark.parametrize("store", ["graph", "levels"])
@pytest.mark.parametrize(("one", "zero"), [("1", "0"), ("1.0000000000", "0.0000000000")])
def test_long_decimals_are_what_they_say(store: Store, one: str, zero: str) -> None:
    """1e-14 is the probability of the other outcome."""
    circuit = QuantumCircuit(1, 1)
    circuit.ry(2e-7, 0)
    circuit.measure(0, 0)
    specs = {
        "all": f"P>={one} [F (leaf & c == 0)]",
        "some": f"P<{one} [F (leaf & c == 0)]",
        "none": f"P<={zero} [F c == 1]",
        "few": f"P>{zero} [F c == 1]",
        "trivial": f"P<={one} [F c == 1] & P>={zero} [F c == 1]",
    }
    assert [bool(r) for r in qismc.check(circuit, specs, method=store)] == [False, True, False, True, True]


@pytest.mark.parametrize("store", ["graph", "levels"])
def test_fractions_that_are_no_floating_point_numbers_have_an_error(store: Store) -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(2 * acos(sqrt(2 / 3)), 0)
    circuit.measure(0, 0)
    found = qismc.check(circuit, "P=? [F c == 1]", method=store)["spec"].probability
    assert found is not None and found.exact == Fraction(1, 3)
    assert abs(Fraction(found.low) - found.exact) <= found.error < 1e-15
    assert found.text.startswith("exactly 1/3") and found.complement.exact == Fraction(2, 3)


def test_floating_point_knows_nothing_exactly() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.ry(1e-9, 0)
    circuit.measure(0, 0)
    found = qismc.check(circuit, "P=? [F c == 1]", numbers="float")["spec"].probability
    assert found is not None and found.exact is None and abs(found.low - 2.5e-19) <= found.error


@pytest.mark.parametrize("angle", [1e-11, 9e-10, 0.3])
def test_faint_ways_out_of_a_loop(angle: float) -> None:
    """Sooner or later the loop is left, whatever the probability of a turn to do so."""
    circuit = QuantumCircuit(1, 1)
    turn = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.append(UnitaryGate(turn), [0])
        circuit.measure(0, 0)
    specs = ["P=1 [F leaf]", "P>0 [F leaf]", "P>=0.1 [F leaf]"]
    result = qismc.check(circuit, specs)
    wanted = Verdict.HOLDS if angle == 0.3 else Verdict.UNKNOWN
    assert result.engine == "float" and {r.verdict for r in result} == {wanted}


def test_loops_without_a_way_out_stay_decided_in_floating_point() -> None:
    circuit = QuantumCircuit(1, 1)
    turn = np.array([[cos(0.3), -sin(0.3)], [sin(0.3), cos(0.3)]])
    with circuit.while_loop((circuit.clbits[0], 0)):
        for matrix in (turn, turn.T):
            circuit.append(UnitaryGate(matrix), [0])
        circuit.measure(0, 0)
    result = qismc.check(circuit, {"never": "P=1 [G !leaf]", "some": "P>0 [F leaf]"})
    assert result.engine == "float" and bool(result["never"]) and not result["some"]


def test_annotations_at_places_that_no_execution_reaches(engine: str) -> None:
    """Of the two ends c = 1 is in no execution; what is annotated there is nobody's probability."""
    circuit = QuantumCircuit(1, 1)
    circuit.id(0)
    circuit.measure(0, 0)
    specs = {"zero": "AG P=1 [F (leaf & c == 0)]", "one": "AG P>0 [F c == 1]", "half": "AG P<1/2 [F c == 1]"}
    result = qismc.check(circuit, specs, annotations={"leaf": "|0>"}, numbers=engine)
    found = [one.verdict for one in result]
    assert found == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]


def test_annotations_in_the_midst_of_gates_take_other_ways(engine: str) -> None:
    """|0> before the annotation |1>: from there no execution measures 1."""
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.x(0)
    circuit.mark("here")
    circuit.measure(0, 0)
    specs = ["AX P=1 [F (leaf & c == 0)]", "AX P>0 [F c == 1]", "AG (here -> P>0 [F c == 1])"]
    result = qismc.check(circuit, specs, annotations={"here": "|1>"}, numbers=engine)
    assert [one.verdict for one in result] == [Verdict.HOLDS, Verdict.VIOLATED, Verdict.HOLDS]


LEFT_OPEN = """OPENQASM 3.0;
include "stdgates.inc";
qubit[1] q; bit[1] c;
x q[0];
c[0] = measure q[0];
while (c[0]) {
  bool w;
  if (w) { reset q[0]; c[0] = measure q[0]; }
}
"""
ONCE = """OPENQASM 3.0;
include "stdgates.inc";
qubit[1] q; bit[1] c; bool w;
if (w) { h q[0]; }
x q[0];
c[0] = measure q[0];
while (c[0]) { h q[0]; c[0] = measure q[0]; }
"""


@pytest.mark.parametrize("formula", ["P=1 [F leaf]", "AG P=1 [F leaf]"])
def test_a_value_that_a_loop_leaves_open_may_always_be_the_same(formula: str) -> None:
    for engine in ("auto", "exact", "float"):
        result = qismc.check(LEFT_OPEN, formula, numbers=engine)
        assert result.verdict is Verdict.UNKNOWN
        assert "leaves a value open in a loop" in str(result)


def test_what_no_choice_can_change_is_decided() -> None:
    assert qismc.check(LEFT_OPEN, "P=1 [F c == 1]")
    assert qismc.check(LEFT_OPEN, "P=1 [G c == 1]").verdict is Verdict.VIOLATED
    assert qismc.check(ONCE, "P=1 [F leaf]")
