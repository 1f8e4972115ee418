"""Repeat until success, walks and teleportation against a simulator that follows every branch."""

import numpy as np
import pytest

from benchmarks.dynamic import quantum_walk, repeat_until_success, teleportation_chain

from .oracle import Branch, Simulator, verdict


def dimension(leaves: list[Branch]) -> int:
    return int(np.linalg.matrix_rank(np.array([leaf.state.ravel() for leaf in leaves]), tol=1e-9))


def test_repeat_until_success_reaches_its_target() -> None:
    case = repeat_until_success()
    leaves = Simulator(case.circuit, turns=4).leaves()
    assert dimension(leaves) == 1
    assert sum(leaf.probability for leaf in leaves) == pytest.approx(1 - 4**-4)
    assert verdict(case) == case.expected == "holds"


def test_without_the_reset_the_second_attempt_fails() -> None:
    case = repeat_until_success("reset")
    assert verdict(case, turns=1) == "holds"
    assert verdict(case, turns=2) == case.expected == "violated"
    assert dimension(Simulator(case.circuit, turns=4).leaves()) == 2


def places(n: int, rounds: int, broken: bool) -> set[int]:
    """Where the classical walk can be when it stops."""
    here, ends = {0}, set()
    for _ in range(rounds):
        for _ in range(1 if broken else 2):
            here = {(place + step) % 2**n for place in here for step in (-1, 1)}
        ends |= here
    return ends


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("broken", [False, True])
def test_the_walk_reaches_the_places_of_the_classical_walk(n: int, broken: bool) -> None:
    case = quantum_walk(n, "step" if broken else None)
    leaves = Simulator(case.circuit, turns=2).leaves()
    support = {
        int("".join(map(str, at[:n][::-1])), 2) for leaf in leaves for at in np.argwhere(abs(leaf.state) > 0)
    }
    assert support == places(n, 2, broken)
    assert sum(leaf.probability for leaf in leaves) == pytest.approx(3 / 4)
    assert verdict(case, turns=2) == case.expected


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_teleportation_keeps_the_message(hops: int) -> None:
    case = teleportation_chain(hops)
    leaves = Simulator(case.circuit).leaves()
    assert len(leaves) == 4**hops
    assert dimension(leaves) == 1
    assert verdict(case) == case.expected == "holds"


@pytest.mark.parametrize("hops", [1, 2])
def test_a_missing_correction_spoils_the_message(hops: int) -> None:
    case = teleportation_chain(hops, "correction")
    assert verdict(case) == case.expected == "violated"


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="hops is 0"):
        teleportation_chain(0)
    with pytest.raises(ValueError, match="n is 0"):
        quantum_walk(0)
