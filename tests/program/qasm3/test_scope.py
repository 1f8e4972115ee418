from __future__ import annotations

import math

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm3.scope import Number, Qubits, Scope

HERE = Source("f", 2, 3)


def test_inner_names_hide_outer_ones() -> None:
    outer = Scope()
    outer.declare("a", Number(1), HERE)
    inner = Scope(outer)
    inner.declare("a", Qubits((0,)), HERE)
    assert inner.lookup("a", HERE) == Qubits((0,)) and outer.lookup("a", HERE) == Number(1)
    assert inner.lookup("pi", HERE) == Number(math.pi)


def test_errors() -> None:
    scope = Scope()
    scope.declare("theta", Number(1), HERE)
    with pytest.raises(ProgramError, match="f:2:3: 'theta' is declared twice"):
        scope.declare("theta", Number(2), HERE)
    with pytest.raises(ProgramError, match=r"unknown name 'thet' \(did you mean 'theta'\?\)"):
        Scope(scope).lookup("thet", HERE)
