"""Annotations beside everything else: probabilities against dense effects, no foreign errors."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as File
from typing import Any

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

import qismc
from qismc import Faults, Limits, Model, QismcError, Verdict
from qismc.evidence.proof import is_sure
from qismc.language.parser import parse_formula

from ..ctl.oracle import Structure, naive
from ..reference import Matrix, Place, Reference, join
from ..strategies import Vectors, propositions, toys, vectors
from ..toy import Toy

PATHS = st.sampled_from(["feasible", "all"])
DOUBLINGS = 20
CLEAR = 1e-4
"""Eigenvalues that are as near as this to a bound, and not equal to it up to ROUNDED, decide nothing."""
ROUNDED = 1e-8

ATOMS = ("leaf", "c == 0", "c == 1", "c != 1", "(leaf & c == 1)", "!loop")
BOUNDS = ("=1", ">0", ">=1/2", ">1/3", "<=1/2", "<2/3", ">=1", "<=0", "<1")
SHAPES = ("P", "AG P", "AG (c == 0 -> P)", "EF (leaf & P)", "AX P", "E[!leaf U P]", "AF P")
Effects = dict[Place, Matrix]


@dataclass(frozen=True, eq=False)
class Path:
    """hold U goal, or its opposite."""

    text: str
    hold: str | None
    goal: str
    negated: bool


@st.composite
def paths_of_atoms(draw: st.DrawFn) -> Path:
    first, second = draw(st.sampled_from(sorted(ATOMS))), draw(st.sampled_from(sorted(ATOMS)))
    return draw(
        st.sampled_from(
            [
                Path(f"F {first}", None, first, False),
                Path(f"G {first}", None, f"!{first}", True),
                Path(f"{first} U {second}", first, second, False),
            ]
        )
    )


def truth(reference: Reference, atom: str, place: Place) -> bool:
    """Of one of ATOMS, or of its negation."""
    match atom:
        case "leaf" | "loop":
            return atom in reference.names(place)
        case "c == 0" | "c == 1":
            return place[1] == int(atom[-1])
        case "c != 1":
            return place[1] != 1
        case "(leaf & c == 1)":
            return "leaf" in reference.names(place) and place[1] == 1
    return not truth(reference, atom.removeprefix("!"), place)


def effects(reference: Reference, path: Path) -> Effects:
    """The least solution of E = sum K* E K: a linear map on all matrices at once, which is squared often."""
    places, size = list(reference.system), reference.size
    number = {place: k for k, place in enumerate(places)}
    one, block = np.eye(size, dtype=complex), size * size
    step = np.zeros((len(places) * block, len(places) * block), dtype=complex)
    total = np.zeros(len(places) * block, dtype=complex)
    for place, k in number.items():
        if truth(reference, path.goal, place):
            total[k * block : (k + 1) * block] = one.reshape(-1)
        elif path.hold is None or truth(reference, path.hold, place):
            for edge in reference.system[place]:
                there = number[edge.target]
                for kraus in edge.kraus:
                    rows, columns = (
                        slice(k * block, (k + 1) * block),
                        slice(there * block, (there + 1) * block),
                    )
                    step[rows, columns] += np.kron(kraus.conj().T, kraus.T)
    for _ in range(DOUBLINGS):
        total, step = total + step @ total, step @ step
    found = {place: total[k * block : (k + 1) * block].reshape(size, size) for place, k in number.items()}
    return {place: one - e for place, e in found.items()} if path.negated else found


def satisfied(bound: str, effect: Matrix, states: Matrix) -> bool | None:
    """What a bound says of all states (P>0: of some); None where rounding would decide."""
    if not states.shape[1]:
        return bound != ">0"
    values = np.linalg.eigvalsh(states.conj().T @ effect @ states)
    relation, number = bound.rstrip("0123456789/"), bound.lstrip("<>=")
    limit = float(np.divide(*map(float, number.split("/")))) if "/" in number else float(number)
    value = values[-1] if bound == ">0" or "<" in relation else values[0]
    if abs(value - limit) < ROUNDED:
        return "=" in relation
    if abs(value - limit) < CLEAR:
        return None
    return bool(value < limit) if "<" in relation else bool(value > limit)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Toy, Vectors, dict[str, Vectors], Path, str, str]:
    toy = draw(toys(most=2, size=5))
    init = draw(vectors(toy.num_qubits, least=1, most=2))
    places = [*toy.marks, *toy.marks, "leaf", "loop", "init"]
    where = draw(st.lists(st.sampled_from(places), unique=True, min_size=1, max_size=3))
    marked = {name: draw(vectors(toy.num_qubits)) for name in where}
    shape, bound = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(BOUNDS))
    return toy, init, marked, draw(paths_of_atoms()), shape, bound


def expected(reference: Reference, init: Matrix, path: Path, shape: str, bound: str) -> bool | None:
    """The truth at the start; None where rounding would decide."""
    known = effects(reference, path)
    if shape == "P" and bound not in ("=1", ">0"):
        start = join(init, *(space for space in reference.annotation(reference.start)))
        return satisfied(bound, known[reference.start], start)
    order = sorted(reference.system, key=lambda place: place != reference.start)
    labels = {place: satisfied(bound, known[place], reference.sp[place]) for place in order}
    number = {place: k for k, place in enumerate(order)}
    rows = tuple(tuple(number[e.target] for e in reference.system[place]) for place in order)
    answers = set()
    for doubt in (False, True):
        there = {p: doubt if value is None else value for p, value in labels.items()}
        named = {
            "P": frozenset(number[p] for p in order if there[p]),
            "c": frozenset(number[p] for p in order if p[1] == 0),
            "leaf": frozenset(number[p] for p in order if "leaf" in reference.names(p)),
        }
        formula = parse_formula(shape.replace("c == 0", "c"))
        answers.add(0 in naive(formula, Structure(rows, named)))
    return answers.pop() if len(answers) == 1 else None


@settings(max_examples=20)
@given(case=questions(), paths=PATHS)
def test_probabilities(
    engine: str, case: tuple[Toy, Vectors, dict[str, Vectors], Path, str, str], paths: str
) -> None:
    toy, init, marked, path, shape, bound = case
    reference = Reference(toy, init.columns, {name: v.space for name, v in marked.items()}, paths)
    wanted = expected(reference, init.space, path, shape, bound)
    result = qismc.check(
        toy.circuit(),
        shape.replace("P", f"P{bound} [{path.text}]"),
        init=init.text,
        annotations={name: v.text for name, v in marked.items()},
        numbers=engine,
        paths=paths,
        keep_dead=True,
    )
    event(str(result.verdict))
    graph = paths == "all" or wanted is None or is_sure(parse_formula(shape.replace("P", "p")), wanted)
    if result.verdict is Verdict.UNKNOWN:
        event(f"{result.reason[:70]}")
    elif wanted is not None and graph:
        assert result.verdict is (Verdict.HOLDS if wanted else Verdict.VIOLATED)


FORMULAS = (
    "AG p",
    "AG (leaf -> p)",
    "AG P=1 [F c == 1]",
    "AG (p -> P>=1/2 [F leaf])",
    "P=? [F (leaf & c == 1)]",
    "P>=1/2 [F p]",
    "P>0 [G EF p]",
    "EF (reached & p)",
    "AG (leaf -> sp(leaf))",
    "AG (leaf -> sp(leaf) on q[0])",
    "E[!p U leaf]",
    "AX p",
)
SECONDS = Limits(seconds=20)


@dataclass(frozen=True)
class Trial:
    """A program with annotations and options."""

    toy: Toy
    init: str
    annotations: dict[str | int, str]
    formula: str
    options: dict[str, Any]
    prop: str


@st.composite
def trials(draw: st.DrawFn) -> Trial:
    toy = draw(toys(most=2, size=5, depth=1))
    subspace = propositions(toy.num_qubits).map(lambda p: p.text)
    places: list[str | int] = [*toy.marks, *toy.marks, "leaf", "loop", "init", "l1", "l3", 2]
    where = draw(st.lists(st.sampled_from(places), unique=True, min_size=1, max_size=3))
    options = draw(
        st.fixed_dictionaries(
            {
                "numbers": st.sampled_from(["auto", "exact", "float"]),
                "method": st.sampled_from(["auto", "graph", "levels"]),
                "paths": PATHS,
                "keep_dead": st.booleans(),
                "faults": st.sampled_from([None, None, Faults(kinds=("X",), at_most=1)]),
                "threads": st.sampled_from([1, 2]),
            }
        )
    )
    init = draw(
        st.one_of(st.just("any on q[0]"), vectors(toy.num_qubits, least=1, most=2).map(lambda v: v.text))
    )
    marked = {place: draw(subspace) for place in where}
    return Trial(toy, init, marked, draw(st.sampled_from(FORMULAS)), options, draw(subspace))


@settings(max_examples=30)
@given(trial=trials(), how=st.sampled_from(["plain", "certify", "recheck", "certificate", "strict"]))
def test_no_foreign_error(trial: Trial, how: str) -> None:
    """Verdicts, reports, evidence, outcomes and repairs, or an error of ours."""
    given = {"init": trial.init, "annotations": trial.annotations, "limits": SECONDS}
    circuit = trial.toy.circuit()
    try:
        model = Model(circuit, props={"p": trial.prop}, **given, **trial.options)
        with tempfile.TemporaryDirectory() as folder:
            result = model.check(trial.formula, **_options(how, folder))
    except QismcError as error:
        event(type(error).__name__)
        return
    event(str(result.verdict))
    assert str(result) and result.to_json() and result.to_html()
    asked: list[Callable[[], object]] = [
        model.outcomes,
        lambda: model.expectation("Z" * trial.toy.num_qubits),
        lambda: model.wp("leaf"),
        lambda: model.sp("leaf"),
        lambda: result.repairs(1),
        lambda: qismc.equivalent(circuit, circuit),
    ]
    for ask in asked:
        try:
            ask()
        except QismcError as error:
            event(type(error).__name__)


def _options(how: str, folder: str) -> dict[str, Any]:
    match how:
        case "recheck":
            return {"recheck": 1}
        case "certificate":
            return {"certificate": File(folder) / "c.json"}
        case "plain":
            return {}
    return {how: True}
