"""Numbers are read once: what is replaced, what is told, and what stays as it is written."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import HGate, TGate, UnitaryGate
from qiskit.quantum_info import Statevector

import qismc
from qismc import Model, Verdict
from qismc.numbers.angles import AngleBook, AngleSum
from qismc.program.statements import Apply
from qismc.propositions.reading import NumberReading

ROOT = 0.7071067812
"""sqrt(1/2) with ten digits."""


def one(name: str, *angles: float) -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    getattr(circuit, name)(*angles, 0)
    return circuit


@pytest.mark.parametrize(
    ("angle", "read"),
    [
        (1.5707963268, "pi/2"),
        (-3.1415926535, "-pi"),
        (2.0943951024, "2*pi/3"),
        (3e-13, "0"),
        (2 * math.acos(math.sqrt(1 / 3)) + 3e-13, "2*acos(sqrt(1/3))"),
        (1.57079632679491, "pi/2"),
    ],
)
def test_angles_that_are_replaced(angle: float, read: str) -> None:
    (told,) = qismc.check(one("rz", angle), "AG full").replaced
    assert (told.written, told.read) == (angle, read)
    assert told.difference == pytest.approx(abs(float(told.value.real) - angle), abs=1e-16)
    assert str(told) == f"rz({angle!r}) read as {read}, {told.difference:.0e} away"
    assert qismc.check(one("rz", angle), "AG full", as_written=True).replaced == ()


@pytest.mark.parametrize(
    "angle",
    [math.pi / 2, np.pi / 3, 0.7, 1.5707963, 1e-10, 1e-12, 4.4e-16, 0.1 + 0.2, math.pi / 2**40, 1.25e-9],
)
def test_angles_that_nothing_is_told_about(angle: float) -> None:
    assert qismc.check(one("rz", angle), "AG full").replaced == ()


def test_random_angles_are_not_replaced() -> None:
    source = random.Random(3)
    circuit = QuantumCircuit(1)
    for _ in range(2000):
        circuit.rx(source.uniform(-7, 7), 0)
    assert Model(circuit).replaced == ()


def test_every_line_is_told_once() -> None:
    text = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit q;\nrz(1.5707963268) q;\nx q;\n'
    text += "for int k in [0:2] { rz(1.5707963268) q; }\nrz(-1.5707963268) q;\n"
    found = Model(text).replaced
    assert [(told.source and told.source.line, told.read) for told in found] == [
        (4, "pi/2"), (6, "pi/2"), (7, "-pi/2"),
    ]  # fmt: skip
    source, written, read, difference = found[0]
    assert (source, written, read) == (found[0].source, 1.5707963268, "pi/2") and difference < 1e-11


def test_dust_of_matrices_and_angles() -> None:
    """Powers, products and transpiled gates as floating point leaves them."""
    plain = QuantumCircuit(1)
    plain.append(HGate().power(2), [0])
    assert qismc.equivalent(plain, QuantumCircuit(1)).engine == "exact"
    product = QuantumCircuit(1)
    product.append(UnitaryGate(TGate().to_matrix() @ np.array([[1, 2.2e-17], [-2.2e-17, 1]])), [0])
    assert qismc.equivalent(product, one("t")).verdict is Verdict.HOLDS
    for dust in (4.4e-16, 3e-14):
        result = qismc.equivalent(one("u", math.pi / 2, dust, math.pi), one("h"))
        assert result.verdict is Verdict.HOLDS and result.engine == "exact"


def test_matrices_amplitudes_and_kets_are_read() -> None:
    gate = QuantumCircuit(1)
    gate.unitary(np.array([[ROOT, ROOT], [ROOT, -ROOT]]), 0)
    state = QuantumCircuit(1)
    state.initialize([ROOT, ROOT], 0)
    for program in (gate, state):
        result = qismc.check(program, ["AG (leaf -> |+>)"], certify=True)
        assert result and result.soundness is not None and result.soundness.certified
        assert "sqrt(1/2)" in [told.read for told in result.replaced]
        assert all(told.difference < 2e-11 for told in result.replaced)
    for proposition in (f"{ROOT}|0> + {ROOT}|1>", Statevector([ROOT, ROOT])):
        result = qismc.check(one("h"), "AG (leaf -> p)", props={"p": proposition}, certify=True)
        assert result and {told.read for told in result.replaced} == {"sqrt(1/2)"}
    turned = qismc.check(one("sx"), "AG (leaf -> |0> + exp(-1.57079632679i) |1>)")
    assert turned and turned.engine == "exact" and turned.replaced[0].read == "-pi/2"


def test_a_matrix_is_read_whole_or_not_at_all() -> None:
    angle = 0.123456789123
    cos, sin = math.cos(angle), math.sin(angle)
    block = np.kron(np.array([[cos, -sin], [sin, cos]]), np.array([[ROOT, ROOT], [ROOT, -ROOT]]))
    gate = QuantumCircuit(2)
    gate.unitary(block, [0, 1])
    assert Model(gate).replaced == ()


def test_large_multiples_of_pi_are_the_same_in_floating_point() -> None:
    """Doubles around 1000 pi are 5e-13 apart: the probability was 0.5000000000000783 of exactly 1/2."""
    circuit = one("ry", 1000.5 * math.pi)
    circuit.measure(0, 0)
    assert qismc.check(circuit, ["P>=1/2 [F c == 1]", "P<=1/2 [F c == 1]"])
    assert qismc.check(circuit, "P=? [F c == 1]", numbers="float")["spec"].probability.low == pytest.approx(
        0.5, abs=1e-15
    )  # type: ignore[union-attr]


def test_what_was_read_is_found_again() -> None:
    """A strict book has the same combinations of what a wide one read, with relations kept."""
    source = random.Random(11)
    for _ in range(50):
        base = source.uniform(0.1, 3)
        angles = [base, 2 * base + math.pi / 3, base / 2 - math.pi / 4, source.uniform(0.1, 3), math.pi / 7]
        shaken = [a + source.uniform(-1, 1) * 1e-14 for a in angles]
        circuit = QuantumCircuit(1)
        for angle in shaken:
            circuit.rz(angle, 0)
        code = NumberReading().program(Model(circuit).given_program).code
        strict = AngleBook()
        strict.announce(s.operator.angles[0] for s in code if isinstance(s, Apply))
        first, second, third, _, seventh = (
            strict.express(s.operator.angles[0]) for s in code if isinstance(s, Apply)
        )
        assert second + first * -2 == AngleSum(Fraction(1, 6))
        assert third + first * Fraction(-1, 2) == AngleSum(Fraction(-1, 8))
        assert seventh == AngleSum(Fraction(1, 14))


def test_variants_are_read_as_the_program_is() -> None:
    """Hints and repairs ask with the same options: the repaired program holds with the numbers as read."""
    circuit = one("ry", -1.5707963268)
    result = qismc.check(circuit, "AG (leaf -> |+>)")
    assert result.verdict is Verdict.VIOLATED
    assert any("holds" in hint.text for hint in result["spec"].hints)
