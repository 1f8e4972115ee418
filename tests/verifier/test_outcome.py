"""Nothing of a file reaches a terminal as it is."""

from __future__ import annotations

import pytest

from qismc.verifier.outcome import named, plain, quote


@pytest.mark.parametrize("text", ["a\nHOLDS  b", "\x1b[2J", "\u202e", "\ud800", "\x85", "a\u2028b", "\u0430"])
def test_one_line_of_ascii(text: str) -> None:
    for shown in (plain(text), named(text), quote(text)):
        assert shown.isascii() and shown.isprintable()


def test_texts_stay_readable() -> None:
    assert plain("|0> \\/\n   |1>") == "|0> \\/ |1>"
    assert named("safe") == "safe" and named("safe: AG p") == "'safe: AG p'"
    assert named("safe': AG (leaf -> p) & 'x") == "'safe\\': AG (leaf -> p) & \\'x'"
    assert named("sаfe") == "'s\\u0430fe'"  # a Cyrillic letter
