"""Settings for all tests."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from .all_engines import ENGINES

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
