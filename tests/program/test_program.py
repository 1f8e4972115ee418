from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit.library import Initialize

import qismc
from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program import read_program
from qismc.program.builder import Builder
from qismc.program.classical import Read, Variable
from qismc.program.load import read_text
from qismc.program.program import BUILT_IN, LOCATION, Program, Values, copies_of, fingerprint, is_reserved
from qismc.program.statements import Goto, Reset


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


LOOP = """OPENQASM 3.0;
include "stdgates.inc";
qubit[2] q;
for int i in [0:2] {
  h q[0];
  x q[1]; x q[1];
}
"""


def test_turns_of_an_unrolled_loop_are_copies() -> None:
    program = read_text(LOOP, "p.qasm")
    copies = copies_of(program)
    heads = [point for point, statement in enumerate(program.code) if isinstance(statement, Goto)]
    assert len(heads) == 3 and all(copies.is_turn(point) for point in heads)
    assert list(copies.of(heads[1])) == heads
    assert list(copies.of(heads[0] + 1)) == [point + 1 for point in heads]


def test_equal_statements_at_two_places_are_no_copies() -> None:
    program = read_text(LOOP, "p.qasm")
    copies = copies_of(program)
    first, second = copies.of(2), copies.of(3)
    assert program.code[2] == program.code[3]
    assert set(first).isdisjoint(second) and len(first) == len(second) == 3


def test_a_statement_that_stands_once_is_its_own_copy() -> None:
    program = read_text('OPENQASM 2.0; include "qelib1.inc";\nqreg q[1];\nh q[0];\nx q[0];\n', "p.qasm")
    assert list(copies_of(program).of(0)) == [0]
    assert copies_of(program) is copies_of(program)


def start() -> qismc.QuantumCircuit:
    circuit = qismc.QuantumCircuit(2, 2, name="one")
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.ry(0.3, 1)
    circuit.measure(0, 0)
    return circuit


def conditional(circuit: qismc.QuantumCircuit, value: int) -> None:
    with circuit.if_test((circuit.clbits[0], value)):
        circuit.x(1)


CHANGES: list[Callable[[qismc.QuantumCircuit], object]] = [
    lambda _: None,
    lambda c: c.x(0),
    lambda c: c.x(1),
    lambda c: c.ry(0.3, 1),
    lambda c: c.ry(0.3000000001, 1),
    lambda c: c.mark("here"),
    lambda c: c.mark("there"),
    lambda c: c.measure(0, 1),
    lambda c: c.measure(1, 1),
    lambda c: c.reset(0),
    lambda c: c.append(Initialize([0.6, 0.8]), [0]),
    lambda c: c.append(Initialize([0.8, 0.6]), [0]),
    lambda c: conditional(c, 1),
    lambda c: conditional(c, 0),
]


def made(change: Callable[[qismc.QuantumCircuit], object], name: str = "one") -> str:
    circuit = start()
    circuit.name = name
    change(circuit)
    return fingerprint(read_program(circuit))


def test_every_change_shows() -> None:
    assert len({made(change) for change in CHANGES}) == len(CHANGES)


@pytest.mark.parametrize("change", CHANGES)
def test_names_and_lines_do_not(change: Callable[[qismc.QuantumCircuit], object]) -> None:
    assert made(change) == made(change, "two")


@pytest.mark.parametrize(("text", "number"), [("l0", 0), ("@17", 17), ("l007", 7)])
def test_locations(text: str, number: int) -> None:
    match = LOCATION.match(text)
    assert match is not None and int(match[1]) == number


@pytest.mark.parametrize("text", ["l", "leaf", "l1x", "xl1", "@", "l-1", "l1\n", "L1"])
def test_other_words_are_no_locations(text: str) -> None:
    assert LOCATION.match(text) is None


RESERVED = [*BUILT_IN, "l7", "@7"]


@pytest.mark.parametrize("name", RESERVED)
def test_marks_with_reserved_names_are_refused(name: str) -> None:
    circuit = qismc.QuantumCircuit(1)
    circuit.mark(name)
    with pytest.raises(ProgramError, match=f"a mark cannot be called '{name}'") as caught:
        read_program(circuit)
    assert caught.value.source is not None and caught.value.source.file == __file__


@pytest.mark.parametrize("name", RESERVED)
def test_labelled_barriers_with_reserved_names_are_refused(name: str) -> None:
    circuit = qiskit.QuantumCircuit(1)
    circuit.barrier(label=name)
    with pytest.raises(ProgramError, match=f"a mark cannot be called '{name}'"):
        read_program(circuit)


@pytest.mark.parametrize("version", ["OPENQASM 2.0;\nqreg q[1];", "OPENQASM 3.0;\nqubit[1] q;"])
@pytest.mark.parametrize("name", [name for name in RESERVED if name != "@7"])
def test_mark_lines_with_reserved_names_are_refused(tmp_path: Path, version: str, name: str) -> None:
    file = tmp_path / "a.qasm"
    file.write_text(f"{version}\nU(0,0,0) q[0]; //@ mark {name}\n")
    with pytest.raises(ProgramError, match=rf"a\.qasm:3:16: a mark cannot be called '{name}'"):
        read_program(file)


def test_a_reserved_mark_in_a_loop_without_turns_is_refused() -> None:
    circuit = qismc.QuantumCircuit(1)
    with circuit.for_loop(range(0)):
        circuit.mark("leaf")
    with pytest.raises(ProgramError, match="a mark cannot be called 'leaf'"):
        read_program(circuit)


@pytest.mark.parametrize("name", ["leaf2", "l", "lx", "l1_", "Leaf", "end"])
def test_other_names_are_free(name: str) -> None:
    assert not is_reserved(name)
    circuit = qismc.QuantumCircuit(1)
    circuit.mark(name)
    assert read_program(circuit).marks == {name}
