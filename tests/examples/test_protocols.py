"""Protocols, against random executions that are simulated without QisMC, and against known numbers."""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable
from math import pi

import pytest

import qismc

from .loading import example
from .running import Run, executed

RUNS = 16
TURN = exp(1j * pi / 4)
Wanted = Callable[[Run], bool]


def agree(left: str, right: str) -> Wanted:
    return lambda run: run.store[left] == run.store[right]


def state(amplitudes: list[complex], *qubits: int) -> Wanted:
    return lambda run: run.has(amplitudes, *qubits)


def not_caught(run: Run) -> bool:
    return run.store["looked"] != run.store["basis"] or run.store["seen"] == run.store["bit"]


@pytest.mark.parametrize(("name", "right", "wrong", "wanted"), [
    ("entanglement_swapping", ["swapped"], ["mixed_up"], state([1, 0, 0, 1], 0, 3)),
    ("superdense_coding", ["coded"], ["wrong_order"], agree("got", "sent")),
    ("bb84", ["alone"], ["eavesdropped", "halfway"], agree("received", "bit")),
    ("bb84", ["alone", "eavesdropped", "halfway"], [], agree("basis", "guess")),
    ("coin_flipping", ["honest", "cheating"], [], not_caught),
    ("coin_flipping", ["cheating"], ["honest"], lambda run: run.store["guess"] != run.store["basis"]),
    ("gate_teleportation", ["corrected"], ["pauli_correction"], state([1, 0, 0, TURN], 0, 1)),
    ("semiclassical_qft", ["semiclassical"], ["wrong_way"], agree("read", "k")),
    ("w_state", ["fused"], ["no_sign"], state([0, 1, 1, 0, 1, 0, 0, 0], 0, 2, 3)),
])  # fmt: skip
def test_executions(name: str, right: list[str], wrong: list[str], wanted: Wanted) -> None:
    script = example(f"protocols/{name}")
    for program in right:
        assert all(wanted(executed(script[program](), seed)) for seed in range(RUNS)), program
    for program in wrong:
        assert not all(wanted(executed(script[program](), seed)) for seed in range(RUNS)), program


def test_small_ghz() -> None:
    script = example("protocols/dynamic_ghz")
    script["everybody"].__globals__["SIZE"] = 4
    ghz = state([1, *[0] * 14, 1], 0, 1, 2, 3)
    assert all(ghz(executed(script["everybody"](), seed)) for seed in range(RUNS))
    assert not all(ghz(executed(script["only_one"](), seed)) for seed in range(RUNS))


def test_outcomes_of_a_large_ghz_are_not_listed() -> None:
    script = example("protocols/dynamic_ghz")
    assert script["SIZE"] == 16
    assert all(result.statistics.store != "explicit" for result in script["run"]().values())


def test_phase_estimation_has_the_distribution_of_its_unitary_counterpart() -> None:
    script = example("protocols/phase_estimation")
    theory = [script["chance"](answer) for answer in range(8)]
    for program in ("iterative", "unitary"):
        outcomes = qismc.Model(script[program]()).outcomes("bits")
        assert [outcomes[answer] for answer in range(8)] == pytest.approx(theory, abs=1e-9)
