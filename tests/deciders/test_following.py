"""Executions that decide a claim: a tableau confirms them at once, vectors for those who look."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from qiskit import transpile

import qismc
from qismc import QuantumCircuit, Result
from qismc.deciders import following
from qismc.evidence.on_tableau import NOTE
from qismc.levels.decide import Answers
from qismc.system.explorer import Course

SPECS = {"even": "AG (leaf -> c[2] == c[3])", "ones": "AG (leaf -> stab(ZZ) on q[0], q[3])"}


def coins(*, clifford: bool = True) -> QuantumCircuit:
    """Coins that are kept; the last one is the parity of the first two instead of a copy of the third."""
    circuit = QuantumCircuit(4, 4)
    circuit.h(range(3))
    circuit.cx(0, 3)
    circuit.cx(1, 3)
    if not clifford:
        circuit.t(1)
    circuit.measure(range(4), range(4))
    return circuit


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Course]:
    """The executions that vectors follow."""
    found: list[Course] = []
    follow: Callable[..., Any] = following.solve_along

    def noted(*args: Any) -> Any:
        found.append(args[-1])
        return follow(*args)

    monkeypatch.setattr(following, "solve_along", noted)
    return found


def check(circuit: QuantumCircuit, specs: dict[str, str] | str, **options: Any) -> Result:
    result = qismc.check(circuit, specs, method="levels", numbers="exact", **options)
    assert result.statistics.store == "levels"
    return result


def test_vectors_follow_for_those_who_look(asked: list[Course]) -> None:
    result = check(coins(), SPECS)
    assert not result["even"] and not result["ones"] and not asked
    shown = result["even"].counterexample
    assert shown is not None and shown.replayed and shown.probability == pytest.approx(1 / 8)
    last = shown.steps[-1]
    bits = [last.store["c"] >> k & 1 for k in range(4)]
    assert bits[2] != bits[3] == bits[0] ^ bits[1]
    assert last.state == f"|{''.join(map(str, bits))}>" and len(asked) == 1


def test_formulas_share_an_execution(asked: list[Course]) -> None:
    """The first one breaks both formulas, and vectors go along it once."""
    specs = {"never": "AG (leaf -> c[1] | !c[2])", "also": "AG (leaf -> stab(-Z) on q[1])"}
    first, second = (one.counterexample for one in check(coins(), specs))
    assert first is not None and second is not None and first.replayed and second.replayed
    assert first.steps[-1].store == second.steps[-1].store and len(asked) == 1
    assert "c[1]" in first.claim and "stab" in second.claim


def test_witnesses(asked: list[Course]) -> None:
    result = check(coins(), "EF (leaf & c == 11)")
    assert not result  # 1101 has the wrong parity
    result = check(coins(), "EF (leaf & c == 3)")
    assert result and not asked
    witness = result["spec"].witness
    assert witness is not None and witness.replayed and witness.steps[-1].store["c"] == 3


def test_other_gates_are_followed_at_once(asked: list[Course]) -> None:
    result = check(coins(clifford=False), SPECS["even"])
    assert not result and len(asked) == 1
    shown = result.counterexample
    assert shown is not None and shown.replayed


def test_without_room_for_vectors_the_tableau_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> object:
        raise qismc.errors.LimitReached("no room")

    monkeypatch.setattr(following, "solve_along", refused)
    shown = check(coins(), SPECS["even"]).counterexample
    assert shown is not None and shown.replayed and shown.note == NOTE
    assert shown.claim == "AG (leaf -> c[2] == c[3]) fails at its end"
    assert shown.steps[-1].stabilisers is not None and shown.probability == pytest.approx(1 / 8)


@pytest.mark.parametrize("clifford", [True, False])
@pytest.mark.parametrize("point", [-2, -3, -5])
def test_executions_that_are_none_are_not_believed(
    clifford: bool, point: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One outcome is told wrongly: the last two decide the formula, the first contradicts others."""
    execution = Answers.execution

    def wrong(self: Answers, decisive: Any) -> Course:
        course = execution(self, decisive)
        steps = list(course.steps)
        told = steps[point]
        assert told.outcome is not None
        steps[point] = told._replace(outcome=1 - told.outcome)
        bit = 1 << (4 + point + 1)
        for k in range(len(steps) + point + 1, len(steps)):
            steps[k] = steps[k]._replace(store=steps[k].store ^ bit)
        return Course(course.seed, steps)

    monkeypatch.setattr(Answers, "execution", wrong)
    result = check(coins(clifford=clifford), SPECS["even"])
    assert result.verdict is qismc.Verdict.UNKNOWN and "execution" in str(result.reason)


def test_starts_of_several_dimensions_are_left_to_vectors(asked: list[Course]) -> None:
    circuit = QuantumCircuit(2, 1)
    circuit.measure(0, 0)
    result = check(circuit, "AG (leaf -> !c[0])", init="full on q[0]")
    assert not result and len(asked) == 1
    shown = result.counterexample
    assert shown is not None and shown.replayed and shown.steps[-1].store["c"] == 1


def tossed_later(*, before: QuantumCircuit, after: QuantumCircuit) -> QuantumCircuit:
    """The state at A is wrong long before an outcome decides anything."""
    circuit = QuantumCircuit(1, 1)
    circuit.compose(before, [0], inplace=True)
    circuit.barrier(label="A")
    circuit.compose(after, [0], inplace=True)
    circuit.measure(0, 0)
    circuit.h(0)
    return circuit


AT_ONCE = {"state": "AG (A -> |1>)", "always": "AF c == 1", "some": "EG c == 0"}


def test_an_execution_that_stops_early_shows_nothing_of_what_comes_later() -> None:
    before, after = QuantumCircuit(1), QuantumCircuit(1)
    before.h(0)
    before.t(0)
    after.h(0)
    result = check(tossed_later(before=before, after=after), AT_ONCE)
    failed, shown = result["always"].counterexample, result["some"].witness
    assert failed is not None and shown is not None
    for execution in (failed, shown):
        assert "leaf" in execution.steps[-1].labels
        assert execution.probability == pytest.approx((2 + 2**0.5) / 4)


def test_an_execution_that_stops_early_confirms_nothing_of_what_comes_later() -> None:
    """For the angles of this program, which depend on each other, the last outcome is 1 for sure."""
    original = QuantumCircuit(1)
    original.rx(0.3, 0)
    original.ry(0.4, 0)
    back = original.inverse()
    back.x(0)
    merged = transpile(original, basis_gates=["u"], optimization_level=1)
    result = qismc.check(tossed_later(before=merged, after=back), AT_ONCE, method="levels")
    assert [bool(result[name]) for name in AT_ONCE] == [False, True, False]
