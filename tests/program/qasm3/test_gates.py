"""Gate calls and definitions against Qiskit's matrices."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit.circuit.library import RXGate, SGate, SwapGate, TGate, UGate, XGate
from qiskit.quantum_info import Operator

from qismc.errors import ProgramError
from qismc.program.statements import Apply

from ..executor import matrix_of
from .helpers import HEAD, read

CASES = {
    "ctrl @ negctrl @ x q[0], q[1], q[2];": XGate().control(2, ctrl_state=1, annotated=False),
    "negctrl(2) @ rx(0.3) q[0], q[1], q[2];": RXGate(0.3).control(2, ctrl_state=0, annotated=False),
    "inv @ ctrl @ s q[0], q[1];": SGate().control(1, annotated=False).inverse(),
    "pow(-3) @ t q[0];": TGate().power(-3),
    "pow(0.5) @ x q[0];": XGate().power(0.5),
    "ctrl @ pow(1/2.0) @ swap q[0], q[1], q[2];": SwapGate().power(0.5).control(1, annotated=False),
    "ctrl @ gphase(0.3) q[0];": TGate().power(0.3 / (np.pi / 4)),
    "ctrl @ U(0.1, 0.2, 0.3) q[0], q[1];": UGate(0.1, 0.2, 0.3).control(1, annotated=False),
    "g(0.4) q[0], q[1];": None,
    "ctrl @ g(0.4) q[2], q[0], q[1];": None,
}
DEFINITION = "gate g(t) a, b { gphase(t); h a; ctrl @ rx(2*t) a, b; barrier a; inv @ s b; }\n"


def expected_g(controls: int) -> np.ndarray:
    from qiskit import QuantumCircuit

    circuit = QuantumCircuit(2, global_phase=0.4)
    circuit.h(0)
    circuit.crx(0.8, 0, 1)
    circuit.sdg(1)
    gate = circuit.to_gate()
    return Operator(gate.control(controls, annotated=False) if controls else gate).data


@pytest.mark.parametrize("call", CASES)
def test_matrix(call: str) -> None:
    program = read(HEAD + DEFINITION + "qubit[3] q; " + call)
    statement = program.code[0]
    assert isinstance(statement, Apply)
    gate = CASES[call]
    expected = Operator(gate).data if gate is not None else expected_g(call.count("ctrl"))
    actual = matrix_of(statement.operator)
    if "ctrl" not in call:  # phases that nothing controls are dropped
        actual = actual * (expected[0, 0] / actual[0, 0])
    np.testing.assert_allclose(actual, expected, atol=1e-9)


def test_the_text_shows_the_modifiers() -> None:
    program = read(HEAD + "qubit[3] q; ctrl(2) @ inv @ pow(0.5) @ rx(pi) q[0], q[1], q[2];")
    assert program.text(0) == "ctrl(2) @ inv @ pow(0.5) @ rx(pi) q[0], q[1], q[2]"


def test_controlled_u_is_read_as_in_qiskit_with_a_warning() -> None:
    program = read(HEAD + "qubit[2] q;\nctrl @ U(0, 0, 1) q[0], q[1]; U(0, 0, 1) q[0];")
    (warning,) = program.warnings
    assert warning.startswith("p.qasm:4:1: a controlled 'U' is read as in Qiskit")


def test_a_program_may_redefine_a_gate() -> None:
    program = read("OPENQASM 3;\ngate h a { U(0, 0, pi) a; } qubit q; h q;")
    (factor,) = program.code[0].operator.factors  # type: ignore[union-attr]
    assert factor.base.name == "u"


ERRORS = {
    "hh q[0];": "p.qasm:4:1: unknown gate 'hh' (did you mean 'h'?)",
    "cx q[0];": "p.qasm:4:1: gate 'cx' takes 2 qubits, not 1",
    "rx q[0];": "p.qasm:4:1: gate 'rx' takes 1 angles, not 0",
    "ctrl @ x q[0];": "p.qasm:4:1: gate 'x' takes 1 qubit, not 0",
    "ctrl(0) @ x q[0];": "p.qasm:4:1: 'ctrl' needs at least one control, not 0",
    "gphase(1) q[0];": "p.qasm:4:1: gphase takes 0 qubits here",
    "rx(1/0) q[0];": "p.qasm:4:4: division by zero in '1 / 0'",
    "rx(log(0)) q[0];": "'log' has no value at [0]",
    "rx(theta) q[0];": "p.qasm:4:4: unknown name 'theta'",
    "bit c; rx(c) q[0];": "an angle of gate 'rx' depends on a value of the running program",
    "gate f a { f a; } f q[0];": "gate 'f' is defined by itself",
    "gate f a { x b; } f q[0];": "unknown name 'b'",
    "gate f a, b { cx a, a; } f q[0], q[1];": "the same qubit twice",
    "gate f a, a { x a; } f q[0], q[1];": "'a' is declared twice",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(HEAD + "qubit[2] q;\n" + text)
    assert ERRORS[text] in str(error.value)


def test_loops_in_definitions() -> None:
    loop = (
        "gate g(t) a, b { for int i in [1:3] { rx(t/i) a; for int j in {0, 2} { rz(i*j*t) b; } cx a, b; } }\n"
    )
    flat = "".join(f"rx(t/{i}) a; rz({i}*0*t) b; rz({i}*2*t) b; cx a, b; " for i in (1, 2, 3))
    use = "qubit[2] q; g(0.7) q[0], q[1];"
    ours, same = (
        read(HEAD + definition + use).code[0] for definition in (loop, f"gate g(t) a, b {{ {flat} }}\n")
    )
    assert isinstance(ours, Apply) and isinstance(same, Apply)
    np.testing.assert_allclose(matrix_of(ours.operator), matrix_of(same.operator), atol=1e-12)


def test_an_endless_definition_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qismc.program.operators.MAX_FACTORS", 100)
    with pytest.raises(ProgramError, match="'g' expands to more than 100"):
        read(HEAD + "gate g a { for int i in [1:4000000] { x a; } }\nqubit q; g q;")
