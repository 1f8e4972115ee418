"""What a checker may answer besides "accepted", and how it prints text that comes from a file."""

from __future__ import annotations

from qismc.common.wording import LONGEST_QUOTE, quoted


class Refused(Exception):  # noqa: N818 - an answer
    """A claim of the certificate does not stand."""


class NotChecked(Exception):  # noqa: N818 - an answer
    """The claim may be right, but this checker cannot look at it."""


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
