"""What the screen stops is no repair: a whole check of the edited program says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.edits.edit import Edit, Insert, Remove, Replace
from qismc.edits.kinds import KINDS, Room, gate
from qismc.edits.sampling import drawn
from qismc.errors import LimitReached
from qismc.language.parser import parse_formula
from qismc.program.load import read_program
from qismc.program.program import Program
from qismc.repairs import screening
from qismc.repairs.screening import screen
from qismc.whatif.question import Variants

EXAMPLES = Path(__file__).parents[2] / "examples"


def teleportation() -> QuantumCircuit:
    """Without the correction of the phase."""
    circuit = QuantumCircuit(3, 2)
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    return circuit


def encoded() -> QuantumCircuit:
    """The mark names what the end should be again; what acts before it changes both."""
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.mark("here")
    circuit.x(0)
    circuit.measure(0, 0)
    return circuit


CASES = {
    "rus": (EXAMPLES / "rus_buggy.qasm", "AG (leaf -> target)", {}),
    "state": (teleportation(), "AG (leaf -> |+> on q[2])", {"init": "|+00>"}),
    "bits": (teleportation(), "AG (leaf -> c != 3)", {}),
    "middle": (encoded(), "AG (here -> |00> - |11>)", {}),
    "recorded": (encoded(), "AG (leaf -> sp(here))", {}),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_stopped_is_no_repair(name: str) -> None:
    thing, formula, options = CASES[name]
    program = read_program(thing)
    # runs with other outcomes stop more, and nothing that is a repair
    sieve = screen(Model(program, **options), parse_formula(formula), drawn=3)
    question = Variants({"spec": formula}, {**options, "engine": "float"})
    assert sieve and not question.check(program)
    stopped = 0
    for edit in drawn(program, 70, seed=1, kinds=list(KINDS)):
        edited = edit.apply(program)
        if not sieve.may_repair(edit) or sieve.fails_again(edit, edited):
            stopped += 1
            assert question.check(edited).verdict is Verdict.VIOLATED, edit.text(program)
    assert stopped > 15


def test_most_wrong_edits_are_stopped() -> None:
    """One of some hundreds repairs the program, and a few are left to be checked."""
    program = read_program(EXAMPLES / "rus_buggy.qasm")
    sieve = screen(Model(program), parse_formula("AG (leaf -> target)"))
    edits = list(Room(program).edits(range(len(program.code)), KINDS))
    left = [e for e in edits if sieve.may_repair(e) and not sieve.fails_again(e, e.apply(program))]
    assert len(edits) > 400 and len(left) < 20
    question = Variants({"safe": "AG (leaf -> target)"}, {})
    good = [e for e in left if question.check(e.apply(program))]
    assert {e.kind for e in good} >= {"insert-reset", "operand"}


def straight() -> Program:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.x(1)
    circuit.cx(0, 1)
    return read_program(circuit)


def test_one_inner_product_tells() -> None:
    program = straight()
    sieve = screen(Model(program), parse_formula("AG (leaf -> |00> + |11>)"))
    end = len(program.code) - 1
    assert sieve.may_repair(Edit("remove", (Remove(1),)))
    assert not sieve.may_repair(Edit("remove", (Remove(0),)))
    assert sieve.may_repair(Edit("insert", (Insert(end, gate("x", 0)),)))
    assert not sieve.may_repair(Edit("insert", (Insert(end, gate("z", 0)),)))
    assert sieve.may_repair(Edit("insert", (Insert(1, gate("x", 1), after=True),)))
    assert not sieve.may_repair(Edit("axis", (Replace(1, gate("y", 0)),)))


def test_formulas_about_paths_stop_nothing() -> None:
    sieve = screen(Model(straight()), parse_formula("EF (leaf & |00>)"))
    assert not sieve and sieve.may_repair(Edit("remove", (Remove(0),)))
    assert not sieve.can_tell(Edit("remove", (Remove(0),)))


def test_limits_stop_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise LimitReached("time is over")

    monkeypatch.setattr(screening, "replay", late)
    assert not screen(Model(straight()), parse_formula("AG (leaf -> |00> + |11>)"))


def test_many_qubits(engine: str) -> None:
    """Beyond dense arrays, states are trains."""
    circuit = QuantumCircuit(20)
    circuit.h(0)
    for k in range(19):
        circuit.cx(k, k + 1)
    circuit.z(7)
    formula = f"AG (leaf -> |{'0' * 20}> + |{'1' * 20}>)"
    program = read_program(circuit)
    sieve = screen(Model(program, numbers=engine), parse_formula(formula))
    kept = [p for p in range(21) if sieve.may_repair(Edit("remove", (Remove(p),)))]
    assert kept == [20]
    assert qismc.check(Edit("remove", (Remove(20),)).apply(program), formula)


@pytest.mark.parametrize("count", [30, 80])
def test_rounding_stops_no_repair(count: int) -> None:
    """The violation has an amplitude of 2^-(n/2): noise must not stop the edit that takes it away."""
    circuit = QuantumCircuit(count)
    circuit.h(range(count))
    circuit.mcp(3.0, list(range(count - 1)), count - 1)
    program = read_program(circuit)
    formula = f"AG (leaf -> |+^{count}>)"
    removal = Edit("remove", (Remove(count),))
    assert not qismc.check(program, formula) and qismc.check(removal.apply(program), formula)
    sieve = screen(Model(program), parse_formula(formula))
    assert bool(sieve) == (count < 80) and sieve.may_repair(removal)


def test_points_that_all_violating_executions_pass() -> None:
    program = read_program(teleportation())
    sieve = screen(Model(program, init="|+00>"), parse_formula("AG (leaf & c == 2 -> |+> on q[2])"))
    inside = next(p for p, s in enumerate(program.code) if s == gate("x", 2))
    assert not sieve
    sieve = screen(Model(program), parse_formula("AG (leaf -> c != 1)"))
    assert sieve and inside not in sieve.passed and 0 in sieve.passed
    assert sieve.way[-1] == 0 and sieve.way[0] == len(program.code) - 1
