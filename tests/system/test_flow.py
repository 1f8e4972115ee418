"""Runs, leaders and live bits."""

from __future__ import annotations

from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr, types

from qismc import Model, QuantumCircuit, Verdict, check
from qismc.program import read_program
from qismc.program.classical import Read
from qismc.program.statements import AssignAt, Leaf, Measure
from qismc.system.flow import live_bits, runs_of, successors


def measured_loop() -> QuantumCircuit:
    qc = QuantumCircuit(1, 2)
    qc.h(0)
    qc.measure(0, 0)
    qc.measure(0, 1)
    with qc.while_loop((qc.clbits[0], 1)):
        qc.h(0)
        qc.measure(0, 0)
    return qc


def test_a_leaf_is_one_location() -> None:
    qc = QuantumCircuit(1)
    qc.h(0)
    model = Model(qc, numbers="float")
    assert [location.text for location in model.locations] == ["h q[0]", "end"]
    assert model.edges == [(0, 1), (1, 1)]


def test_runs_end_at_measurements_and_before_targets_of_jumps() -> None:
    program = read_program(measured_loop())
    runs = runs_of(program)
    assert runs.end(0) == 2  # h; measure
    assert {3, 4} <= runs_of(program).leaders  # the loop's head and its body
    assert isinstance(program.code[-1], Leaf)
    assert successors(program, len(program.code) - 1) == (len(program.code) - 1,)


def test_only_the_bit_that_the_loop_reads_is_live() -> None:
    program = read_program(measured_loop())
    live = live_bits(program)
    assert live[0] == 0  # both bits are overwritten before anybody reads them
    assert live[3] == 0b01
    assert live[len(program.code) - 1] == 0


def test_bits_live_through_loops_in_each_other() -> None:
    """What is read at the start of the outer loop is alive in the inner one, and only there and before."""
    circuit = QuantumCircuit(1, 3)
    with circuit.while_loop((circuit.clbits[0], 1)):
        with circuit.if_test((circuit.clbits[2], 1)):
            circuit.x(0)
        with circuit.while_loop((circuit.clbits[1], 1)):
            circuit.measure(0, 1)
        circuit.measure(0, 0)
    program = read_program(circuit)
    live = live_bits(program)
    inner = next(p for p, s in enumerate(program.code) if isinstance(s, Measure) and s.bit == 1)
    assert live[program.entry] == 0b111
    assert live[inner] == 0b100  # the others are overwritten first
    assert live[len(program.code) - 1] == 0


def test_bits_of_formulas_live_everywhere() -> None:
    program = read_program(measured_loop())
    assert all(mask & 0b10 for mask in live_bits(program, always=0b10).values())


def test_unread_bits_do_not_split_locations() -> None:
    merged, apart = (
        Model(measured_loop(), numbers="float"),
        Model(measured_loop(), numbers="float", keep_dead=True),
    )
    assert merged.solved(0).system.num_locations < apart.solved(0).system.num_locations
    assert merged.sp("leaf").dimension == apart.sp("leaf").dimension


def test_an_indexed_assignment_may_leave_every_bit_as_it_was() -> None:
    """c[u] = 0 for an unknown u: c[1] still tells what was measured."""
    register = ClassicalRegister(2, "c")
    circuit = QuantumCircuit(QuantumRegister(2, "q"), register)
    unknown = circuit.add_input("u", types.Uint(1))
    circuit.h(0)
    circuit.measure(0, register[1])
    circuit.store(expr.index(register, unknown), expr.lift(False))
    with circuit.if_test((register[1], 1)):
        circuit.x(1)
    result = check(
        circuit,
        {"never": "AG (leaf -> span(|0>) on q[1])", "some": "EF (leaf & span(|0>) on q[1])"},
        method="graph",
    )
    assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.HOLDS]


def test_an_indexed_assignment_overwrites_no_bit_for_sure() -> None:
    """Whichever positions it may select, each of them may keep its value: none is dead before."""
    statement = AssignAt((0, 1), Read((2,)), Read((3,)))
    assert (statement.reads, statement.sets) == (0b1100, 0)


def test_assignments_read_what_they_compute_with() -> None:
    """c is read by u = u ^ c alone, and u by u = u + 1 which overwrites it."""
    register = ClassicalRegister(1, "c")
    circuit = QuantumCircuit(QuantumRegister(2, "q"), register)
    number = circuit.add_var("u", expr.lift(0, types.Uint(2)))
    circuit.h(0)
    circuit.measure(0, register[0])
    circuit.store(number, expr.bit_xor(number, expr.cast(expr.lift(register), types.Uint(2))))
    circuit.store(number, expr.add(number, expr.lift(1, types.Uint(2))))
    with circuit.if_test(expr.equal(number, 2)):
        circuit.x(1)
    formulas = {"never": "AG (leaf -> span(|0>) on q[1])", "always": "AG (leaf -> span(|1>) on q[1])"}
    result = check(circuit, formulas, method="graph")
    assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.VIOLATED]
