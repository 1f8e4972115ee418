"""Words of messages that depend on numbers."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural unless it is 1.

    >>> counted(1, "qubit"), counted(0, "gate")
    ('1 qubit', '0 gates')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
