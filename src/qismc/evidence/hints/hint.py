"""A hint: one derived remark about a counterexample or about the program."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.program.source import Source


@dataclass(frozen=True)
class Hint:
    """What was found out, in words; `steps` are the steps of the counterexample that it points at."""

    kind: str
    text: str
    source: Source | None = None
    steps: tuple[int, ...] = ()
