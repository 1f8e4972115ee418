"""Strings of one-qubit letters with the repetition shorthand: `0^3 1` is `0001`."""

from __future__ import annotations

import re

from lark import Token

from qismc.spec.messages import SpecText

MOST_LETTERS = 100_000
"""A shorthand that expands to more letters than this is taken for a mistake."""


def expand(text: SpecText, token: Token, body: str) -> str:
    """The letters of `body` with each `x^k` written out."""
    parts = [(letter, int(count or 1)) for letter, count in re.findall(r"(\S)(?:\^(\d+))?\s*", body)]
    total = sum(count for _, count in parts)
    if total > MOST_LETTERS:
        raise text.error(token.start_pos or 0, f"'{token}' has {total} letters, more than {MOST_LETTERS}")
    if any(count == 0 for _, count in parts):
        raise text.error(token.start_pos or 0, f"'{token}' repeats a letter 0 times")
    return "".join(letter * count for letter, count in parts)


def ket_letters(text: SpecText, token: Token) -> str:
    """The letters between the bar and the bracket of a ket."""
    return expand(text, token, token[1:-1])


def paulis(text: SpecText, tokens: list[Token]) -> tuple[str, ...]:
    """Signed Pauli strings of one common length."""
    strings: list[str] = []
    for token in tokens:
        sign = "-" if token.startswith("-") else ""
        letters = expand(text, token, token.lstrip("+- \t\r\n"))
        if strings and len(letters) != len(strings[0].lstrip("-")):
            first = len(strings[0].lstrip("-"))
            message = (
                f"Pauli string '{token.strip()}' acts on {len(letters)} qubits, the first one on {first}"
            )
            raise text.error(token.start_pos or 0, message, "all strings of stab(…) must have one length")
        strings.append(sign + letters)
    return tuple(strings)
