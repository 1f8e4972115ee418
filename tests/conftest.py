"""Settings for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from qismc.repair import causes

from .engines import ENGINES

settings.register_profile(
    "ci",
    max_examples=16,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.register_profile(
    "deep", settings.get_profile("ci"), max_examples=60, derandomize=False, database=None, print_blob=True
)
settings.register_profile("first", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("QISMC_HYPOTHESIS", "ci"))


@pytest.fixture(params=ENGINES, scope="session")
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine."""
    return str(request.param)


@pytest.fixture(scope="session", autouse=True)
def patience_with_hints() -> Iterator[None]:
    """Hints end by counted effort, not by time: under coverage, on a busy machine, they are the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(causes, "SECONDS", 10.0)
        patch.setattr(causes, "MOST_SECONDS", 10.0)
        yield
