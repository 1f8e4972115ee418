"""Places that are said to be the same are: the edited programs do the same to every state."""

from __future__ import annotations

from qiskit.quantum_info import Operator

from qismc import QuantumCircuit
from qismc.edits.edit import Edit, Insert
from qismc.edits.kinds import Room, gate
from qismc.program.load import read_program
from qismc.program.program import Program
from qismc.program.statements import Apply
from qismc.repairs.edit_order import InsertPlace, InsertPlaces


def line() -> QuantumCircuit:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.h(2)
    circuit.cx(0, 1)
    circuit.t(2)
    circuit.cx(1, 2)
    return circuit


def places_of(program: Program) -> InsertPlaces:
    return InsertPlaces(Room(program), range(len(program.code)))


def unitary(program: Program) -> Operator:
    names = {"h": "h", "y": "y", "t": "t", "cx": "cx"}
    circuit = QuantumCircuit(program.num_qubits)
    for statement in program.code:
        if isinstance(statement, Apply):
            getattr(circuit, names[statement.operator.name])(*statement.qubits)
    return Operator(circuit)


def test_same_places_give_the_same_circuit_and_others_do_not() -> None:
    program = read_program(line())
    for qubit in range(3):
        statement = gate("y", qubit)
        groups = places_of(program).groups((qubit,))
        assert sorted(place for group in groups for place in group) == [InsertPlace(p) for p in range(6)]
        matrices = [
            [unitary(Edit("", (Insert(p.point, statement, after=p.after),)).apply(program)) for p in group]
            for group in groups
        ]
        assert all(matrix == same[0] for same in matrices for matrix in same)
        different = [same[0] for same in matrices]
        assert all(a != b for k, a in enumerate(different) for b in different[k + 1 :])


def test_as_many_places_as_statements_touch_the_qubit() -> None:
    program = read_program(line())
    assert [len(places_of(program).groups((q,))) for q in range(3)] == [3, 3, 4]
    assert len(places_of(program).groups((0, 1))) == 4


def test_a_row_of_its_like_comes_first() -> None:
    circuit = QuantumCircuit(3)
    circuit.x(0)
    circuit.x(2)
    circuit.h([0, 2])
    places = places_of(read_program(circuit))
    assert places.same_as(InsertPlace(0), gate("h", 1))[0] == InsertPlace(2)
    assert places.same_as(InsertPlace(4), gate("x", 1))[0] == InsertPlace(0)
    assert len(places.same_as(InsertPlace(4), gate("x", 1))) == 5


def test_marks_and_joins_keep_places_apart() -> None:
    marked = QuantumCircuit(2)
    marked.h(0)
    marked.mark("here")
    marked.h(0)
    assert len(places_of(read_program(marked)).groups((1,))) == 2
    branching = QuantumCircuit(2, 1)
    branching.measure(0, 0)
    with branching.if_test((0, 1)):
        branching.x(0)
    branching.h(0)
    program = read_program(branching)
    inside = next(p for p, s in enumerate(program.code) if isinstance(s, Apply) and s.operator.name == "x")
    (group,) = (g for g in places_of(program).groups((1,)) if InsertPlace(inside) in g)
    assert group == [InsertPlace(inside), InsertPlace(inside, after=True)]
    assert InsertPlace(inside, after=True) not in places_of(program).same_as(InsertPlace(0), gate("h", 1))


def test_the_first_points_come_first() -> None:
    places = InsertPlaces(Room(read_program(line())), [4, 5, 0, 1, 2, 3])
    assert [group[0] for group in places.groups((0,))] == [InsertPlace(3), InsertPlace(0), InsertPlace(1)]


def test_only_places_beside_the_given_points() -> None:
    places = InsertPlaces(Room(read_program(line())), [2, 1])
    assert places.groups((0,)) == [[InsertPlace(1), InsertPlace(2)]]
    assert places.same_as(InsertPlace(5), gate("h", 0)) == [InsertPlace(5)]
