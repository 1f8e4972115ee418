"""Circuits, read by us and run, against an interpreter that walks the circuit itself."""

from __future__ import annotations

import numpy as np
import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit, Gate, IfElseOp, Instruction, Parameter, Qubit
from qiskit.circuit.classical import expr, types
from qiskit.quantum_info import Kraus

from qismc.errors import ProgramError, UnsupportedError
from qismc.program.from_qiskit import read_circuit
from qismc.program.statements import Assign, Channel, Goto, Havoc, Leaf, Measure

from .executor import execute
from .interpreter import interpret
from .programs import VARIABLES_COUNT, Generator
from .worlds import assert_same


def assert_faithful(circuit: QuantumCircuit) -> None:
    program = read_circuit(circuit)
    assert [type(s) for s in program.code].count(Leaf) == 1
    assert isinstance(program.code[-1], Leaf)
    assert len(program.code) == len(program.sources) == len(program.texts)
    names = [v.name for v in circuit.iter_vars()]
    assert_same(execute(program, circuit.num_clbits, names), interpret(circuit))


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    assert_faithful(Generator(seed).build())


def test_hand_built_bodies_are_bound_to_other_bits() -> None:
    inner = QuantumCircuit(2, 2)
    inner.cx(1, 0)
    inner.measure(0, 1)
    outer_body = QuantumCircuit(2, 2)
    outer_body.h(0)
    outer_body.append(IfElseOp((outer_body.clbits[1], 0), inner, None), [1, 0], [1, 0])
    circuit = QuantumCircuit(3, 3)
    circuit.h(2)
    circuit.measure(2, 1)
    circuit.append(IfElseOp((circuit.clbits[1], 1), outer_body, None), [2, 0], [2, 0])
    assert_faithful(circuit)


def test_registers_share_bits() -> None:
    bits = [Clbit(), Clbit(), Clbit()]
    low, high = ClassicalRegister(name="low", bits=bits[:2]), ClassicalRegister(name="high", bits=bits[1:])
    circuit = QuantumCircuit(QuantumRegister(2, "q"), bits, low, high)
    circuit.x(0)
    circuit.measure(0, bits[1])
    with circuit.if_test((high, 1)):
        circuit.x(1)
    program = read_circuit(circuit)
    assert program.variables["low"].bits[1] == program.variables["high"].bits[0]
    assert program.store_width == 3
    assert_faithful(circuit)


def test_loose_bits_and_qubits_have_names() -> None:
    circuit = QuantumCircuit([Qubit(), Qubit()], [Clbit()])
    circuit.measure(1, 0)
    program = read_circuit(circuit)
    assert program.qubits == ("qubit0", "qubit1")
    assert program.text(0) == "measure qubit1 -> clbit0"


def test_a_condition_on_301_bits() -> None:
    register = ClassicalRegister(301, "c")
    circuit = QuantumCircuit(QuantumRegister(1), register)
    circuit.x(0)
    circuit.measure(0, register[300])
    with circuit.if_test((register, 1 << 300)):
        circuit.x(0)
    assert_faithful(circuit)


def test_no_classical_bits_and_one_qubit() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    assert_faithful(circuit)


def test_no_qubits_is_an_error() -> None:
    with pytest.raises(ProgramError, match="no qubits"):
        read_circuit(QuantumCircuit(0, 1))


def test_barriers_are_marks_only_with_a_label() -> None:
    circuit = QuantumCircuit(2)
    circuit.barrier()
    circuit.delay(10, 0)
    circuit.barrier(0, 1, label="here")
    program = read_circuit(circuit)
    assert list(program.code) == [Leaf()] and program.marked == {0: ("here",)}
    assert program.marks == {"here"}


def test_instructions_with_statements_are_inlined() -> None:
    part = QuantumCircuit(2, 1, name="part")
    part.h(0)
    part.measure(0, 0)
    part.reset(1)
    circuit = QuantumCircuit(3, 2)
    circuit.x(0)
    circuit.append(part.to_instruction(), [2, 0], [1])
    program = read_circuit(circuit)
    assert Measure(2, 1) in program.code
    flat = QuantumCircuit(3, 2)
    flat.x(0)
    flat.compose(part, [2, 0], [1], inplace=True)
    assert_same(execute(program, 2), interpret(flat))


def test_channels() -> None:
    damping = Kraus([np.diag([1, np.sqrt(0.5)]), [[0, np.sqrt(0.5)], [0, 0]]])
    circuit = QuantumCircuit(2)
    circuit.x(1)
    circuit.append(damping, [1])
    program = read_circuit(circuit)
    assert isinstance(program.code[1], Channel)
    (matrix,) = execute(program, 0).values()
    np.testing.assert_allclose(np.diag(matrix).real, [0.5, 0, 0.5, 0], atol=1e-12)


def test_initialize_by_vector_label_and_number() -> None:
    for state in ([0.6, 0.8j, 0, 0], "1-", 2):
        circuit = QuantumCircuit(3)
        circuit.h(0)
        circuit.cx(0, 1)
        circuit.initialize(state, [2, 0])
        assert_faithful(circuit)


def test_inputs_and_uninitialised_variables_are_nondeterministic() -> None:
    circuit = QuantumCircuit(1, inputs=[expr.Var.new("given", types.Uint(2))])
    circuit.add_uninitialized_var(expr.Var.new("open", types.Bool()))
    circuit.add_var("closed", expr.lift(True))
    with circuit.if_test(circuit.get_var("open")):
        circuit.x(0)
    program = read_circuit(circuit)
    havocs = [s.bits for s in program.code if isinstance(s, Havoc)]
    assert havocs == [program.variables["given"].bits, program.variables["open"].bits]


def test_stores_to_bits_registers_and_places() -> None:
    circuit = QuantumCircuit(QuantumRegister(1), ClassicalRegister(3, "c"), ClassicalRegister(2, "d"))
    c, d = circuit.cregs
    number = circuit.add_var("n", expr.lift(4, types.Uint(3)))
    circuit.h(0)
    circuit.measure(0, d[0])
    circuit.store(expr.lift(c[1]), expr.logic_not(d[0]))
    circuit.store(expr.lift(d), 2)
    circuit.store(expr.index(number, 1), expr.lift(c[1]))
    circuit.store(expr.index(expr.lift(c), d), True)
    with circuit.switch(expr.bit_xor(number, 6)) as case:
        with case(0):
            circuit.x(0)
        with case(2, case.DEFAULT):
            circuit.y(0)
    assert_faithful(circuit)


def test_local_variables_of_blocks() -> None:
    circuit = QuantumCircuit(1, 1)
    outer = circuit.add_var("v", expr.lift(2, types.Uint(2)))
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        local = circuit.add_var("w", expr.bit_not(outer))
        circuit.store(outer, local)
    assert_faithful(circuit)


def test_conditions_that_are_never_true_are_warnings() -> None:
    circuit = QuantumCircuit(1, 2)
    with circuit.if_test((circuit.cregs[0], 7)):
        circuit.x(0)
    assert read_circuit(circuit).warnings == ("'c == 7' is never true: c has 2 bits",)


def test_for_loops_show_their_turns() -> None:
    circuit = QuantumCircuit(1)
    with circuit.for_loop((0, 5)):
        circuit.x(0)
    program = read_circuit(circuit)
    heads = [k for k, s in enumerate(program.code) if isinstance(s, Goto) and s.loop]
    assert [program.text(k) for k in heads] == ["for _loop_i_0 = 0", "for _loop_i_0 = 5"] or [
        program.text(k) for k in heads
    ] == ["for _ = 0", "for _ = 5"]


def test_a_for_loop_that_is_too_long_is_refused_before_it_is_unrolled() -> None:
    circuit = QuantumCircuit(1)
    with circuit.for_loop(range(10**15)):
        circuit.h(0)
    with pytest.raises(ProgramError, match=r"the range has 1,000,000,000,000,000 elements, more than"):
        read_circuit(circuit)


@pytest.mark.skipif(not VARIABLES_COUNT, reason="this Qiskit has no such loops")
def test_a_for_loop_over_a_variable_stores_it() -> None:
    circuit = QuantumCircuit(1)
    with circuit.for_loop(range(2), expr.Var.new("i", types.Uint(4))):
        circuit.x(0)
    assert sum(isinstance(s, Assign) for s in read_circuit(circuit).code) == 2


def test_a_custom_gate_named_like_a_standard_one() -> None:
    imposter = Gate("h", 1, [])
    imposter.definition = QuantumCircuit(1)
    imposter.definition.x(0)
    circuit = QuantumCircuit(1)
    circuit.append(imposter, [0])
    (matrix,) = execute(read_circuit(circuit), 0).values()
    np.testing.assert_allclose(np.diag(matrix), [0, 1])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_angles_must_be_finite(value: float) -> None:
    circuit = QuantumCircuit(1)
    circuit.rx(value, 0)
    with pytest.raises(ProgramError, match=f"gate 'rx' has the angle {value}"):
        read_circuit(circuit)


def test_parameters_must_be_bound() -> None:
    circuit = QuantumCircuit(1)
    circuit.rx(Parameter("theta"), 0)
    with pytest.raises(ProgramError, match=r"unbound parameter 'theta' \(call assign_parameters first\)"):
        read_circuit(circuit)
    assert_faithful(circuit.assign_parameters([0.25]))


def test_opaque_instructions_are_named() -> None:
    circuit = QuantumCircuit(1)
    circuit.append(Instruction("mystery", 1, 0, []), [0])
    with pytest.raises(UnsupportedError, match="instruction 'mystery' is opaque"):
        read_circuit(circuit)


def test_float_variables_are_refused() -> None:
    circuit = QuantumCircuit(1)
    circuit.add_var("x", expr.lift(0.5))
    with pytest.raises(UnsupportedError, match="type 'float'"):
        read_circuit(circuit)
