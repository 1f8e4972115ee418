"""Circuits with for, switch, continue, variables and overlapping registers against dense algebra."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, Verdict
from qismc.language.printer import to_text
from qismc.language.syntax import Formula

from ..compare import agrees
from ..ctl.oracle import Structure, naive
from ..reference import Matrix
from ..strategies import Proposition, formulas, propositions
from .circuits import CircuitReference, Writer
from .test_random_programs import named

RANDOM = st.integers(0, 10**9).map(Random)
PATHS = st.sampled_from(["feasible", "all"])
TESTS = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, ">=": int.__ge__}


@settings(max_examples=40)
@given(random=RANDOM, paths=PATHS)
def test_locations_and_posts(engine: str, random: Random, paths: str) -> None:
    circuit = Writer(random).circuit
    reference = CircuitReference(circuit, paths)
    model = Model(circuit, numbers=engine, paths=paths, keep_dead=True)
    found = sorted((at.values["c"], at.values["u"], model.sp(at.index).dimension) for at in model.locations)
    assert found == sorted((number(p), variable(p), reference.sp[p].shape[1]) for p in reference.system)
    assert agrees(model.sp("leaf"), reference.at("leaf"))


def number(place: tuple) -> int:
    return place[1][0] + 2 * place[1][1]


def variable(place: tuple) -> int:
    return next(iter(dict(place[2]).values()), 0)


def kripke(reference: CircuitReference, props: dict[str, Matrix]) -> Structure:
    """The labelled graph of the reference, its start first."""
    order = sorted(reference.system, key=lambda place: place != reference.start)
    index = {place: k for k, place in enumerate(order)}
    rows = tuple(tuple(index[e.target] for e in reference.system[place]) for place in order)
    chosen = {name: [p for p in order if name in reference.names(p)] for name in ("leaf", "loop", "init")}
    chosen["reached"] = [p for p in order if reference.sp[p].shape[1]]
    chosen |= {name: [p for p in order if reference.holds(p, space)] for name, space in props.items()}
    for op, test in TESTS.items():
        chosen |= {f"c {op} {k}": [p for p in order if test(number(p), k)] for k in range(4)}
    return Structure(rows, {name: frozenset(index[p] for p in places) for name, places in chosen.items()})


@settings(max_examples=40)
@given(
    random=RANDOM,
    spaces=st.lists(propositions(2), min_size=2, max_size=3),
    formula=formulas(["p", "q", "leaf", "loop", "init", "reached"], 2),
    options=st.fixed_dictionaries({"paths": PATHS, "keep_dead": st.booleans(), "seed": st.integers(0, 99)}),
)
def test_verdicts(
    engine: str, random: Random, spaces: list[Proposition], formula: Formula, options: dict[str, Any]
) -> None:
    """The first two spaces are propositions, the third one annotates the loops."""
    circuit = Writer(random).circuit
    props, annotations = dict(zip("pq", spaces, strict=False)), dict(zip(["loop"], spaces[2:], strict=False))
    reference = CircuitReference(circuit, options["paths"], **{k: v.space for k, v in annotations.items()})
    result = qismc.check(
        circuit,
        to_text(formula),
        props={name: space.text for name, space in props.items()},
        annotations={place: space.text for place, space in annotations.items()},
        numbers=engine,
        **options,
    )
    structure = kripke(reference, {name: space.space for name, space in props.items()})
    expected = 0 in naive(named(formula), structure)
    assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)
