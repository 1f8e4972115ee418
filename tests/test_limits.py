"""Limits end in UNKNOWN with a reason, whenever they strike."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import qismc
from qismc import Limits, Model, QuantumCircuit, UsageError, Verdict
from qismc.common.watch import Watch
from qismc.deciders.pipeline import check_model
from qismc.demo import TARGET, repeat_until_success
from qismc.errors import LimitReached
from qismc.limits import LOOK_SECONDS, Budget, ReplayBudget, StoreGrows, Trial
from qismc.results.result import summary


class Alarm:
    """A clock that stands still until its call number `at`, and is far in the future from then on."""

    def __init__(self, at: float = float("inf")) -> None:
        self.at = at
        self.calls = 0

    def __call__(self) -> float:
        self.calls += 1
        return 0.0 if self.calls < self.at else 1e9


def checked(engine: str, alarm: Alarm, patch: pytest.MonkeyPatch) -> qismc.Result:
    """The repeat-until-success check with that clock."""
    patch.setattr(
        "qismc.model.model.Budget", lambda limits, threads=1: Budget(limits, alarm, threads=threads)
    )
    model = Model(
        repeat_until_success(reset_ancilla=False),
        props={"target": TARGET},
        numbers=engine,
        annotations={"leaf": "full"},
        limits=Limits(seconds=1),
    )
    return check_model(model, "AG (leaf -> target)")


def polls(total: int) -> Iterator[int]:
    """Every early poll, then every seventh one."""
    yield from range(2, min(total, 20))
    yield from range(20, total, 7)


def test_time_limit_at_every_poll(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    free = Alarm()
    assert checked(engine, free, monkeypatch).verdict is Verdict.VIOLATED
    assert free.calls > 10
    unknown = 0
    for at in polls(free.calls):
        result = checked(engine, Alarm(at), monkeypatch)
        if result.verdict is Verdict.VIOLATED:  # decided in time: only the evidence was cut short
            assert result.counterexample is not None
            continue
        assert result.verdict is Verdict.UNKNOWN, at
        assert "limit" in (result.reason or "")
        assert "raise the time limit" in (result.reason or "")
        unknown += 1
    assert unknown > 10


@pytest.mark.parametrize(
    ("limits", "reason"),
    [(Limits(locations=3), "more than 3 locations"), (Limits(dimension=1), "more than 1 dimensions")],
)
def test_other_limits(engine: str, limits: Limits, reason: str) -> None:
    result = qismc.check(repeat_until_success(reset_ancilla=False), "EF leaf", limits=limits, numbers=engine)
    assert result.verdict is Verdict.UNKNOWN
    assert reason in (result.reason or "")
    assert not result


def test_limits_are_exact(engine: str) -> None:
    """The sizes of the system suffice; one less does not."""
    circuit = repeat_until_success(reset_ancilla=False)
    model = Model(circuit, numbers=engine)
    assert model.sp("leaf").dimension == 2
    locations, dimension = model.system.num_locations, model.solved().posts.spread.max_dimension
    enough = Limits(locations=locations, dimension=dimension)
    assert qismc.check(circuit, "EF leaf", limits=enough, numbers=engine)
    for less in (
        replace(enough, locations=locations - 1),
        replace(enough, dimension=dimension - 1),
    ):
        assert qismc.check(circuit, "EF leaf", limits=less, numbers=engine).verdict is Verdict.UNKNOWN


def test_memory_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is looked at when some time has passed, which no call can outwit."""
    sizes = iter([50.0, 200.0])
    times = iter([0.0, LOOK_SECONDS / 2, LOOK_SECONDS, 2 * LOOK_SECONDS])
    monkeypatch.setattr("qismc.limits.resident_memory_mb", lambda: next(sizes))
    budget = Budget(Limits(memory_mb=60), lambda: next(times))
    budget.spend("nothing")
    budget.spend("a test")
    message = r"the memory limit of 60 MB was reached during a test \(200 MB are in use\)"
    with pytest.raises(LimitReached, match=message):
        budget.spend("a test")


@pytest.mark.parametrize("name", ["seconds", "memory_mb", "locations", "dimension"])
@pytest.mark.parametrize("value", [0, -1, float("nan")])
def test_limits_must_be_positive(name: str, value: float) -> None:
    with pytest.raises(UsageError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize("value", [float("inf"), 1e300, 1e13])
def test_limits_that_no_system_can_count_are_none(value: float) -> None:
    assert qismc.check(QuantumCircuit(1), "AG |0>", limits=Limits(seconds=value, memory_mb=value))
    with Watch(Limits(seconds=value, memory_mb=value)):
        pass


def test_remaining_seconds() -> None:
    times = iter([0.0, 4.0, 20.0])
    budget = Budget(Limits(seconds=10), lambda: next(times))
    assert budget.remaining_seconds == 6.0
    assert budget.remaining_seconds == 0.0
    assert Budget(Limits()).remaining_seconds is None


def test_no_limit_no_doubt(engine: str) -> None:
    assert qismc.check(QuantumCircuit(1), "leaf", numbers=engine)


@pytest.mark.parametrize(
    ("memory", "reason"),
    [(None, "the system gives no more memory"), (9e6, "the memory limit of 9e+06 MB was reached")],
)
def test_what_does_not_fit_is_unknown(
    memory: float | None, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def allocate(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("qismc.deciders.strategy.Strategy.run", allocate)
    result = qismc.check(repeat_until_success(reset_ancilla=True), "AG full", limits=Limits(memory_mb=memory))
    assert result.verdict is Verdict.UNKNOWN
    assert reason in str(next(iter(result)).reason)


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_trial_ends_only_where_there_is_another_way(elsewhere: bool) -> None:
    asked: list[bool] = []
    budget = Budget(Limits())
    with budget.trying(Trial(nodes=1, dimension=1, elsewhere=lambda: bool(asked.append(True)) or elsewhere)):
        budget.count_nodes(1)
        assert not asked
        if elsewhere:
            with pytest.raises(StoreGrows):
                budget.count_nodes(2)
        else:
            budget.count_nodes(2)
            budget.count_dimension(2)  # asked once, it goes on
    assert asked == [True]


@pytest.mark.parametrize(("statements", "further"), [(7, 0), (8 * 250, 2)])
def test_a_trial_may_cost_about_as_much_again(statements: int, further: int) -> None:
    budget = Budget(Limits())
    with budget.trying(Trial(dimension=64)):
        budget.count_locations(statements)
        budget.count_dimension(64)
        for _ in range(further):
            budget.count_dimension(100)
        budget.count_locations(statements * 100)  # later statements are not what it cost
        with pytest.raises(StoreGrows):
            budget.count_dimension(100)


def endless() -> QuantumCircuit:
    while True:
        pass


ASKED: dict[str, Callable[[Limits], object]] = {
    "check": lambda limits: qismc.check(endless, "AG true", limits=limits),
    "equivalent": lambda limits: qismc.equivalent(endless, QuantumCircuit(1), limits=limits),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer")
@pytest.mark.parametrize("name", ASKED)
def test_what_cannot_be_read_in_time_says_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qismc.common.watch.GUEST_SECONDS", 0.0)
    with pytest.raises(LimitReached, match=r"the time limit of 0.2 s passed during reading"):
        ASKED[name](Limits(seconds=0.2))


def test_what_is_decided_is_not_lost_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timer rests while the result is put together, and until a report is written."""
    rested: list[float] = []
    watch = Watch()

    def put_together(*arguments: Any, **keywords: Any) -> qismc.Result:
        rested.append(watch._not_before)
        return summary(*arguments, **keywords)

    monkeypatch.setitem(check_model.__globals__, "summary", put_together)
    model = Model(repeat_until_success(reset_ancilla=True))
    assert check_model(model, "EF leaf", watch=watch)
    assert rested == [math.inf] == [watch._not_before]


@pytest.mark.parametrize(
    ("taken", "limit", "seconds"), [(0.1, None, 10), (8.0, None, 40), (0.1, 30.0, 10), (8.0, 300.0, 40)]
)
def test_replays_have_time_like_the_check_before_them(
    taken: float, limit: float | None, seconds: float
) -> None:
    now = [0.0]
    check = Budget(Limits(seconds=limit), lambda: now[0])
    replays = ReplayBudget(check)
    now[0] = taken
    replays.restart()
    assert replays.limits.seconds == replays._seconds == pytest.approx(seconds)
    now[0] = 2 * taken  # what replays take themselves is no measure for others
    replays.restart()
    assert replays.limits.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(("taken", "left"), [(8.0, 1.0), (8.9, 0.5), (20.0, 0.5)])
def test_replays_end_with_the_check(taken: float, left: float) -> None:
    now = [0.0]
    check = Budget(Limits(seconds=9), lambda: now[0])
    replays = ReplayBudget(check)
    replays._clock = check._clock
    for start in (0.1, taken):
        now[0] = start
        replays.restart()
    assert replays.remaining_seconds == pytest.approx(left)
    now[0] += 0.9 * left
    replays.spend("a replay")
    now[0] += 0.2 * left
    with pytest.raises(LimitReached, match="the time limit of 9 s passed during a replay"):
        replays.spend("a replay")
    check.restart()  # somebody looks at the evidence later
    replays.restart()
    assert replays.remaining_seconds == pytest.approx(9)


def test_what_a_check_cannot_do_without_has_all_of_its_time() -> None:
    now = [0.0]
    check = Budget(Limits(seconds=100), lambda: now[0])
    replays = ReplayBudget(check)
    replays._clock = lambda: now[0]
    with replays.whole():
        now[0] = 99.0
        replays.restart()  # which starts nothing here
        assert replays.remaining_seconds == 1
        replays.spend("a confirmation")
        now[0] = 101.0
        with pytest.raises(LimitReached, match="the time limit of 100 s passed during a confirmation"):
            replays.spend("a confirmation")
    replays.spend("a replay")


def test_recorded_states_are_confirmed_within_the_limit_that_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("qismc.limits.REPLAY_LIMITS", Limits(seconds=1e-9))
    circuit = QuantumCircuit(2, 1)
    circuit.ry(0.123456789123, 0)
    circuit.ry(0.345678912345, 1)
    circuit.cx(0, 1)
    circuit.measure(1, 0)
    assert Model(circuit).sp("leaf").dimension == 2
