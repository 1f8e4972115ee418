"""The quick parser against the full one: the same trees, the same places, the same programs, or none."""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Iterator
from typing import Any

import openqasm3
import pytest
from openqasm3 import ast

from qismc.program.qasm3 import parse as parsing
from qismc.program.qasm3.plain import parse_plain
from qismc.program.qasm_text import blank_comments

from .helpers import HEAD, read

PLAIN = {
    "registers": "qubit a; qubit[2] q; qreg r[3]; bit b; bit[2] c; creg d[1]; creg e; h q[0]; x $3;",
    "variables": 'int i; uint[8] u = 3; float f = .5; angle[20] a = pi/2; bool t = true; bit[3] s = "010";',
    "constants": "const int[32] n = 2; const float t = -n*2.5e-3; input bit b; output int[4] o;",
    "expressions": "qubit q; rx(-2**-1*3 + 4/(1-5)%2) q; ry(sin(pi) - cos(2., 1)) q; rz(1 << 2 | 4 ^ 5) q;",
    "comparisons": "bool b; b = 1 < 2 == 3 >= 4 && !(5 != 6) || ~7 <= 8 && 9 > 10; b = -a**b**c * d + e;",
    "indices": "qubit[4] q; x q[0]; x q[-1]; x q[0:2]; x q[0:2:3]; x q[:2]; x q[{0, 2}]; x q[1:3][0];",
    "casts": "bit[2] c; int i; i = int[8](c); bool b = bool(c[0]); if (uint[2](c[0:1]) == 3) { i = 2; }",
    "modifiers": "qubit[3] q; ctrl @ negctrl(2) @ inv @ pow(1/2) @ rx(0.1) q[0], q[1], q[2]; h() q;",
    "phases": "qubit q; gphase(pi/4); ctrl @ gphase(-pi) q;",
    "definitions": """gate g(a, b) x, y { U(a, 0, b) x; ctrl @ inv @ gphase(a) y; barrier x, y; cx x, y; }
        gate f x { for int i in [0:2] { h x; } } gate e() x { } qubit[2] q; g(1, 2) q[0], q[1];""",
    "measurements": "qubit[2] q; bit[2] c; c = measure q; measure q[0] -> c[1]; bit b = measure q;",
    "others": "qubit[2] q; reset q; reset q[0]; barrier; barrier q[0], q; end; { x q; { } }",
    "aliases": "qubit[4] q; let a = q[0:1] ++ q[{2, 3}] ++ q; let b = q[2]; cx a[0], b;",
    "branches": """qubit q; bit c; if (c) x q; else y q; if (c == 1) { } else if (!c) { z q; } else { h q;
        x q; }""",
    "loops": """qubit q; bit c; while (c) { break; } for int[8] i in [0:2:6] { if (c) continue; rx(i) q; }
        for uint j in {1, 3} x q; while (true) { for int k in [-1:1] { x q; } end; }""",
    "switches": "int i; qubit q; switch (i) { case 0, 1 { x q; } case 2 { } default { y q; } } i += 2;",
    "subroutines": """def f(qubit a, int[8] n, bit[2] b) -> bit { if (n == 1) return measure a; return b[0]; }
        def g() { return; } qubit q; bit[2] c; c[0] = f(q, 1, c); g(); f(q, 2 + 1, c[0:1]);""",
    "times": """qubit q; delay[100ns] q; duration d = 2 * 1.5us; stretch s; const duration e = 3dt;
        box { x q; delay[d + 1ms] q; reset q; } box[5dt] { }""",
    "old library": "include 'qelib1.inc'; qreg q[1]; u3(0.1, .2, 3e1) q[0];",
}


def full(text: str) -> ast.Program | None:
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            return openqasm3.parse(text)
    except Exception:
        return None


def places(node: Any) -> Iterator[tuple[str, int, int]]:
    """Where statements and names stand."""
    if isinstance(node, list | tuple):
        for part in node:
            yield from places(part)
    elif isinstance(node, ast.QASMNode):
        if isinstance(node, ast.Statement | ast.Identifier) and node.span is not None:
            yield type(node).__name__, node.span.start_line, node.span.start_column
        for name, part in vars(node).items():
            if name != "span":
                yield from places(part)


@pytest.mark.parametrize("name", PLAIN)
def test_the_same_tree_and_places(name: str) -> None:
    text = HEAD + PLAIN[name]
    ours, theirs = parse_plain(text), full(text)
    assert ours is not None and theirs is not None
    assert ours == theirs
    assert list(places(ours)) == list(places(parsing._repaired(theirs, text)))


NOT_PLAIN = [
    "extern f(bit) -> bit;",
    "#pragma x",
    "@note\nx q;",
    "x $0[1];",
    "$0 = measure q;",
    "ctrl @x q[0], q[1];",
    "defcal x $0 { }",
    "array[int, 2] a;",
    "x[10ns] q;",
    "return;",
    "def f(qubit a) { gate g x { } }",
    "def f(qubit a,) { }",
    "box { measure q; }",
    "delay q;",
    "inv @ f(q);",
    "rx(θ) q;",
    "rx(0x1) q;",
    "rx(1_0) q;",
    "for bit b in c { }",
    "break;",
    "if (c) { qubit q; }",
    "while (c) { gate g a { } }",
    "gate g a { x a; measure a; }",
    "1 + 2;",
    "x q",
    "x q;;",
    "x q,;",
    "rx(1,) q;",
    "inv(2) @ x q;",
    "pow @ x q;",
    "gphase(1, 2);",
    "switch (i) { }",
    "switch (i) { default { } case 0 { } }",
    "int i = ;",
    "if c { x q; }",
    "qubit $0;",
    "$0 q;",
    "x q[1:2:3:4];",
    "x q[];",
    "x q[{}];",
    "const int n;",
    "let a;",
    "bit for;",
    "rx(" + "(" * 60 + "1" + ")" * 60 + ") q;",
]


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_the_rest_is_left_to_the_full_parser(text: str) -> None:
    assert parse_plain(HEAD + text) is None


def statement(rng: random.Random, depth: int = 0) -> str:
    """A random statement about qubits q[0..2], bits c[0..2] and the number i."""
    a, b, c = rng.sample(range(3), 3)
    angle = rng.choice(["pi/4", "-0.3", "2*pi/(1+2)", "1e-3", "sin(0.2)**2", "-(pi - 1)"])
    condition = rng.choice(
        [f"c[{a}]", "c == 3", f"c[{a}] == 1 && !c[{b}]", "i < 2", 'c != "010"', f"i >= {b}"]
    )
    plain = [
        f"h q[{a}];",
        f"cx q[{a}],q[{b}];",
        f"rz({angle}) q[{a}] ;",
        f"ccx q[{a}], q[{b}], q[{c}];",
        "x q;",
        f"c[{a}] = measure q[{b}];",
        f"measure q[{a}] -> c[{a}];",
        "c = measure q;",
        f"reset q[{a}];",
        "barrier q;",
        f"ctrl @ inv @ rx({angle}) q[{a}], q[{b}];",
        f"g({angle}) q[{a}], q[{b}];",
        "i = 2;",
        f"U({angle}, 0, pi) q[{a}];",
        f"swap q[{a}:{a}], q[{b}];",
        "// a comment\n",
        "/* x q; */ y q[0];",
    ]
    if depth > 2 or rng.random() < 0.7:
        return rng.choice(plain)
    body = "\n".join(statement(rng, depth + 1) for _ in range(rng.randint(0, 3)))
    other = statement(rng, depth + 1).replace("// a comment\n", "x q;")
    return rng.choice(
        [
            f"if ({condition}) {{ {body} }}",
            f"if ({condition}) {{\n{body}\n}} else {{ {other} }}",
            f"if ({condition}) {{ {other} }} else if (c[{a}]) {other}",
            f"while ({condition}) {{ {body} c = measure q; i = 1; }}",
            f"for int k in [0:{a}] {{ rx(k*pi/8) q[k]; {body} }}",
            f"switch (i) {{ case 0, 1 {{ {body} }} default {{ {other} }} }}",
        ]
    )


def program(seed: int) -> str:
    rng = random.Random(seed)
    head = (
        "gate g(t) x, y { rx(t/2) x; ctrl @ p(-t) y, x; gphase(t); }\nqubit[3] q; bit[3] c;\nint[4] i = 1;\n"
    )
    return HEAD + head + "\n".join(statement(rng) for _ in range(12))


@pytest.mark.parametrize("seed", range(12))
def test_the_same_program(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = program(seed)
    assert parse_plain(blank_comments(text)) is not None
    quick = read(text)
    monkeypatch.setattr(parsing, "parse_plain", lambda _: None)
    slow = read(text)
    assert quick == slow


SYMBOLS = [
    "+",
    "-",
    "*",
    "/",
    "**",
    "<",
    ">=",
    "==",
    "&&",
    "|",
    "^",
    "<<",
    "~",
    "!",
    "=",
    "+=",
    "->",
    "++",
    ":",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "@",
]
WORDS = [
    "q",
    "c",
    "i",
    "x",
    "pi",
    "true",
    "measure",
    "if",
    "else",
    "int",
    "bit",
    "3",
    ".5",
    "5.",
    "1e3",
    "$0",
    "e5",
    "in",
    "ctrl",
    "gphase",
    "bool",
    "end",
    "U",
]


@pytest.mark.parametrize("name", PLAIN)
def test_nothing_is_accepted_that_the_full_parser_refuses(name: str) -> None:
    """Texts in which one word, symbol or blank is another one."""
    rng = random.Random(name)
    parts = re.findall(r"\w+|\s+|[^\w\s]", PLAIN[name])
    for _ in range(15):
        place = rng.randrange(len(parts))
        kind = WORDS if parts[place].isalnum() else SYMBOLS if parts[place].strip() else ["", "\n", "\t "]
        text = HEAD + "".join([*parts[:place], rng.choice(kind), *parts[place + 1 :]])
        quick = parse_plain(text)
        assert quick is None or quick == full(text)
