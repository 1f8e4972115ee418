"""Every change once, few and likely ones before the many."""

from __future__ import annotations

from itertools import islice

from qismc import QuantumCircuit
from qismc.edits.edit import Edit, Insert, Remove
from qismc.edits.kinds import gate
from qismc.program.load import read_program
from qismc.program.program import Program
from qismc.program.statements import Apply, Measure
from qismc.repairs.edit_order import EditOrder


def program() -> Program:
    circuit = QuantumCircuit(3, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.rx(0.3, 2)
    circuit.cx(1, 2)
    circuit.measure(2, 0)
    return read_program(circuit)


def likely(
    given: Program, points: list[int] | None = None, corrections: tuple[Edit, ...] = (), first: int = 0
) -> EditOrder:
    return EditOrder(given, points or list(range(len(given.code))), first, lambda: corrections)


def test_removals_come_first_and_measurements_last() -> None:
    given = program()
    edits = list(likely(given).edits())
    assert [edit.actions for edit in islice(edits, 4)] == [(Remove(p),) for p in range(4)]
    assert edits[-1].actions == (Remove(4),) and isinstance(given.code[4], Measure)
    assert len(set(edits)) == len(edits)


def test_nothing_is_changed_beyond_the_points() -> None:
    points = [1, 3]
    assert {a.point for e in likely(program(), points).edits() for a in e.actions} <= {1, 3}


def test_what_may_change_the_claim_comes_last() -> None:
    given = program()
    edits = list(likely(given, first=2).edits())
    behind = [min(action.point for action in edit.actions) >= 2 for edit in edits]
    last = next(k for k, edit in enumerate(edits) if edit.point in (4, 0) and edit.kind == "remove")
    assert behind[:last] == [True] * last and {edit.point for edit in edits} == set(range(6))
    assert len(set(edits)) == len(edits)


def test_corrections_come_before_insertions() -> None:
    correction = Edit("branch", (Insert(5, gate("z", 0)),))
    edits = list(likely(program(), corrections=(correction,)).edits())
    first = next(k for k, edit in enumerate(edits) if edit.kind == "insert")
    assert edits.index(correction) < first


def test_gates_of_the_program_may_be_missing() -> None:
    given = program()
    inserted = {
        (a.statement.operator.name, a.statement.qubits)
        for e in likely(given).edits()
        for a in e.actions
        if isinstance(a, Insert) and isinstance(a.statement, Apply)
    }
    assert {("rx", (0,)), ("h", (2,)), ("cx", (2, 0)), ("cz", (0, 1))} <= inserted


def test_many_qubits_have_wide_gates_beside_their_like() -> None:
    circuit = QuantumCircuit(12)
    circuit.cx(0, 1)
    circuit.h(5)
    actions = [edit.actions[0] for edit in likely(read_program(circuit)).edits()]
    inserted = [action.statement for action in actions if isinstance(action, Insert)]
    pairs = {s.qubits for s in inserted if isinstance(s, Apply) and len(s.qubits) == 2}
    assert pairs == {(0, k) for k in range(2, 12)} | {(k, 1) for k in range(2, 12)}


def test_elsewhere_are_the_places_with_the_same_effect() -> None:
    found = likely(program())
    edit = Edit("insert", (Insert(0, gate("x", 2)),))
    assert {e.point for e in found.elsewhere(edit)} == {0, 1, 2}
    assert found.elsewhere(Edit("remove", (Remove(0),))) == [Edit("remove", (Remove(0),))]
