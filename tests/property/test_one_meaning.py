"""Angles near multiples of pi mean one thing in every question: compared with NumPy."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import SparsePauliOp

import qismc
from qismc import Model, Verdict

Array = npt.NDArray[np.complex128]
STEP = math.pi / 12
ROUNDING = 4 * 2.0**-52
KINDS = ("rx", "ry", "rz", "u", "cp", "crx")


def near(generator: random.Random, others: float) -> tuple[float, float]:
    """A multiple of pi/12 and a number that is 1e-10 to 1e-16 away from it; or another number as it is."""
    nice, sign = generator.randrange(-24, 25) * STEP, generator.choice((1, -1))
    error = sign * generator.uniform(1, 9) * 10.0 ** -generator.randrange(11 if nice else 13, 18)
    other = generator.choice((generator.uniform(-3, 3), nice + sign * generator.uniform(1.5, 9) * 1e-9))
    return (other, other) if generator.random() < others else (nice, nice + error)


def gates(generator: random.Random, others: float = 0.15) -> list[tuple[str, list[float], list[float]]]:
    """Names with nice and with written angles."""
    found = []
    for _ in range(generator.randrange(2, 7)):
        kind = generator.choice(KINDS)
        pairs = [near(generator, others) for _ in range(3 if kind == "u" else 1)]
        found.append((kind, [nice for nice, _ in pairs], [written for _, written in pairs]))
    return found


def matrix(kind: str, angles: list[float]) -> Array:
    """On two qubits, the first one the least significant; controls are the second one."""
    a = angles[0]
    cos, sin = math.cos(a / 2), math.sin(a / 2)
    single = {
        "rx": [[cos, -1j * sin], [-1j * sin, cos]],
        "ry": [[cos, -sin], [sin, cos]],
        "rz": [[cmath.exp(-0.5j * a), 0], [0, cmath.exp(0.5j * a)]],
        "cp": [[1, 0], [0, cmath.exp(1j * a)]],
        "crx": [[cos, -1j * sin], [-1j * sin, cos]],
    }
    if kind == "u":
        _, phi, lam = angles
        single["u"] = [
            [cos, -cmath.exp(1j * lam) * sin],
            [cmath.exp(1j * phi) * sin, cmath.exp(1j * (phi + lam)) * cos],
        ]
    small = np.array(single[kind], dtype=complex)
    if kind.startswith("c"):
        return np.asarray(np.kron(np.diag([1, 0]), np.eye(2)) + np.kron(np.diag([0, 1]), small))
    return np.asarray(np.kron(np.eye(2), small))


HADAMARD = np.kron(np.array([[1, 1], [1, -1]]) / math.sqrt(2), np.eye(2))
"""On the second qubit, which controls."""


def state(angles: list[tuple[str, list[float]]]) -> Array:
    found: Array = HADAMARD @ np.array([1, 0, 0, 0], dtype=complex)
    for kind, numbers in angles:
        found = matrix(kind, numbers) @ found
    return found


def circuit(angles: list[tuple[str, list[float]]]) -> QuantumCircuit:
    found = QuantumCircuit(2, 1)
    found.h(1)
    for kind, numbers in angles:
        getattr(found, kind)(*numbers, *([1, 0] if kind.startswith("c") else [0]))
    return found


def measured(angles: list[tuple[str, list[float]]]) -> QuantumCircuit:
    found = circuit(angles)
    found.barrier(label="m")
    found.measure(0, 0)
    return found


def zero_chance(angles: list[tuple[str, list[float]]]) -> float:
    return float(np.sum(np.abs(state(angles).reshape(2, 2)[:, 0]) ** 2))


def asked(program: QuantumCircuit, **options: object) -> tuple[float, float, qismc.Result]:
    """The probability of 0, by `P=?` and by outcomes."""
    result = qismc.check(program, {"p": "P=? [F (leaf & c == 0)]"}, **options)  # type: ignore[arg-type]
    found = result["p"].probability
    assert found is not None
    outcomes = Model(program, **options).outcomes()  # type: ignore[arg-type]
    assert outcomes.replaced == result.replaced
    return float(found), outcomes.get(0, 0.0), result


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("engine", ["auto", "float"])
def test_probabilities_are_those_of_the_numbers_that_were_read(seed: int, engine: str) -> None:
    drawn = gates(random.Random(seed))
    written = [(kind, numbers) for kind, _, numbers in drawn]
    value, outcome, result = asked(measured(written), numbers=engine)
    readings = {number.written: number.value for number in result.replaced}
    for kind, nice, numbers in drawn:
        for meant, number in zip(nice, numbers, strict=True):
            ulps = abs(number - meant) / (2.0**-52 * max(1.0, abs(number)))
            assert (ulps > 6) <= (number in readings) <= (ulps > 2), (kind, meant, number)
            assert readings.get(number, meant) == pytest.approx(meant, abs=1e-15, rel=1e-15)
    read = [(kind, [float(readings.get(n, n).real) for n in numbers]) for kind, numbers in written]
    assert value == pytest.approx(zero_chance(read), abs=2e-14)
    assert outcome == pytest.approx(zero_chance(read), abs=2e-14)


@pytest.mark.parametrize("seed", range(40))
def test_as_written_they_are_those_of_the_program(seed: int) -> None:
    written = [(kind, numbers) for kind, _, numbers in gates(random.Random(seed))]
    value, outcome, result = asked(measured(written), as_written=True)
    assert result.replaced == ()
    assert value == pytest.approx(zero_chance(written), abs=2e-14)
    assert outcome == pytest.approx(zero_chance(written), abs=2e-14)


@pytest.mark.parametrize("seed", range(60))
def test_states_and_thresholds_agree(seed: int) -> None:
    """The state is that of the nice angles, and so is every threshold that these meet exactly."""
    drawn = gates(random.Random(1000 + seed), others=0)
    nice = [(kind, numbers) for kind, numbers, _ in drawn]
    written = [(kind, numbers) for kind, _, numbers in drawn]
    ideal = circuit(nice).remove_final_measurements(inplace=False)
    chance = zero_chance(nice)
    tie = Fraction(chance).limit_denominator(64)
    exact = abs(float(tie) - chance) < 1e-13
    bound = tie if exact else Fraction(chance).limit_denominator(1000) + Fraction(1, 10**6)
    specs = {
        "state": "AG (m -> ideal)",
        "least": f"P>={bound} [F (leaf & c == 0)]",
        "most": f"P<={bound} [F (leaf & c == 0)]",
    }
    result = qismc.check(measured(written), specs, props={"ideal": ideal})
    assert result["state"].verdict is Verdict.HOLDS
    assert (result["least"].verdict is Verdict.HOLDS) == (exact or chance > bound)
    assert (result["most"].verdict is Verdict.HOLDS) == (exact or chance < bound)


@pytest.mark.parametrize("seed", range(30))
def test_as_written_no_question_contradicts_another(seed: int) -> None:
    """A state that holds has the probabilities of its proposition."""
    generator = random.Random(2000 + seed)
    nice = generator.choice((1, 3, 5)) * math.pi / 2
    angle = nice + generator.choice((1, -1)) * 10.0 ** -generator.randrange(10, 16)
    program = QuantumCircuit(1, 1)
    program.ry(angle, 0)
    program.barrier(label="m")
    program.measure(0, 0)
    specs = {"state": "AG (m -> |+> \\/ zero)", "other": "AG (m -> |->)"}
    specs |= {"least": "P>=1/2 [F (leaf & c == 0)]", "most": "P<=1/2 [F (leaf & c == 0)]"}
    result = qismc.check(program, specs, as_written=True)
    same = abs(angle - nice) <= 2 * ROUNDING * abs(angle)
    held = Verdict.HOLDS in (result["state"].verdict, result["other"].verdict)
    assert held == same
    if same:
        assert result["least"] and result["most"]
    else:
        wrong = result["least" if math.cos(angle / 2) ** 2 < 0.5 else "most"]
        assert wrong.verdict is not Verdict.HOLDS


def near_half(seed: int) -> tuple[float, float]:
    """Two angles whose sum is 1e-14 to 9e-12 away from pi/2."""
    generator = random.Random(3000 + seed)
    first = generator.randrange(1, 15) / 10
    away = generator.choice((1, -1)) * generator.uniform(1, 9) * 10.0 ** -generator.randrange(12, 15)
    return first, math.pi / 2 - first + away


STATE = "AG (m -> |+>)"
LEAST, MOST = "P>=1/2 [F (leaf & c == 0)]", "P<=1/2 [F (leaf & c == 0)]"


@pytest.mark.parametrize("seed", range(6))
def test_sums_near_nice_angles_have_one_meaning(seed: int) -> None:
    """Whoever asks, together or alone, on whatever engine and store: no answer contradicts another one."""
    first, second = near_half(seed)
    program = QuantumCircuit(1, 1)
    program.ry(first, 0)
    program.ry(second, 0)
    program.barrier(label="m")
    program.measure(0, 0)
    found: dict[str, set[Verdict]] = {STATE: set(), LEAST: set(), MOST: set()}
    for engine in ("auto", "exact", "float"):
        for store in ("auto", "graph", "levels"):
            for asked in ([STATE, LEAST, MOST], [STATE], [LEAST], [MOST]):
                result = qismc.check(program, asked, numbers=engine, method=store)
                for formula, one in zip(asked, result, strict=True):
                    found[formula].add(one.verdict)
    for formula, verdicts in found.items():
        assert not {Verdict.HOLDS, Verdict.VIOLATED} <= verdicts, formula
    assert Verdict.HOLDS in found[STATE]
    assert Verdict.VIOLATED not in found[LEAST] | found[MOST]


def test_a_threshold_that_is_near_only_is_not_met_exactly() -> None:
    """No eigenvalue within the error, and none that is exactly 1/2, is no proof that all of them are."""
    program = QuantumCircuit(1, 1)
    program.ry(0.3, 0)
    program.ry(1.27079632679, 0)
    program.measure(0, 0)
    for store in ("graph", "levels"):
        found = qismc.check(program, LEAST, method=store)
        assert found.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("engine", ["auto", "float"])
def test_expectations_are_those_of_the_numbers_that_were_read(seed: int, engine: str) -> None:
    written = [(kind, numbers) for kind, _, numbers in gates(random.Random(4000 + seed))]
    model = Model(measured(written), numbers=engine)
    found = model.expectation(SparsePauliOp("IZ"), at="m")
    readings = {number.written: number.value for number in model.replaced}
    read = [(kind, [float(readings.get(n, n).real) for n in numbers]) for kind, numbers in written]
    assert float(found) == pytest.approx(2 * zero_chance(read) - 1, abs=5e-14)


@pytest.mark.parametrize("seed", range(6))
def test_repairs_hold_in_the_text_that_they_make(seed: int, tmp_path: Path) -> None:
    """A repair was checked: its diff applied to the source gives a program that is checked anew."""
    generator = random.Random(5000 + seed)
    nice, written = near(generator, 0)
    file = tmp_path / "program.qasm"
    head = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[1] c;\n'
    kind = generator.choice(("rx", "ry", "rz"))
    body = f"h q[1];\n{kind}({written!r}) q[0];\n{generator.choice('xyz')} q[0];\n"
    file.write_text(head + body + "c[0] = measure q[1];\n", encoding="utf-8")
    meant = QuantumCircuit(1)
    getattr(meant, kind)(nice, 0)
    kept, good = {"good": "AG (leaf -> good on q[0])"}, {"good": meant}
    result = qismc.check(str(file), kept, props=good)
    for one in result.repairs(limit=3) if result.verdict is Verdict.VIOLATED else ():
        if one.patch is not None:
            file.write_text("\n".join(one.patch.after), encoding="utf-8")
            assert qismc.check(str(file), kept, props=good), one.text
