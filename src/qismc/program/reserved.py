"""Names that mean something in every specification, whatever the program calls them.

Marks and propositions cannot have them. Registers and variables can, because the program chooses their names
for other reasons: in a formula such a name in quotes is the user's own.
"""

from __future__ import annotations

import re

from qismc.common.source import Source
from qismc.errors import ProgramError

BUILT_IN = ("leaf", "loop", "init", "reached", "true", "false", "full", "zero")
LOCATION = re.compile(r"[l@](\d+)\Z", re.ASCII)
"""Locations by number: l7 or @7."""


def is_reserved(name: str) -> bool:
    """Does the name mean a built-in or a location?"""
    return name in BUILT_IN or LOCATION.match(name) is not None


def reserved_meaning(name: str) -> str:
    """What a reserved name stands for, in words."""
    located = LOCATION.match(name)
    return f"location {located[1]}" if located else f"the built-in '{name}'"


def check_mark(name: str, source: Source | None) -> None:
    """Refuse a mark that formulas could not tell from a built-in."""
    if is_reserved(name):
        message = f"a mark cannot be called '{name}': in formulas that is {reserved_meaning(name)}"
        raise ProgramError(message, source=source, hint="choose another name")
