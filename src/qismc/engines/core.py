"""What the engines on the native core share: errors that quote the limits, compiled operators, spans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from itertools import accumulate
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from qismc import _core
from qismc.errors import LimitReached, NumericDoubt, UnluckyDraw
from qismc.limits import Budget, Limits, out_of_memory, out_of_time
from qismc.numbers import CoordinateRow, NumberForm
from qismc.program import Base
from qismc.system import Application, Layout, Stretch, layout_of

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
    """Decorates a method of a class with `limits`: errors of the native core become ours."""

    @wraps(method)
    def call(*args: Any, **keywords: Any) -> Any:
        try:
            return method(*args, **keywords)
        except NATIVE as error:
            raise translated(error, args[0].limits) from None

    return cast(Method, call)


class BlockCompiler:
    """Compiles operators on qubits to gates on levels; each small matrix is made once."""

    def __init__(self, space: _core.Space, form: NumberForm, level_of: Sequence[int]) -> None:
        self._space = space
        self._form = form
        self._level_of = np.array(level_of, dtype=np.int32)
        self._matrices: dict[Base, npt.NDArray[Any]] = {}

    def compile(self, applications: Sequence[Application]) -> _core.Block:
        return self.placed(layout_for(applications))

    def placed(self, layout: Layout) -> _core.Block:
        """The block of operators whose layout is known."""
        bases, known = layout.bases, self._matrices
        missing = [base for base in bases if base not in known]
        if missing:
            known.update(zip(missing, self._form.matrices(missing), strict=True))
        matrices = [known[base] for base in bases]
        sizes = np.array(list(accumulate(map(len, matrices), initial=0)), dtype=np.int64)
        entries = np.concatenate(matrices) if matrices else self._form.pack([], (0,))
        return self._space.place(layout, self._level_of, sizes, np.ascontiguousarray(entries))


def layout_for(applications: Sequence[Application]) -> Layout:
    """The layout of operators; for a stretch of a program it is computed once and kept."""
    return applications.layout if isinstance(applications, Stretch) else layout_of(applications)


FEW = 8
"""Number of complex vectors that are added to a span between two looks at the clock."""


class NativeSpan:
    """A span kept by the native core."""

    def __init__(self, span: _core.Span, form: NumberForm, budget: Budget) -> None:
        self._span = span
        self._form = form
        self._budget = budget
        self.limits = budget.limits

    @property
    def dimension(self) -> int:
        return self._span.dimension

    @native
    def add(self, vector: _core.Vector) -> bool:
        return self._span.add(vector)

    def add_all(self, vectors: Sequence[_core.Vector]) -> list[bool]:
        try:  # without the decorator, which costs time: long executions call this at every station
            if len(vectors) <= FEW or self._form.kind != "complex":
                return self._span.add_all(vectors)
            return self._add_in_slices(vectors)
        except NATIVE as error:
            raise translated(error, self.limits) from None

    def _add_in_slices(self, vectors: Sequence[_core.Vector]) -> list[bool]:
        """The native core does not look at the clock inside of inner products, so we do between slices."""
        fresh: list[bool] = []
        for begin in range(0, len(vectors), FEW):
            self._budget.spend("comparing states")
            fresh += self._span.add_all(vectors[begin : begin + FEW])
        return fresh

    @native
    def contains(self, vector: _core.Vector) -> bool:
        return self._span.contains(vector)

    @native
    def coordinates(self, vector: _core.Vector) -> CoordinateRow | None:
        return self._span.coordinates(vector)
