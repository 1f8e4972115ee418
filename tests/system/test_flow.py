"""Runs, leaders and live bits."""

from __future__ import annotations

from qismc import Model, QuantumCircuit
from qismc.program import read_program
from qismc.program.statements import Leaf
from qismc.system.flow import Runs, leaders, live_bits, successors


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
    model = Model(qc, engine="float")
    assert [location.text for location in model.locations] == ["h q[0]", "end"]
    assert model.edges == [(0, 1), (1, 1)]


def test_runs_end_at_measurements_and_before_targets_of_jumps() -> None:
    program = read_program(measured_loop())
    runs = Runs(program)
    assert runs.end(0) == 2  # h; measure
    assert {3, 4} <= leaders(program)  # the loop's head and its body
    assert isinstance(program.code[-1], Leaf)
    assert successors(program, len(program.code) - 1) == (len(program.code) - 1,)


def test_only_the_bit_that_the_loop_reads_is_live() -> None:
    program = read_program(measured_loop())
    live = live_bits(program, Runs(program))
    assert live[0] == 0  # both bits are overwritten before anybody reads them
    assert live[3] == 0b01
    assert live[len(program.code) - 1] == 0


def test_bits_of_formulas_live_everywhere() -> None:
    program = read_program(measured_loop())
    assert all(mask & 0b10 for mask in live_bits(program, Runs(program), always=0b10).values())


def test_unread_bits_do_not_split_locations() -> None:
    merged, apart = (
        Model(measured_loop(), engine="float"),
        Model(measured_loop(), engine="float", keep_dead=True),
    )
    assert merged.solved(0).system.num_locations < apart.solved(0).system.num_locations
    assert merged.sp("leaf").dimension == apart.sp("leaf").dimension
