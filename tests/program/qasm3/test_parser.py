"""The parser against the reference parser: the same trees, the same places, the same refusals."""

from __future__ import annotations

import contextlib
import io
import random
import re
from typing import Any

import openqasm3
import pytest
from openqasm3 import ast

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.values import bit_string
from qismc.program.qasm_text import read_annotations

from .helpers import HEAD, read, tree

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
    "extern": "extern f(bit[2], creg, creg[2]) -> bit; #pragma x\nqubit q; @note (\n x q; extern g();",
    "calibrations": "defcalgrammar 'x'; cal { a { b } } defcal x(angle[2] t) $0 -> bit { { } } qubit q;",
    "calibrated": "qubit q; x[10ns] q; rx(pi)[2dt] q; gphase(pi)[1s];",
    "commas": "gate g(a,) x,y, { } def f(qubit a,) { } qubit[3] q; x q[{0,}]; cx q[0,], q[1],; rx(1,) q,;",
    "hardware": "x $3; measure $0; bit c = measure $1; reset $2; $0[1];",
    "numbers": "qubit q; u(0x1F, 0b1_01, 0o17, 1_000, 1_0.5_0e1_0, 1., .5E-3, 1.e5) q; int i = 0B1 + 0Xa;",
    "letters": "const float θ = 1; qubit ψ0; rx(θ) ψ0; rx(π) ψ0; qubit Ⅷ;",
    "ranges": "qubit[9] q; x q[:]; x q[1:]; x q[::2]; x q[1::2]; x q[0:2:8]; x q[0:1, 2];",
    "signs": "qubit q; rx(--1 + -~!2 ** -3 ** 4 * -5) q; bool b = !a == ~b; int(3); int[2](3) + 1;",
    "single statements": "qubit q; if (true) if (b) x q; else y q; for int i in a x q; while (b) {{break;}}",
    "scopes": "{ qubit q; { x q; } } switch (1) { } switch (2) { case 1, 2, { qubit r; } }",
    "measures": 'qubit q; durationof({ x q; }); int n = sizeof(q); bit[3] b = "0_11"; const bit c = b[0];',
    "old library": "include 'qelib1.inc'; qreg q[1]; u3(0.1, .2, 3e1) q[0];",
}


IGNORED = (ast.DelayInstruction, ast.Pragma, ast.ExternDeclaration, ast.CalibrationGrammarDeclaration)


class Converter:
    """Trees of the reference parser -> ours."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self.text = text

    def place(self, node: Any) -> Source:
        return Source("p.qasm", node.span.start_line, node.span.start_column + 1)

    def all(self, nodes: Any) -> list[Any]:
        return [part for node in nodes or () if (part := self(node)) is not None]

    def __call__(self, node: Any) -> Any:
        if node is None or isinstance(
            node,
            ast.DelayInstruction | ast.Pragma | ast.ExternDeclaration | ast.CalibrationGrammarDeclaration,
        ):
            return None
        return getattr(self, type(node).__name__)(node, self.place(node))

    def Identifier(self, node: Any, at: Source) -> Any:
        return syntax.Name(at, node.name)

    def IntegerLiteral(self, node: Any, at: Source) -> Any:
        return syntax.Literal(at, node.value)

    FloatLiteral = BooleanLiteral = IntegerLiteral

    def BitstringLiteral(self, node: Any, at: Source) -> Any:
        return syntax.Literal(at, bit_string(node.value, node.width))

    def UnaryExpression(self, node: Any, at: Source) -> Any:
        return syntax.Unary(at, node.op.name, self(node.expression))

    def BinaryExpression(self, node: Any, at: Source) -> Any:
        return syntax.Binary(at, node.op.name, self(node.lhs), self(node.rhs))

    def index(self, index: Any) -> Any:
        return self.all(index) if isinstance(index, list) else self(index)

    def IndexExpression(self, node: Any, at: Source) -> Any:
        return syntax.Index(at, self(node.collection), self.index(node.index))

    def IndexedIdentifier(self, node: Any, at: Source) -> Any:
        found = self(node.name)
        for index in node.indices:
            found = syntax.Index(at, found, self.index(index))
        return found

    def FunctionCall(self, node: Any, at: Source) -> Any:
        return syntax.Call(at, node.name.name, self.all(node.arguments))

    def Cast(self, node: Any, at: Source) -> Any:
        return syntax.Cast(at, self(node.type), self(node.argument))

    def BitType(self, node: Any, at: Source) -> Any:
        name = type(node).__name__.removesuffix("Type").lower()
        return syntax.Type(at, name, self(getattr(node, "size", None)))

    IntType = UintType = FloatType = AngleType = BoolType = DurationType = StretchType = BitType

    def DiscreteSet(self, node: Any, at: Source) -> Any:
        return syntax.Set(at, self.all(node.values))

    def RangeDefinition(self, node: Any, at: Source) -> Any:
        return syntax.Range(at, self(node.start), self(node.end), self(node.step))

    def Concatenation(self, node: Any, at: Source) -> Any:
        left = self(node.lhs)
        parts = left.parts if isinstance(left, syntax.Concatenation) else [left]
        return syntax.Concatenation(at, [*parts, self(node.rhs)])

    def QuantumMeasurement(self, node: Any, at: Source) -> Any:
        return syntax.Measure(at, self(node.qubit), None)

    def Include(self, node: Any, at: Source) -> Any:
        return syntax.Include(at, node.filename)

    def QubitDeclaration(self, node: Any, at: Source) -> Any:
        return syntax.Declaration(at, "", syntax.Type(at, "qubit", self(node.size)), node.qubit.name, None)

    def ClassicalDeclaration(self, node: Any, at: Source) -> Any:
        return self.declaration(node, at, "", self(node.init_expression))

    def declaration(self, node: Any, at: Source, word: str, value: Any) -> Any:
        return syntax.Declaration(at, word, self(node.type), node.identifier.name, value)

    def ConstantDeclaration(self, node: Any, at: Source) -> Any:
        return self.declaration(node, at, "const", self(node.init_expression))

    def IODeclaration(self, node: Any, at: Source) -> Any:
        return self.declaration(node, at, node.io_identifier.name, None)

    def AliasStatement(self, node: Any, at: Source) -> Any:
        return syntax.Alias(at, node.target.name, self(node.value))

    def QuantumGateDefinition(self, node: Any, at: Source) -> Any:
        parameters, qubits = ([name.name for name in names] for names in (node.arguments, node.qubits))
        return syntax.GateDefinition(at, node.name.name, parameters, qubits, self.all(node.body))

    def QuantumArgument(self, node: Any, at: Source) -> Any:
        return syntax.Declaration(at, "", syntax.Type(at, "qubit", self(node.size)), node.name.name, None)

    def ClassicalArgument(self, node: Any, at: Source) -> Any:
        return syntax.Declaration(at, "", self(node.type), node.name.name, None)

    def SubroutineDefinition(self, node: Any, at: Source) -> Any:
        parameters, body = self.all(node.arguments), self.all(node.body)
        return syntax.SubroutineDefinition(at, node.name.name, parameters, self(node.return_type), body)

    def modifiers(self, node: Any) -> Any:
        return [(modifier.modifier.name, self(modifier.argument)) for modifier in node.modifiers]

    def QuantumGate(self, node: Any, at: Source) -> Any:
        modifiers, arguments = self.modifiers(node), self.all(node.arguments)
        return syntax.GateCall(at, modifiers, node.name.name, arguments, self.all(node.qubits))

    def QuantumPhase(self, node: Any, at: Source) -> Any:
        arguments, qubits = [self(node.argument)], self.all(node.qubits)
        return syntax.GateCall(at, self.modifiers(node), "gphase", arguments, qubits)

    def QuantumReset(self, node: Any, at: Source) -> Any:
        return syntax.Reset(at, self(node.qubits))

    def QuantumBarrier(self, node: Any, at: Source) -> Any:
        return syntax.Barrier(at, self.all(node.qubits))

    def QuantumMeasurementStatement(self, node: Any, at: Source) -> Any:
        return syntax.Measure(at, self(node.measure.qubit), self(node.target))

    def ClassicalAssignment(self, node: Any, at: Source) -> Any:
        return syntax.Assignment(at, self(node.lvalue), node.op.name, self(node.rvalue))

    def BranchingStatement(self, node: Any, at: Source) -> Any:
        return syntax.If(at, self(node.condition), self.all(node.if_block), self.all(node.else_block))

    def WhileLoop(self, node: Any, at: Source) -> Any:
        return syntax.While(at, self(node.while_condition), self.all(node.block))

    def ForInLoop(self, node: Any, at: Source) -> Any:
        values, body = self(node.set_declaration), self.all(node.block)
        return syntax.For(at, self(node.type), node.identifier.name, values, body)

    def SwitchStatement(self, node: Any, at: Source) -> Any:
        cases = [self.case(labels, block) for labels, block in node.cases]
        default = [self.case([], node.default)] if node.default is not None else []
        return syntax.Switch(at, self(node.target), [*cases, *default])

    def case(self, labels: Any, block: Any) -> Any:
        return syntax.Case(self.place(block), self.all(labels), self.all(block.statements))

    def CompoundStatement(self, node: Any, at: Source) -> Any:
        return syntax.Block(at, self.all(node.statements))

    def Box(self, node: Any, at: Source) -> Any:
        return syntax.Block(at, self.all(node.body))

    def ReturnStatement(self, node: Any, at: Source) -> Any:
        return syntax.Return(at, self(node.expression))

    def BreakStatement(self, node: Any, at: Source) -> Any:
        return syntax.Word(at, type(node).__name__.removesuffix("Statement").lower())

    ContinueStatement = EndStatement = BreakStatement

    def unsupported(self, node: Any, at: Source) -> Any:
        """The written word or number stands for the whole."""
        written = re.compile(r"[\w.]+").match(self.lines[at.line - 1], (at.column or 1) - 1)
        assert written is not None, node
        return syntax.Unsupported(at, written[0])

    DurationLiteral = DurationOf = SizeOf = CalibrationStatement = CalibrationDefinition = unsupported

    def ExpressionStatement(self, node: Any, at: Source) -> Any:
        return syntax.ExpressionStatement(at, self(node.expression))


EXPRESSIONS = (
    *(syntax.Name, syntax.Literal, syntax.Unary, syntax.Binary, syntax.Index, syntax.Call, syntax.Type),
    *(syntax.Cast, syntax.Set, syntax.Range, syntax.Concatenation, syntax.Unsupported),
)


def outline(root: Any, unplaced: tuple[type, ...] = EXPRESSIONS) -> list[str]:
    """All nodes in order, with their places. The reference has no true places of names."""
    if isinstance(root, list | tuple):
        return [line for node in root for line in outline(node, unplaced)]
    if not isinstance(root, syntax.Node):
        return [repr(root)]
    place = None if isinstance(root, unplaced) else root.source
    parts = [part for name, part in vars(root).items() if name != "source"]
    return [f"{type(root).__name__} {place}", *outline(parts, unplaced)]


def reference(text: str) -> list[str] | None:
    """The statements as the reference parser sees them; None if it refuses the text."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            found = openqasm3.parse(text)
    except Exception:
        return None
    return outline(Converter(text).all(found.statements))


def ours(text: str) -> list[str] | None:
    try:
        return outline(tree(text))
    except ProgramError:
        return None


@pytest.mark.parametrize("name", PLAIN)
def test_the_same_tree_and_places(name: str) -> None:
    text = HEAD + PLAIN[name]
    assert ours(text) == reference(text) is not None


@pytest.mark.parametrize("name", PLAIN)
def test_names_stand_where_they_are_written(name: str) -> None:
    text = HEAD + PLAIN[name]
    lines = text.split("\n")
    for found in names(tree(text)):
        assert lines[found.source.line - 1].startswith(found.text, (found.source.column or 1) - 1)


def names(root: Any) -> list[syntax.Name]:
    if isinstance(root, list | tuple):
        return [name for node in root for name in names(node)]
    if isinstance(root, syntax.Name):
        return [root]
    return names([*vars(root).values()]) if isinstance(root, syntax.Node) else []


REFUSED = [
    "x $0[1];",
    "$0 = measure q;",
    "ctrl @x q[0], q[1];",
    "return;",
    "def f(qubit a) { gate g x { } }",
    "delay q;",
    "inv @ f(q);",
    "rx(1__0) q;",
    "break;",
    "if (c) { qubit q; }",
    "while (c) { gate g a { } }",
    "if (c) { include 'a'; }",
    "box { input bit b; }",
    "for int i in [0:1] { extern f(); }",
    "if (c) { array[int, 2] a; }",
    "while (c) { def f() { } }",
    "gate g a { x a; measure a; }",
    "gate g a { reset a; }",
    "gate g a { int i; }",
    "gate g a { i = 1; }",
    "x q",
    "x q;;",
    "inv(2) @ x q;",
    "pow @ x q;",
    "gphase(1, 2);",
    "gphase;",
    "switch (i) { default { } case 0 { } }",
    "switch (i) { default { } default { } }",
    "switch (i) { case 0 x q; }",
    "int i = ;",
    "if c { x q; }",
    "qubit $0;",
    "$0 q;",
    "x q[1:2:3:4];",
    "x q[1:2:];",
    "x q[];",
    "x q[{}];",
    "const int n;",
    "let a;",
    "bit for;",
    "for int i in [0] x q;",
    "@note { x q; }",
    "a + b q;",
    "1 = 2;",
    "f(1) = 2;",
    "x[0:1] q;",
    'bit[2] b = "0__1";',
    'bit[2] b = "ab";',
    "include stdgates;",
    "include 'a'",
    "x q.a;",
    "qubit q²;",
    "x ? q;",
    "complex[int[3]",
    "def f(int) { }",
    "qubit q; }",
    "{ x q;",
    "OPENQASM 3.0;",
]


@pytest.mark.parametrize("text", REFUSED)
def test_the_same_refusals(text: str) -> None:
    assert ours(HEAD + text) is None and reference(HEAD + text) is None


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
def test_the_same_tree_of_random_programs(seed: int) -> None:
    text = program(seed)
    assert ours(text) == reference(text) is not None
    read(text)


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


@pytest.mark.parametrize("name", sorted({*PLAIN} - {"calibrations"}))  # nobody looks into these
def test_what_is_damaged_is_refused_alike(name: str) -> None:
    """Texts in which one word, symbol or blank is another one."""
    rng = random.Random(name)
    parts = re.findall(r"\w+|\s+|[^\w\s]", PLAIN[name])
    for _ in range(15):
        place = rng.randrange(len(parts))
        kind = WORDS if parts[place].isalnum() else SYMBOLS if parts[place].strip() else ["", "\n", "\t "]
        text = HEAD + "".join([*parts[:place], rng.choice(kind), *parts[place + 1 :]])
        assert ours(text) == reference(text)


def test_marks_become_statements() -> None:
    text = "OPENQASM 3;\nqubit q; //@ mark one\n//@ mark end\n"
    found = tree(text, read_annotations(text, "p.qasm"))
    assert found[1:] == [
        syntax.Mark(Source("p.qasm", 2, 10), "one"),
        syntax.Mark(Source("p.qasm", 3, 1), "end"),
    ]
    inside = "OPENQASM 3;\nqubit q; x // a //@ mark one\n//@ mark two\nq;"
    with pytest.raises(ProgramError, match=r"p.qasm:3:1: syntax error at '//@ mark two'"):
        tree(inside, read_annotations(inside, "p.qasm"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "p.qasm:1:1: the file is empty"),
        ("// nothing", "p.qasm:1:1: the file has no statements"),
        ("OPENQASM 3;\nqubit q", "p.qasm:2:8: unexpected end of the file"),
        ("OPENQASM 3; qubit q;\nx q\ny q;", "p.qasm:3:1: syntax error at 'y' (';' is expected before it)"),
        ("OPENQASM 3;\n qubit[2 q;", "p.qasm:2:10: syntax error at 'q'"),
        ("OPENQASM 3; continue;", "p.qasm:1:13: 'continue' statement outside loop"),
        ("OPENQASM 3; gphase(1, 2);", "p.qasm:1:13: 'gphase' takes exactly one argument, but received 2"),
        ("OPENQASM 3;\n" + "{" * 301, "p.qasm:2:301: brackets are nested more than 300 deep"),
        ("OPENQASM 3; ctrl @x q;", "p.qasm:1:18: syntax error at '@x'"),
        ("OPENQASM 3; x q[0] ² y;", "p.qasm:1:20: syntax error at '²'"),
        ("OPENQASM 3.x;", "p.qasm:1:10: syntax error at '3.'"),
        ("OPENQASM 3; bit c; c |= measure q;", "p.qasm:1:25: syntax error at 'measure'"),
        ("OPENQASM 3; " + "if (b) " * 2000, "p.qasm:1:1: the program is nested too deeply"),
        ("OPENQASM 3;\nfor i in [0:2] { } for k in [0:2]] { }", "p.qasm:2:34: syntax error at ']'"),
        ("OPENQASM 3; for int in [0:2] { }", "p.qasm:1:21: syntax error at 'in'"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ProgramError) as error:
        tree(text)
    assert message in str(error.value)


UNTYPED = [
    "OPENQASM 3;\nqubit q;\n"
    "for     i in [0:2] { rx(0.5*i) q; } for     _ in {1, 5} { for     k in [0:2:5] x q; } y q;",
    "OPENQASM 3;\nqubit q; // for     i in\n/* for */ for     i\nin [0:2] { x q; } y q;",
    "OPENQASM 3;\nqubit q;\ndef f(qubit a) { for     i in [0:2] { x a; } y a; }\n"
    "box { nop q; for     i in [0:1] { x q; } }",
]


@pytest.mark.parametrize("text", UNTYPED)
def test_loops_without_a_type(text: str) -> None:
    """They are the loops over integers that stand at the same columns; the first one is told."""
    warnings: list[str] = []
    found = tree(text, warn=lambda message, source: warnings.append(f"{source}: {message}"))
    typed = tree(text.replace("for     ", "for int "))
    assert outline(found, (syntax.Type,)) == outline(typed, (syntax.Type,))
    place = {0: "3:1", 1: "3:11", 2: "3:18"}[UNTYPED.index(text)]
    assert warnings == [f"p.qasm:{place}: 'for' without a type: its variable is read as int"]
