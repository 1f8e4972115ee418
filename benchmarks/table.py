"""Rows as a table for people and as JSON lines for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from benchmarks.row import Row
from qismc.verdict import Verdict

Column = tuple[str, Callable[[Row], Any]]


def _seconds(stage: str) -> Callable[[Row], float | None]:
    return lambda row: row.seconds.get(stage)


def _verdict(row: Row) -> Text:
    if row.wrong:
        return Text(f"WRONG: {row.verdict}", style="bold white on red")
    styles = {"holds": "green", "violated": "yellow", "unknown": "magenta", "error": "red"}
    return Text(row.verdict, style=styles[row.verdict])


COLUMNS: tuple[Column, ...] = (
    ("qubits", lambda row: row.qubits),
    ("gates", lambda row: row.gates),
    ("locations", lambda row: row.locations),
    ("verdict", _verdict),
    ("expected", lambda row: row.expected),
    ("engine", lambda row: row.engine or None),
    ("store", lambda row: row.store or None),
    ("bits on levels", lambda row: row.level_bits),
    ("load s", _seconds("load")),
    ("Qiskit load s", _seconds("qiskit")),
    ("record s", _seconds("record")),
    ("build s", _seconds("build")),
    ("fixed point s", _seconds("fixpoint")),
    ("check s", _seconds("check")),
    ("look s", _seconds("look")),
    ("CPU s", lambda row: row.cpu),
    ("peak MB", lambda row: None if row.peak_mb is None else round(row.peak_mb)),
    ("nodes", lambda row: row.peak_nodes),
    ("bond", lambda row: row.peak_bond),
)


def table(rows: Sequence[Row], peers: Sequence[str] = ()) -> Table:
    """One line per row; columns that no row fills are left out, except those of the peers."""
    result = Table(box=None, pad_edge=False)
    used = [column for column in COLUMNS if any(column[1](row) is not None for row in rows)]
    result.add_column("name", overflow="fold")
    for title, _ in used:
        result.add_column(
            title, justify="left" if title in ("verdict", "expected", "engine", "store") else "right"
        )
    for peer in peers:
        result.add_column(f"{peer} s", justify="right")
    if peers:
        result.add_column("to best peer", justify="right")
    for row in rows:
        cells = [_cell(value(row)) for _, value in used]
        cells += [_cell(row.peers.get(peer)) for peer in peers]
        cells += [_ratio(row.ratio)] if peers else []
        result.add_row(row.name, *cells, style="bold red" if row.wrong else None)
    return result


def _ratio(ratio: float | None) -> Text:
    """Below 1 we are ahead."""
    return Text("") if ratio is None else Text(f"{ratio:.2f}", style="green" if ratio <= 1 else "red")


def _cell(value: Any) -> Text:
    if isinstance(value, Text):
        return value
    if isinstance(value, float):
        return Text(f"{value:.3f}")
    return Text("" if value is None else f"{value:,}" if isinstance(value, int) else str(value))


def remarks(rows: Iterable[Row]) -> list[Text]:
    """What the table cannot say: why rows have no verdict, and which verdicts are wrong."""
    lines = [Text(f"{row.name}: {row.verdict}, {row.reason}") for row in rows if not row.answered]
    for row in rows:
        if row.wrong:
            told = f"WRONG VERDICT: {row.name} is said to be {row.verdict}; it is {row.expected}"
            lines.append(Text(told, style="bold white on red"))
    return lines


def json_line(row: Row) -> str:
    return json.dumps(row.to_json())


def exit_status(rows: Sequence[Row]) -> int:
    """1 if a verdict is wrong, else 3 if one is missing, else 0."""
    if any(row.wrong for row in rows):
        return Verdict.VIOLATED.exit_status
    return (Verdict.HOLDS if all(row.answered for row in rows) else Verdict.UNKNOWN).exit_status
