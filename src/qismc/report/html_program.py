"""A program as data for a page: its source lines, and what each statement does to the wires of a circuit."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from qismc.program import Apply, Channel, Initialize, Measure, Program, Reset, Statement

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


def acts(statement: Statement) -> dict[str, Any] | None:
    """A name, the qubits below it, and controls with their values; None for what acts on no qubit."""
    match statement:
        case Apply():
            return _gate(statement)
        case Measure(qubit):
            return _boxes("M", (qubit,))
        case Reset(qubit):
            return _boxes("|0>", (qubit,))
        case Initialize(qubits):
            return _boxes("init", qubits)
        case Channel(qubits):
            return _boxes("noise", qubits)
    return None


def _boxes(name: str, qubits: tuple[int, ...]) -> dict[str, Any]:
    return {"name": name, "targets": list(qubits), "controls": []}


def _gate(gate: Apply) -> dict[str, Any]:
    """A gate of one factor with its controls apart; any other as one box over its qubits."""
    operator, qubits = gate
    factor = operator.factors[0] if len(operator.factors) == 1 else None
    if factor is None or not factor.targets:
        return _boxes(operator.label or operator.name, qubits)
    controls = [[qubits[c], value] for c, value in factor.controls]
    name = factor.base.name if factor.controls else operator.label or operator.name
    return {"name": name, "targets": [qubits[t] for t in factor.targets], "controls": controls}
