"""What statements say about themselves."""

from __future__ import annotations

import pickle
from typing import get_args

import pytest

from qismc.program.classical import Binary, Read
from qismc.program.operators import single
from qismc.program.statements import (
    Apply,
    Assign,
    AssignAt,
    Branch,
    Channel,
    Goto,
    Havoc,
    Initialize,
    Jump,
    Leaf,
    Mark,
    Measure,
    Reset,
    Statement,
    Switch,
)

H, X = single("h", 1), single("x", 1)
SUM = Binary("+", Read((0,)), Read((2,)), 1)

CASES: dict[type, tuple[Statement, dict[str, object]]] = {
    Apply: (Apply(H, (3,)), {"qubits": (3,), "operators": (H,)}),
    Measure: (Measure(1, 2), {"qubits": (1,), "bits": (2,), "sets": 0b100}),
    Reset: (Reset(1), {"qubits": (1,)}),
    Initialize: (Initialize((4, 2), X), {"qubits": (4, 2), "operators": (X,)}),
    Channel: (Channel((0,), (H, X)), {"qubits": (0,), "operators": (H, X)}),
    Assign: (Assign((1, 1), SUM), {"bits": (1, 1), "sets": 0b10, "reads": 0b101}),
    AssignAt: (AssignAt((0, 1), Read((3,)), Read((2,))), {"bits": (0, 1), "reads": 0b1100}),
    Havoc: (Havoc((0, 3)), {"bits": (0, 3), "sets": 0b1001}),
    Branch: (Branch(SUM, 1, 5, loop=True), {"reads": 0b101, "targets": (1, 5), "loop": True}),
    Switch: (Switch(Read((1,)), 9, {0: 4, 1: 6}), {"reads": 0b10, "targets": (4, 6, 9)}),
    Goto: (Goto(3), {"targets": (3,)}),
    Jump: (Jump(4), {"targets": (4,)}),
    Mark: (Mark("here"), {}),
    Leaf: (Leaf(), {}),
}
NOTHING = {"qubits": (), "operators": (), "bits": (), "sets": 0, "reads": 0, "targets": (), "loop": False}


def test_every_statement_is_here() -> None:
    assert set(CASES) == set(get_args(Statement))


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: str(kind.__name__))
def test_what_a_statement_touches(kind: type) -> None:
    statement, said = CASES[kind]
    assert {name: getattr(statement, name) for name in NOTHING} == {**NOTHING, **said}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: str(kind.__name__))
def test_a_statement_elsewhere(kind: type) -> None:
    """On other qubits and with other successors nothing else changes, and both can be undone."""
    statement, _ = CASES[kind]
    moved = statement.moved({q: q + 7 for q in range(5)})
    assert moved.qubits == tuple(q + 7 for q in statement.qubits)
    assert moved.moved({q + 7: q for q in range(5)}) == statement
    further = statement.retargeted(lambda point: point + 2)
    assert further.targets == tuple(point + 2 for point in statement.targets)
    assert further.retargeted(lambda point: point - 2) == statement


def test_gates_are_small_tuples() -> None:
    gate = Apply(H, (3,))
    assert gate == (H, (3,)) and type(pickle.loads(pickle.dumps(gate))) is Apply
    assert not hasattr(gate, "__dict__")
