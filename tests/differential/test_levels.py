"""The store on levels against the explicit store: same verdicts, and every shown execution replays."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import qismc
from qismc import Model, QuantumCircuit, Result
from qismc.levels.region import ControlGraph
from qismc.program import read_program
from qismc.program.statements import Leaf
from qismc.propositions.subspace import Subspace

from ..levels.programs import WideWriter
from .circuits import Writer

SEEDS = st.integers(0, 10**9)
PROPS = {
    "zero0": "span(|0>) on q[0]",
    "one1": "span(|1>) on q[1]",
    "plus": "span(|+>) on q[0]",
    "bell": "span(|00> + |11>)",
    "same": "span(|00>, |11>)",
    "code": "stab(XX)",
    "avoid": "~span(|01>)",
}
CLASSICAL = [
    "leaf", "loop", "c == 0", "c == 3", "c[0]", "!c[1]", "d == 2", "d <= c", "c != d", "u == 1", "u < 2",
    "c == u", "(c[0] <-> c[1])", "true",
]  # fmt: skip


def some_formulas(random: Random) -> dict[str, str]:
    def when() -> str:
        return " & ".join(random.sample(CLASSICAL, random.randint(1, 2)))

    def prop() -> str:
        return random.choice(list(PROPS))

    found = [f"AG ({when()} -> {prop()})" for _ in range(3)]
    found += [f"AG ({when()} -> {random.choice(CLASSICAL)})" for _ in range(3)]
    found += [f"EF ({when()})" for _ in range(3)]
    found += [f"P>0 [F ({when()})] | !AG ({when()} -> {prop()})"]
    found += [f"AG (({when()} -> {prop()}) & ({random.choice(CLASSICAL)} | {prop()}))"]
    return {f"f{k}": text for k, text in enumerate(found)}


def replays(result: Result) -> None:
    """Every execution that is shown has a positive probability and ends where its steps say."""
    for one in result:
        for shown in (one.counterexample, one.witness):
            if shown is not None and shown.kind != "none":
                assert shown.replayed and shown.probability is not None and shown.probability > 0


@settings(max_examples=25)
@given(seed=SEEDS)
def test_same_verdicts(seed: int) -> None:
    random = Random(seed)
    circuit, formulas = Writer(random).circuit, some_formulas(random)
    explicit = qismc.check(circuit, formulas, props=PROPS, method="graph")
    levels = qismc.check(circuit, formulas, props=PROPS, method="levels")
    assert levels.statistics.store == "levels" and not levels.notes
    assert [r.verdict for r in levels] == [r.verdict for r in explicit]
    replays(levels)


def tight_claims(
    circuit: QuantumCircuit, random: Random
) -> tuple[dict[str, str], dict[str, Subspace], set[str]]:
    """At the end, for every store: sp holds, sp without one dimension does not; which stores there are."""
    model = Model(circuit, keep_dead=True, method="graph")
    formulas: dict[str, str] = {}
    props: dict[str, Subspace] = {}
    violated: set[str] = set()
    ends = [at for at in model.locations if isinstance(at.statement, Leaf)][:8]
    for k, at in enumerate(ends):
        values, sp = at.values, model.sp(at.index)
        here = f"leaf & c == {values['c']} & u == {values['u']} & i == {values['i']}"
        props[f"all{k}"], formulas[f"all{k}"] = sp, f"AG ({here} -> all{k})"
        formulas[f"possible{k}"] = f"EF ({here})"
        if sp.dimension > 1:
            out = random.randrange(sp.dimension)
            kept = [j for j in range(sp.dimension) if j != out]
            parts = [sp.vectors[j] for j in kept], tuple(sp.states[j] for j in kept)
            props[f"less{k}"], formulas[f"less{k}"] = Subspace(sp.engine, *parts), f"AG ({here} -> less{k})"
            violated.add(f"less{k}")
    seen = {(at.values["c"], at.values["u"], at.values["i"]) for at in ends}
    for c, u, i in ((random.randrange(8), random.randrange(4), random.randrange(4)) for _ in range(2)):
        formulas[f"other{c}{u}{i}"] = f"EF (leaf & c == {c} & u == {u} & i == {i})"
        if len(ends) < 8 and (c, u, i) not in seen:
            violated.add(f"other{c}{u}{i}")
        elif (c, u, i) not in seen:
            del formulas[f"other{c}{u}{i}"]
    return formulas, props, violated


@pytest.mark.parametrize("literal_angles", [False, True])
@settings(max_examples=15)
@given(seed=SEEDS)
def test_sp_of_every_store_is_tight(literal_angles: bool, seed: int) -> None:
    random = Random(seed)
    circuit = WideWriter(random, literal_angles).circuit
    formulas, props, violated = tight_claims(circuit, random)
    result = qismc.check(circuit, formulas, props=props, method="levels")
    assert result.statistics.store == "levels"
    assert {r.name: r.verdict.value for r in result} == {
        name: "violated" if name in violated else "holds" for name in formulas
    }
    replays(result)


@settings(max_examples=10)
@given(seed=SEEDS)
def test_starts_of_several_dimensions(seed: int) -> None:
    random = Random(seed)
    circuit, formulas = Writer(random).circuit, some_formulas(random)
    init = random.choice(["span(|00>, |11>)", "span(|0>) on q[0]", "~span(|+->)", "|++>"])
    verdicts = [
        [r.verdict for r in qismc.check(circuit, formulas, props=PROPS, init=init, method=store)]
        for store in ("graph", "levels")
    ]
    assert verdicts[0] == verdicts[1]


def path_formulas(random: Random) -> dict[str, str]:
    def side() -> str:
        return random.choice(["", "!"]) + f"({random.choice(CLASSICAL)})"

    found = []
    for _ in range(8):
        op, quantifier = random.choice("FGUWR"), random.choice(["A", "E", "P=1", "P>0"])
        body = f"{op} {side()}" if op in "FG" else f"{side()} {op} {side()}"
        bracketed = "P" in quantifier or op not in "FG"
        path = f"{quantifier} [{body}]" if bracketed else f"{quantifier}{body}"
        found.append(path)
        found.append(f"AG ({side()} -> {path})" if quantifier in ("A", "P=1") else f"EF ({side()} & {path})")
    return {f"f{k}": text for k, text in enumerate(found)}


@settings(max_examples=15)
@given(seed=SEEDS)
def test_paths_without_loops(seed: int) -> None:
    random = Random(seed)
    circuit, formulas = WideWriter(random).circuit, path_formulas(random)
    assume(ControlGraph(read_program(circuit)).is_acyclic)
    explicit = qismc.check(circuit, formulas, method="graph")
    levels = qismc.check(circuit, formulas, method="levels")
    assert levels.statistics.store == "levels" and not levels.notes
    assert [r.verdict for r in levels] == [r.verdict for r in explicit]
    replays(levels)
