"""Qualitative probabilities against density matrices that are followed until nothing moves any more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import QuantumCircuit, Verdict
from qismc.demo import repeat_until_success

from ..reference import Matrix, Place, Reference
from ..strategies import toys
from ..toy import Toy

Chosen = Callable[[Place], bool]
STEPS, STILL = 4000, 1e-11
SURE, POSSIBLE = 1 - 1e-4, 1e-9


def until(reference: Reference, hold: Chosen, goal: Chosen) -> float:
    """The probability of hold U goal from |0..0>."""
    start = np.zeros((reference.size, reference.size), dtype=complex)
    start[0, 0] = 1
    states: dict[Place, Matrix] = {reference.start: start}
    total = 0.0
    for _ in range(STEPS):
        following: dict[Place, Matrix] = {}
        gained, open_mass = 0.0, 0.0
        for place, rho in states.items():
            weight = float(np.trace(rho).real)
            if goal(place):
                gained += weight
            elif hold(place) and weight > STILL:
                open_mass += weight
                for edge in reference.system[place]:
                    after = sum(k @ rho @ k.conj().T for k in edge.kraus)
                    following[edge.target] = following.get(edge.target, 0) + after
        total, states = total + gained, following
        if open_mass < STILL:
            break
    return total


def always(_: Place) -> bool:
    return True


@st.composite
def questions(draw: st.DrawFn) -> tuple[Toy, str, Chosen, Chosen, bool]:
    """(program, path formula, hold, goal, negated) with path formula = [not] hold U goal."""
    toy = draw(toys(most=2, size=4))
    leaf = (len(toy.body),)
    shapes: list[tuple[str, Chosen, Chosen, bool]] = [
        ("F leaf", always, lambda p: p[0] == leaf, False),
        ("F (leaf & c == 1)", always, lambda p: p[0] == leaf and p[1] == 1, False),
        ("G !leaf", always, lambda p: p[0] == leaf, True),
        ("G c == 0", always, lambda p: p[1] != 0, True),
        ("c == 0 U leaf", lambda p: p[1] == 0, lambda p: p[0] == leaf, False),
        ("leaf R c == 0", lambda p: p[0] != leaf, lambda p: p[1] != 0, True),
    ]
    return toy, *draw(st.sampled_from(shapes))


@given(case=questions())
def test_bounds_of_probabilities(engine: str, case: tuple[Toy, str, Chosen, Chosen, bool]) -> None:
    toy, path, hold, goal, negated = case
    probability = until(Reference(toy), hold, goal)
    if negated:
        probability = 1 - probability
    specs = {"sure": f"P=1 [{path}]", "possible": f"P>0 [{path}]"}
    result = qismc.check(toy.circuit(), specs, numbers=engine, keep_dead=True)
    assert (result["sure"].verdict is Verdict.HOLDS) == (probability > SURE), probability
    assert (result["possible"].verdict is Verdict.HOLDS) == (probability > POSSIBLE), probability


@pytest.mark.parametrize("reset", [True, False])
def test_repeat_until_success_ends_almost_surely(engine: str, reset: bool) -> None:
    circuit = repeat_until_success(reset_ancilla=reset)
    specs = ["AF leaf", "P=1 [F leaf]", "P>0 [G !leaf]"]
    verdicts = [r.verdict for r in qismc.check(circuit, specs, numbers=engine)]
    assert verdicts == [Verdict.VIOLATED, Verdict.HOLDS, Verdict.VIOLATED]


def test_probability_at_a_location_that_only_some_states_come_from(engine: str) -> None:
    """From `a` only |1> arrives at the second measurement, from elsewhere |0> as well."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.mark("a")
        circuit.measure(1, 0)
    circuit.measure(0, 1)
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(0)
    specs = [
        "AG (a -> P=1 [F leaf])",
        "AG (a -> P=1 [F c == 2])",
        "P=1 [F c == 2]",
        "AG (a -> P>0 [G c < 2])",
    ]
    verdicts = [r.verdict for r in qismc.check(circuit, specs, numbers=engine)]
    assert verdicts == [Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED, Verdict.VIOLATED]


def test_images_that_are_zero_up_to_rounding(engine: str) -> None:
    circuit = QuantumCircuit(2, 1)
    for _ in range(3):
        circuit.ry(np.pi / 3, [0, 1])
    circuit.measure(0, 0)
    circuit.x(0)
    specs = ["P=1 [F leaf]", "P>0 [F (leaf & c == 1)]", "P=1 [F (leaf & c == 1)]"]
    verdicts = [r.verdict for r in qismc.check(circuit, specs, init=["|00>", "|11>"], numbers=engine)]
    assert verdicts == [Verdict.HOLDS, Verdict.HOLDS, Verdict.VIOLATED]


PATHS: dict[str, Callable[[int], tuple[bool, bool]]] = {
    "F c[0]": lambda c: (True, bool(c & 1)),
    "c != 2 U c == 1": lambda c: (c != 2, c == 1),
    "c < 2 U c == 3": lambda c: (c < 2, c == 3),
}
"""Path formulas, and what hold and goal are for a value of the register."""


@settings(max_examples=60)
@given(toy=toys(most=2, size=6), path=st.sampled_from(sorted(PATHS)))
def test_executions_against_certainty_do_not_satisfy_the_path(engine: str, toy: Toy, path: str) -> None:
    """They pass open locations only; the last one is bad, the end, or where the goal comes no more."""
    (result,) = qismc.check(toy.circuit(), f"P=1 [{path}]", numbers=engine, method="graph")
    shown = result.counterexample
    if shown is None or shown.kind == "none":
        return
    held, reached = zip(*(PATHS[path](step.store["c"]) for step in shown.steps), strict=True)
    assert shown.replayed and not any(reached) and all(held[:-1])


def test_a_longer_way_that_misses_the_goal(engine: str) -> None:
    """The shortest way to the end passes the goal."""
    circuit = QuantumCircuit(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 0)):
        circuit.reset(0)
        circuit.reset(0)
    circuit.h(0)
    circuit.measure(0, 0)
    shown = qismc.check(circuit, "P=1 [F c[0]]", numbers=engine, method="graph")["spec"].counterexample
    assert shown is not None and shown.replayed
    assert [step.outcome for step in shown.steps if step.outcome is not None] == [0, 0]


@pytest.mark.parametrize("swapped", [False, True])
def test_what_is_trapped_by_itself_is_shown(engine: str, swapped: bool) -> None:
    """|+> may stay in the loop and |1> does not, although both together span what stays."""
    circuit = QuantumCircuit(2, 2)
    circuit.h(1)
    circuit.measure(1, 0)
    with circuit.if_test((circuit.clbits[0], int(swapped))) as otherwise:
        circuit.x(0)
    with otherwise:
        circuit.h(0)
    circuit.reset(1)
    circuit.measure(1, 0)
    with circuit.while_loop((circuit.clbits[1], 0)):
        circuit.measure(0, 1)
    shown = qismc.check(circuit, "P=1 [F leaf]", numbers=engine)["spec"].counterexample
    assert shown is not None and shown.replayed
    assert next(step.outcome for step in shown.steps if step.outcome is not None) == int(not swapped)
