"""Classical formulas as functions of the store, against their own evaluation."""

from __future__ import annotations

from itertools import product

import pytest
from qiskit import ClassicalRegister

from qismc import Model, QuantumCircuit
from qismc.language.parser import parse_formula
from qismc.language.syntax import Constant, Full, Quantum, Ref
from qismc.questions.claims import Inside, Never
from qismc.symbolic.arithmetic import BitArithmetic
from qismc.symbolic.asked import Asked, function, restricted
from qismc.symbolic.logic import Logic, evaluate

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
    found = function(at_leaf, names, BitArithmetic(logic, logic.literal))
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


COUNTING = """OPENQASM 3.0;
qubit q; bit[3] c; uint[2] n = 0; int[3] z = 0;
c[0] = measure q; n = n + 1; z = z - 1;
"""
SUMS = [
    "n == c[0] + c[1] + c[2]",
    "c[0] + c[1] + c[2] == n",
    "2*n - c > 1",
    "c + n <= 3 + c[1]",
    "z + n != -1",
    "n - z >= c - 2",
    "0 - z - n < 2",
    "-1*c - n == -4",
    "2*z + c == 1",
    "3*c[0] - 2*c[1] + z < n - 1",
]


class Register(int):
    """A value whose bits Python can index."""

    def __getitem__(self, place: int) -> int:
        return self >> place & 1


@pytest.mark.parametrize("text", SUMS)
def test_sums_against_python(text: str) -> None:
    names, logic = Model(COUNTING).names, Logic()
    found = function(parse_formula(text), names, BitArithmetic(logic, logic.literal))
    bits = {name: names.bits(Ref(name)).bits for name in "cnz"}
    for c, n, z in product(range(8), range(4), range(-4, 4)):
        chosen = {"c": Register(c), "n": n, "z": z}
        values = {bit: chosen[name] >> k & 1 for name in chosen for k, bit in enumerate(bits[name])}
        assert evaluate(found, values) == eval(text, chosen.copy()), chosen


def test_it_does_not_matter_on_which_side_a_sum_stands() -> None:
    sizes = []
    for text in ("n == c[0] + c[1] + c[2]", "c[0] + c[1] + c[2] == n", "c[0] + c[1] == n - c[2]"):
        logic = Logic()
        function(parse_formula(text), Model(COUNTING).names, BitArithmetic(logic, logic.literal))
        sizes.append(logic.size)
    assert len(set(sizes)) == 1


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
