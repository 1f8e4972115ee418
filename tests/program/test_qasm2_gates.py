from __future__ import annotations

import numpy as np
import pytest
from qiskit import QuantumCircuit, qasm2
from qiskit.quantum_info import Operator

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.operators import dense
from qismc.program.qasm2_gates import GateTable, Invocation, parse_invocation

HERE = Source("f", 1)
DEFINITIONS = """
gate inner(a, b) p, q { rx(a - b) p; cz q, p; ry(cos(b)*pi) q; }
gate outer(t) x, y, z { inner(t, 2*t) z, x; h y; inner(-t/2, 1) x, y; }
"""


def test_expansion_equals_qiskits() -> None:
    table = GateTable()
    table.define_all(DEFINITIONS, "f")
    operator = table.operator(Invocation("outer", "pi/5", "irrelevant"), 3, HERE)
    text = f'OPENQASM 2.0; include "qelib1.inc"; {DEFINITIONS} qreg q[3]; outer(pi/5) q[0], q[1], q[2];'
    circuit: QuantumCircuit = qasm2.loads(text)
    np.testing.assert_allclose(dense(operator.factors, 3), Operator(circuit).data, atol=1e-12)
    assert operator.name == "outer" and operator.angles == (np.pi / 5,)


def test_equal_calls_share_their_operator() -> None:
    table = GateTable()
    table.define_all(DEFINITIONS, "f")
    call = Invocation("inner", "1, 2", "")
    assert table.operator(call, 2, HERE) is table.operator(call, 2, HERE)


def test_invocations() -> None:
    assert parse_invocation("rx (pi/(2+1)) q[0]", HERE) == Invocation("rx", "pi/(2+1)", "q[0]")
    assert parse_invocation("cx q[0],\n q[1]", HERE) == Invocation("cx", "", "q[0],\n q[1]")
    with pytest.raises(ProgramError, match="malformed statement 'x'"):
        parse_invocation("x", HERE)
