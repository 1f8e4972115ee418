"""Errors of the native core name the limit that was asked for."""

from __future__ import annotations

import pytest

from qismc import _core
from qismc.engines.core import TooManyOperations, native, translated
from qismc.errors import LimitReached, NumericDoubt, UnluckyDraw
from qismc.limits import Limits


def limit_error(kind: str) -> _core.LimitReached:
    error = _core.LimitReached(f"{kind} is used up")
    error.kind, error.message = kind, f"{kind} is used up"
    return error


class Limited:
    limits = Limits(seconds=7, memory_mb=11)

    @native
    def gives_up(self, error: Exception) -> None:
        raise error


@pytest.mark.parametrize(
    ("kind", "ours", "said"),
    [
        ("time", LimitReached, "7 s"),
        ("memory", LimitReached, "11 MB"),
        ("operations", TooManyOperations, "operations"),
    ],
)
def test_limits_are_quoted(kind: str, ours: type[Exception], said: str) -> None:
    with pytest.raises(ours, match=said):
        Limited().gives_up(limit_error(kind))


def test_primes_that_disagree_are_an_unlucky_draw() -> None:
    with pytest.raises(UnluckyDraw, match="two primes disagree"):
        Limited().gives_up(_core.PrimesDisagree("zero modulo one of two"))


def test_doubts_stay_doubts_and_other_errors_themselves() -> None:
    assert isinstance(translated(_core.NumericDoubt("near zero"), Limits()), NumericDoubt)
    with pytest.raises(KeyError):
        Limited().gives_up(KeyError("else"))
