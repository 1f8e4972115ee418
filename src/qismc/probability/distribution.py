"""The distribution of classical registers, and what it took to get there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, inf, log, log1p
from typing import TYPE_CHECKING

from qismc.common import arguments
from qismc.common.showing import Shown, figure
from qismc.common.source import Source
from qismc.common.wording import quoted
from qismc.errors import UsageError, suggestion
from qismc.propositions import Replaced

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Key = int | tuple[int, ...]


@dataclass(frozen=True)
class Loop:
    """A loop of the program and the expected number of times that its body is entered."""

    text: str
    source: Source | None
    turns: float


@dataclass(frozen=True, eq=False)
class Outcomes(Shown, Mapping[Key, float]):
    """value -> probability; with several registers the keys are tuples, in the order of `registers`."""

    program: str
    registers: tuple[str, ...]
    widths: tuple[int, ...]
    table: Mapping[tuple[int, ...], float] = field(repr=False)
    at: str
    unfinished: float
    """The probability of never coming there."""
    loops: tuple[Loop, ...]
    error: float
    """A bound on the error of every probability above."""
    replaced: tuple[Replaced, ...] = field(default=(), repr=False)
    """Numbers that were read as nicer ones: (source, written, read, difference)."""

    def __getitem__(self, key: Key) -> float:
        return self.table[key if isinstance(key, tuple) else (key,)]

    def __iter__(self) -> Iterator[Key]:
        return (key[0] if len(self.registers) == 1 else key for key in self.table)

    def __len__(self) -> int:
        return len(self.table)

    def marginal(self, register: str) -> dict[int, float]:
        """The distribution of one register alone."""
        arguments.text("register", register)
        if register not in self.registers:
            raise UsageError(f"no register '{register}' here", hint=suggestion(register, self.registers))
        place = self.registers.index(register)
        found: dict[int, float] = {}
        for key in sorted(self.table, key=lambda key: key[place]):
            found[key[place]] = found.get(key[place], 0.0) + self.table[key]
        return found

    def likeliest(self, count: int) -> tuple[list[tuple[tuple[int, ...], float]], float]:
        """The most probable outcomes in the order of their values, and the sum of all others."""
        arguments.whole("count", count, 0)
        best = sorted(self.table, key=lambda key: (-self.table[key], key))[:count]
        rest = sum(value for key, value in self.table.items() if key not in set(best))
        return [(key, self.table[key]) for key in sorted(best)], rest

    def shots(self, confidence: float = 0.99) -> float:
        """How many runs a test needs to see the rarest outcome at least once with this confidence."""
        if not isinstance(confidence, int | float) or not 0 < confidence < 1:
            raise UsageError(f"confidence = {quoted(confidence)} must lie between 0 and 1")
        rarest = min(self.table.values(), default=0.0)
        if rarest <= 0:
            return inf
        return 1 if rarest >= 1 else ceil(log(1 - confidence) / log1p(-rarest))

    def plot(self, axes: Axes | None = None) -> Axes:
        """A bar chart with matplotlib."""
        found: Axes = figure(self, axes)
        return found
