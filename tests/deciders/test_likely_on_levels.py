"""Probabilities with the store on levels: against density matrices, the explicit store and closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import acos, asin, comb, cos, pi, sin, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qiskit import transpile
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Kraus

import qismc
from qismc import QuantumCircuit, Result, UnsupportedError, Verdict
from qismc.probability.likelihood import Likelihood

from ..levels.programs import WideWriter
from ..probability.dense import Chosen, until
from ..probability.test_likelihood import questions
from ..reference import Reference
from ..toy import Toy

PATHS = ["F (leaf & c == 3)", "G (c != 5)", "!c[0] U c[1]", "c[2] R !c[0]", "(c < 4) W c[1]"]


def check(circuit: QuantumCircuit, spec: str | dict[str, str], **options: object) -> Result:
    result = qismc.check(circuit, spec, method="levels", **options)  # type: ignore[arg-type]
    assert result.statistics.store == "levels", result.notes
    return result


def asked(circuit: QuantumCircuit, path: str, **options: object) -> Likelihood:
    found = check(circuit, f"P=? [{path}]", **options).results[0].probability
    assert found is not None
    return found


@settings(max_examples=60)
@given(case=questions(loops=False))
def test_against_density_matrices(case: tuple[Toy, str, Chosen, Chosen, bool]) -> None:
    toy, path, hold, goal, negated = case
    expected, _ = until(Reference(toy), hold, goal)
    if negated:
        expected = 1 - expected
    found = check(toy.circuit(), f"P=? [{path}]", numbers="exact").results[0]
    assert found.verdict is Verdict.HOLDS and found.probability is not None, found.reason
    assert abs(float(found.probability) - expected) <= found.probability.error + 1e-12
    assert found.probability.error < 1e-12
    if 0.02 < expected < 0.98:
        bounds = {f"{r}{d}": f"P{r}{expected + d:.9f} [{path}]" for r in (">=", "<") for d in (-0.01, 0.01)}
        verdicts = [r.verdict is Verdict.HOLDS for r in check(toy.circuit(), bounds, numbers="exact")]
        assert verdicts == [True, False, False, True]


@settings(max_examples=25)
@given(seed=st.integers(0, 10**9), literal=st.booleans())
def test_against_the_explicit_store(seed: int, literal: bool) -> None:
    circuit = WideWriter(Random(seed), literal_angles=literal, size=4).circuit
    specs = {f"p{k}": f"P=? [{path}]" for k, path in enumerate(PATHS)}
    try:
        expected = qismc.check(circuit, specs, numbers="exact", method="graph")
    except UnsupportedError:  # an input leaves probabilities open
        return
    found = qismc.check(circuit, specs, numbers="exact", method="levels")
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours.probability is None) == (theirs.probability is None), (ours.reason, theirs.reason)
        if ours.probability is not None and theirs.probability is not None:
            error = ours.probability.error + theirs.probability.error + 1e-15
            assert abs(float(ours.probability) - float(theirs.probability)) <= error


# --- closed forms -------------------------------------------------------------------------------------------


def biased(count: int, angle: float = pi / 3) -> QuantumCircuit:
    """Coins that show 1 with probability sin^2(angle / 2); each next one is a fresh use of one qubit."""
    circuit = QuantumCircuit(1, count)
    for bit in range(count):
        circuit.ry(angle, 0)
        circuit.measure(0, bit)
        circuit.reset(0)
    return circuit


@pytest.mark.parametrize("count", [8, 40, 120])
def test_a_thousand_stores_are_one_vector(count: int) -> None:
    """Bounds that are met exactly are decided exactly, also where all outcomes are too many to be listed."""
    last, value = count - 1, Fraction(3, 16)
    path = f"F (leaf & c[0] & !c[{last}])"
    specs = {relation: f"P{relation}{value} [{path}]" for relation in (">=", ">", "<=", "<")}
    result = check(biased(count), {**specs, "what": f"P=? [{path}]"}, numbers="exact")
    assert [bool(r) for r in result] == [True, False, True, False, True]
    assert float(result["what"].probability) == float(value)  # type: ignore[arg-type]
    assert "exactly 3/16" in result[">"].counterexample.claim  # type: ignore[union-attr]


def test_numbers_that_are_no_fractions() -> None:
    circuit = biased(30, pi / 4)
    found = asked(circuit, "F (leaf & c[3] & c[29])", numbers="exact")
    expected = sin(pi / 8) ** 4
    assert abs(float(found) - expected) <= found.error < 1e-7
    root = "P>=(3/8 - sqrt(2)/4) [F (leaf & c[3] & c[29])]"
    assert check(circuit, root, numbers="exact").verdict is Verdict.UNKNOWN


def test_what_is_near_a_fraction_is_not_the_fraction() -> None:
    """sin^2(pi/3 - pi/2^47) is 2e-14 less than 3/4: numbers cannot tell, exact ones can."""
    circuit = QuantumCircuit(1, 1)
    circuit.ry(2 * pi / 3, 0)
    circuit.ry(-2 * pi / 2**47, 0)
    circuit.measure(0, 0)
    result = check(circuit, "P>=3/4 [F (leaf & c == 1)]", numbers="exact").results[0]
    assert result.verdict is Verdict.UNKNOWN and result.probability is not None and result.probability.error
    turned = QuantumCircuit(1, 1)
    turned.ry(2 * pi / 3, 0)
    turned.measure(0, 0)
    assert check(turned, "P>=3/4 [F (leaf & c == 1)]", numbers="exact")


def test_counting_what_was_measured() -> None:
    circuit = biased(14, 2 * acos(sqrt(2 / 3)))
    count = circuit.add_var("n", expr.lift(0, types.Uint(4)))
    for bit in circuit.clbits:
        circuit.store(count, expr.add(count, expr.cast(expr.lift(bit), types.Uint(4))))
    found = asked(circuit, "F (leaf & n == 5)", numbers="exact")
    assert float(found) == pytest.approx(comb(14, 5) * 2**9 / 3**14, abs=1e-10)


def test_what_cannot_happen_and_what_must() -> None:
    specs = {
        "never": "P=? [F (leaf & c == 0 & c[1])]",
        "always": "P=? [G (c != 0 | !c[1])]",
        "tiny": f"P>0 [F (leaf & c == {2**60 - 1})]",
        "bound": f"P>0.0 [F (leaf & c == {2**60 - 1})] & P<0.001 [F (leaf & c == {2**60 - 1})]",
        "less": f"P<1 [F (leaf & c == {2**60 - 1})] & P>=0 [F c[1]]",
    }
    result = check(biased(60), specs, numbers="exact")
    assert result
    assert [float(result[name].probability) for name in ("never", "always")] == [0, 1]  # type: ignore[arg-type]


def test_literal_angles() -> None:
    circuit = QuantumCircuit(3, 3)
    circuit.ry(0.7, 0)
    circuit.ry(1.1, 1)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.ry(-0.4, 2)
    circuit.measure(2, 2)
    found = asked(circuit, "F (leaf & c[2])", numbers="exact")
    assert float(found) == pytest.approx((sin(0.35) * sin(0.2)) ** 2, abs=1e-13)


def test_angles_that_depend_on_each_other() -> None:
    """The transpiler's angles cancel: what generic angles call possible has probability 0."""
    circuit = QuantumCircuit(2, 2)
    for angle in (0.3, 0.5, -0.8):
        circuit.rx(angle, 0)
    circuit.rzz(0.3, 0, 1)
    circuit.h(1)
    circuit.measure([0, 1], [0, 1])
    other = transpile(circuit, basis_gates=["u", "cx"], optimization_level=0, seed_transpiler=1)
    for program in (circuit, other):
        result = qismc.check(
            program, {"p": "P<=0.001 [F (leaf & c[0])]", "q": "P>=1/3 [F c[1]]"}, method="levels"
        )
        assert result, result.reason


def test_starts() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.measure([0, 1], [0, 1])
    found = asked(circuit, "F (leaf & c == 3)", init="|00> + 2*|11>", numbers="exact")
    assert float(found) == 0.8
    assert float(asked(circuit, "F (leaf & c == 2)", init="|0+>", numbers="exact")) == 0.5
    wide = qismc.check(circuit, "P=? [F (leaf & c == 3)]", init="|00> \\/ |11>", method="levels")
    assert wide.statistics.store == "explicit" and "several states" in wide.notes[0]
    probability = wide.results[0].probability
    assert probability is not None and (probability.low, probability.high) == (0, 1)


def test_channels_need_the_explicit_store() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.append(Kraus([sqrt(0.75) * np.eye(2), 0.5 * np.array([[0, 1], [1, 0]])]), [0])
    circuit.measure(0, 0)
    result = qismc.check(circuit, "P=? [F (leaf & c == 1)]", method="levels")
    assert result.statistics.store == "explicit"
    assert float(result.results[0].probability) == pytest.approx(0.25)  # type: ignore[arg-type]


# --- evidence -----------------------------------------------------------------------------------------------


def test_executions_for_and_against_a_bound() -> None:
    circuit = biased(30)
    specs = {
        "often": "P<1/8 [F (leaf & c[0])]",
        "seldom": "P>=1/2 [F (leaf & c[0])]",
        "both": "P<1/8 [F (leaf & c[0])] & AG (leaf -> c >= 0)",
        "kept": "P<=1/2 [G !c[0]]",
    }
    result = check(circuit, specs, numbers="exact")
    for name, first, word in (
        ("often", 1, "in favour of"),
        ("seldom", 0, "against"),
        ("both", 1, "in favour of"),
        ("kept", 0, "in favour of"),
    ):
        shown = result[name].counterexample
        assert shown is not None and shown.replayed and word in shown.claim, shown
        assert shown.steps[-1].store["c"] & 1 == first
    assert "exactly 1/4" in result["seldom"].counterexample.claim  # type: ignore[union-attr]


def test_auto_takes_levels_where_effects_would_be_large() -> None:
    angles = [0.3 + 0.1 * k for k in range(13)]
    circuit = QuantumCircuit(13, 13)
    for qubit, angle in enumerate(angles):
        circuit.ry(angle, qubit)
    for qubit in range(12):
        circuit.cx(qubit, qubit + 1)
    circuit.measure(range(13), range(13))
    result = qismc.check(circuit, "P=? [F (leaf & c[12])]")
    assert result.statistics.store == "levels"
    expected = (1 - np.prod([cos(angle) for angle in angles])) / 2
    assert float(result.results[0].probability) == pytest.approx(expected, abs=1e-11)  # type: ignore[arg-type]


def test_the_error_bound_does_not_cover_probabilities() -> None:
    result = check(biased(6, 2 * asin(0.3)), "P>=0.05 [F (leaf & c[0])]", numbers="exact")
    assert result and result.soundness is not None and "probabilities" in (result.soundness.note or "")
    proved = check(biased(6, 2 * asin(0.3)), "P>=0.05 [F (leaf & c[0])]", numbers="exact", certify=True)
    assert proved.soundness is not None and not proved.soundness.certified


@pytest.mark.parametrize("init", ["full on q[1]", "(full on q[1]) \\/ (|0> on q[1])", "~(zero on q[1])"])
def test_starts_that_leave_a_qubit_open(init: str) -> None:
    """One state on the other qubits is not one state."""
    circuit = QuantumCircuit(2, 12)
    for bit in range(12):
        circuit.ry(0.7, 1)
        circuit.measure(1, bit)
    found = qismc.check(circuit, "P=? [F (leaf & c[0])]", init=init).results[0].probability
    assert found is not None and (found.low, found.high) == pytest.approx((0.0, 1.0), abs=1e-9)
