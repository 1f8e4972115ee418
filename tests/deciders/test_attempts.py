"""The attempt that answers is the one of the table, for benchmarks, examples and random programs."""

from __future__ import annotations

import pytest

from .attempts import cases, read

QUICK = {name: row for name, row in read().items() if row.quick}


def test_the_table_is_complete() -> None:
    assert set(read()) == {name for name, _ in cases()}


@pytest.mark.parametrize("kind", sorted({name.split(":")[0] for name in QUICK}))
def test_the_attempt_that_answers(kind: str) -> None:
    for name, ask in cases():
        if name.startswith(f"{kind}:") and name in QUICK:
            assert ask() == QUICK[name].attempt, name
