from __future__ import annotations

from math import pi

import pytest

from qismc.program.builder import Builder
from qismc.program.classical import Binary, Const, Read, Unary
from qismc.program.operators import PROJECT, Operator
from qismc.program.program import Program
from qismc.program.rendering import angle_text, render
from qismc.program.standard import standard_operator
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


def program() -> Program:
    builder = Builder()
    builder.declare("c", 3)
    builder.declare("flag", 1, is_bit=True)
    builder.declare("one", 1)
    return builder.finish("p", ["q[0]", "q[1]"], {"q": (0, 1)})


C, FLAG, ONE = Read((0, 1, 2)), Read((3,)), Read((4,))
CASES: list[tuple[Statement, str]] = [
    (Apply(standard_operator("cx"), (0, 1)), "cx q[0], q[1]"),
    (Apply(standard_operator("rx", (pi / 2,)), (1,)), "rx(pi/2) q[1]"),
    (Apply(Operator("g", 1, (), label="mine"), (0,)), "mine q[0]"),
    (Measure(1, 0), "measure q[1] -> c[0]"),
    (Measure(1, 3), "measure q[1] -> flag"),
    (Measure(1, 4), "measure q[1] -> one[0]"),
    (Reset(0), "reset q[0]"),
    (Initialize((0, 1), Operator("initialize", 2, ())), "initialize q[0], q[1]"),
    (Channel((0,), PROJECT), "channel(2 Kraus operators) q[0]"),
    (Assign((0, 1, 2), Binary("+", C, Const(1), 3)), "c = c + 1"),
    (Assign((0, 2), Const(1)), "{c[0], c[2]} = 1"),
    (AssignAt((0, 1, 2), FLAG, Const(1)), "c[flag] = 1"),
    (Havoc((3,)), "input flag"),
    (Branch(Binary("==", C, Const(1)), 0, 0), "if (c == 1)"),
    (Branch(Binary("==", Read((1,)), Const(1)), 0, 0, loop=True), "while (c[1] == 1)"),
    (Branch(Binary("and", FLAG, Unary("not", Binary("<", C, Const(2)))), 0, 0), "if (flag && !(c < 2))"),
    (Branch(Binary("index", C, ONE), 0, 0), "if (c[one[0]])"),
    (Branch(Unary("bool", C), 0, 0), "if (c)"),
    (Switch(C, 0), "switch (c)"),
    (Goto(0), "goto"),
    (Goto(0, loop=True), "for"),
    (Mark("m"), "mark m"),
    (Jump(0), "jump"),
    (Leaf(), "end"),
]


@pytest.mark.parametrize(("statement", "text"), CASES, ids=[text for _, text in CASES])
def test_statements(statement: Statement, text: str) -> None:
    assert render(program(), statement) == text


@pytest.mark.parametrize(
    ("angle", "text"),
    [
        (pi, "pi"),
        (-pi, "-pi"),
        (3 * pi / 4, "3*pi/4"),
        (-pi / 512, "-pi/512"),
        (0.0, "0"),
        (0.5, "0.5"),
        (0.1234567891, "0.1234567891"),
        (1e-9, "1e-09"),
        (pi / 2 + 4e-16, "pi/2"),
        (1.5707963267949066, "1.5707963267949066"),
    ],
)
def test_angles(angle: float, text: str) -> None:
    assert angle_text(angle) == text


def test_other_objects_are_refused() -> None:
    with pytest.raises(TypeError, match="not a statement"):
        render(program(), "x q[0]")  # type: ignore[arg-type]
