"""Codes, against dense executions with the error written into the circuit, and against known weak points."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Pauli

import qismc

from .loading import example
from .running import executed


def survives(circuit: QuantumCircuit, kind: str, qubit: int) -> bool:
    """Is the state at the end that of the mark, if this error happens at the mark?"""
    at = next(k for k, x in enumerate(circuit.data) if x.operation.label == "encoded")
    before, hurt = circuit.copy_empty_like(), circuit.copy_empty_like()
    for instruction in circuit.data[:at]:
        before.append(instruction)
        hurt.append(instruction)
    getattr(hurt, kind.lower())(qubit)
    for instruction in circuit.data[at:]:
        hurt.append(instruction)
    wanted, found = executed(before, 0).state, executed(hurt, 0).state
    return bool(abs(np.vdot(wanted, found)) > 1 - 1e-9)


@pytest.mark.parametrize("name", ["bit_flip", "phase_flip", "five", "steane"])
def test_single_errors(name: str) -> None:
    script = example("error_correction/single_errors")
    code = script["CODES"][name]
    circuit = script["corrected"](code, name)
    for kind in code.kinds:
        assert all(survives(circuit, kind, qubit) for qubit in range(len(code.x)))
    assert code.kinds == "XYZ" or not survives(circuit, "Y", 0)


def test_the_wrong_entry_matters_for_two_errors_alone() -> None:
    script = example("error_correction/single_errors")
    circuit = script["wrong_entry"]()
    lost = [(kind, k) for kind in "XYZ" for k in range(7) if not survives(circuit, kind, k)]
    assert lost == [("X", 3), ("X", 4)]
    hints = script["_check"](circuit, "XYZ")["kept"].counterexample.hints
    assert any("X on data[3]" in hint.text or "X on data[4]" in hint.text for hint in hints)


def test_a_small_surface_code() -> None:
    script = example("error_correction/surface_code")
    checks = script["encoded_zero"](3).removeprefix("stab(").removesuffix(") on data").split(", ")
    for name, right in (("prepared", True), ("short_row", False)):
        states = [executed(script[name](3), seed).vector for seed in range(4)]
        values = [state.expectation_value(Pauli(x[::-1]), list(range(9))) for state in states for x in checks]
        assert np.allclose(values, 1) == right


def test_a_larger_surface_code() -> None:
    script = example("error_correction/surface_code")
    result = script["run"](7)
    assert result["prepared"] and not result["short_row"]
    assert result["prepared"].statistics.store != "explicit"


def test_the_flag_is_needed_for_flips_of_the_probe() -> None:
    """The known weak point: a flip of the probe in the middle becomes an error of two data qubits."""
    script = example("error_correction/flagged_five")
    anything = qismc.Faults(at_most=1, where=("encoded..perfect",))
    result = qismc.check(script["deaf"](), script["SPECS"], faults=anything)
    (fault,) = [hint.text for hint in result["kept"].counterexample.hints if hint.kind == "fault"]
    assert "on probe[0] after 'c" in fault
