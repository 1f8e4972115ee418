"""Similar gates against Qiskit's matrices."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CCXGate, CXGate, CZGate, HGate, RXXGate, RYGate, SGate, TGate, UGate, XGate
from qiskit.quantum_info import Operator

from qismc.edits.similar import (
    inverse,
    negated,
    other_axes,
    other_conditions,
    other_controls,
    other_signs,
    renamed_bits,
    swapped_operands,
)
from qismc.program.classical import Binary, Const, Expression, Read, Unary
from qismc.program.load import read_program, read_text
from qismc.program.operators import dense
from qismc.program.rendering import expression_text
from qismc.program.statements import Apply, Branch


def applied(gate: object) -> Apply:
    circuit = QuantumCircuit(3)
    circuit.append(gate, range(gate.num_qubits))  # type: ignore[attr-defined]
    statement = read_program(circuit).code[0]
    assert isinstance(statement, Apply)
    return statement


def matrix(gate: Apply) -> np.ndarray:
    return np.asarray(dense(gate.operator.factors, gate.operator.width))


@pytest.mark.parametrize("gate", [SGate(), TGate(), UGate(0.3, 0.4, 0.5)])
def test_inverses(gate: object) -> None:
    (found,) = inverse(applied(gate))
    assert np.allclose(matrix(found), Operator(gate.inverse()).data)  # type: ignore[attr-defined]


@pytest.mark.parametrize("gate", [XGate(), HGate(), CXGate(), CZGate()])
def test_what_undoes_itself_has_no_other_inverse(gate: object) -> None:
    assert list(inverse(applied(gate))) == []


def test_axes() -> None:
    names = {found.operator.name for found in other_axes(applied(RYGate(0.3)))}
    assert names == {"rx", "rz"}
    assert {found.operator.angles for found in other_axes(applied(RXXGate(0.3)))} == {(0.3,)}


def test_signs() -> None:
    found = [gate.operator.angles for gate in other_signs(applied(UGate(0.3, 0, 0.5)))]
    assert found == [(-0.3, 0, 0.5), (0.3, 0, -0.5)]
    (turned,) = other_signs(applied(RYGate(0.3)))
    assert np.allclose(matrix(turned), Operator(RYGate(-0.3)).data)


def test_controls() -> None:
    first, second = other_controls(applied(CCXGate()))
    assert np.allclose(matrix(first), Operator(CCXGate(ctrl_state="10")).data)
    assert np.allclose(matrix(second), Operator(CCXGate(ctrl_state="01")).data)
    assert first.operator.name == "negctrl @ ctrl @ x"
    (back,) = other_controls(applied(CXGate(ctrl_state=0)))
    assert back.operator.name == "cx"


def test_operands_are_swapped_where_that_matters() -> None:
    assert [gate.qubits for gate in swapped_operands(applied(CXGate()))] == [(1, 0)]
    assert list(swapped_operands(applied(CZGate()))) == []
    assert [gate.qubits for gate in swapped_operands(applied(CCXGate()))] == [(2, 1, 0), (0, 2, 1)]


PROGRAM = read_text(
    "OPENQASM 3.0;\nqubit q;\nbit[3] c;\nbit d;\nif (c == 5) { reset q; }\nif (d) { reset q; }\n", "p.qasm"
)
STORES = range(16)
CONDITIONS: list[Expression] = [
    Binary("==", Read((0, 1, 2)), Const(5)),
    Binary("!=", Read((1, 2)), Const(2)),
    Read((3,)),
    Binary("and", Read((0,)), Unary("not", Read((2,)))),
    Binary("<", Read((0, 2)), Const(2)),
]


def swapped(store: int, a: int, b: int) -> int:
    x, y = store >> a & 1, store >> b & 1
    return store & ~(1 << a) & ~(1 << b) | x << b | y << a


def test_exchanged_bits_are_the_condition_on_the_exchanged_store() -> None:
    for condition in CONDITIONS:
        for a, b in combinations(range(4), 2):
            other = renamed_bits(condition, {a: b, b: a})
            for store in STORES:
                assert bool(other.evaluate(store)) == bool(condition.evaluate(swapped(store, a, b)))


def test_a_compared_register_keeps_its_name() -> None:
    assert renamed_bits(CONDITIONS[0], {0: 1, 1: 0}) == Binary("==", Read((0, 1, 2)), Const(6))


def test_negations() -> None:
    for condition in CONDITIONS:
        for store in STORES:
            assert bool(negated(condition).evaluate(store)) != bool(condition.evaluate(store))
            assert bool(negated(negated(condition)).evaluate(store)) == bool(condition.evaluate(store))


def test_every_other_condition_is_another_one() -> None:
    for statement in PROGRAM.code:
        if isinstance(statement, Branch):
            truth = [bool(statement.condition.evaluate(store)) for store in STORES]
            others = list(other_conditions(PROGRAM, statement))
            assert others
            for other in others:
                assert isinstance(other, Branch)
                assert (other.then, other.otherwise) == (statement.then, statement.otherwise)
                assert [bool(other.condition.evaluate(store)) for store in STORES] != truth


def test_all_values_of_a_small_register_are_tried() -> None:
    first = next(statement for statement in PROGRAM.code if isinstance(statement, Branch))
    others = [other.condition for other in other_conditions(PROGRAM, first) if isinstance(other, Branch)]
    values = {
        c.right.value for c in others if isinstance(c, Binary) and isinstance(c.right, Const) and c.op == "=="
    }
    assert values == set(range(8)) - {5}, "all but its own"


def test_only_what_can_be_written_is_read_instead() -> None:
    """Digits of numbers and of inputs are no bits, and parts of registers are no registers."""
    text = """OPENQASM 3.0; input uint[2] e; qubit q; bit[2] c; bit[2] d; bit b; uint[2] n = 1;
    c[0] = measure q;
    if (c[0]) { x q; } if (c == 2) { x q; } if (b && n < 3) { x q; }"""
    program = read_text(text, "p.qasm")
    found = [
        [expression_text(program, other.condition) for other in other_conditions(program, statement)]
        for statement in program.code
        if isinstance(statement, Branch)
    ]
    texts = {text for listed in found for text in listed}
    assert {"c[1]", "d[0]", "b", "d == 2", "c == 1", "c[0] && (n < 3)"} <= texts
    assert not [text for text in texts if "{" in text or "n[" in text or "e[" in text]
    assert "e == 2" in texts and "n == 2" in texts
