"""States of simulated runs lie in sp, and in the long run span it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import given, settings
from qiskit.circuit.library import CXGate, HGate, RYGate, TGate

from qismc import Model

from ..compare import columns, places
from ..reference import ZERO, Matrix, Place, Reference, Walker, below, span
from ..strategies import toys
from ..toy import Block, Gate, If, Measure, Reset, Test, Toy, While


def trajectory(toy: Toy, random: np.random.Generator, steps: int) -> Iterator[tuple[Place, Matrix]]:
    """A run that takes each possible outcome with equal probability; states are unit columns."""
    walker = Walker(toy)
    place: Place = walker.settled((0,) if toy.body else walker.end), 0
    state = np.eye(2**toy.num_qubits, 1, dtype=complex)
    for _ in range(steps):
        yield place, state
        choices = [(e.target, k @ state) for e in walker.edges(place) for k in e.kraus]
        possible = [(target, after) for target, after in choices if np.linalg.norm(after) > ZERO]
        place, state = possible[random.integers(len(possible))]
        state = state / np.linalg.norm(state)


def collect(toy: Toy, runs: int, steps: int) -> dict[Place, Matrix]:
    """The span of what was seen at each location."""
    random = np.random.default_rng(7)
    seen: dict[Place, list[Matrix]] = {}
    for _ in range(runs):
        for place, state in trajectory(toy, random, steps):
            seen.setdefault(place, []).append(state)
    return {place: span(np.hstack(states)) for place, states in seen.items()}


@settings(max_examples=30)
@given(toy=toys())
def test_runs_stay_inside(engine: str, toy: Toy) -> None:
    model = Model(toy.circuit(), numbers=engine, keep_dead=True)
    number = {place: k for k, place in enumerate(places(toy, model))}
    for place, states in collect(toy, 4, 25).items():
        post = model.sp(number[place])
        assert states.shape[1] <= post.dimension
        if engine == "float":
            assert below(states, columns(post))


def rotor() -> Block:
    body = (Gate(RYGate(0.4), (0,)), Gate(CXGate(), (0, 1)), Reset(1), Gate(HGate(), (0,)), Measure(0, 0))
    return (Gate(HGate(), (0,)), Measure(0, 0), While(Test(0, 1), body))


def walk() -> Block:
    step = (Gate(HGate(), (0,)), Gate(TGate(), (1,)), Gate(CXGate(), (0, 1)), Measure(0, 0))
    return (Gate(HGate(), (1,)), *step, While(Test(0, 0), (*step, If(Test(0, 1), (Gate(HGate(), (1,)),)))))


def test_runs_span_in_the_long_run(engine: str) -> None:
    for body in (rotor(), walk()):
        toy = Toy(2, 1, body)
        model = Model(toy.circuit(), numbers=engine, keep_dead=True)
        seen = collect(toy, 40, 60)
        found = {place: model.sp(k).dimension for k, place in enumerate(places(toy, model))}
        assert {place: states.shape[1] for place, states in seen.items()} == found
        assert max(found.values()) > 1
        assert found.keys() == Reference(toy).system.keys()
