"""The transition system behind a result, kept for pictures."""

from __future__ import annotations

from dataclasses import dataclass

from qismc.system.transition import TransitionSystem


@dataclass(frozen=True, eq=False)
class Backdrop:
    """A system, and the mask of store positions that were kept apart without being read by the program.

    It does not travel: nodes refer to one another in long chains, so a pickled copy is empty.
    """

    system: TransitionSystem | None = None
    kept: int = 0

    def __reduce__(self) -> tuple[type[Backdrop], tuple[()]]:
        return Backdrop, ()
