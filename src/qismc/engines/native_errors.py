"""What the native core gives up for, as errors that quote the limits that were asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from qismc import _core
from qismc.errors import LimitReached, NumericDoubt, UnluckyDraw
from qismc.limits import Limits, out_of_memory, out_of_time

Method = TypeVar("Method", bound=Callable[..., Any])
NATIVE = (_core.LimitReached, _core.NumericDoubt, _core.PrimesDisagree)
GATES = "the application of gates"


class TooManyOperations(LimitReached):
    """The number of operations that an engine was allowed is used up."""


def translated(
    error: _core.LimitReached | _core.NumericDoubt | _core.PrimesDisagree, limits: Limits
) -> Exception:
    """An error of the native core as ours, which quotes the limit that was asked for."""
    if isinstance(error, _core.PrimesDisagree):
        return UnluckyDraw("two primes disagree on a decision", hint="run again with another --seed")
    if isinstance(error, _core.NumericDoubt):
        return NumericDoubt(str(error), hint="write angles as exact multiples of pi")
    if error.kind == "operations":
        return TooManyOperations(str(error))
    if error.kind == "time":
        return out_of_time(limits, GATES)
    return out_of_memory(limits, GATES, error.message)


def native(method: Method) -> Method:
    """A method of something with limits, whose native errors become ours."""

    @wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return method(*args, **keywords)
        except NATIVE as error:
            raise translated(error, args[0].limits) from None

    return cast(Method, call)
