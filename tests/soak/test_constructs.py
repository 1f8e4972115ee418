"""Programs with every construct against an interpreter that reads Qiskit's own instructions.

The interpreter follows all worlds (outcomes, choices of channels) with dense states. Where it has followed
them to the end it knows: which values the program ends with, how likely, in which states. Verdicts,
probabilities, outcomes, evidence and certificates must agree, on every engine and with every store.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from qiskit import QuantumCircuit

import qismc
from qismc import Model, UnsupportedError, Verdict
from qismc.evidence.execution import Execution
from qismc.program import read_program
from qismc.verifier.certificate import read_certificate
from qismc.verifier.outcome import NotChecked
from qismc.verifier.verifying import verify

from ..executions import parallel
from ..program.interpreter import World, final_worlds
from ..reference import Matrix, below
from ..strategies import Proposition, propositions
from .depth import DEPTH
from .programs import Everything

SEEDS = st.integers(0, 10**9)
ENGINES = st.sampled_from(["auto", "float"])
STORES = st.sampled_from(["auto", "graph", "levels"])
CLOSE = 1e-6
MARGIN = 0.01


def ours(psi: Matrix) -> Matrix:
    """A state of Qiskit's order with qubit 0 first."""
    width = int(np.log2(psi.size))
    return psi.reshape((2,) * width).transpose().reshape(-1)


class Truth:
    """What the interpreter knows about the end of a program."""

    def __init__(self, circuit: QuantumCircuit) -> None:
        self.worlds = final_worlds(circuit)
        total = sum(np.vdot(w.psi, w.psi).real for w in self.worlds)
        self.complete = abs(total - 1) < CLOSE
        self.names = {var.name: var for var in circuit.iter_vars()}

    def values(self, world: World) -> dict[str, int]:
        c, d = world.bits[0] + 2 * world.bits[1], world.bits[2]
        return {"c": c, "d": d, **{name: int(world.values[var]) for name, var in self.names.items()}}

    def where(self, wanted: dict[str, int]) -> list[World]:
        return [w for w in self.worlds if wanted.items() <= self.values(w).items()]

    def probability(self, wanted: dict[str, int]) -> float:
        return float(sum(np.vdot(w.psi, w.psi).real for w in self.where(wanted)))

    def inside(self, space: Matrix, wanted: dict[str, int]) -> bool:
        return all(below(self.unit(w).reshape(-1, 1), space) for w in self.where(wanted))

    @staticmethod
    def unit(world: World) -> Matrix:
        return ours(world.psi) / np.linalg.norm(world.psi)

    def shown(self, execution: Execution) -> World:
        """The world that an execution shows: the same outcomes, values, probability and state."""
        outcomes = tuple(s.outcome for s in execution if s.outcome is not None)
        last = execution.steps[-1]
        known = {name: last.store[name] for name in ("c", "d", *self.names) if name in last.store}
        vector = np.zeros(len(self.worlds[0].psi), dtype=complex)
        for bits, amplitude in last.terms or ():
            vector[int(bits, 2)] = amplitude
        for world in self.worlds:
            same = world.trail == outcomes and known.items() <= self.values(world).items()
            likely = abs(np.vdot(world.psi, world.psi).real - (execution.probability or 0)) < CLOSE
            if same and likely and parallel(self.unit(world), vector):
                return world
        raise AssertionError(f"no world is like this execution: {outcomes}, {last}")


def text_of(wanted: dict[str, int]) -> str:
    tests = [
        f"{name} == {value}" if name != "b" else ("b" if value else "!b") for name, value in wanted.items()
    ]
    return " & ".join(["leaf", *tests])


@st.composite
def claims(draw: st.DrawFn) -> tuple[QuantumCircuit, Truth, dict[str, int], Proposition]:
    circuit = Everything(draw(SEEDS), draw(st.integers(2, 7))).build()
    truth = Truth(circuit)
    assume(truth.complete)
    reached = truth.values(draw(st.sampled_from(truth.worlds)))
    kept = draw(st.lists(st.sampled_from(sorted(reached)), min_size=1, max_size=3, unique=True))
    wanted = {name: reached[name] for name in kept}
    if draw(st.integers(0, 4)) == 0:
        wanted["u"] = draw(st.integers(0, 7))
    return circuit, truth, wanted, draw(propositions(3))


def asked(circuit: QuantumCircuit, formulas: dict[str, str], **options: Any) -> qismc.Result:
    try:
        return qismc.check(circuit, formulas, limits=qismc.Limits(seconds=60), **options)
    except UnsupportedError as refusal:
        event(f"refused: {refusal.message[:40]}")
        assume(False)
        raise


@settings(max_examples=15 * DEPTH)
@given(case=claims(), engine=ENGINES, store=STORES)
def test_verdicts_and_evidence(case: tuple[Any, ...], engine: str, store: str) -> None:
    circuit, truth, wanted, space = case
    here, chance = text_of(wanted), truth.probability(wanted)
    possible = chance > CLOSE
    formulas = {
        "possible": (f"EF ({here})", possible),
        "never": (f"AG !({here})", not possible),
        "ends": ("AF leaf", True),
        "until": (f"E[!leaf U ({here})]", possible),
        "weak": (f"A[!leaf W leaf & ({here})]", abs(chance - 1) < CLOSE),
        "safe": (f"AG ({here} -> {space.text})", truth.inside(space.space, wanted)),
        "sure": (f"P=1 [F ({here})]", abs(chance - 1) < CLOSE),
        "at_least": (f"P>={max(0, chance - MARGIN):.6f} [F ({here})]", True),
        "at_most": (f"P<={max(0, chance - MARGIN):.6f} [F ({here})]", chance < MARGIN and not possible),
    }
    result = asked(
        circuit, {name: text for name, (text, _) in formulas.items()}, numbers=engine, method=store
    )
    for name, (text, expected) in formulas.items():
        found = result[name]
        if found.verdict is Verdict.UNKNOWN:
            event(f"unknown: {(found.reason or '')[:30]}")
            continue
        assert found.verdict is (Verdict.HOLDS if expected else Verdict.VIOLATED), text
    for name in ("possible", "never", "safe", "until"):
        shown = result[name].counterexample or result[name].witness
        if shown is not None and shown.steps and not shown.steps[-1].terms_left_out and shown.replayed:
            truth.shown(shown)


@settings(max_examples=10 * DEPTH)
@given(case=claims(), engine=ENGINES, store=STORES)
def test_quantities(case: tuple[Any, ...], engine: str, store: str) -> None:
    circuit, truth, wanted, _ = case
    found = asked(circuit, {"p": f"P=? [F ({text_of(wanted)})]"}, numbers=engine, method=store)["p"]
    if found.probability is not None:
        assert abs(found.probability.low - truth.probability(wanted)) < found.probability.error + CLOSE
    model = Model(circuit, numbers=engine, method=store, limits=qismc.Limits(seconds=60))
    table = model.outcomes("c", "u")
    for (c, u), chance in table.items():
        assert abs(chance - truth.probability({"c": c, "u": u})) < CLOSE
    assert abs(sum(table.values()) - 1) < CLOSE


@settings(max_examples=6 * DEPTH)
@given(case=claims())
def test_certificates(case: tuple[Any, ...]) -> None:
    """What is written down is accepted by the separate checker."""
    circuit, truth, wanted, space = case
    formulas = {"safe": f"AG ({text_of(wanted)} -> {space.text})", "possible": f"EF ({text_of(wanted)})"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        try:
            result = asked(circuit, formulas, certificate=path)
        except qismc.QismcError as refusal:
            event(f"no certificate: {refusal.message[:40]}")
            assume(False)
        assume(path.exists())
        try:
            accepted = verify(read_certificate(str(path)), read_program(circuit))
        except NotChecked as reason:
            event(f"not checked: {str(reason)[:40]}")
            return
    for claim in accepted.claims:
        assert claim.verdict == result[claim.name].verdict.value
    assert truth.complete


@pytest.mark.parametrize("seed", range(4))
def test_the_generator_writes_programs_that_are_read(seed: int) -> None:
    assert read_program(Everything(seed).build()).num_qubits == 3
