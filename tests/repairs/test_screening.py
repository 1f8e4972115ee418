"""What the screen stops is no repair: a whole check of the edited program says so."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from qiskit import ClassicalRegister

import qismc
from qismc import Model, QuantumCircuit, Verdict
from qismc.edits.edit import Edit, Insert, Remove, Replace
from qismc.edits.kinds import KINDS, Room, gate
from qismc.edits.sampling import drawn
from qismc.errors import LimitReached
from qismc.evidence.safety import invariant
from qismc.language.parser import parse_formula
from qismc.language.syntax import Formula
from qismc.program.load import read_program
from qismc.program.program import Program
from qismc.repairs import screening
from qismc.repairs.screening import Original, Rehearsal, choices_of, screen
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
    sieve = screen(Model(program, **options), parse_formula(formula))
    sieve.drawn = 3  # runs with other outcomes stop more, and nothing that is a repair
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


def rehearsal(circuit: QuantumCircuit, body: str, **options: object) -> tuple[Rehearsal, Model]:
    model = Model(circuit, **options)
    return Rehearsal(model.simulation.engine, model.names, parse_formula(body)), model


def started(model: Model, choices: tuple[int, ...], *letters: tuple[complex, complex]) -> Original:
    factors = letters or ((1, 0),) * model.program.num_qubits
    state = model.simulation.engine.product(list(factors))
    return Original(model.program.entry, state, model.program.initial_store, choices)


def feedback() -> QuantumCircuit:
    """A coin, a turn of the second qubit that depends on it, another coin, a reset."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.ry(0.7, 1)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    with circuit.if_test((0, 1)):
        circuit.h(1)
    circuit.measure(1, 1)
    circuit.reset(0)
    return circuit


def outcomes_by_hand() -> Iterator[tuple[int, int]]:
    """The outcomes that the program can give, by matrices."""
    hadamard = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    turned = np.array([np.cos(0.35), np.sin(0.35)])
    for first, second in product((0, 1), repeat=2):
        state = hadamard @ turned[::-1] if first else turned
        if abs(state[second]) > 1e-9:
            yield first, second


def test_wanted_outcomes_are_taken() -> None:
    assert set(outcomes_by_hand()) == set(product((0, 1), repeat=2))
    for first, second in outcomes_by_hand():
        value = first + 2 * second
        same, model = rehearsal(feedback(), f"leaf -> c == {value}")
        other, _ = rehearsal(feedback(), f"leaf -> c != {value}")
        run = started(model, (first, second, first))
        assert not same.fails(model.program, [run]) and other.fails(model.program, [run])


def test_states_at_the_end_are_compared() -> None:
    """What was measured is left on the second qubit, and the first one was reset."""
    for outcome, ket in ((0, "|00>"), (1, "|01>")):
        tried, model = rehearsal(feedback(), f"leaf -> {ket}")
        assert not tried.fails(model.program, [started(model, (0, outcome, 0))])
        assert tried.fails(model.program, [started(model, (0, 1 - outcome, 0))])


def test_impossible_outcomes_give_way() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    tried, model = rehearsal(circuit, "leaf -> c == 1")
    for choices in ((0,), (1,), ()):
        assert not tried.fails(model.program, [started(model, choices)])


def test_named_propositions_and_named_bits() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    tried, model = rehearsal(circuit, "leaf -> pair & !c[0]", props={"pair": "|00> + |11>"})
    assert not tried.fails(model.program, [started(model, ())])
    assert tried.fails(model.program, [started(model, (), (0, 1), (1, 0))])


def test_the_first_run_that_breaks_is_enough_and_unknown_ones_end_it() -> None:
    """A run that does not end says nothing, and neither do those after it."""
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    tried, model = rehearsal(circuit, "leaf -> c == 0")
    ends, loops = started(model, (0, 1)), started(model, (0,) * 400)
    assert tried.fails(model.program, [ends]) and tried.fails(model.program, [ends, loops])
    assert not tried.fails(model.program, [loops, ends]) and not tried.fails(model.program, [])


def test_names_mean_what_they_mean_in_a_check() -> None:
    """Built-in names come first; of numbers of locations a run knows nothing."""
    circuit = QuantumCircuit(1)
    circuit.add_register(ClassicalRegister(1, "loop"))
    circuit.h(0)
    circuit.mark("last")
    for body, breaks in {"reached": False, "loop": True, "last": False, "!leaf": True, "l0": False}.items():
        tried, model = rehearsal(circuit, body)
        assert tried.fails(model.program, [started(model, ())]) is breaks, body


FORMULAS = ["AG (leaf -> |00>)", "AG (leaf -> c != 2)", "AG (leaf & c == 1 -> |+> on q[1])"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_violating_executions_fail_again(formula: str) -> None:
    """The choices of a path lead to the end that the check found."""
    circuit = feedback()
    assert not qismc.check(circuit, formula)
    model, tree = Model(circuit), parse_formula(formula)
    body = invariant(tree)
    assert isinstance(body, Formula)
    sieve, tried = screen(model, tree), Rehearsal(model.simulation.engine, model.names, body)
    assert sieve
    for trace in sieve._traces:
        choices = choices_of(trace.visits)
        assert len(choices) == 3  # two outcomes and the operator of the reset
        run = Original(trace.visits[0].point, trace.states[0], trace.stores[0], choices)
        assert tried.fails(read_program(circuit), [run])
