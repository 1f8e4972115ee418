"""Classical formulas as functions of the store, against their own evaluation."""

from __future__ import annotations

import pytest
from qiskit import ClassicalRegister

from qismc import Model, QuantumCircuit
from qismc.claims import Inside, Never
from qismc.levels.arithmetic import Arithmetic
from qismc.levels.asked import Asked, function, restricted
from qismc.levels.logic import Logic, evaluate
from qismc.spec.parser import parse_formula
from qismc.spec.syntax import Constant, Full, Quantum

FORMULAS = [
    "c == 2",
    "c[0] & !c[1]",
    "c[0] <-> d == 1",
    "c >= d | !(c != 3)",
    "c[1] -> d < 1",
    "leaf & c == 1",
]


def model() -> Model:
    circuit = QuantumCircuit(1, 2)
    circuit.add_register(ClassicalRegister(1, "d"))
    circuit.mark("middle")
    circuit.h(0)
    return Model(circuit)


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("store", range(8))
def test_values(text: str, store: int) -> None:
    names, logic = model().names, Logic()
    at_leaf = restricted(parse_formula(text), frozenset({"leaf"}), names)
    found = function(at_leaf, names, Arithmetic(logic, logic.literal))
    c, d = store & 3, store >> 2
    expected = {
        "c == 2": c == 2,
        "c[0] & !c[1]": c == 1,
        "c[0] <-> d == 1": bool(c & 1) == (d == 1),
        "c >= d | !(c != 3)": c >= d or c == 3,
        "c[1] -> d < 1": not c >> 1 or d < 1,
        "leaf & c == 1": c == 1,
    }[text]
    assert evaluate(found, {k: store >> k & 1 for k in range(3)}) == expected


def test_points_decide_what_they_can() -> None:
    names = model().names
    elsewhere = restricted(parse_formula("leaf & c == 1"), frozenset(), names)
    assert elsewhere == Constant(False)
    here = restricted(parse_formula("middle | c == 1"), frozenset({"middle"}), names)
    assert here == Constant(True)


def test_questions_are_asked_where_they_can_matter() -> None:
    found = model()
    end = len(found.program.code) - 1
    asked = Asked(
        found.names,
        [
            Never(parse_formula("leaf & c == 1")),
            Inside(parse_formula("middle"), Quantum(Full())),
            Never(parse_formula("c == 1")),
        ],
    )
    assert asked.at(end) == (0, 2)
    assert asked.at(found.program.entry) == (1, 2)
