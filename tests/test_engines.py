"""The choice of the engine of a model."""

from __future__ import annotations

from qiskit import QuantumCircuit

from qismc import Model
from qismc.spec.parser import parse_formula


def model(**options: object) -> Model:
    circuit = QuantumCircuit(1)
    circuit.h(0)
    circuit.barrier(label="middle")
    circuit.rx(0.3, 0)
    return Model(circuit, **options)  # type: ignore[arg-type]


def test_the_engine_changes_when_more_is_asked_of_it() -> None:
    engines = model().engines
    first, seed = engines.chosen, engines.seed
    formula = parse_formula("AG (middle -> |+>)")
    assert engines.prepare([formula])
    assert engines.chosen is not first and engines.seed != seed
    second = engines.chosen
    assert not engines.prepare([formula]) and engines.chosen is second


def test_a_seed_that_is_given_stays() -> None:
    engines = model(seed=7).engines
    engines.prepare([parse_formula("|0>")])
    assert engines.seed == engines.order_seed == 7


def test_giving_up_exactness_is_noted() -> None:
    engines = model().engines
    assert engines.chosen.name == "exact" and not engines.notes
    engines.settle_for_floats()
    assert engines.chosen.name == "float" and "decided in floating point" in engines.notes[0]


def test_others_leave_the_choice_alone() -> None:
    given = model()
    chosen = given.engines.chosen
    sibling, twin = given.sibling(11), given.in_floating_point()
    assert sibling.engine is not chosen and sibling.seed == 11 != given.seed
    assert twin.engine.name == "float" and given.engine is chosen
    assert twin.engine is given.replayer  # which has run what twins ask for
