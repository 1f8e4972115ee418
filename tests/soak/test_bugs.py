"""The table of seeded bugs still fits the sources."""

from __future__ import annotations

import pytest

from .bugs import BUGS, ROOT, Bug

LEAST = 40


def fits(bug: Bug) -> bool:
    text = (ROOT / "src" / "qismc" / bug.file).read_text(encoding="utf-8")
    return text.count(bug.right) == 1 and bug.wrong != bug.right


def test_there_are_enough() -> None:
    assert len({bug.name for bug in BUGS}) == len(BUGS) >= LEAST


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_they_fit_and_their_tests_exist(bug: Bug) -> None:
    assert fits(bug)
    assert all((ROOT / name).exists() for name in bug.tests.split())
