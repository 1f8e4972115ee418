"""An edited program run once more with known outcomes takes the way that a check finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from qiskit import ClassicalRegister

import qismc
from qismc import Model, QuantumCircuit
from qismc.evidence.safety import invariant
from qismc.language.parser import parse_formula
from qismc.language.syntax import Formula
from qismc.program.load import read_program
from qismc.repairs.rerun import Original, Reruns, choices_of
from qismc.repairs.screening import screen


def reruns(circuit: QuantumCircuit, body: str, **options: object) -> tuple[Reruns, Model]:
    model = Model(circuit, **options)
    return Reruns(model.simulation.engine, model.names, parse_formula(body)), model


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
        same, model = reruns(feedback(), f"leaf -> c == {value}")
        other, _ = reruns(feedback(), f"leaf -> c != {value}")
        run = started(model, (first, second, first))
        assert not same.fails(model.program, [run]) and other.fails(model.program, [run])


def test_states_at_the_end_are_compared() -> None:
    """What was measured is left on the second qubit, and the first one was reset."""
    for outcome, ket in ((0, "|00>"), (1, "|01>")):
        tried, model = reruns(feedback(), f"leaf -> {ket}")
        assert not tried.fails(model.program, [started(model, (0, outcome, 0))])
        assert tried.fails(model.program, [started(model, (0, 1 - outcome, 0))])


def test_impossible_outcomes_give_way() -> None:
    circuit = QuantumCircuit(1, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    tried, model = reruns(circuit, "leaf -> c == 1")
    for choices in ((0,), (1,), ()):
        assert not tried.fails(model.program, [started(model, choices)])


def test_named_propositions_and_named_bits() -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    tried, model = reruns(circuit, "leaf -> pair & !c[0]", props={"pair": "|00> + |11>"})
    assert not tried.fails(model.program, [started(model, ())])
    assert tried.fails(model.program, [started(model, (), (0, 1), (1, 0))])


def test_the_first_run_that_breaks_is_enough_and_unknown_ones_end_it() -> None:
    """A run that does not end says nothing, and neither do those after it."""
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    with circuit.while_loop((0, 0)):
        circuit.h(0)
        circuit.measure(0, 0)
    tried, model = reruns(circuit, "leaf -> c == 0")
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
        tried, model = reruns(circuit, body)
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
    sieve, tried = screen(model, tree), Reruns(model.simulation.engine, model.names, body)
    assert sieve
    for trace in sieve.traces:
        choices = choices_of(trace.visits)
        assert len(choices) == 3  # two outcomes and the operator of the reset
        run = trace.onward(0, choices)
        assert tried.fails(read_program(circuit), [run])
