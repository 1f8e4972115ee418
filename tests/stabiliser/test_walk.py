"""The walk: where it leads, against a search point by point; what is followed, what is refused."""

from __future__ import annotations

from random import Random

import pytest
from qiskit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr, types

import qismc
from qismc import Limits, QuantumCircuit, Result, Verdict
from qismc.program import read_program
from qismc.program.program import Program
from qismc.program.statements import Apply, Jump
from qismc.stabiliser import loops, walk
from qismc.stabiliser.gates import Gates
from qismc.system.flow import successors

from .programs import CliffordWriter


def check(circuit: QuantumCircuit, spec: str | dict[str, str], **options: object) -> Result:
    return qismc.check(circuit, spec, method="stabiliser", **options)  # type: ignore[arg-type]


def decided(circuit: QuantumCircuit, spec: str | dict[str, str], **options: object) -> Result:
    result = check(circuit, spec, **options)
    assert result.engine == "stabiliser", result.notes
    return result


def test_bits_that_are_overwritten_were_read_before() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.h(0)
    circuit.measure(0, 0)
    told = {"now": "AG (leaf -> (c[0] -> |1> on q[0]))", "then": "AG (leaf -> (c[0] -> |1> on q[1]))"}
    result = decided(circuit, told)
    assert result["now"] and not result["then"]
    assert decided(circuit, "EF (leaf & c[0])")


def test_unreachable_ends_violate_nothing() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.measure(0, 0)
    result = check(circuit, "AG (leaf -> |1>)")
    assert result.verdict is Verdict.HOLDS and result.engine == "stabiliser" and result.warnings


def test_repeat_until_success() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h([0, 1])
        circuit.measure(0, 0)
    result = decided(circuit, {"zero": "AG (leaf -> c == 0)", "qubit": "AG (leaf -> |0> on q[1])"})
    assert result["zero"] and not result["qubit"]
    shown = result["qubit"].counterexample
    assert (
        shown is not None and shown.replayed and [s.outcome for s in shown if s.outcome is not None] == [1, 0]
    )


def test_ends_of_loops_are_left_to_others() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    result = check(circuit, {"ends": "AF leaf", "surely": "P=1 [F leaf]"})
    assert [r.verdict for r in result] == [Verdict.VIOLATED, Verdict.HOLDS] and result.engine == "exact"


def test_what_is_not_followed_need_not_end() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.t(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 0)):
        circuit.measure(0, 0)
    assert check(circuit, "AF leaf").verdict is Verdict.VIOLATED


def test_loops_with_a_counter() -> None:
    circuit = QuantumCircuit(1, 1)
    turns = circuit.add_var("n", expr.lift(0, types.Uint(4)))
    with circuit.while_loop(expr.less(turns, 9)):
        circuit.x(0)
        circuit.store(turns, expr.add(turns, expr.lift(1, types.Uint(4))))
    assert decided(circuit, {"one": "AG (leaf -> |1>)", "nine": "AG (leaf -> n == 9)", "ends": "AF leaf"})


def test_gates_that_are_no_clifford_gates_behind_the_question() -> None:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.barrier(label="middle")
    circuit.t(0)
    assert decided(circuit, "AG (middle -> |+>)")
    other = check(circuit, "AG (leaf -> |+>)")
    assert other.engine == "exact" and "is no Clifford gate" in other.notes[0]


def test_conditional_gates_are_followed_case_by_case() -> None:
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.h(1)
        circuit.measure(1, 1)
        circuit.reset(1)
    with otherwise:
        circuit.x(1)
        circuit.x(1)
    result = decided(circuit, {"back": "AG (leaf -> |0> on q[1])", "seen": "EF (leaf & c == 3)"})
    assert result and result.to_json()["stats"]["most_cases"] == 2
    assert decided(circuit, "AG (leaf -> (c[1] -> c[0]))")


def test_too_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk, "MOST_STATES", 4)
    circuit = QuantumCircuit(5, 5)
    circuit.h(range(5))
    circuit.measure(range(5), range(5))
    for k in range(5):
        with circuit.if_test((circuit.clbits[k], 1)):
            circuit.h(k)
    result = check(circuit, "AG (leaf -> (!c[0] -> |0> on q[0]))")
    assert result and result.engine == "exact" and "more than 4 cases" in result.notes[0]


def test_too_many_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "MOST_TURNS", 3)
    circuit = QuantumCircuit(1, 1)
    turns = circuit.add_var("n", expr.lift(0, types.Uint(4)))
    with circuit.while_loop(expr.less(turns, 9)):
        circuit.store(turns, expr.add(turns, expr.lift(1, types.Uint(4))))
    result = check(circuit, "AG (leaf -> n == 9)")
    assert result and result.engine == "exact" and "in each of 3 turns" in result.notes[0]


def test_inputs_are_choices() -> None:
    circuit = QuantumCircuit(1, 1)
    chosen = circuit.add_input("i", types.Uint(40))
    with circuit.if_test(expr.less(chosen, 2**39)):
        circuit.x(0)
    circuit.measure(0, 0)
    result = decided(circuit, {"low": "AG (leaf & c[0] -> i < 549755813888)", "some": "EF (leaf & i == 77)"})
    assert result and result["some"].witness.steps[-1].store["i"] == 77  # type: ignore[union-attr]


def test_starts_of_several_dimensions() -> None:
    circuit = QuantumCircuit(3, 1)
    circuit.measure(0, 0)
    specs = {"same": "AG (leaf -> (c[0] -> |111>) & (!c[0] -> |000>))", "one": "EF (leaf & c[0])"}
    assert decided(circuit, specs, init="stab(ZZI, IZZ)")
    wrong = decided(circuit, "AG (leaf -> |000>)", init="stab(ZZI, IZZ)")
    assert not wrong and wrong.counterexample is not None and wrong.counterexample.replayed
    other = check(circuit, "AG (leaf -> stab(IZZ))", init="|000> + 2*|111>")
    assert other and other.engine == "exact" and "no stabiliser state" in other.notes[0]


def test_initialisation_to_stabiliser_states() -> None:
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.initialize([2**-0.5, 0, 0, -(2**-0.5)], [1, 2])
    assert decided(circuit, "AG (leaf -> |00> - |11> on q[1], q[2])")
    circuit.initialize([0.6, 0.8], 0)
    assert check(circuit, "AG (leaf -> |00> - |11> on q[1], q[2])").engine == "exact"


def test_limits() -> None:
    circuit = QuantumCircuit(20, 20)
    circuit.h(range(20))
    circuit.measure(range(20), range(20))
    result = check(circuit, "AG (leaf -> c != 5)", limits=Limits(seconds=1e-9))
    assert result.verdict is Verdict.UNKNOWN and result.reason is not None and "limit" in result.reason


def test_loops_until_all_checks_are_zero() -> None:
    """Conditions of several bits, and a table inside the loop; without its last entry it goes on for ever."""
    for missing in (False, True):
        circuit = QuantumCircuit(QuantumRegister(3, "d"), QuantumRegister(1, "p"), ClassicalRegister(2, "s"))
        circuit.h([0, 1, 2])

        def measure_checks(circuit: QuantumCircuit = circuit) -> None:
            for k in range(2):
                circuit.reset(3)
                circuit.cx([k, k + 1], 3)
                circuit.measure(3, k)

        measure_checks()
        with circuit.while_loop(expr.not_equal(circuit.cregs[0], 0)):
            for syndrome, qubit in ((1, 0), (3, 1), *(() if missing else ((2, 2),))):
                with circuit.if_test((circuit.cregs[0], syndrome)):
                    circuit.x(qubit)
            measure_checks()
        specs = {"code": "AG (leaf -> stab(ZZI, IZZ, XXX) on d)", "ends": "AF leaf"}
        found, expected = check(circuit, specs), qismc.check(circuit, specs, numbers="exact", method="graph")
        assert [r.verdict for r in found] == [r.verdict for r in expected]
        assert bool(found["ends"]) != missing and (found.engine == "stabiliser") != missing


def reachable(program: Program, starts: tuple[int, ...]) -> set[int]:
    pending, found = list(starts), set(starts)
    while pending:
        new = set(successors(program, pending.pop())) - found
        found |= new
        pending += new
    return found


@pytest.mark.parametrize("seed", range(15))
def test_runs(seed: int) -> None:
    program = read_program(CliffordWriter(Random(seed), size=8).circuit)
    control = walk.ControlFacts(program, Gates())
    points = reachable(program, (program.entry,))
    assert control.size == (len(points), sum(len(successors(program, p)) for p in points))
    for point in points:
        behind = [p for run in control.after(point) for p in run]
        assert set(behind) == reachable(program, successors(program, point))


@pytest.mark.parametrize("seed", range(15))
def test_gates_end_where_something_else_may_happen(seed: int) -> None:
    program = read_program(CliffordWriter(Random(seed), size=8).circuit)
    control = walk.ControlFacts(program, Gates())
    for point in reachable(program, (program.entry,)):
        stop = control.pause(point)
        assert all(isinstance(program.code[p], Apply) for p in range(point, stop))
        assert not any(p in program.marked or p + 1 in control.joins for p in range(point, stop))
        assert not any(isinstance(program.code[p + 1], Jump) for p in range(point, stop))
        assert control.pause(stop) == stop
