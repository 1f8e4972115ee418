"""The gates of a program as columns: long programs repeat few operators, and arrays are quick."""

from __future__ import annotations

from dataclasses import dataclass

from qismc import _core
from qismc.program import Apply, Base, Operator, Program, Statement


@dataclass(frozen=True, eq=False)
class Columns:
    """The one walk over all statements: whoever asks for all gates, or for all other ones, asks here."""

    table: _core.Columns
    """Gate k stands at points[k] and applies operators[numbers[k]] to qubits[starts[k] : starts[k + 1]]."""
    operators: tuple[Operator, ...]
    """Those with different factors, in the order in which they first occur."""
    bases: tuple[Base, ...]
    """The different matrices of their factors."""
    crossings: list[int]
    """The points whose statements are no gates."""


def columns(program: Program) -> Columns:
    """The columns of a program, made once."""
    return program.once("columns", _columns)


def crossings(program: Program) -> list[int]:
    """The points whose statements are no gates, in order: only behind them control may turn."""
    return columns(program).crossings


def crossed(program: Program) -> list[Statement]:
    """The statements that are no gates, in order."""
    return [program.code[point] for point in crossings(program)]


def _columns(program: Program) -> Columns:
    table = _core.Columns(program.code, Apply)
    return Columns(table, table.operators, table.bases, table.crossings.tolist())
