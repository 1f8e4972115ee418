"""A hint: one derived remark about a counterexample or about the program."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.common.source import Source


@dataclass(frozen=True)
class Hint:
    """What was found out, in words; `steps` are the steps of the counterexample that it points at."""

    kind: str
    text: str
    source: Source | None = None
    steps: tuple[int, ...] = ()
    also: tuple[Source, ...] = ()
    """Other lines that the same is true of."""

    @property
    def lines(self) -> tuple[Source, ...]:
        """The lines that are named."""
        return (*(() if self.source is None else (self.source,)), *self.also)
