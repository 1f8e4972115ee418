"""The runs under sanitizers."""

from __future__ import annotations

from .sanitized import OF_THREADS, ROOT, TESTS


def test_the_tests_that_they_name_exist() -> None:
    named = [path for path in (*TESTS, *OF_THREADS) if path.startswith("tests/")]
    assert len(named) > len(TESTS)
    assert not [path for path in named if not (ROOT / path).exists()]
