"""The steps of an execution and what is told about them, made when somebody looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from qismc.evidence.execution import Step


class LazyTexts(Sequence[str]):
    """Texts that are made when somebody looks. A pickled copy holds them."""

    def __init__(self, make: Callable[[], Sequence[str]]) -> None:
        self._make = make
        self._made: tuple[str, ...] | None = None

    @property
    def _texts(self) -> tuple[str, ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...

    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._texts[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyTexts | tuple) and self._texts == tuple(other)

    def __hash__(self) -> int:
        return hash(self._texts)

    def __reduce__(self) -> tuple[type[tuple[str, ...]], tuple[tuple[str, ...]]]:
        return tuple, (self._texts,)


class LazySteps(Sequence["Step"]):
    """So many steps; `make(k)` makes the k-th one, which is kept. A pickled copy holds all of them."""

    def __init__(self, count: int, make: Callable[[int], Step]) -> None:
        self._count = count
        self._make = make
        self._made: dict[int, Step] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...

    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        where = range(self._count)[index]
        return self._one(where) if isinstance(where, int) else tuple(map(self._one, where))

    def _one(self, index: int) -> Step:
        if index not in self._made:
            self._made[index] = self._make(index)
        return self._made[index]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LazySteps | tuple):
            return NotImplemented
        return self is other or (len(self) == len(other) and tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[type[tuple[Step, ...]], tuple[tuple[Step, ...]]]:
        return tuple, (tuple(self),)
