"""Where a statement stands in what the user wrote."""

from __future__ import annotations

from typing import Any, NamedTuple


class Source(NamedTuple):
    """A place in a file or notebook cell; line and column count from 1."""

    file: str
    line: int
    column: int | None = None

    def __str__(self) -> str:
        column = f":{self.column}" if self.column is not None else ""
        return f"{self.file}:{self.line}{column}"


def source_data(source: Source | None) -> dict[str, Any] | None:
    """A place as plain data."""
    return None if source is None else source._asdict()
