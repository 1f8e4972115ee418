"""Names for program points: marks, `leaf`, `loop`."""

from __future__ import annotations

from qismc.program.statements import Branch, Goto, Leaf, Mark, Statement


def selects(where: str, statement: Statement) -> bool:
    """Does a name mean this statement?"""
    if isinstance(statement, Mark):
        return statement.name == where
    if isinstance(statement, Leaf):
        return where == "leaf"
    return where == "loop" and isinstance(statement, Branch | Goto) and statement.loop


def names_of(statement: Statement) -> list[str]:
    """The names that mean this statement."""
    if isinstance(statement, Mark):
        return [statement.name]
    return [name for name in ("leaf", "loop") if selects(name, statement)]
