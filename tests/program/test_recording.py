"""Positions of Python circuits."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
import qiskit
from qiskit import ClassicalRegister, QuantumRegister, qpy
from qiskit.circuit.classical import expr, types

from qismc.program.from_qiskit import read_circuit
from qismc.program.recording import QuantumCircuit, trace

SNIPPET = """
def helper(qc, a, b):
    qc.h(a)  # helper-h
    qc.cx(a, b)  # helper-cx

sub = QuantumCircuit(1)
sub.t(0)  # t
body = QuantumCircuit(1, 1)
body.sx(0)  # sx
c = ClassicalRegister(1, "c")
qc = QuantumCircuit(QuantumRegister(2, "q"), c)
helper(qc, 0, 1)
qc.measure(0, c[0])  # measure
with qc.while_loop((c, 1)):  # while
    qc.y([0, 1])  # y
    with qc.if_test((c[0], 1)) as else_:  # if
        helper(qc, 1, 0)
        qc.break_loop()  # break
    with else_:
        qc.continue_loop()  # continue
    with qc.switch(c) as case:  # switch
        with case(0):
            qc.z(0)  # z
        with case(case.DEFAULT):
            qc.s(1)  # s
with qc.for_loop(range(2)) as i:  # for
    qc.rx(i, 0)  # rx
qc.if_else((c, 0), body, None, [1], [0])  # handmade
qc.compose(sub, [1], inplace=True)  # compose
qc.barrier(label="m")
qc.initialize([0, 1], 0)  # initialize
"""
NAMES = {
    "h": "helper-h", "cx": "helper-cx", "measure": "measure", "while": "while", "y": "y", "break": "break",
    "continue": "continue", "switch": "switch", "z": "z", "s": "s", "for": "for", "rx": "rx", "sx": "sx",
    "t": "t", "initialize": "initialize",
}  # fmt: skip


def build(kind: type) -> qiskit.QuantumCircuit:
    names: dict[str, Any] = {
        "QuantumCircuit": kind, "ClassicalRegister": ClassicalRegister, "QuantumRegister": QuantumRegister,
    }  # fmt: skip
    exec(compile(SNIPPET, "<cell 7>", "exec"), names)
    return names["qc"]  # type: ignore[no-any-return]


def traced() -> qiskit.QuantumCircuit:
    with trace():
        return build(qiskit.QuantumCircuit)


def lines(circuit: qiskit.QuantumCircuit) -> list[tuple[str, str]]:
    """(statement, comment on its source line)."""
    program = read_circuit(circuit)
    text = SNIPPET.split("\n")
    found = []
    for point, source in enumerate(program.sources[:-1]):
        assert source is not None and source.file == "<cell 7>", program.text(point)
        found.append((program.text(point).split("(")[0].split()[0], text[source.line - 1].partition("# ")[2]))
    return found


@pytest.mark.parametrize("make", [lambda: build(QuantumCircuit), traced], ids=["recording", "traced"])
def test_every_statement_finds_its_line(make: Callable[[], qiskit.QuantumCircuit]) -> None:
    found = [pair for pair in lines(make()) if pair[0] != "jump"]
    assert [comment for word, comment in found if word == "if"] == ["if", "handmade"]
    for word, comment in found:
        assert word == "if" or comment == NAMES[word]
    assert {word for word, _ in found} == {*NAMES, "if"}


VARIABLES = """
def fresh(qc, name):
    return qc.add_var(name, expr.lift(1, types.Uint(3)))  # add_var
sub = QuantumCircuit(1, 1)
fresh(sub, "v")
sub.h(0)  # h
sub.measure(0, 0)  # measure
qc = QuantumCircuit(2, 2)
n = fresh(qc, "n")
with qc.while_loop(expr.less(n, 3)):  # while
    k = fresh(qc, "k")
    qc.h(0)  # h
    qc.store(n, expr.add(n, 1))  # store
    with qc.if_test(expr.equal(k, 1)) as else_:  # if
        qc.x(0)  # x
        fresh(qc, "i")
        qc.break_loop()  # break
    with else_:
        fresh(qc, "j")
        qc.y(0)  # y
        qc.continue_loop()  # continue
with qc.for_loop(range(2)):  # for
    fresh(qc, "m")
    with qc.box():
        fresh(qc, "o")
        qc.z(0)  # z
with qc.switch(n) as case:  # switch
    with case(0):
        fresh(qc, "p")
        qc.x(1)  # x
    with case(case.DEFAULT):
        qc.y(1)  # y
        fresh(qc, "r")
        qc.s(1)  # s
qc.compose(sub, [1], [1], inplace=True)
"""


@pytest.mark.parametrize("tracing", [False, True])
def test_variables_move_no_lines(tracing: bool) -> None:
    kind = qiskit.QuantumCircuit if tracing else QuantumCircuit
    names: dict[str, Any] = {"QuantumCircuit": kind, "expr": expr, "types": types}
    with trace() if tracing else nullcontext():
        exec(compile(VARIABLES, "<cell 8>", "exec"), names)
    program, text = read_circuit(names["qc"]), VARIABLES.split("\n")
    seen = set()
    for point, source in enumerate(program.sources[:-1]):
        word = program.text(point).split("(")[0].split()[0]
        if word != "jump":
            assert source is not None
            comment = text[source.line - 1].partition("# ")[2]
            assert comment == word or (comment in ("add_var", "store") and program.text(point)[2] == "=")
            seen.add(comment)
    assert seen == {line.partition("# ")[2] for line in text if "# " in line}


MOVED: list[Callable[[QuantumCircuit], Any]] = [
    lambda circuit: circuit.reverse_ops(),
    lambda circuit: circuit.inverse(),
    lambda circuit: circuit.data.pop(0),
    lambda circuit: circuit.data.insert(1, circuit.data[2]),
    lambda circuit: circuit.data.__delitem__(1),
]


@pytest.mark.parametrize("change", MOVED)
def test_moved_instructions_have_no_line_of_another(change: Callable[[QuantumCircuit], Any]) -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.h(1)
    circuit.x(2)
    circuit.h(2)
    at = dict(_placed(circuit))
    changed = change(circuit)
    changed = changed if isinstance(changed, qiskit.QuantumCircuit) else circuit
    for text, source in _placed(changed):
        assert source is None or source == at[text]
    assert dict(_placed(circuit.copy())) == dict(_placed(circuit))


def _placed(circuit: qiskit.QuantumCircuit) -> list[tuple[str, Any]]:
    program = read_circuit(circuit)
    return [(program.text(k), program.sources[k]) for k in range(len(program.code) - 1)]


def test_columns() -> None:
    qc = QuantumCircuit(1)
    qc.x(0); qc.y(0)  # noqa: E702  # fmt: skip
    first, second = read_circuit(qc).sources[:2]
    assert first is not None and second is not None
    assert first.file == __file__ and first.line == second.line
    assert (first.column, second.column) in ((5, 14), (None, None))


def test_plain_circuits_have_no_positions() -> None:
    program = read_circuit(build(qiskit.QuantumCircuit))
    assert set(program.sources) == {None}


def test_tracing_ends() -> None:
    before = qiskit.QuantumCircuit.append
    with pytest.raises(ZeroDivisionError), trace():
        1 / 0  # noqa: B018
    assert qiskit.QuantumCircuit.append is before


def small(kind: type = QuantumCircuit) -> qiskit.QuantumCircuit:
    circuit = kind(2, 1)
    circuit.h(0)
    with circuit.if_test((0, 1)):
        circuit.x(1)
    return circuit


def test_copies_keep_positions_and_go_their_own_ways() -> None:
    circuit = small()
    expected = read_circuit(circuit).sources
    for other in (circuit.copy(), copy.deepcopy(circuit), pickle.loads(pickle.dumps(circuit))):
        assert read_circuit(other).sources == expected
        other.y(0)
        circuit.z(0)
        theirs, ours = read_circuit(other).sources, read_circuit(circuit).sources
        assert theirs[-2] is not None and ours[-2] is not None
        assert theirs[-2].line + 1 == ours[-2].line
        circuit = small()
        expected = read_circuit(circuit).sources


def test_compose_in_front_and_without_positions() -> None:
    circuit, plain = QuantumCircuit(1), qiskit.QuantumCircuit(1)
    circuit.h(0)
    plain.x(0)
    plain.y(0)
    joined = circuit.compose(plain, front=True)
    program = read_circuit(joined)
    assert [program.text(k)[0] for k in range(3)] == ["x", "y", "h"]
    assert [s.line - program.sources[2].line for s in program.sources[:3]] == [3, 3, 0]  # type: ignore[union-attr]


def test_edited_data_loses_positions_but_never_lies() -> None:
    circuit = small()
    circuit.data.insert(0, circuit.data[0].replace(operation=qiskit.circuit.library.SGate()))
    program = read_circuit(circuit)
    assert program.text(0) == "s q[0]" and program.sources[0] is None


def test_untraced_statements_between_traced_ones() -> None:
    circuit = qiskit.QuantumCircuit(2, 1)
    with trace():
        circuit.h(0)
    circuit.x(0)
    circuit.measure(0, 0)
    with trace():
        circuit.y(0)
        circuit.measure(1, 0)
    del circuit.data[4]
    with trace():
        circuit.z(0)
    known = [s is not None for s in read_circuit(circuit).sources[:-1]]
    assert known == [False, False, False, False, True]  # which one is gone nobody knows


def test_an_aborted_block_does_not_disturb_the_next() -> None:
    circuit = QuantumCircuit(1, 1)
    with pytest.raises(RuntimeError), circuit.if_test((0, 1)):
        circuit.x(0)
        raise RuntimeError
    with circuit.if_test((0, 1)):
        circuit.y(0)
    head, inner = read_circuit(circuit).sources[:2]
    assert head is not None and inner is not None and inner.line == head.line + 1


def test_marks_survive_copy_compose_and_qpy() -> None:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.mark("here")
    stream = io.BytesIO()
    qpy.dump(circuit.copy(), stream)
    stream.seek(0)
    (loaded,) = qpy.load(stream)
    outer = qiskit.QuantumCircuit(2)
    outer.compose(loaded, inplace=True)
    assert read_circuit(outer).marks == {"here"}
