"""Verdicts on paths against all executions by brute force; every shown execution is followed step by step."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, Verdict
from qismc.evidence.execution import Execution
from qismc.language.printer import to_text
from qismc.language.syntax import Formula, Temporal
from qismc.results.result import FormulaResult

from ..ctl.oracle import Structure, naive
from ..executions import Auditor, Tree
from ..reference import Reference, below, ket, whole
from ..strategies import Proposition, Vectors, formulas, propositions, toys, vectors
from ..toy import Toy
from .test_random_programs import kripke, named

CLASSICAL = ["leaf", "loop", "init"]


def shown(result: FormulaResult) -> Execution | None:
    return result.counterexample or result.witness


@st.composite
def questions(draw: st.DrawFn) -> tuple[Toy, Formula]:
    """Few gates keep states few; one bit is overwritten again and again."""
    toy = draw(toys(most=2, clifford=draw(st.booleans()), size=7))
    return toy, draw(formulas([*CLASSICAL, *toy.marks], toy.num_bits))


@settings(max_examples=60)
@given(questions())
def test_verdicts_are_those_of_executions(engine: str, case: tuple[Toy, Formula]) -> None:
    toy, formula = case
    reference = Reference(toy)
    graph = kripke(reference, {}, toy.num_bits)
    order = sorted(reference.system, key=lambda place: place != reference.start)
    start = ket("0" * toy.num_qubits)
    tree = Tree(reference, start[:, 0])
    result = qismc.check(toy.circuit(), to_text(formula), numbers=engine, keep_dead=True)["spec"]
    if tree.finite:
        truth = 0 in naive(named(formula), tree.structure(graph, order))
        assert result.verdict is (Verdict.HOLDS if truth else Verdict.VIOLATED)
    elif result.verdict is Verdict.UNKNOWN:
        assert result.reason.startswith("path")
    evidence = shown(result)
    if evidence is not None and evidence.steps and (evidence.replayed or tree.finite):
        auditor = Auditor(toy, Model(toy.circuit(), numbers=engine, keep_dead=True), start)
        auditor.check(evidence)
        if isinstance(formula, Temporal):
            places = [order.index(auditor.place(step)) for step in evidence]
            shows(formula, result.verdict is Verdict.HOLDS, places, evidence.loop_start, graph)


def shows(formula: Temporal, holds: bool, places: list[int], loop: int | None, graph: Structure) -> None:
    """The path satisfies (or breaks) the operator, if its operands speak of single locations."""
    if any("Temporal" in repr(part) for part in formula.operands):
        return
    p, q = (
        [(place in naive(named(part), graph)) == holds for place in places]
        for part in (formula.operands[0], formula.operands[-1])
    )
    reached = next((k for k, value in enumerate(q) if value and all(p[:k])), None)
    both = next((k for k in range(len(p)) if p[k] and q[k] and all(q[:k])), None)
    match formula.op, holds:
        case "X", _:
            assert p[1]
        case ("F", True) | ("G", False):
            assert any(p)
        case ("G", True) | ("F", False):
            assert all(p) and loop is not None
        case ("U", True) | ("R", False):
            assert reached is not None
        case "W", True:
            assert reached is not None or (all(p) and loop is not None)
        case "W", False:
            assert both is not None
        case _:
            assert both is not None or (all(q) and loop is not None)


@st.composite
def contracts(draw: st.DrawFn) -> tuple[Toy, Proposition, dict[str, Vectors], Vectors]:
    toy = draw(toys(size=5))
    where = draw(st.lists(st.sampled_from([*toy.marks, "leaf", "loop"]), max_size=1))
    marked = {name: draw(vectors(toy.num_qubits, least=1, most=2)) for name in where}
    init = draw(propositions(toy.num_qubits).filter(lambda p: p.space.shape[1] > 0))
    return toy, init, marked, draw(vectors(toy.num_qubits, least=1, most=3))


@settings(max_examples=24)
@given(contracts())
def test_violating_executions_violate(
    engine: str, case: tuple[Toy, Proposition, dict[str, Vectors], Vectors]
) -> None:
    """From any init, with complements and meets in it, and from annotated places with their stores."""
    toy, init, marked, wanted = case
    options = {
        "init": init.text,
        "annotations": {name: space.text for name, space in marked.items()},
        "numbers": engine,
        "keep_dead": True,
    }
    result = qismc.check(toy.circuit(), f"AG (leaf -> {wanted.text})", **options)["spec"]
    annotated = {name: space.space for name, space in marked.items()}
    reference = Reference(toy, init.space, annotated)
    good = all(reference.holds(p, wanted.space) for p in reference.system if p[0] == reference.walker.end)
    assert result.verdict is (Verdict.HOLDS if good else Verdict.VIOLATED)
    if result.counterexample is None:
        return
    auditor = Auditor(toy, Model(toy.circuit(), **options), init.space, annotated)
    auditor.check(result.counterexample)
    last = auditor.state(result.counterexample.steps[-1]).reshape(-1, 1)
    bounded = any(hint.kind == "wp" for hint in result.hints)
    assert bounded == below(last, wanted.space)


@settings(max_examples=20)
@given(toy=toys(most=2), data=st.data())
def test_any_start_can_be_the_start_of_a_witness(engine: str, toy: Toy, data: st.DataObject) -> None:
    """With the whole space as init, a path is possible if some state makes it so."""
    goal = data.draw(st.sampled_from(["leaf", *toy.marks]))
    for formula in (f"EF {goal}", f"E[!loop U {goal}]"):
        result = qismc.check(toy.circuit(), formula, init="full", numbers=engine, keep_dead=True)["spec"]
        assert result.verdict is not Verdict.UNKNOWN
        if result.witness is not None:
            model = Model(toy.circuit(), init="full", numbers=engine, keep_dead=True)
            Auditor(toy, model, whole(2**toy.num_qubits)).check(result.witness)
