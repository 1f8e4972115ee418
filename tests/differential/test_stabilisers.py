"""Stabiliser groups with symbolic signs against the explicit store: same verdicts, all executions replay."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qismc
from qismc.program import read_program
from qismc.stabiliser.state import SymbolicState

from ..stabiliser.programs import CliffordWriter, formulas, random_loops
from .test_levels import replays

SEEDS = st.integers(0, 10**9)
STARTS = (None, "|0+1>", "stab(ZZI, IZZ)", "stab(+XXX)")


def verdicts(seed: int, *, simple: bool) -> tuple[list[str], list[str], qismc.Result]:
    random = Random(seed)
    circuit, wanted = CliffordWriter(random, simple=simple).circuit, formulas(random)
    init = random.choice(STARTS)
    if random.random() < 0.7:  # nothing is asked between places with names: gates are taken many at a time
        wanted = {name: text for name, text in wanted.items() if "end" in text or "leaf" in text}
    found = qismc.check(circuit, wanted, method="stabiliser", init=init)
    expected = qismc.check(circuit, wanted, numbers="exact", method="graph", init=init)
    return [r.verdict.value for r in found], [r.verdict.value for r in expected], found


@settings(max_examples=12)
@given(seed=SEEDS, simple=st.booleans())
def test_same_verdicts(seed: int, simple: bool) -> None:
    found, expected, result = verdicts(seed, simple=simple)
    assert found == expected
    if result.engine == "stabiliser":
        for one in result:
            for shown in (one.counterexample, one.witness):
                assert shown is None or shown.kind == "none" or shown.replayed


@settings(max_examples=10)
@given(seed=SEEDS)
def test_same_verdicts_with_loops(seed: int) -> None:
    random = Random(seed)
    circuit = random_loops(random)
    specs = {f"reach{k}": f"EF (leaf & c == {k})" for k in range(8)}
    for k in range(4):
        text = "".join(random.choice("01+-rl") for _ in range(2))
        where = random.choice(("end", "leaf & c[1]", f"end & c == {random.randrange(8)}", "c < 3"))
        specs[f"state{k}"] = (
            f"AG ({where} -> {random.choice(('', '~'))}(|{text}> on q[{k % 3}], q[{(k + 1) % 3}]))"
        )
    found = qismc.check(circuit, specs, method="stabiliser")
    expected = qismc.check(circuit, specs, numbers="exact", method="graph")
    assert [r.verdict for r in found] == [r.verdict for r in expected]
    replays(found)


def marked_gates(random: Random) -> qismc.QuantumCircuit:
    """Runs of gates with marks between them, some under a condition; every statement may have no name."""
    circuit = qismc.QuantumCircuit(2, 2)
    marks = iter(random.sample("ABCDEF", 6))

    def gates() -> None:
        for _ in range(random.randint(0, 3)):
            getattr(circuit, random.choice("xyz"))(random.randrange(2))
        if random.random() < 0.6:
            circuit.mark(next(marks, "G"))
        for _ in range(random.randint(0, 2)):
            getattr(circuit, random.choice("xz"))(random.randrange(2))

    for _ in range(2):
        circuit.h(random.randrange(2)) if random.random() < 0.5 else gates()
        circuit.measure(random.randrange(2), random.randrange(2))
        gates()
        with circuit.if_test((circuit.clbits[random.randrange(2)], 1)):
            circuit.x(0)
            gates()
    return circuit


@settings(max_examples=40)
@given(seed=SEEDS)
def test_points_without_a_name(seed: int) -> None:
    """Gates that are taken together are asked about, too: none of them is at a mark."""
    random = Random(seed)
    circuit = marked_gates(random)
    names = sorted(read_program(circuit).marks)
    specs = {}
    for k in range(6):
        nowhere = " & ".join(f"!{name}" for name in (*random.sample(names, len(names)), "leaf"))
        when = random.choice(["c[0]", "c == 2", "c == 0", "!c[1]"])
        specs[f"always{k}"] = f"AG ({when} -> !({nowhere}))"
        specs[f"likely{k}"] = f"P=? [{random.choice(['true', 'c == 0', '!c[1]'])} U ({when} & {nowhere})]"
    found = qismc.check(circuit, specs, method="stabiliser")
    expected = qismc.check(circuit, specs, numbers="exact", method="graph")
    assert found.engine == "stabiliser"
    for one, other in zip(found, expected, strict=True):
        assert one.verdict is other.verdict
        if other.probability is not None:
            assert one.probability is not None
            assert float(one.probability) == pytest.approx(float(other.probability), abs=1e-9)


def test_gates_under_a_condition_without_a_name() -> None:
    """All other places that are reached with c[0] have names."""
    circuit = qismc.QuantumCircuit(4, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    circuit.mark("before")
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
        circuit.x(2)
        circuit.mark("inside")
        circuit.x(3)
    circuit.mark("behind")
    circuit.measure(1, 1)
    named = "before | inside | behind | leaf"
    specs = {"always": f"AG (c[0] -> {named})", "asked": f"P=? [F (c[0] & !({named}))]"}
    result = qismc.check(circuit, specs, method="stabiliser")
    assert result.engine == "stabiliser" and not result["always"]
    assert result["asked"].probability is not None and float(result["asked"].probability) == 0.5


@pytest.mark.parametrize(("bug", "first"), [("signs", 0), ("resets", 14), ("bits", 0)])
def test_seeded_bugs_are_found(bug: str, first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop conditional Paulis, forget that a reset flips, mix up what a measurement wrote."""

    def nothing(*_: object) -> None:
        return None

    def unflipped(self: SymbolicState, qubit: int) -> int:
        return self.measure(((qubit, 2),))

    def mixed(self: SymbolicState, position: int, value: int, guard: object = True) -> None:
        original(self, position, value ^ (1 if guard is True else 0), guard)  # type: ignore[arg-type]

    original = SymbolicState.put
    if bug == "signs":
        monkeypatch.setattr(SymbolicState, "flip", nothing)
    elif bug == "resets":
        monkeypatch.setattr(SymbolicState, "reset", unflipped)
    else:
        monkeypatch.setattr(SymbolicState, "put", mixed)
    different = False
    for seed in range(first, first + 12):
        try:
            found, expected, _ = verdicts(seed, simple=True)
            different = found != expected
        except AssertionError:  # an execution contradicts itself
            different = True
        if different:
            break
    assert different


def test_replays_are_shown_with_their_probability() -> None:
    circuit = qismc.QuantumCircuit(2, 2)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    replays(qismc.check(circuit, "EF (leaf & c == 3)", method="stabiliser"))
