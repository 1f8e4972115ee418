"""The NuSMV adapter: with the binary if there is one, else with scripts that act like it, well or badly."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from qismc.ctl import nusmv
from qismc.ctl.nusmv import NusmvAnswer, check_with_nusmv, find_nusmv, read_answer, to_smv
from qismc.errors import UsageError
from qismc.language import parse_formula
from qismc.language.syntax import Formula

from .oracle import Structure, formulas, graph_of, naive, structures

GRAPH = graph_of([[1], [2, 3], [1], [3]])
FORMULA = parse_formula("AF leaf")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are scripts with a shebang")

TRANSCRIPT = """\
*** This is NuSMV 2.5.4
*** Enabled addons are: compass
*** For more information on NuSMV see <http://nusmv.fbk.eu>

-- specification AF leaf  is false
-- as demonstrated by the following execution sequence
Trace Description: CTL Counterexample
Trace Type: Counterexample
-> State: 1.1 <-
  location = l0
  leaf = FALSE
-- Loop starts here
-> State: 1.2 <-
  location = l1
-> State: 1.3 <-
  location = l2
-> State: 1.4 <-
  location = l1
"""
"""What NuSMV 2.5.4 prints for this graph and formula, with a shorter preamble; 2.6 indents the states."""


def atoms(_node: Formula, _where: np.ndarray) -> np.ndarray:
    return np.array([False, False, False, True])


def stand_in(folder: Path, body: str) -> str:
    """An executable that runs `body` in Python."""
    path = folder / "NuSMV"
    path.write_text(f"#!{sys.executable}\n" + textwrap.dedent(body), encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("indent", ["", "  "])
def test_a_lasso_is_read(indent: str) -> None:
    head, states = TRANSCRIPT.split("->", 1)
    output = head + textwrap.indent("->" + states, indent)
    assert read_answer(output, GRAPH) == NusmvAnswer(False, (0, 1, 2), 1)


def test_a_verdict_without_a_trace_is_read() -> None:
    assert read_answer("*** NuSMV\n-- specification EF leaf  is true\n", GRAPH) == NusmvAnswer(True)


def test_states_print_changes_only() -> None:
    """A self loop: the location is not printed again."""
    output = """\
-- specification AG !leaf  is false
-- as demonstrated by the following execution sequence
-> State: 1.1 <-
  location = l0
  leaf = FALSE
-> State: 1.2 <-
  location = l1
-- Loop starts here
-> State: 1.3 <-
  location = l3
  leaf = TRUE
-- Loop starts here
-> State: 1.4 <-
-> State: 1.5 <-
"""
    assert read_answer(output, GRAPH) == NusmvAnswer(False, (0, 1, 3, 3), 3)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("", "0 verdicts"),
        ("lorem ipsum\n", "lorem ipsum"),
        ("-- specification a is true\n-- specification b is true\n", "2 verdicts"),
        (TRANSCRIPT.replace("= l2", "= l3"), "from l3 to l1"),
        (TRANSCRIPT.replace("= l2", "= l99"), "from l1 to l99"),
        (TRANSCRIPT.replace("= l0", "= l1"), "does not start at l0"),
    ],
)
def test_rubbish_is_refused(output: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        read_answer(output, GRAPH)


@POSIX
def test_the_program_sees_the_model(tmp_path: Path) -> None:
    binary = stand_in(
        tmp_path,
        f"""
        import sys
        text = open(sys.argv[1]).read()
        assert "CTLSPEC (AF leaf);" in text
        print({TRANSCRIPT!r})
        """,
    )
    assert check_with_nusmv(FORMULA, GRAPH, atoms, binary=binary) == NusmvAnswer(False, (0, 1, 2), 1)


@POSIX
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import sys; print('line 3: syntax error'); sys.exit(255)", "status 255: line 3: syntax error"),
        ("import os; os.abort()", "failed with status -"),
        ("print('hello')", "hello"),
        ("", "it printed nothing"),
        ("import time; time.sleep(30)", "no answer within 0.5 s"),
        ("while True: print('la la la' * 100)", "without end"),
    ],
)
def test_misbehaviour_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, words: str
) -> None:
    monkeypatch.setattr(nusmv, "MOST_OUTPUT", 100_000)
    limit = 0.5 if "sleep" in body else 20.0
    with pytest.raises(UsageError, match=words):
        check_with_nusmv(FORMULA, GRAPH, atoms, seconds=limit, binary=stand_in(tmp_path, body))


def test_a_missing_program_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("QISMC_NUSMV", raising=False)
    with pytest.raises(UsageError, match=r"was not found.*QISMC_NUSMV"):
        find_nusmv()
    monkeypatch.setenv("QISMC_NUSMV", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="nowhere"):
        find_nusmv()


@POSIX
def test_a_program_that_cannot_start_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "NuSMV"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(UsageError, match="does not start"):
        check_with_nusmv(FORMULA, GRAPH, atoms, binary=str(path))


@POSIX
def test_the_environment_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = stand_in(tmp_path, "")
    monkeypatch.setenv("QISMC_NUSMV", binary)
    assert find_nusmv() == binary
    monkeypatch.delenv("QISMC_NUSMV")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_nusmv() == binary


def installed() -> bool:
    try:
        find_nusmv()
    except UsageError:
        return False
    return True


@pytest.mark.skipif(not installed(), reason="NuSMV is not installed")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(structures(), formulas)
def test_agrees_with_the_binary(structure: Structure, formula: Formula) -> None:
    answer = check_with_nusmv(formula, structure.graph, structure.atoms)
    assert answer.holds == (0 in naive(formula, structure))


@pytest.mark.skipif(not installed(), reason="NuSMV is not installed")
@pytest.mark.parametrize(
    "text",
    ["init & next & l0 & @3", "c == -1 | 'my mark'", "~psi -> P=1 [F leaf]", "A[p W E[q R TRUE]] & location"],
)
def test_the_binary_accepts_all_names(text: str) -> None:
    check_with_nusmv(parse_formula(text), GRAPH, atoms)


def names_in(text: str) -> list[int]:
    return [int(name[1:]) for name in re.findall(r"l\d+(?!\w)", text)]


def read_model(text: str) -> tuple[Structure, int, Formula]:
    """Structure, initial location and specification of a model as `to_smv` writes it."""
    text = re.sub(r"--.*", "", text)
    everywhere = names_in(re.search(r"location : (.*);", text)[1])
    initial = names_in(re.search(r"init\(location\) := (.*);", text)[1])[0]
    guards = re.findall(r"(location = l\d+|TRUE) : (.*);", re.search(r"case(.*)esac", text, re.DOTALL)[1])
    rest = list(everywhere)
    rows: list[tuple[int, ...]] = [(k,) for k in range(max(everywhere) + 1)]
    for guard, value in guards:
        covered = rest if guard == "TRUE" else names_in(guard)
        for location in list(covered):
            rows[location] = tuple(names_in(value))
            rest.remove(location)
    assert not rest
    labels = {"TRUE": frozenset(everywhere), "FALSE": frozenset()}
    for name, value in re.findall(r"^  (\w+) := (TRUE|FALSE|location in .*);$", text, re.MULTILINE):
        labels[name] = labels.get(value, frozenset(names_in(value)))
    spec = re.search(r"CTLSPEC (.*);", text)[1]
    assert not re.search(r"[WR] ", spec)
    return Structure(tuple(rows), labels), initial, parse_formula(spec)


@settings(max_examples=200, deadline=None)
@given(structures(), formulas)
def test_models_mean_the_same(structure: Structure, formula: Formula) -> None:
    model, initial, spec = read_model(to_smv(formula, structure.graph, structure.atoms))
    assert initial == 0
    assert (0 in naive(spec, model)) == (0 in naive(formula, structure))


@pytest.mark.parametrize("path", ["X p", "F p", "G p", "p U q", "p W q", "p R q"])
@pytest.mark.parametrize("quantifier", ["A", "E"])
@settings(max_examples=60, deadline=None)
@given(structure=structures(most=4))
def test_each_operator_means_the_same(quantifier: str, path: str, structure: Structure) -> None:
    formula = parse_formula(f"{quantifier}[{path}]")
    model, _, spec = read_model(to_smv(formula, structure.graph, structure.atoms))
    assert (0 in naive(spec, model)) == (0 in naive(formula, structure))


BRANCHING = graph_of([[1], [2, 0], [2], [3]])


def model_of(text: str) -> str:
    return to_smv(parse_formula(text), BRANCHING, lambda _atom, _where: np.array([True, False, True, True]))


def test_the_whole_model() -> None:
    describe = ["h q[0]", "measure q[0] -> c[0]", "end", "ψ"].__getitem__
    formula = parse_formula("AG (leaf -> c == 2)")
    assert to_smv(
        formula, BRANCHING, lambda _atom, _where: np.array([True, False, True, True]), describe
    ) == (
        "-- AG (leaf -> c == 2)\n"
        "MODULE main\n"
        "VAR\n"
        "  location : {l0, l1, l2};\n"
        "ASSIGN\n"
        "  init(location) := l0;\n"
        "  next(location) := case\n"
        "    location = l0 : l1;  -- l0: h q[0]\n"
        "    location = l1 : {l0, l2};  -- l1: measure q[0] -> c[0]\n"
        "    TRUE : l2;  -- l2: end\n"
        "  esac;\n"
        "DEFINE\n"
        "  -- leaf\n"
        "  leaf := location in {l0, l2};\n"
        "  -- c == 2\n"
        "  c_eq_2 := location in {l0, l2};\n"
        "CTLSPEC (AG (leaf -> c_eq_2));\n"
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("init", "init_"),
        ("l2", "l2_"),
        ("@7", "at_7"),
        ("location", "location_"),
        ("next", "next_"),
        ("c[0]", "c_0"),
        ("c >= d", "c_ge_d"),
        ("c == -1", "c_eq_minus_1"),
        ("'my mark'", "my_mark"),
        ("ψ", "label"),
        ("~psi", "quantum"),
        ("P=1 [F leaf]", "almost_surely"),
        ("P>0 [F leaf]", "possibly"),
    ],
)
def test_labels_have_readable_names(text: str, name: str) -> None:
    assert f"\n  {name} := " in model_of(text)


def test_different_labels_have_different_names() -> None:
    text = model_of("'a b' & 'a_b' & a_b & ~a & ~b")
    assert re.findall(r"^  (\w+) :=", text, re.MULTILINE) == ["a_b", "a_b_1", "quantum", "quantum_1"]


def test_a_single_location_is_no_constant() -> None:
    text = to_smv(parse_formula("p"), graph_of([[0]]), lambda _atom, _where: np.array([True]))
    assert "location : {l0, nowhere};" in text


def test_the_text_is_ascii() -> None:
    assert model_of("AG 'größe'").isascii()
