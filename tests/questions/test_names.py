"""Names in formulas: what they mean, and errors for those that mean nothing."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest
from qiskit import ClassicalRegister, QuantumRegister

import qismc
from qismc import Model, QuantumCircuit, SpecError, Verdict
from qismc.language.parser import parse_formula
from qismc.language.syntax import Not
from qismc.questions.names import atoms_of, mentions_post


def looped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 2)
    circuit.measure(0, 0)
    circuit.mark("seen")
    return circuit


@pytest.mark.parametrize(
    ("formula", "mask"),
    [
        ("EF leaf", 0),
        ("EF c[1]", 0b10),
        ("AG (c == 2)", 0b11),
        ("P=1 [F c[0]]", 0b01),
        ("EF (c[0] & c[1])", 0b11),
    ],
)
def test_observed_bits(formula: str, mask: int) -> None:
    assert Model(looped(), numbers="float").names.observed(parse_formula(formula)) == mask


def test_atoms_inside_every_operator() -> None:
    formula = parse_formula("A[leaf U seen] & !EX (c == 1 -> P=1 [F |0>])")
    assert len(list(atoms_of(formula))) == 4


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("EF c", "2 bits"),
        ("EF c[7]", "out of range"),
        ("EF d == 1", "unknown classical variable 'd'"),
        ("EF (sen)", "did you mean 'seen'"),
        ("EF (|0> on r)", "unknown quantum register 'r'"),
        ("EF (|0> on q[4])", "out of range"),
        ("EF (|00> on q[0], q[0])", "twice"),
        ("EF stab(XX)", "letters"),
        ("EF stab(X, Z)", "anticommute"),
    ],
)
def test_names_without_meaning(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        qismc.check(looped(), spec)


def test_a_name_has_one_meaning() -> None:
    with pytest.raises(SpecError, match="both a proposition and a mark"):
        qismc.check(looped(), "EF leaf", props={"seen": "|0>"})
    with pytest.raises(SpecError, match="defined by itself"):
        qismc.check(looped(), "EF a", props={"a": "~b", "b": "~a"})


@pytest.mark.parametrize(
    ("spec", "warnings"),
    [
        ("EF c == 4", ("spec: 'c == 4' is never true: 'c' has 2 bits",)),
        ("AG c != 4", ("spec: 'c != 4' is always true: 'c' has 2 bits",)),
        ("EF c == 3", ()),
        ("AG c < 4", ("spec: 'c < 4' is always true: 'c' has 2 bits",)),
        ("AG c >= 0", ("spec: 'c >= 0' is always true: 'c' has 2 bits",)),
        ("EF c > 3", ("spec: 'c > 3' is never true: 'c' has 2 bits",)),
        ("AG c < 3", ()),
    ],
)
def test_comparisons_that_cannot_matter_are_told(spec: str, warnings: tuple[str, ...]) -> None:
    assert qismc.check(looped(), spec).warnings == warnings


def one_bit(name: str) -> QuantumCircuit:
    """A program that ends with 1 in a one-bit register of that name."""
    circuit = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(1, name))
    circuit.x(0)
    circuit.measure(0, 0)
    return circuit


RESERVED = ["leaf", "loop", "init", "reached", "true", "false", "full", "zero", "l1", "l2", "@1"]


@pytest.mark.parametrize("name", RESERVED)
def test_quotes_mean_the_users_own_name(name: str) -> None:
    """The bit is 0 until the end and 1 there, which is true of no built-in."""
    result = qismc.check(one_bit(name), f"AG ('{name}' <-> l2) & !\"{name}\" & EF '{name}'")
    assert result.verdict is Verdict.HOLDS
    assert name == "l2" or not any("in quotes" in warning for warning in result.warnings)
    assert qismc.check(one_bit(name), f"AG ('{name}' <-> '{name}'[0]) & AG ('{name}' <-> '{name}' == 1)")


@pytest.mark.parametrize("name", RESERVED)
def test_without_quotes_the_built_in_is_meant_and_the_user_is_told(name: str) -> None:
    truths = {"leaf": "l2", "loop": "l7 & !l7", "init": "l0", "reached": "l0 | !l0", "true": "l0 | !l0",
              "false": "l0 & !l0", "full": "l0 | !l0", "zero": "l0 & !l0"}  # fmt: skip
    meant = truths.get(name, name.replace("@", "l")).replace("l7", "l0")
    result = qismc.check(one_bit(name), f"AG ({name} <-> ({meant}))")
    assert result.verdict is Verdict.HOLDS
    assert any(f"'{name}' means" in text and "quotes" in text for text in result.warnings)


def test_the_end_of_an_endless_program_is_not_its_register_leaf() -> None:
    circuit = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(1, "leaf"))
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.x(0)
        circuit.x(0)
    assert not qismc.check(circuit, "EF leaf")
    assert qismc.check(circuit, "AF 'leaf'")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("EF 'leaf'", "no classical bit is called 'leaf'.*without them, the built-in 'leaf'"),
        ("EF '@3'", "no classical bit is called '@3'.*without them, location 3"),
        ("EF 'true'", "no classical bit is called 'true'"),
        ("AG sp('leaf')", "no mark can be called 'leaf'"),
        ("AG sp('l2')", "no mark can be called 'l2'"),
        ("AG ~'full'", "unknown proposition 'full'"),
    ],
)
def test_quoted_built_ins_that_nothing_is_called(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        qismc.check(looped(), spec)


def test_a_wide_register_with_a_reserved_name_is_no_boolean() -> None:
    circuit = QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(2, "loop"))
    with pytest.raises(SpecError, match="'loop' has 2 bits"):
        qismc.check(circuit, "EF 'loop'")
    assert qismc.check(circuit, "AG !loop").warnings == ()


def test_a_mark_and_a_bit_of_one_name_are_told_apart() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.mark("c")
    with pytest.raises(SpecError, match="'c' names both a mark and a classical bit"):
        qismc.check(circuit, "EF c")
    assert qismc.check(circuit, "AG (c == 0 & !c[0])")


def test_marks_of_loops_without_turns_are_nowhere() -> None:
    circuit = QuantumCircuit(1)
    with circuit.for_loop(range(0)):
        circuit.mark("inner")
        with circuit.for_loop(range(2)):
            circuit.mark("innermost")
    assert qismc.check(circuit, "!EF inner & AG (innermost -> |1>)")
    assert Model(circuit).sp("inner").dimension == 0


@pytest.mark.parametrize(("name", "message"), [("leaf", "reserved word"), ("c", "and a classical variable")])
def test_propositions_of_a_file_with_bad_names_are_located(tmp_path: Path, name: str, message: str) -> None:
    file = tmp_path / "p.qasm"
    file.write_text(f"OPENQASM 3.0;\nqubit q;\nbit c;\n//@ prop {name} = |0>\n")
    with pytest.raises(SpecError, match=rf"p\.qasm:4:1: .*{message}"):
        qismc.check(str(file), "AF leaf")


@pytest.mark.parametrize(
    ("formula", "mentions"),
    [("AG p", True), ("AG r", True), ("EF listed", True), ("AG plain", False), ("AG (~span(r, |0>))", True)],
)
def test_recorded_states_are_found_behind_names(formula: str, mentions: bool) -> None:
    """A proposition that names another one that speaks of sp speaks of it, too."""
    circuit = QuantumCircuit(1)
    circuit.mark("m")
    props = {"p": "r", "r": "sp( m )", "listed": ["|0>", "p"], "plain": "|0>"}
    model = Model(circuit, props=props)
    assert mentions_post(parse_formula(formula), model.names.scope) is mentions


@pytest.mark.parametrize("meaning", [1, None, ["|0>", 5], {"a": "|0>"}, object])
def test_propositions_that_nobody_uses_are_subspaces_too(meaning: object) -> None:
    with pytest.raises(SpecError, match="proposition 'idle': a subspace cannot be made of"):
        Model(QuantumCircuit(1), props={"idle": meaning})


def test_a_question_is_the_same_whoever_read_it() -> None:
    """Equal formulas that are two objects: what was found about the first one is said of the second."""
    names, formula = Model(looped()).names, parse_formula("P=? [F c[0]]")
    for asked in (formula, deepcopy(formula)):
        names.check(asked)
    with pytest.raises(SpecError, match="stands alone"):
        names.check(Not(deepcopy(formula)))


def flipped() -> QuantumCircuit:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    return circuit


@pytest.mark.parametrize(
    "formula", ["P>=1/2 [F c[0]]", "P=? [F c[0]]", "AG P<0.7 [F c[0]]", "AF leaf & !P<=1/2 [F c[0]]"]
)
def test_probabilities_of_the_average_input_are_no_bounds_for_all(formula: str) -> None:
    """From |0> the outcome is 1, from |1> it is 0: the mean of both says nothing about either."""
    with pytest.raises(SpecError, match=r"'any' stands for all inputs at once \(write 'full on"):
        qismc.check(flipped(), formula, init="any on q")
    both = qismc.check(flipped(), ["P>=1/2 [F c[0]]", "P<=1/2 [F c[0]]"], init="full on q")
    assert [bool(r) for r in both] == [False, False]


def test_certainties_of_all_inputs() -> None:
    specs = ["P=1 [F leaf]", "P>0 [F c[0]]", "P=1 [F c[0]]"]
    assert [bool(r) for r in qismc.check(flipped(), specs, init="any on q")] == [True, True, False]


def test_numbers_of_the_average_input_are_refused() -> None:
    model = qismc.Model(flipped(), init="any on q")
    with pytest.raises(SpecError, match="the distribution of outcomes depends on the input"):
        model.outcomes()
    with pytest.raises(SpecError, match="an expectation value depends on the input"):
        model.expectation("Z on q[0]")
