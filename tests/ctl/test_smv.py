"""The written model is read back by a small parser of its own and must mean the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings

from qismc.ctl import Graph
from qismc.ctl.smv import location_number, to_smv
from qismc.language import parse_formula
from qismc.language.syntax import Formula

from .oracle import Structure, formulas, naive, structures


def names_in(text: str) -> list[int]:
    return [location_number(name) for name in re.findall(r"l\d+(?!\w)", text)]


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


GRAPH = Graph.from_lists([[1], [2, 0], [2], [3]])


def model_of(text: str) -> str:
    return to_smv(parse_formula(text), GRAPH, lambda _atom, _where: np.array([True, False, True, True]))


def test_the_whole_model() -> None:
    describe = ["h q[0]", "measure q[0] -> c[0]", "end", "ψ"].__getitem__
    formula = parse_formula("AG (leaf -> c == 2)")
    assert to_smv(formula, GRAPH, lambda _atom, _where: np.array([True, False, True, True]), describe) == (
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
    text = to_smv(parse_formula("p"), Graph.from_lists([[0]]), lambda _atom, _where: np.array([True]))
    assert "location : {l0, nowhere};" in text


def test_the_text_is_ascii() -> None:
    assert model_of("AG 'größe'").isascii()
