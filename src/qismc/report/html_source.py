"""The lines that a program was written in, as far as they can be found."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from qismc.program import Program

AROUND = 3
LINES_SHOWN = 50_000


def source_files(program: Program) -> list[dict[str, Any]]:
    """Per file its name, the number of the first line shown and the lines; unreadable files have none."""
    ranges: dict[str, tuple[int, int]] = {}
    for source in program.sources:
        if source is not None:
            low, high = ranges.get(source.file, (source.line, source.line))
            ranges[source.file] = min(low, source.line), max(high, source.line)
    return [_excerpt(program, file, low, high) for file, (low, high) in ranges.items()]


def _excerpt(program: Program, file: str, low: int, high: int) -> dict[str, Any]:
    lines: Sequence[str] = program.lines.get(file) or linecache.getlines(file)
    first = max(1, low - AROUND)
    last = min(len(lines), high + AROUND, first + LINES_SHOWN - 1)
    shown = [line.rstrip("\r\n") for line in lines[first - 1 : last]]
    return {"name": PurePath(file).name or file, "first": first, "lines": shown}


def file_numbers(program: Program) -> dict[str, int]:
    """The place of each file in `source_files`."""
    files = dict.fromkeys(source.file for source in program.sources if source is not None)
    return {file: k for k, file in enumerate(files)}
