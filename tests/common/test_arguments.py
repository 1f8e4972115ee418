"""No wrong argument of the Python interface ends in an exception that is not ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qismc
from qismc import Faults, Limits, Model, QismcError, QuantumCircuit, UsageError
from qismc.common.arguments import one_of, whole


class Mute:
    """Something that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no comment")


JUNK: list[Any] = [
    None, 5, -1, 3.7, float("nan"), "", "x", b"x", [], [1], (), {}, {"a": 1}, {1: 2}, set(), object(), True,
    np.zeros(4), lambda: 1, Exception, "1" * 5000, 1j, range(3), [None], {"p": None}, {"": "|00>"}, 10**30,
    10**5000, [10**5000], {10**5000: "|00>"}, Mute(), [Mute()], {"p": Mute()}, np.int64(3), "\0", "\ud800",
]  # fmt: skip
OPTIONS = [
    "spec", "init", "props", "annotations", "engine", "paths", "ctl", "limits", "seed", "recheck", "certify",
    "certificate", "keep_dead", "order", "store", "faults", "strict",
]  # fmt: skip


def bell() -> QuantumCircuit:
    circuit = QuantumCircuit(2, 1)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.measure(0, 0)
    return circuit


def survives(call: Callable[[Any], Any]) -> int:
    """How much junk was refused; anything but our own errors comes through."""
    refused = 0
    for thing in JUNK:
        try:
            call(thing)
        except QismcError as error:
            assert str(error)
            refused += 1
    return refused


@pytest.mark.parametrize("name", OPTIONS)
def test_options_of_a_check(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    circuit = bell()
    assert survives(lambda thing: qismc.check(circuit, **{"spec": "AF leaf", name: thing})) > 10


def test_programs() -> None:
    assert survives(lambda thing: qismc.check(thing, "AF leaf")) == len(JUNK)


@pytest.mark.parametrize("name", ["sp", "wp", "outcomes", "check", "expectation", "draw", "to_smv"])
def test_methods_of_models(name: str) -> None:
    method = getattr(Model(bell()), name)
    assert survives(method) > 10


@pytest.mark.parametrize("name", ["seconds", "memory_mb", "locations", "dimension"])
def test_limits(name: str) -> None:
    assert survives(lambda thing: Limits(**{name: thing})) > 10


@pytest.mark.parametrize("name", ["kinds", "at_most", "where"])
def test_faults(name: str) -> None:
    circuit = bell()
    assert survives(lambda t: qismc.check(circuit, "AF leaf", faults=Faults(**{name: t}))) > 10


def test_texts_of_faults_and_programs_of_campaigns() -> None:
    assert survives(Faults.parse) == len(JUNK)
    assert survives(lambda thing: qismc.campaign(thing, count=1)) > len(JUNK) / 2


@pytest.mark.parametrize("name", ["program", "reference", "on", "to", "limits", "engine"])
def test_comparisons(name: str) -> None:
    circuit = bell()
    given = {"program": circuit, "reference": circuit}
    assert survives(lambda thing: qismc.equivalent(**{**given, name: thing})) > 10


@pytest.mark.parametrize("name", ["kinds", "count", "seed", "executor", "out", "timeout", "spec"])
def test_campaigns(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    circuit = bell()
    assert survives(lambda thing: qismc.campaign(circuit, **{"count": 1, name: thing})) > 5


@pytest.mark.parametrize("name", ["limit", "pairs", "timeout"])
def test_repairs(name: str) -> None:
    result = qismc.check(bell(), "AG (leaf -> |00>)")
    assert survives(lambda thing: result.repairs(**{name: thing})) > 10


def test_marks() -> None:
    assert survives(lambda thing: bell().mark(thing)) == len(JUNK) - 3  # "x", many digits, a null


def test_conditions_of_expectations() -> None:
    model = Model(bell())
    assert survives(lambda thing: model.expectation("ZZ", given=thing)) > 30


@pytest.mark.parametrize("name", ["marginal", "shots", "likeliest", "to_html"])
def test_outcomes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert survives(getattr(Model(bell()).outcomes(), name)) > 25


def test_messages_name_the_argument() -> None:
    with pytest.raises(UsageError, match=r"colour = 'gren' is unknown \(did you mean 'green'"):
        one_of("colour", "gren", ("red", "green"))
    with pytest.raises(UsageError, match="colour = 5 is unknown"):
        one_of("colour", 5, ("red", "green"))
    with pytest.raises(UsageError, match="size = 7 must be at most 6"):
        whole("size", 7, 0, 6)
    with pytest.raises(UsageError, match="size is bool True; it must be a whole number"):
        whole("size", True, 0)
    assert whole("size", np.int64(4), 0) == 4
