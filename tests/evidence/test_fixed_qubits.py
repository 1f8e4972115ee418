"""Fixed values of qubits, against the sum of all executions' density matrices."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from qismc import Model, QuantumCircuit
from qismc.evidence import fixed_qubits as qubits
from qismc.evidence.fixed_qubits import FixedValues, asked_qubits, controls, fixed_values
from qismc.limits import Effort
from qismc.program.program import Program
from qismc.program.standard import standard_operator

from .programs import densities, fixed_value, random_program

MUCH = Effort(float("inf"), "")


def asked(model: Model) -> FixedValues:
    values = FixedValues(model.solved(), MUCH)
    assert values.ask() is None
    return values


def texts(circuit: QuantumCircuit, engine: str) -> list[str]:
    model = Model(circuit, numbers=engine)
    return [hint.text for _, hint in fixed_values(model.program, asked(model).values)]


def expected(program: Program) -> dict[tuple[int, int], int | None]:
    return {
        (point, qubit): fixed_value(rho, qubit)
        for point, rho in densities(program).items()
        for qubit in asked_qubits(program.code[point])
    }


def test_random_programs(engine: str) -> None:
    fixed_ones = 0
    for seed in range(40):
        model = Model(random_program(random.Random(seed), 10), numbers=engine)
        values = asked(model).values
        assert values == expected(model.program), f"seed {seed}"
        fixed_ones += sum(value is not None for value in values.values())
    assert fixed_ones > 40


def controlled(circuit: QuantumCircuit) -> None:
    circuit.x(0)
    circuit.cx(0, 1)
    circuit.cx(2, 1)
    circuit.ccx(0, 3, 2)


def measured(circuit: QuantumCircuit) -> None:
    circuit.x(1)
    circuit.measure(1, 0)
    circuit.measure(0, 1)


def reset(circuit: QuantumCircuit) -> None:
    circuit.reset(0)
    circuit.x(1)
    circuit.reset(1)
    circuit.h(2)
    circuit.reset(2)


@pytest.mark.parametrize(("fill", "found"), [
    (controlled, [
        "'cx q[0], q[1]': its control q[0] is always |1>, so it acts always",
        "'cx q[2], q[1]': its control q[2] is always |0>, so it never acts",
        "'ccx q[0], q[3], q[2]': its control q[0] is always |1>, so this control has no effect",
        "'ccx q[0], q[3], q[2]': its control q[3] is always |0>, so it never acts",
    ]),
    (measured, ["'measure q[1] -> c[0]' always gives 1", "'measure q[0] -> c[1]' always gives 0"]),
    (reset, ["'reset q[0]': q[0] is already |0> whenever it is reached"]),
])  # fmt: skip
def test_remarks(fill: Callable[[QuantumCircuit], None], found: list[str], engine: str) -> None:
    circuit = QuantumCircuit(4, 2)
    fill(circuit)
    assert texts(circuit, engine) == found


def test_every_visit_counts(engine: str) -> None:
    """The control is |0> in the first turn of the loop and |1> in the second."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(1)
    circuit.measure(1, 0)
    with circuit.while_loop((0, 1)):
        circuit.cx(0, 1)
        circuit.x(0)
        circuit.h(1)
        circuit.measure(1, 0)
    assert texts(circuit, engine) == []


def test_controls_are_those_of_all_factors() -> None:
    assert controls(standard_operator("ccx", ()), (4, 2, 7)) == ((4, 1), (2, 1))
    assert controls(standard_operator("h", ()), (0,)) == ()
    assert controls(standard_operator("swap", ()), (0, 1)) == ()


def long_line(gates: int) -> Model:
    circuit = QuantumCircuit(2)
    for _ in range(gates):
        circuit.cx(0, 1)
    return Model(circuit, numbers="float")


def test_past_the_limit_complete_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qubits, "QUESTIONS", 11)
    model = long_line(10)
    values = FixedValues(model.solved(), MUCH)
    reason = values.ask()
    assert reason is not None
    assert "questions" in reason
    assert 0 < len(values.values) < 10


def test_a_point_with_an_unasked_visit_has_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stores lead to the same cx; its control is |0> for the one and |1> for the other."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.cx(0, 1)
    model = Model(circuit, numbers="float", keep_dead=True)
    for questions in range(8):
        monkeypatch.setattr(qubits, "QUESTIONS", questions)
        values = FixedValues(model.solved(), MUCH)
        values.ask()
        assert all(value is None for value in values.values.values())


def test_long_runs_and_slow_searches_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    model = long_line(10)
    monkeypatch.setattr(qubits, "LONGEST_RUN", 5)
    assert "straight run" in (FixedValues(model.solved(), MUCH).ask() or "")
    monkeypatch.setattr(qubits, "LONGEST_RUN", 50)
    assert FixedValues(model.solved(), Effort(10, "too much")).ask() == "too much"
