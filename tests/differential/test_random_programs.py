"""Locations, edges, sp, wp and verdicts of random programs against the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import event, given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, Verdict
from qismc.evidence.proof import is_sure, is_timeless
from qismc.language.printer import to_text
from qismc.language.syntax import Atom, Compare, Formula

from ..compare import agrees, places, points
from ..ctl.oracle import Structure, naive
from ..executions import Tree
from ..reference import Reference, join, ket, nothing
from ..strategies import Vectors, formulas, toys, vectors
from ..toy import Toy

PATHS = st.sampled_from(["feasible", "all"])


def system_matches(model: Model, reference: Reference) -> None:
    """The same locations, in breadth-first order from l0, and the same edges."""
    found = places(reference.toy, model)
    assert found[0] == reference.start
    assert sorted(found) == sorted(reference.system)
    expected = {(e.source, e.target) for edges in reference.system.values() for e in edges}
    assert {(found[a], found[b]) for a, b in model.edges} == expected


@settings(max_examples=30)
@given(toy=toys(), paths=PATHS)
def test_locations_edges_and_posts(engine: str, toy: Toy, paths: str) -> None:
    model = Model(toy.circuit(), numbers=engine, paths=paths, keep_dead=True)
    reference = Reference(toy, paths=paths)
    system_matches(model, reference)
    for index, place in enumerate(places(toy, model)):
        assert agrees(model.sp(index), reference.sp[place]), (index, place)


@given(toy=toys(most=4, depth=1, size=5))
def test_merging_unread_bits_joins_posts(engine: str, toy: Toy) -> None:
    model = Model(toy.circuit(), numbers=engine)
    reference = Reference(toy)
    for point, path in points(toy, model).items():
        span = model.sp("init").engine.span()
        for location in model.locations:
            if location.point == point:
                for vector in model.sp(location.index).vectors:
                    span.add(vector)
        places_there = [p for p in reference.system if p[0] == path]
        expected = join(nothing(reference.size), *(reference.sp[p] for p in places_there))
        assert span.dimension == expected.shape[1]


@st.composite
def annotated(draw: st.DrawFn) -> tuple[Toy, Vectors, dict[str, Vectors]]:
    """A program, an init and annotations at some of its marks, its loops, its end or its start."""
    toy = draw(toys(size=5))
    init = draw(vectors(toy.num_qubits, least=1, most=2))
    where = draw(
        st.lists(st.sampled_from([*toy.marks, "leaf", "loop", "init"]), unique=True, min_size=1, max_size=2)
    )
    return toy, init, {name: draw(vectors(toy.num_qubits)) for name in where}


@settings(max_examples=30)
@given(case=annotated(), paths=PATHS)
def test_annotations_join_posts_and_bound_pres(
    engine: str, case: tuple[Toy, Vectors, dict[str, Vectors]], paths: str
) -> None:
    toy, init, marked = case
    texts = {name: space.text for name, space in marked.items()}
    model = Model(
        toy.circuit(), numbers=engine, init=init.text, annotations=texts, paths=paths, keep_dead=True
    )
    reference = Reference(toy, init.columns, {name: v.space for name, v in marked.items()}, paths)
    system_matches(model, reference)
    for index, place in enumerate(places(toy, model)):
        assert agrees(model.sp(index), reference.sp[place]), ("sp", index, place)
        assert agrees(model.wp(index), reference.wp[place]), ("wp", index, place)


def kripke(reference: Reference, props: dict[str, Vectors], num_bits: int) -> Structure:
    """The labelled graph of the reference; comparisons of c are labels such as `c >= 1`."""
    order = sorted(reference.system, key=lambda place: place != reference.start)
    number = {place: k for k, place in enumerate(order)}
    rows = tuple(tuple(number[e.target] for e in reference.system[place]) for place in order)
    labels = {name: frozenset() for name in ("leaf", "loop", "init", *reference.toy.marks)}
    for name in labels:
        labels[name] = frozenset(number[p] for p in order if name in reference.names(p))
    labels["reached"] = frozenset(number[p] for p in order if reference.sp[p].shape[1])
    for name, space in props.items():
        labels[name] = frozenset(number[p] for p in order if reference.holds(p, space.space))
    tests = {"==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, ">=": int.__ge__}
    for op, test in tests.items():
        for value in range(2**num_bits):
            labels[f"c {op} {value}"] = frozenset(number[p] for p in order if test(p[1], value))
    return Structure(rows, labels)


def named(formula: Formula) -> Formula:
    """Comparisons as plain names, for the CTL oracle."""
    if isinstance(formula, Compare):
        return Atom(f"c {formula.op} {formula.right}")
    parts = {
        name: tuple(map(named, value)) if isinstance(value, tuple) else named(value)
        for name, value in vars(formula).items()
        if name in ("operand", "left", "right", "operands")
    }
    return replace(formula, **parts)  # type: ignore[arg-type]


@st.composite
def questions(draw: st.DrawFn) -> tuple[Toy, dict[str, Vectors], dict[str, Vectors], Formula]:
    toy = draw(toys(size=5))
    props = {name: draw(vectors(toy.num_qubits, least=1)) for name in ("p", "q")}
    where = draw(st.lists(st.sampled_from([*toy.marks, "leaf"]), max_size=1))
    marked = {name: draw(vectors(toy.num_qubits, least=1, most=4)) for name in where}
    names = ["p", "q", "leaf", "loop", "init", "reached", *toy.marks]
    return toy, props, marked, draw(formulas(names, toy.num_bits))


@settings(max_examples=50)
@given(case=questions(), paths=PATHS)
def test_verdicts(
    engine: str, case: tuple[Toy, dict[str, Vectors], dict[str, Vectors], Formula], paths: str
) -> None:
    """With `paths="all"` those of the graph; else those of executions, as far as there are few states."""
    toy, props, marked, formula = case
    reference = Reference(toy, None, {name: v.space for name, v in marked.items()}, paths)
    structure = kripke(reference, props, toy.num_bits)
    expected: bool | None = 0 in naive(named(formula), structure)
    if paths == "feasible" and not is_sure(formula, bool(expected)):
        order = sorted(reference.system, key=lambda place: place != reference.start)
        tree = Tree(reference, ket("0" * toy.num_qubits)[:, 0])
        known = tree.finite and not marked
        expected = 0 in naive(named(formula), tree.structure(structure, order)) if known else None
    result = qismc.check(
        toy.circuit(),
        to_text(formula),
        props={name: v.text for name, v in props.items()},
        annotations={name: v.text for name, v in marked.items()},
        numbers=engine,
        paths=paths,
        keep_dead=True,
    )
    if expected is None:
        assert result.verdict is not Verdict.UNKNOWN or result.reason.startswith("path")
    else:
        assert result.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED)


def chances(op: str, truth: frozenset[int], successors: Sequence[Sequence[int]]) -> tuple[bool, bool]:
    """P=1 [op p] and P>0 [op p] at state 0 of a finite chain whose edges all have a positive probability."""
    if op == "G":
        sure, possible = chances("F", frozenset(range(len(successors))) - truth, successors)
        return not possible, not sure

    def ahead(start: int) -> set[int]:
        found, pending = {start}, [start]
        for state in pending:
            pending += [k for k in successors[state] if state not in truth and k not in found]
            found.update(successors[state] if state not in truth else ())
        return found

    return all(ahead(state) & truth for state in ahead(0)), bool(ahead(0) & truth)


@settings(max_examples=50)
@given(case=questions(), op=st.sampled_from("FG"))
def test_probabilities_of_paths_on_which_others_are_spoken_of(
    engine: str, case: tuple[Toy, dict[str, Vectors], dict[str, Vectors], Formula], op: str
) -> None:
    """Truth per state of all executions, where these are few."""
    toy, props, _, inner = case
    reference = Reference(toy)
    tree = Tree(reference, ket("0" * toy.num_qubits)[:, 0])
    if not tree.finite:
        return
    structure = kripke(reference, props, toy.num_bits)
    order = sorted(reference.system, key=lambda place: place != reference.start)
    states = tree.structure(structure, order)
    sure, possible = chances(op, naive(named(inner), states), states.successors)
    specs = {"sure": f"P=1 [{op} {to_text(inner)}]", "possible": f"P>0 [{op} {to_text(inner)}]"}
    texts = {name: v.text for name, v in props.items()}
    result = qismc.check(toy.circuit(), specs, props=texts, numbers=engine, keep_dead=True)
    for name, expected in {"sure": sure, "possible": possible}.items():
        event(f"{result[name].verdict} {is_timeless(inner)}")
        if result[name].verdict is not Verdict.UNKNOWN:
            assert result[name].verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED), name


@given(toy=toys(most=4, depth=1, size=5))
def test_without_annotations_only_the_whole_space_is_certain(engine: str, toy: Toy) -> None:
    circuit = toy.circuit()
    result = qismc.check(circuit, {"whole": "AG full", "zero": "EF zero"}, numbers=engine)
    assert result["whole"].verdict is Verdict.HOLDS
    assert result["zero"].verdict is Verdict.VIOLATED
    assert Model(circuit, numbers=engine).wp("init").dimension == 2**toy.num_qubits
