"""Remarks about statements that run several times are true of all their copies."""

from __future__ import annotations

import pytest

import qismc
from qismc import QuantumCircuit

HEAD = 'OPENQASM 3.0;\ninclude "stdgates.inc";\nqubit[2] q;\nbit[2] c;\n'


def told(program: object) -> list[str]:
    return [hint.text for hint in qismc.check(program).findings]


def test_turns_that_differ_are_not_told_apart() -> None:
    text = HEAD + "for int i in [0:1] { c[0] = measure q[0]; if (c[0]) { z q[0]; } reset q[0]; x q[0]; }"
    assert [hint for hint in told(text) if "q[0]" in hint or "c[0]" in hint] == []


def test_what_all_turns_share_is_told() -> None:
    text = HEAD + "for int i in [0:1] { c[0] = measure q[0]; if (c[0]) { x q[0]; } }"
    found = told(text)
    assert sum("always gives 0" in hint for hint in found) == 2 and any(
        "is never true" in hint for hint in found
    )


def test_statements_that_are_written_differently_are_apart() -> None:
    text = HEAD + "x q[1]; for int i in [0:1] { c[i] = measure q[i]; }"
    found = [hint for hint in told(text) if "always gives" in hint]
    assert found == ["'measure q[0] -> c[0]' always gives 0", "'measure q[1] -> c[1]' always gives 1"]


def test_a_body_that_some_turn_reaches_is_reached() -> None:
    text = HEAD + "for int i in [0:1] { if (i == 1) { h q[0]; c[0] = measure q[0]; } }"
    assert not any("never reached" in hint for hint in told(text))


@pytest.mark.parametrize(("turns", "certain"), [(1, 1), (2, 0)])
def test_lines_of_python(turns: int, certain: int) -> None:
    circuit = QuantumCircuit(1, 1)
    for _ in range(turns):
        circuit.measure(0, 0)
        circuit.x(0)
    assert sum("always gives" in hint for hint in told(circuit)) == certain
