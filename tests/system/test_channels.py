"""Channels: every Kraus operator counts."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Kraus

import qismc

STAY, FLIP = np.eye(2), np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize("operators", [[STAY, FLIP], [FLIP, STAY]])
def test_every_kraus_operator_counts(operators: list[npt.NDArray[np.float64]]) -> None:
    program = QuantumCircuit(1)
    program.append(Kraus([math.sqrt(1 / 2) * operator for operator in operators]), [0])
    for state in ("|0>", "|1>"):
        assert not qismc.check(program, f"AG (leaf -> {state})")
    assert qismc.check(program, "AG (leaf -> |0> \\/ |1>)")
