"""What a checker may answer besides "accepted"."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - an answer
    """A claim of the certificate does not stand."""


class NotChecked(Exception):  # noqa: N818 - an answer
    """The claim may be right, but this checker cannot look at it."""
