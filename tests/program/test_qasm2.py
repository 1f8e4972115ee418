"""OpenQASM 2, read by us and run, against Qiskit's loader and an independent interpreter."""

from __future__ import annotations

from pathlib import Path

import pytest
from qiskit import qasm2

import qismc
from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program import operators
from qismc.program.program import Program
from qismc.program.qasm2 import read_qasm2
from qismc.program.qasm_text import read_annotations

from .executor import execute
from .interpreter import interpret
from .worlds import assert_same

HEAD = 'OPENQASM 2.0;\ninclude "qelib1.inc";\n'


def read(text: str, file: str = "p.qasm") -> Program:
    return read_qasm2(text, file, "p", read_annotations(text, file))


def assert_as_qiskit(text: str) -> None:
    circuit = qasm2.loads(
        text,
        custom_instructions=qasm2.LEGACY_CUSTOM_INSTRUCTIONS,
        custom_classical=qasm2.LEGACY_CUSTOM_CLASSICAL,
        include_path=qasm2.LEGACY_INCLUDE_PATH,
    )
    assert_same(execute(read(text), circuit.num_clbits), interpret(circuit))


TELEPORT = """qreg q[3];
creg a[1]; creg b[1]; creg out[1];
u3(0.3, 0.2, 0.1) q[0];
h q[1]; cx q[1], q[2];
cx q[0], q[1]; h q[0];
measure q[0] -> a[0];
measure q[1] -> b[0];
if (a == 1) z q[2];
if (b == 1) x q[2];
measure q[2] -> out[0];
"""
BROADCAST = """qreg q[2]; qreg r[2]; qreg w[1]; creg c[2];
h q; cx q, r; cx q[0], r; ccx q, r, w[0];
barrier q, r[1];
measure r -> c;
reset q;
"""
DEFINITIONS = """
gate rot(a, b) x, y { rx(a/2) x; barrier x, y; cx x, y; rz(-b*2) y; }
gate twice(t) x, y { rot(t, sin(t)) x, y; rot(-t, t^2) y, x; U(0, t, 0) x; CX x, y; }
gate nothing a { }
qreg q[2];
twice(pi/3) q[1], q[0];
nothing q[0];
rot(0.1, 0.2) q[0], q[1];
"""
LIBRARY = """qreg q[5]; creg c[3];
h q; u1(0.1) q[0]; u2(0.1, 0.2) q[1]; u3(0.1, 0.2, 0.3) q[2]; u(0.1,0.2,0.3) q[3]; p(0.4) q[4]; u0(1) q[0];
x q[0]; y q[1]; z q[2]; s q[3]; sdg q[4]; t q[0]; tdg q[1]; sx q[2]; sxdg q[3]; id q[0];
rx(0.1) q[0]; ry(0.2) q[1]; rz(0.3) q[2]; cx q[0],q[1]; cy q[1],q[2]; cz q[2],q[3]; ch q[3],q[4];
swap q[0],q[1]; ccx q[0],q[1],q[2]; cswap q[0],q[1],q[2]; crx(0.1) q[0],q[1]; cry(0.2) q[1],q[2];
crz(0.3) q[2],q[3]; cu1(0.4) q[3],q[4]; cp(0.5) q[4],q[0]; cu3(0.1,0.2,0.3) q[0],q[1];
csx q[0],q[1]; cu(0.1,0.2,0.3,0.4) q[1],q[2]; rxx(0.1) q[0],q[1]; rzz(0.2) q[1],q[2]; rccx q[0],q[1],q[2];
rc3x q[0],q[1],q[2],q[3]; c3x q[0],q[1],q[2],q[3]; c3sqrtx q[0],q[1],q[2],q[3]; c4x q[0],q[1],q[2],q[3],q[4];
measure q[0] -> c[0]; measure q[1] -> c[1]; measure q[2] -> c[2];
if (c == 5) reset q[0];
if (c == 2) measure q[3] -> c[0];
"""


@pytest.mark.parametrize("body", [TELEPORT, BROADCAST, DEFINITIONS, LIBRARY], ids=lambda b: b.split("\n")[0])
def test_as_qiskit_reads_it(body: str) -> None:
    assert_as_qiskit(HEAD + body)


def test_comments_and_layout() -> None:
    text = (
        HEAD
        + "// h q[0];\nqreg\n q [ 2 ] ;/* x q[0]; */ creg c[2];x q[0];x\tq[0] ; h\n  q[1]  ;; cx q[0] ,q[1];"
    )
    program = read(text)
    assert [program.text(k) for k in range(4)] == ["x q[0]", "x q[0]", "h q[1]", "cx q[0], q[1]"]


def test_every_statement_has_its_line_and_column() -> None:
    program = read(HEAD + "qreg q[2]; creg c[2];\nx q[0]; h q;\n\n  measure q ->\n c;\nif(c==1) x q[1];\n")
    found = [(program.text(k), program.sources[k][1:]) for k in range(7)]  # type: ignore[index]
    assert found == [
        ("x q[0]", (4, 1)),
        ("h q[0]", (4, 9)),
        ("h q[1]", (4, 9)),
        ("measure q[0] -> c[0]", (6, 3)),
        ("measure q[1] -> c[1]", (6, 3)),
        ("if (c == 1)", (8, 1)),
        ("x q[1]", (8, 1)),
    ]


def test_repeated_statements_keep_their_own_lines() -> None:
    program = read(HEAD + "qreg q[1];\n" + "x q[0];\n" * 5)
    assert [s.line for s in program.sources if s is not None] == [4, 5, 6, 7, 8]


def test_marks_stand_where_they_are_written() -> None:
    text = HEAD + "//@ mark start\nqreg q[1];\nx q[0];\nx q[0]; //@ mark middle\nx q[0];\n//@ mark last"
    program = read(text)
    texts = [program.text(k) for k in range(len(program.code))]
    assert texts == ["x q[0]", "x q[0]", "x q[0]", "end"]
    assert program.marked == {0: ("start",), 2: ("middle",), 3: ("last",)}


def test_a_file_may_redefine_a_gate() -> None:
    body = "qreg q[1]; x q[0]; gate x a { h a; } x q[0];"
    program = read(HEAD + body)
    assert [s.operator.factors[0].base.name for s in program.code[:2]] == ["x", "h"]  # type: ignore[union-attr]


def test_a_redefinition_may_use_the_old_meaning() -> None:
    program = read(HEAD + "gate x a { x a; x a; } qreg q[1]; x q[0];")
    assert len(program.code[0].operator.factors) == 2  # type: ignore[union-attr]


def test_a_name_at_several_arities() -> None:
    text = "gate g a { x a; } gate g a, b { cx a, b; } qreg q[3]; g q[0]; g q[0], q[1];"
    program = read(HEAD + text + "mcx q[0],q[1]; mcx q[0],q[1],q[2];")
    assert [len(s.qubits) for s in program.code[:4]] == [1, 2, 2, 3]  # type: ignore[union-attr]


def test_the_same_definition_twice_is_harmless() -> None:
    definition = "gate g(t) a { rx(t) a; }\n"
    assert read(HEAD + definition * 2 + "qreg q[1]; g(1) q[0];").num_statements == 1


def test_a_missing_include_of_the_library_is_forgiven() -> None:
    assert read("OPENQASM 2.0; qreg q[1]; h q[0];").num_statements == 1


def test_other_includes_are_read(tmp_path: Path) -> None:
    (tmp_path / "mine.inc").write_text("// mine\ngate flip a { x a; }\nopaque magic a;\n")
    file = str(tmp_path / "p.qasm")
    program = read(HEAD + 'include "mine.inc";\ninclude "mine.inc";\nqreg q[1]; flip q[0];', file)
    assert program.text(0) == "flip q[0]"


def test_parameters_may_be_called_as_in_any_language() -> None:
    names = ", ".join(["lambda", "in", "class", "None", "θ"])
    body = f"gate g({names}) a {{ u1(lambda) a; rx(-lambda/2 + in*class) a; ry(None^θ) a; }}"
    plain = "gate g(a, b, c, d, e) q { u1(a) q; rx(-a/2 + b*c) q; ry(d^e) q; }"
    use = "qreg q[1]; g(0.1, 1, 2, 3, 0.5) q[0];"
    assert_same(execute(read(HEAD + body + use), 0), execute(read(HEAD + plain + use), 0))


def test_a_known_gate_at_other_widths_than_the_file_defines() -> None:
    """Exporters of many-controlled gates define one width and use several."""
    definition = "gate mcx_gray a, b, c { h c; ccz a, b, c; h c; }\n"
    for width in (2, 3, 4, 5):
        operands = ", ".join(f"q[{k}]" for k in range(width))
        text = f"qreg q[{width}]; h q; t q; %s {operands};"
        ours = execute(read(HEAD + definition + text % "mcx_gray"), 0)
        assert_same(ours, execute(read(HEAD + text % "mcx"), 0))


def test_the_gates_of_hqslib1() -> None:
    text = "qreg q[2]; h q; U1q(0.3, 0.1) q[0]; Rz(0.2) q[1]; RZZ(0.4) q[0], q[1]; ZZ q[0], q[1];"
    same = "qreg q[2]; h q; r(0.3, 0.1) q[0]; rz(0.2) q[1]; rzz(0.4 + pi/2) q[0], q[1];"
    ours = execute(read(f'OPENQASM 2.0; include "hqslib1.inc"; {text}'), 0)
    assert_same(ours, execute(read(HEAD + same), 0))


def test_dialects() -> None:
    body = "qreg Q[3]; creg C[2]; toffoli Q[0],Q[1],Q[2]; cv Q[0],Q[1]; v Q[0];"
    program = read(HEAD + body + "if (C[1]==1) x Q[0]; if (C != 2) x Q[1];")
    assert [program.text(k) for k in (3, 5)] == ["if (C[1] == 1)", "if (C != 2)"]


@pytest.mark.parametrize("statement", ["measure q -> c;", "measure q -> d;", "reset q;", "h q;"])
def test_conditional_broadcasts_are_qiskits(statement: str) -> None:
    """Each measurement asks again what the ones before it wrote."""
    text = HEAD + f"qreg q[2]; creg c[2]; creg d[2];\nx q;\nif (c == 0) {statement}\nmeasure q -> d;\n"
    ours, qiskits = (qismc.Model(program).outcomes("c", "d") for program in (text, qasm2.loads(text)))
    assert dict(ours) == pytest.approx(dict(qiskits))


def test_conditions_that_are_never_true() -> None:
    program = read(HEAD + "qreg q[1]; creg c[2];\nif (c == 4) x q[0];")
    assert program.warnings == ("p.qasm:4:1: 'c == 4' is never true: c has 2 bits",)


def test_a_condition_on_many_bits() -> None:
    program = read(HEAD + "qreg q[1]; creg c[301];\nif (c == 0) x q[0];")
    assert len(program.variables["c"].bits) == 301 and not program.warnings


ERRORS = {
    "": "p.qasm:1:1: the file is empty (begin it with 'OPENQASM 2.0;')",
    "  // nothing\n": "p.qasm:1:1: the file is empty",
    "qreg q[2];\n x p;": "p.qasm:2:2: unknown register 'p'",
    "OPENQASM 2.0": "p.qasm:1:1: malformed version (write 'OPENQASM 2.0;')",
    "\n OPENQASM two;": "p.qasm:2:2: malformed version",
    HEAD: "p.qasm:1:1: the program has no qubits",
    HEAD + "qreg q[0];": "p.qasm:3:8: register 'q' has size 0",
    HEAD + "qreg q[1];\ncreg q[1];": "p.qasm:4:6: register 'q' is declared twice",
    HEAD + "qreg q[99999999999];": "p.qasm:3:1: register 'q' has size 99,999,999,999; at most",
    HEAD + "qreg q;": "p.qasm:3:1: malformed 'qreg q'",
    HEAD + "qreg q[2];\nx q[2];": "p.qasm:4:1: index 2 is out of range: 'q' has size 2",
    HEAD + "qreg q[2];\nx p[0];": "p.qasm:4:1: unknown register 'p'",
    HEAD + "qreg q[2]; creg c[2];\nx c[0];": "p.qasm:4:1: 'c' is not a quantum register",
    HEAD + "qreg q[2];\ncx q[0],q[0];": "p.qasm:4:1: the same qubit twice in 'q[0],q[0]'",
    HEAD + "qreg q[2];\ncx q,q;": "p.qasm:4:1: the same qubit twice",
    HEAD + "qreg q[2]; qreg r[3];\ncx q,r;": "p.qasm:4:1: registers of different sizes in 'q,r'",
    HEAD + "qreg q[2];\nhh q[0];": "p.qasm:4:1: unknown gate 'hh' (did you mean 'h'?)",
    HEAD + "qreg q[2];\ncx q[0];": "p.qasm:4:1: gate 'cx' takes 2 qubits, not 1",
    HEAD + "qreg q[2];\nrx q[0];": "p.qasm:4:1: gate 'rx' takes 1 angles, not 0",
    HEAD + "qreg q[2];\nrx(1,2) q[0];": "p.qasm:4:1: gate 'rx' takes 1 angles, not 2",
    HEAD + "qreg q[2];\nrx(0/0) q[0];": "p.qasm:4:1: gate 'rx': '0/0' divides by zero",
    HEAD + "qreg q[2];\nrx(theta) q[0];": "p.qasm:4:1: gate 'rx': unknown name 'theta'",
    HEAD + "qreg q[2];\nx q[0]": "p.qasm:4:6: expected ';' after 'x q[0]' but found the end of the file",
    HEAD + "qreg q[2];\nx q[0]\nx q[1];": "p.qasm:4:1: expected a quantum register or bit but found "
    "'q[0] x q[1]' (is a ';' missing after 'q[0]'?)",
    HEAD + "qreg q[2];\nx q[0] { }": "expected ';' after 'x q[0]' but found '{'",
    HEAD + "qreg q[2];\n}": "p.qasm:4:1: unexpected '}'",
    HEAD + "qreg q[2];\n{ }": "p.qasm:4:1: unexpected '{'",
    HEAD + "qreg q[2];\n!!;": "p.qasm:4:1: malformed statement '!!'",
    HEAD + "qreg q[2]; creg c[1];\nmeasure q -> c;": "p.qasm:4:1: 'q' has 2 qubits but 'c' has 1 bit",
    HEAD + "qreg q[2]; creg c[1];\nmeasure q[0];": "p.qasm:4:1: malformed 'measure q[0]'",
    HEAD + "qreg q[2]; creg c[1];\nif (c) x q[0];": "p.qasm:4:1: malformed 'if (c) x q[0]'",
    HEAD + "qreg q[2]; creg c[1];\nif (c==1) qreg r[1];": "p.qasm:4:1: 'qreg' cannot stand behind an 'if'",
    HEAD + "qreg q[2];\nif (d==1) x q[0];": "p.qasm:4:1: unknown register 'd'",
    HEAD + 'include "none.inc";': "p.qasm:3:1: cannot read the included file 'none.inc'",
    HEAD + "include none;": "p.qasm:3:1: malformed 'include none'",
    HEAD + "OPENQASM 2.0;": "p.qasm:3:1: only the first statement can state the version",
    HEAD + "gate g a { g a; }": "p.qasm:3:12: gate 'g' is defined by itself",
    HEAD + "gate g a { x b; }": "p.qasm:3:12: 'b' is not a qubit of gate 'g'",
    HEAD + "gate g a, b {\n cx a, a; }": "p.qasm:4:2: the same qubit twice in 'a, a'",
    HEAD + "gate g a {\n foo a; }": "p.qasm:4:2: unknown gate 'foo'",
    HEAD + "gate g(t) a {\n rx(s) a; }": "p.qasm:4:2: gate 'rx': unknown name 's'",
    HEAD + "gate g a {\n measure a; }": "p.qasm:4:2: 'measure' cannot stand in a gate definition",
    HEAD + "gate g a {\n x a }": "p.qasm:4:2: expected ';' in the body of gate 'g'",
    HEAD + "gate g a { x a;": "p.qasm:3:1: the body of gate 'g' has no closing brace",
    HEAD + "gate g a;": "p.qasm:3:1: malformed gate definition",
    HEAD + "gate g a, a { }": "p.qasm:3:1: malformed or repeated name 'a'",
    HEAD + "gate g a { x a; }\ngate g a { y a; }": "p.qasm:4:1: gate 'g' on 1 qubit is defined twice",
    HEAD + "gate g(t) a { rx(1/t) a; } qreg q[1]; g(0) q[0];": "'1/t' divides by zero",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS, ids=range(len(ERRORS)))
def test_errors(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(text)
    assert ERRORS[text] in str(error.value)


def test_opaque_gates_are_refused_where_they_are_used() -> None:
    assert read(HEAD + "opaque magic(a) b;\nqreg q[1];").num_statements == 0
    with pytest.raises(UnsupportedError, match=r"p.qasm:5:1: gate 'magic' is opaque \(declared in line 3\)"):
        read(HEAD + "opaque magic(a) b;\nqreg q[1];\nmagic(1) q[0];")


def test_included_files_only_define_gates(tmp_path: Path) -> None:
    (tmp_path / "bad.inc").write_text("\nqreg z[1];")
    with pytest.raises(UnsupportedError, match=r"bad.inc:2:1: an included file may only define gates"):
        read(HEAD + 'include "bad.inc";', str(tmp_path / "p.qasm"))


def test_a_bomb_of_definitions_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "MAX_FACTORS", 10_000)
    gates = "gate g0 a { x a; }\n" + "".join(
        f"gate g{k} a {{ {f'g{k - 1} a; ' * 10} }}\n" for k in range(1, 9)
    )
    with pytest.raises(ProgramError, match="expands to more than"):
        read(HEAD + gates + "qreg q[1]; g8 q[0];")


def test_positions_of_the_source_file() -> None:
    program = read(HEAD + "qreg q[1]; x q[0];", "some/where.qasm")
    assert program.sources[0] == Source("some/where.qasm", 3, 12)
