"""Grover's search, against its rotation in the plane, and at 299 qubits."""

from __future__ import annotations

from math import asin, isclose, sin, sqrt

import numpy as np
import pytest

import qismc

from .loading import example
from .running import executed

SMALL = 3


@pytest.mark.parametrize("iterations", [1, 2, 3])
@pytest.mark.parametrize("name", ["chain", "tree", "broken_diffusion", "broken_oracle"])
def test_the_angle_in_the_plane(name: str, iterations: int) -> None:
    script = example("grover/iterations")
    state = executed(script[name](SMALL, iterations), seed=0).state
    data = state[..., 0, 0]  # both helpers in |0>
    item = tuple(int(digit) for digit in script["marked"](SMALL))
    others = np.delete(data.reshape(-1), np.ravel_multi_index(item, (2,) * SMALL))
    expected = sin((2 * iterations + 1) * asin(1 / sqrt(2**SMALL)))
    in_plane = isclose(np.linalg.norm(data), 1, abs_tol=1e-9) and np.allclose(others, others[0])
    assert in_plane == (not name.startswith("broken"))
    assert not in_plane or isclose(abs(data[item]), abs(expected), abs_tol=1e-9)


@pytest.mark.parametrize("name", ["chain", "tree", "broken_diffusion", "broken_oracle"])
def test_299_qubits(name: str) -> None:
    script = example("grover/iterations")
    size = 150
    result = qismc.check(
        script[name](size, 1), {"turned": script["SPECS"]["turned"]}, props={"plane": script["plane"](size)}
    )
    assert result.verdict.value == script["EXPECTED"][name]["turned"]
