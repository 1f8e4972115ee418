from __future__ import annotations

from pathlib import Path

import pytest

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.load import load
from qismc.program.program import Annotation
from qismc.program.qasm_text import Locator, blank_comments, check_text, cut, read_annotations, version_of

TEXT = 'a; // b\n"//c" /* d\ne */ f\n\ng'


def test_comments_become_blanks_in_place() -> None:
    assert blank_comments(TEXT) == 'a;     \n"//c"     \n     f\n\ng'
    assert blank_comments("no comment") == "no comment"
    assert blank_comments("/* open\nend").strip() == ""


def test_offsets_are_located() -> None:
    locator, line, column = Locator(TEXT, "f"), 1, 1
    expected = []
    for offset, character in enumerate(TEXT):
        expected.append(Source("f", line, column))
        assert locator.at(offset) == expected[-1]
        assert locator.offset(expected[-1]) == offset
        line, column = (line + 1, 1) if character == "\n" else (line, column + 1)
    assert locator.all(range(len(TEXT))) == expected


@pytest.mark.parametrize(
    "text", ["  ", " ;;a", "v; x\n y ; \n\tz;\n", "v;g a{b;c };;d;e}f{", "ä;\u2003b\x1f;c"]
)
@pytest.mark.parametrize("begin", [0, 2])
def test_statements_are_cut_where_they_end(text: str, begin: int) -> None:
    words, offsets = cut(text, begin)
    position, number = begin, 0
    while position <= len(text):  # as a reader of single letters would
        end = next((k for k in range(position, len(text)) if text[k] in ";{}"), len(text))
        piece = text[position:end]
        assert words[number] == (piece.strip() if text[end : end + 1] == ";" else "")
        assert offsets[number] == end - len(piece.lstrip())
        position, number = end + 1, number + 1
    assert len(words) == len(offsets) == number


@pytest.mark.parametrize(
    "text", ["x;\n /* y;", "x;\n /*/", 'x;\n /* y; // */\n /* */ " */" /**', "x;\n /***"]
)
def test_comments_must_be_closed(text: str) -> None:
    with pytest.raises(ProgramError, match=r"f:\d:\d+: the comment is not closed"):
        check_text(text, "f")


@pytest.mark.parametrize(
    "text",
    ["", "/**/", "/* x */ // /* y", 'include "/*";', "// */ /*", "/* /* */ x;", '"' + "1" * 5000 + '"'],
)
def test_good_texts(text: str) -> None:
    check_text(text, "f")


@pytest.mark.parametrize(
    "text", ["qreg q[{}];", "if (c=={}) x q[0];", "rx({}) q;", "rx(0.{}) q;", "x q[{}];"]
)
def test_absurd_numbers(text: str) -> None:
    with pytest.raises(ProgramError, match=r"f:2:\d+: a number of more than 4,000 digits"):
        check_text("// long\n" + text.format("7" * 5000), "f")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("OPENQASM 2.0; qubit q;", 2),
        ("// OPENQASM 2.0;\n/* x */ OPENQASM /* y */ 3;", 3),
        ("\n\n OPENQASM\n 3.1;", 3),
    ],
)
def test_a_stated_version_counts(text: str, number: int) -> None:
    assert version_of(text, "p.qasm") == (number, True)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("qreg q[2]; h q[0];", 2),
        ('include "qelib1.inc"; qreg q[1]; creg c[1]; measure q -> c;', 2),
        ("gate g(lambda) a { u1(lambda) a; }\nqreg q[1]; g(1) q[0];", 2),
        ("// qubit q;\nqreg q[1];", 2),
        ("qreg q[1]; creg c[1]; if (c == 1) x q[0];", 2),
        ("qreg input_q[1]; qreg q_for[1];", 2),
        ("qubit q; h q;", 3),
        ('include "stdgates.inc"; qubit[2] q;', 3),
        ("qreg q[1]; creg c[1]; c = measure q;", 3),
        ("qreg q[1]; creg c[1]; c[0] = measure q[0];", 3),
        ("qreg q[1]; creg c[1]; if (c == 1) { x q[0]; }", 3),
        ("qreg q[2]; ctrl @ x q[0], q[1];", 3),
        ("qreg q[1]; for int i in [0:1] { x q[0]; }", 3),
        ("h $0;", 3),
        ("gate g a { U(0, 0, 0) a; }", 3),
        ("nonsense", 3),
    ],
)
def test_others_are_guessed(text: str, number: int) -> None:
    assert version_of(text, "p.qasm") == (number, False)


def test_the_name_of_the_file_may_tell() -> None:
    assert version_of("qreg q[1];", "p.qasm3") == (3, False)
    assert version_of("h q;", "p.qasm2") == (2, False)


def test_errors_tell_the_guess(tmp_path: Path) -> None:
    file = tmp_path / "p.qasm"
    guess = "no version is stated, so this was read as OpenQASM"
    for text, message in {
        "qreg q[1];\nh r[0];": f"p.qasm:2:1: unknown register 'r' ({guess} 2)",
        "qubit q;\nhh q;": f"p.qasm:2:1: unknown gate 'hh' (did you mean 'h'?; {guess} 3)",
        "OPENQASM 2.0;\nqreg q[1];\nh r[0];": "p.qasm:3:1: unknown register 'r'",
        "\nOPENQASM 4.0;": "p.qasm:2:10: OpenQASM 4 is not known (versions 2 and 3 are)",
    }.items():
        file.write_text(text)
        with pytest.raises(ProgramError) as caught:
            load(file)
        assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    "text", ["qreg q[1]; h q[0];", "qubit q; h q;", "include 'qelib1.inc'; qreg q[1]; h q;"]
)
def test_files_without_a_version_are_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.qasm"
    file.write_text(text)
    assert load(file).num_statements == 1


def test_each_kind() -> None:
    text = """OPENQASM 2.0;
//@ init  |000>
x q[0]; //@ mark enc
//@ prop  target = 1/sqrt(3) |001> + |011>
//@ spec  safe: AG (leaf -> target)
//@ spec EF (c == 1)
//@ annotate enc = span(|0>)
"""
    assert read_annotations(text, "f.qasm") == (
        Annotation("init", None, "|000>", Source("f.qasm", 2, 1)),
        Annotation("mark", "enc", "enc", Source("f.qasm", 3, 9)),
        Annotation("prop", "target", "1/sqrt(3) |001> + |011>", Source("f.qasm", 4, 1)),
        Annotation("spec", "safe", "AG (leaf -> target)", Source("f.qasm", 5, 1)),
        Annotation("spec", None, "EF (c == 1)", Source("f.qasm", 6, 1)),
        Annotation("annotate", "enc", "span(|0>)", Source("f.qasm", 7, 1)),
    )


def test_windows_line_ends() -> None:
    assert read_annotations("//@ init |0>\r\n", "f")[0].text == "|0>"


def test_a_start_may_be_written_with_an_equals_sign() -> None:
    assert read_annotations("//@ init = |0>", "f")[0].text == "|0>"


def test_comments_of_other_tools_are_left_alone() -> None:
    assert read_annotations("//@author somebody\n// plain\n//@\n", "f") == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("//@ sepc AG x", "f:1:1: unknown annotation '//@ sepc' (did you mean 'spec'?)"),
        ("//@ prop |0>", "f:1:1: malformed '//@ prop |0>' (write it like '//@ prop target = |01> + |10>')"),
        ("//@ mark two words", "malformed '//@ mark two words'"),
        ("  //@ mark", "f:1:3: malformed"),
        ("//@ init", "malformed"),
        ("//@ spec", "malformed"),
        ("//@ prop a = |0>\n//@ prop a = |1>", "f:2:1: a second '//@ prop a' (rename one of them)"),
        ("//@ init |0>\n//@ init |1>", "f:2:1: a second '//@ init'"),
    ],
)
def test_errors(line: str, message: str) -> None:
    with pytest.raises(ProgramError) as error:
        read_annotations(line, "f")
    assert message in str(error.value)
