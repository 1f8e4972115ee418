"""The pipeline as users call it."""

from __future__ import annotations

from typing import Any

import pytest

import qismc
from qismc import Limits, Model, PropertyViolated, QuantumCircuit, Result, SpecError, UsageError, Verdict
from qismc.model.engines import Engines


def bell() -> QuantumCircuit:
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    return circuit


def test_names_of_formulas(engine: str) -> None:
    one = qismc.check(bell(), "EF leaf", numbers=engine)
    many = qismc.check(bell(), ["EF leaf", "AG !leaf"], numbers=engine)
    named = qismc.check(bell(), {"a": "EF leaf", "b": "AG !leaf"}, numbers=engine)
    assert [r.name for r in one] == ["spec"]
    assert [r.name for r in many] == ["spec1", "spec2"]
    assert (named["a"].verdict, named["b"].verdict) == (Verdict.HOLDS, Verdict.VIOLATED)
    assert named.verdict is Verdict.VIOLATED
    with pytest.raises(KeyError, match="'c'"):
        named["c"]


def test_truthiness(engine: str) -> None:
    assert qismc.check(bell(), "AG (leaf -> span(|00> + |11>))", numbers=engine)
    assert not qismc.check(bell(), "AG (leaf -> |00>)", numbers=engine)


def test_assert_holds_shows_the_execution(engine: str) -> None:
    qismc.assert_holds(bell(), "AF leaf", numbers=engine)
    with pytest.raises(PropertyViolated) as raised:
        qismc.assert_holds(bell(), "AG (leaf -> |00>)", numbers=engine)
    assert "VIOLATED" in str(raised.value)
    assert "sqrt(1/2) (|00> + |11>)" in str(raised.value)
    assert isinstance(raised.value, AssertionError)


@pytest.mark.parametrize(
    "spec", ["", "AG (leaf ->", "AG leaf) ", "EF leaf; EF leaf", [], "~(EF |00>)", "AG |0>"]
)
def test_malformed_specifications(spec: str | list[str]) -> None:
    with pytest.raises(SpecError):
        qismc.check(bell(), spec)


@pytest.mark.parametrize(
    ("spec", "suggestion"),
    [("AG (lef -> |00>)", "did you mean 'leaf'"), ("EF (targt)", "did you mean 'target'")],
)
def test_unknown_atoms_are_errors_with_suggestions(spec: str, suggestion: str) -> None:
    with pytest.raises(SpecError, match=suggestion):
        qismc.check(bell(), spec, props={"target": "|00>"})


@pytest.mark.parametrize("name", ["leaf", "loop", "init", "reached", "l3", "true"])
def test_reserved_words_name_no_proposition(name: str) -> None:
    with pytest.raises(SpecError, match="reserved"):
        qismc.check(bell(), "EF leaf", props={name: "|00>"})


def test_engines_are_named_in_the_result(engine: str) -> None:
    result = qismc.check(bell(), "EF leaf", numbers=engine, seed=5)
    assert (result.engine, result.seed) == (engine, 5)
    assert (result.locations, result.edges, result.gates) == (3, 3, 2)


def forgetful(qubits: int, coins: int) -> QuantumCircuit:
    """Measured qubits whose outcomes nobody reads, then gates: 2^coins dimensions pass through them."""
    circuit = QuantumCircuit(qubits, 1)
    for k in range(coins):
        circuit.h(k)
        circuit.measure(k, 0)
    for layer in range(4):
        for k in range(qubits):
            circuit.h(k)
            circuit.t(k)
            circuit.cx(k, (k + 1 + layer) % qubits)
    circuit.reset(0)
    circuit.reset(1)
    return circuit


def plain(result: Result) -> Any:
    """What a result says, without what it took."""
    told = result.to_json()
    for name in ("seconds", "peak_mb", "peak_bytes"):
        told["stats"].pop(name, None)
    return told


def test_results_do_not_depend_on_threads(engine: str) -> None:
    specs = ["AG (leaf -> |00> on q[0], q[1])", "AG (leaf -> |0> on q[4])"]
    program = forgetful(5, 3)
    results = [qismc.check(program, specs, numbers=engine, threads=threads) for threads in (1, 2, 4)]
    assert [r.verdict for r in results[0]] == [Verdict.HOLDS, Verdict.VIOLATED]
    assert plain(results[0]) == plain(results[1]) == plain(results[2])


def test_vectors_do_not_depend_on_threads() -> None:
    """Large enough that threads are started."""
    program, found = forgetful(11, 4), []
    for threads in (1, 2, 4):
        model = Model(program, numbers="exact", threads=threads)
        found.append([vector.vector.dump() for vector in model.sp("leaf").vectors])
        found[-1].append(model.engine.statistics()["decisions"])
    assert len(found[0]) == 65 and found[0] == found[1] == found[2]


@pytest.mark.parametrize("threads", [0, -1, 1 << 20, True, 1.0, "2", None])
def test_threads_are_counted(threads: Any) -> None:
    with pytest.raises(UsageError, match="threads"):
        qismc.check(bell(), "EF leaf", threads=threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("limits", [Limits(seconds=0.01), Limits(memory_mb=1)])
def test_limits_hold_on_threads(threads: int, limits: Limits) -> None:
    result = qismc.check(forgetful(18, 4), "AG (leaf -> |0> on q[0])", limits=limits, threads=threads)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason is not None and result.reason.startswith("limit: ")


@pytest.mark.parametrize(
    ("bond", "limits", "named"),
    [
        (1024, Limits(seconds=1e-9), True),
        (16, Limits(seconds=1e-9), False),
        (None, Limits(seconds=1e-9), False),
        (1024, Limits(dimension=1), False),
    ],
)
def test_a_limit_names_the_other_engine_where_trains_are_large(
    bond: int | None, limits: Limits, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Engines, "peak_bond", property(lambda _: bond))
    circuit = bell()
    circuit.reset(0)
    reason = qismc.check(circuit, "AG (leaf -> |00>)", numbers="exact", limits=limits).reason
    assert reason is not None and reason.startswith("limit: ") and ('numbers="float"' in reason) is named


def test_the_largest_bond() -> None:
    circuit = QuantumCircuit(40)
    circuit.h(0)
    circuit.cx(range(39), range(1, 40))
    model = Model(circuit, numbers="exact").asking([])
    assert model.engines.peak_bond is None
    model.sp("leaf")
    assert model.engines.peak_bond == 2
