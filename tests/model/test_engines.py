"""The choice of the engine of a model."""

from __future__ import annotations

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.random import random_circuit

import qismc
from qismc import Model
from qismc.engines.exact import ExactEngine
from qismc.engines.native import NativeEngine
from qismc.engines.ordering import guessed_order, level_order
from qismc.language.parser import parse_formula
from qismc.model import engines


def model(**options: object) -> Model:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.barrier(label="middle")
    circuit.rx(0.3, 0)
    return Model(circuit, **options)  # type: ignore[arg-type]


def test_there_is_another_engine_when_more_is_asked_of_it() -> None:
    engines = model().engines
    first, seed = engines.chosen, engines.seed
    formula = parse_formula("AG (middle -> |+>)")
    further = engines.asking([formula])
    assert further.chosen is not first and further.seed != seed
    assert engines.chosen is first and engines.seed == seed
    assert further.asking([formula]) is further


def test_who_asks_for_nothing_needs_no_conjugates() -> None:
    """Who says nothing may ask for anything."""
    for said, conjugating in ((False, True), (True, False)):
        found = model()
        if said:
            found = found.asking([])
        assert isinstance(found.engine, ExactEngine) and found.engine.field.conjugating == conjugating


def test_a_seed_that_is_given_stays() -> None:
    engines = model(seed=7).engines.asking([parse_formula("|0>")])
    assert engines.seed == engines.order_seed == 7


def test_giving_up_exactness_is_noted() -> None:
    given = model()
    assert given.engine.name == "exact" and not given.notes
    settled = given.on_floats
    assert settled.engine.name == "float" and "decided in floating point" in settled.notes[0]
    assert given.engine.name == "exact" and not given.notes


def test_others_leave_the_choice_alone() -> None:
    given = model()
    chosen = given.engines.chosen
    sibling, twin = given.sibling(11), given.in_floating_point()
    assert sibling.engine is not chosen and sibling.seed == 11 != given.seed
    assert twin.engine.name == "float" and given.engine is chosen
    assert twin.engine is given.simulation.engine  # which has run what twins ask for


def tangled() -> QuantumCircuit:
    """Gates for which no order is seen to be good at once."""
    circuit = random_circuit(14, 5, max_operands=2, seed=3)
    assert not guessed_order(Model(circuit).program).settled
    return circuit


def order_of(model: Model) -> list[int]:
    engine = model.engine
    assert isinstance(engine, ExactEngine)
    return list(engine.native.order)


@pytest.mark.parametrize("dear", [False, True])
def test_orders_are_searched_for_where_the_first_guess_is_dear(
    dear: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "HASTY", 0 if dear else 10**12)
    model = Model(tangled(), numbers="exact")
    model.solved()
    guess, found = guessed_order(model.program).order, level_order(model.program, 0)
    assert guess != found
    assert order_of(model) == (found if dear else guess)
    replayer = model.simulation.engine
    assert isinstance(replayer, NativeEngine)
    assert list(replayer.order) == (found if dear else guess)
    assert qismc.check(tangled(), "AG (leaf -> end)", props={"end": tangled()}, numbers="exact")


def test_guesses_are_for_the_exact_engine_and_for_plain_circuits() -> None:
    """Floating point does not say how dear an order is, and loops do not show it early."""
    model = Model(tangled(), numbers="float")
    model.solved()
    assert isinstance(model.engine, NativeEngine)
    assert list(model.engine.order) == level_order(model.program, 0)
    assert Model(tangled(), numbers="exact", order="natural").engines.guess == ()
    measured = QuantumCircuit(14, 1)
    measured.compose(tangled(), inplace=True)
    measured.measure(0, 0)
    with measured.while_loop((measured.clbits[0], 1)):
        measured.x(0)
        measured.measure(0, 0)
    assert Model(measured, numbers="exact").engines.guess == ()
