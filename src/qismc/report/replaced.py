"""Numbers that were read as nicer ones, as notes and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qismc.common.wording import counted
from qismc.propositions import Replaced, number_text


def notes(replaced: Sequence[Replaced], *, everything: bool = False, more: str = "--verbose") -> list[str]:
    """The largest difference, and how many numbers there are besides; or all of them."""
    if everything or len(replaced) < 2:
        return list(map(_line, replaced))
    first = max(replaced, key=lambda number: number.difference)
    others = counted(len(replaced) - 1, "other number")
    return [f"{_line(first)}, and {others} nearer ({more} lists them)"]


def _line(number: Replaced) -> str:
    return str(number) if number.source is None else f"{number} ({number.source})"


def to_json(replaced: Sequence[Replaced]) -> list[dict[str, Any]]:
    """One object per number; those that are not real are texts."""
    return [
        {
            "source": None if number.source is None else number.source._asdict(),
            "written": _plain(number.written),
            "read": number.read,
            "difference": number.difference,
        }
        for number in replaced
    ]


def _plain(number: float | complex) -> float | str:
    number = complex(number)
    return number_text(number) if number.imag else number.real
