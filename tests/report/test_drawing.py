"""The matplotlib drawing: what it shows, and what it says when it cannot."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest

from qismc import QuantumCircuit, check
from qismc.errors import UsageError
from qismc.evidence.execution import Execution
from qismc.report.drawing import OTHER, VISITED

from .programs import long_program, random_program, violated


def drawn(execution: Execution | None) -> Any:
    pytest.importorskip("matplotlib")
    assert execution is not None
    figure = execution.draw()
    figure.savefig(io.BytesIO(), format="png", dpi=40)
    return figure


def captions(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_the_loop_shows_its_outcomes_and_its_second_turn() -> None:
    words = captions(drawn(violated().counterexample))
    assert "= 1, 0" in words
    assert "×3" in words
    assert [w for w in words if w in ("q[0]", "q[1]", "q[2]")] == ["q[0]", "q[1]", "q[2]"]


def test_statements_off_the_path_are_grey() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    figure = drawn(check(circuit, "AG !leaf").counterexample)
    colours = {t.get_text().split(": ")[-1]: t.get_color() for t in figure.axes[0].texts}
    assert colours["x q[0]"] == OTHER
    assert colours["measure q[0] -> c[0]"] == VISITED


@pytest.mark.parametrize("seed", range(5))
def test_random_programs_can_be_drawn(seed: int) -> None:
    drawn(check(random_program(seed), "AG !leaf").counterexample)


def test_controls_and_wide_gates_can_be_drawn() -> None:
    circuit = QuantumCircuit(4)
    circuit.mcx([0, 1, 2], 3)
    circuit.cz(0, 3)
    circuit.swap(0, 2)
    circuit.rccx(0, 1, 2)
    circuit.initialize("+", 0)
    circuit.reset(1)
    circuit.barrier(label="here")
    words = captions(drawn(check(circuit, "AG !leaf").counterexample))
    assert {"z", "swap", "rccx", "|0>", "init"} <= set(words)


def test_long_programs_are_cut() -> None:
    figure = drawn(check(long_program(60), "AG !leaf").counterexample)
    assert figure.get_figwidth() < 60


def test_an_execution_without_a_simulation_cannot_be_drawn() -> None:
    with pytest.raises(UsageError, match="was not simulated"):
        Execution("path").draw()


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    execution = violated().counterexample
    assert execution is not None
    with pytest.raises(UsageError, match=r"pip install 'qismc\[plot\]'"):
        execution.draw()
