from __future__ import annotations

import pickle

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program import read_program
from qismc.program.builder import Builder
from qismc.program.classical import Read, Variable
from qismc.program.program import Program, Values
from qismc.program.statements import Reset


def test_jumps_are_followed() -> None:
    builder = Builder()
    builder.branch(Read((0,)), lambda: builder.branch(Read((1,)), lambda: None, lambda: None), lambda: None)
    program = builder.finish("p", ["q"], {})
    leaf = len(program.code) - 1
    assert program.entry == 0
    assert {program.settle(point) for point in range(2, len(program.code))} == {leaf}
    assert program.num_statements == 2


def test_texts_may_be_given() -> None:
    builder = Builder()
    builder.emit(Reset(0))
    builder.emit(Reset(0), None, "my words")
    program = builder.finish("p", ["q"], {})
    assert [program.text(k) for k in range(3)] == ["reset q", "my words", "end"]


@pytest.mark.parametrize(("signed", "value"), [(False, 6), (True, -2)])
def test_values_of_variables(signed: bool, value: int) -> None:
    assert Variable("v", (4, 2, 0), signed).value(0b00101) == value


def test_sources_are_written_as_compilers_do() -> None:
    assert str(Source("f.py", 3)) == "f.py:3"
    assert str(ProgramError("bad", source=Source("f.py", 3, 7), hint="fix")) == "f.py:3:7: bad (fix)"


def program() -> Program:
    return read_program(
        QuantumCircuit(QuantumRegister(1, "q"), ClassicalRegister(2, "c"), ClassicalRegister(1, "d"))
    )


def test_values_are_a_mapping() -> None:
    values = Values(program(), 0b110)
    assert dict(values) == {"c": 2, "d": 1}
    assert values == {"c": 2, "d": 1}
    assert values != {"c": 2, "d": 0}
    assert len(values) == 2
    assert repr(values) == "{'c': 2, 'd': 1}"
    with pytest.raises(KeyError):
        values["e"]


def test_values_of_the_same_store_are_equal() -> None:
    shared = program()
    assert Values(shared, 5) == Values(shared, 5)
    assert hash(Values(shared, 5)) == hash(Values(shared, 5))
    assert Values(shared, 5) != Values(shared, 4)
    assert pickle.loads(pickle.dumps(Values(shared, 5))) == Values(shared, 5)
