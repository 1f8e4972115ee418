"""What comes from a file, as it is printed: one line of ASCII, without control characters."""

from __future__ import annotations

from qismc.common.wording import LONGEST_QUOTE, quoted


def plain(text: str) -> str:
    r"""The text on one line; whatever is not printable ASCII is spelled as in Python.

    >>> plain("AG\n  leaf"), plain("\x1b[1m\u0430")
    ('AG leaf', '\\x1b[1m\\u0430')
    """
    return " ".join(text.split()).encode("unicode_escape").decode("ascii").replace("\\\\", "\\")


def named(name: str) -> str:
    r"""A name that the file chose, in quotes unless it is an identifier of ASCII letters.

    >>> named("safe"), named("safe: AG p HOLDS x"), named("a': true")
    ('safe', "'safe: AG p HOLDS x'", "'a\\': true'")
    """
    if name.isascii() and name.isidentifier():
        return name
    return "'" + plain(name).replace("'", "\\'") + "'"


def quote(value: object) -> str:
    """An offender in a message, shortened."""
    return plain(quoted(value)[:LONGEST_QUOTE])
