"""OpenQASM 3, read by us and run, against Qiskit's importer or an equivalent circuit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm3

from qismc.common.source import Source
from qismc.errors import ProgramError, UnsupportedError
from qismc.program.statements import Goto, Leaf, Mark, Switch

from ..executor import execute
from ..interpreter import interpret
from ..programs import Generator
from ..worlds import assert_same
from .helpers import HEAD, read, texts

IMPORTABLE = {
    "gates": """qubit[3] q; h q; U(0.1, 0.2, 0.3) q[0]; u3(0.1,0.2,0.3) q[1]; u2(0.1,0.2) q[2];
        p(0.4) q[0];
        cp(0.1) q[0], q[1]; cu(0.1,0.2,0.3,0.4) q[1], q[2]; ccx q[0], q[1], q[2]; phase(0.3) q[1];
        CX q[0], q[1]; cphase(0.2) q[0], q[2]; sx q[0]; rz(-pi/3) q[1];
        swap q[0], q[2]; cswap q[0], q[1], q[2];
        id q[0];""",
    "definitions": """gate g(a, b) x, y { rx(a/2) x; cx x, y; rz(-b*2) y; }
        gate f(t) x, y { g(t, 3*t) x, y; g(-t, t/2) y, x; U(0, t, 0) x; }
        qubit[2] q; f(pi/3) q[1], q[0]; g(0.1, 0.2) q[0], q[1];""",
    "modifiers": """qubit[4] q; h q; ctrl @ x q[0], q[1]; negctrl @ ctrl @ rx(0.3) q[0], q[1], q[2];
        inv @ t q[0];
        ctrl(2) @ inv @ s q[0], q[1], q[3]; inv @ ctrl @ rz(0.2) q[2], q[3]; pow(2) @ t q[1];""",
    "broadcast": "qubit[2] q; qubit[2] r; qubit w; h q; cx q, r; cx q[0], r; ccx q, r, w; reset r;",
    "measurement": """qubit[2] q; bit[2] c; bit d; h q; c[0] = measure q[0]; measure q[1] -> d;
        if (c[0] == true) { x q[1]; } else { y q[1]; } c = measure q;""",
    "control flow": """qubit[2] q; bit[2] c; h q[0]; c[0] = measure q[0];
        while (c[0]) { h q[0]; c[0] = measure q[0];
          if (c == 3) { x q[1]; break; } else { c[1] = measure q[1]; continue; } }
        for int i in [0:2] { rx(0.3) q[1]; } for int i in {1, 3} { ry(i*0.2) q[0]; }""",
    "aliases": """qubit[3] q; let a = q[0:1]; let b = a ++ q[{2}]; h a; cx b[0], b[2]; x q[-1];
        cx q[0:1], q[1:2];""",
}  # fmt: skip


@pytest.mark.parametrize("name", IMPORTABLE)
def test_as_qiskit_imports_it(name: str) -> None:
    text = HEAD + IMPORTABLE[name]
    circuit = qasm3.loads(text)
    assert_same(execute(read(text), circuit.num_clbits), interpret(circuit))


@pytest.mark.parametrize("seed", range(12))
def test_what_qiskit_exports(seed: int) -> None:
    circuit = Generator(seed, exportable=True).build()
    text = re.sub(r"\bfor (\w+) in", r"for int \1 in", qasm3.dumps(circuit))  # Qiskit 2.0 forgets the type
    names = [v.name for v in circuit.iter_vars()]
    assert_same(execute(read(text), circuit.num_clbits, names), interpret(circuit))


def registers(qubits: int, bits: int) -> tuple[QuantumCircuit, ClassicalRegister]:
    c = ClassicalRegister(bits, "c")
    return QuantumCircuit(QuantumRegister(qubits, "q"), c), c


def test_switch() -> None:
    circuit, c = registers(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    with circuit.switch(c) as case:
        with case(0, 3):
            circuit.x(0)
        with case(1):
            circuit.h(0)
        with case(case.DEFAULT):
            circuit.y(1)
    text = """qubit[2] q; bit[2] c; h q; c = measure q;
    switch (c) { case 0, 3 { x q[0]; } case 1 { h q[0]; } default { y q[1]; } }"""
    program = read(HEAD + text)
    assert any(isinstance(s, Switch) for s in program.code)
    assert_same(execute(program, 2), interpret(circuit))


def test_loop_variables_index_qubits_and_compute_angles() -> None:
    circuit, _ = registers(3, 3)
    for k in range(3):
        circuit.rx(0.25 * k, k)
        circuit.measure(k, 2 - k)
    text = """const int n = 3; qubit[n] q; bit[n] c;
    for uint i in [0:n-1] { rx(i / 4.0) q[i]; c[n - 1 - i] = measure q[i]; }"""
    assert_same(execute(read(HEAD + text), 3), interpret(circuit))


def test_while_true_with_break() -> None:
    circuit, c = registers(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((c, 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    text = "qubit[1] q; bit[1] c; while (true) { h q; c = measure q; if (c == 1) break; }"
    assert_same(execute(read(HEAD + text), 1), interpret(circuit))


def test_end() -> None:
    program = read(HEAD + "qubit q; bit c; h q; c = measure q; if (c == 1) { end; } x q;")
    leaf = len(program.code) - 1
    assert isinstance(program.code[leaf], Leaf) and Goto(leaf) in program.code
    assert len(execute(program, 1)) == 2


def test_boxes_delays_and_barriers_take_no_step() -> None:
    program = read(HEAD + "qubit[2] q; box { x q[0]; delay[10ns] q[0]; } barrier q; barrier;")
    assert texts(program) == ["x q[0]", "end"]


def test_times_are_names_without_a_value() -> None:
    times = "duration d = 2 * 10ns; stretch s; const duration e = 5dt;"
    program = read(f"{HEAD}qubit q; {times} delay[d] q; box[e] {{ h q; delay[s] q; }}")
    assert texts(program) == ["h q", "end"]
    with pytest.raises(ProgramError, match=r"p.qasm:3:\d+: 'd' is not a classical value"):
        read(f"{HEAD}qubit q; {times} rx(d) q;")


def test_hardware_qubits() -> None:
    program = read(HEAD + "h $5; cx $5, $2;")
    assert program.qubits == ("$5", "$2")
    assert texts(program)[1] == "cx $5, $2"


def test_every_statement_has_its_line_and_column() -> None:
    program = read(
        HEAD + "qubit[2] q; bit c;\n  h q;\nif (c) {\n  x q[1];\n} else y q[0];\nc = measure q[0];\n"
    )
    found = [(program.text(k), program.sources[k][1:]) for k in (0, 1, 2, 3, 5, 6)]  # type: ignore[index]
    assert found == [
        ("h q[0]", (4, 3)),
        ("h q[1]", (4, 3)),
        ("if (c)", (5, 1)),
        ("x q[1]", (6, 3)),
        ("y q[0]", (7, 8)),
        ("measure q[0] -> c", (8, 1)),
    ]


def test_marks_stand_in_blocks_too() -> None:
    text = "qubit q; bit c;\nwhile (c) {\n  x q;\n  //@ mark inside\n}\n//@ mark outside\n"
    program = read(HEAD + text)
    assert texts(program) == ["while (c)", "x q", "mark inside", "end"]
    assert program.marked == {2: ("inside",), len(program.code) - 1: ("outside",)}
    place = program.code.index(Mark("inside"))  # type: ignore[attr-defined]
    assert program.sources[place] == Source("p.qasm", 6, 3)


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "mine.inc").write_text("gate flip a { x a; }\nconst int n = 2;\n")
    program = read(HEAD + 'include "mine.inc";\nqubit[n] q; flip q;', str(tmp_path / "p.qasm"))
    assert texts(program)[:2] == ["flip q[0]", "flip q[1]"]


def test_errors_in_included_files_name_them(tmp_path: Path) -> None:
    (tmp_path / "mine.inc").write_text("\nfoo bar baz;")
    with pytest.raises(ProgramError, match=r"mine.inc:2:\d+: syntax error"):
        read(HEAD + 'include "mine.inc";', str(tmp_path / "p.qasm"))


ERRORS = {
    "": "p.qasm:1:1: the program has no qubits",
    "qubit[0] q;": "p.qasm:3:7: register 'q' has size 0",
    "qubit[2] q; qubit q;": "p.qasm:3:13: 'q' is declared twice",
    "qubit[9999999999] q;": "register 'q' has size 9,999,999,999; at most",
    "qubit[2] q;\nx q[2];": "p.qasm:4:3: index 2 is out of range: the size is 2",
    "qubit[2] q;\nx p;": "p.qasm:4:3: unknown name 'p'",
    "qubit[2] q; bit c;\nx c;": "p.qasm:4:3: 'c' is not a qubit or quantum register",
    "qubit[2] q;\ncx q[0], q[0];": "p.qasm:4:1: the same qubit twice in one gate",
    "qubit[2] q; qubit[3] r;\ncx q, r;": "p.qasm:4:1: the registers of a gate have different sizes",
    "qubit[2] q; bit c;\nc = measure q;": "p.qasm:4:1: a measurement of 2 qubits into 1 bit",
    "qubit q; bit c;\nfor bit b in c { x q; }": "p.qasm:4:1: 'for' over this collection is not supported",
    "qubit q; int n;\nfor int i in [0:n] { x q; }": "the bound depends on a value of the running program",
    "qubit q; int n;\nswitch (n) { case 1 { x q; } case 1 { y q; } }": "case 1 occurs twice",
    'qubit q; bit[2] c;\nswitch (c) { case "011" { x q; } }': "p.qasm:4:19: 'case' of 2 bits and 3 bits",
    "qubit q;\nx q; break;": "p.qasm:4:6: 'break' statement outside loop",
    'qubit q;\ninclude "none.inc";': "p.qasm:4:1: cannot read the included file 'none.inc'",
    "qubit q;\nx q": "p.qasm:4:4: unexpected end of the file",
    "qubit q;\nx q[;": "p.qasm:4:5: syntax error at ';'",
    "qubit q;\ndefcal x $0 { }": "p.qasm:4:1: 'defcal' is not supported",
    "qubit q;\nrx(true) q;": "p.qasm:4:4: an angle of gate 'rx' is a truth value, not a number",
    'qubit q;\nrx("01") q;': "p.qasm:4:4: an angle of gate 'rx' is a string of bits, not a number",
    "qubit q;\n1 + 2;": "p.qasm:4:1: this expression has no effect",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS)
def test_errors(text: str) -> None:
    with pytest.raises(ProgramError) as error:
        read(HEAD + text)
    assert ERRORS[text] in str(error.value)


def test_unsupported_constructs_have_their_own_class() -> None:
    with pytest.raises(UnsupportedError):
        read(HEAD + "qubit q; defcal x $0 { }")


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    with pytest.raises(ProgramError, match=r"p.qasm:3:312: brackets are nested more than 300 deep"):
        read(HEAD + "qubit q; rx(" + "(" * 3000 + "1" + ")" * 3000 + ") q;")
    assert read(HEAD + "qubit q; rx(" + "(" * 90 + "1" + ")" * 90 + ") q;").num_statements == 1


def test_marks_that_are_never_placed_are_known() -> None:
    program = read(
        f"""{HEAD}qubit q;
        for int i in [1:0] {{
            //@ mark inner
            x q; }}
        def f(qubit a) {{
            //@ mark called
            x a; }}
        //@ mark last
        """
    )
    assert program.marks == {"inner", "called", "last"}
    assert program.absent_marks == {"inner", "called"}


def test_loops_of_qiskit_2_0() -> None:
    """Its exporter leaves the type of the variable out."""
    circuit = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(1, "c"))
    with circuit.for_loop(range(3)) as turn:
        circuit.rx(0.5 * turn, 0)
    with circuit.for_loop((1, 5, 7)):
        circuit.h(0)
    circuit.measure(0, 0)
    written = re.sub(r"\bfor int ", "for ", qasm3.dumps(circuit))
    assert written.count("for _") == 2
    program = read(written)
    assert_same(execute(program, 1), interpret(circuit))
    assert program.warnings == ("p.qasm:5:1: 'for' without a type: its variable is read as int",)
