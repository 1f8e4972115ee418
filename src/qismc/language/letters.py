"""Strings of one-qubit letters with the repetition shorthand: `0^3 1` is `0001`."""

from __future__ import annotations

import re

from qismc.common.wording import quoted
from qismc.language.messages import SpecText
from qismc.language.tree import Word

MOST_LETTERS = 100_000
"""A shorthand that expands to more letters than this is taken for a mistake."""
LONGEST_COUNT = 7
"""Digits after which a count is too large, whatever follows."""


def expand(text: SpecText, word: Word, body: str) -> str:
    """The letters of `body` with each `x^k` written out."""
    found = re.findall(r"(\S)(?:\^0*(\d+))?\s*", body)
    parts = [(letter, int(count[:LONGEST_COUNT] or 1)) for letter, count in found]
    if sum(count for _, count in parts) > MOST_LETTERS:
        raise text.error(word.position, f"{quoted(word.text)} has more than {MOST_LETTERS} letters")
    if any(count == 0 for _, count in parts):
        raise text.error(word.position, f"{quoted(word.text)} repeats a letter 0 times")
    return "".join(letter * count for letter, count in parts)


def ket_letters(text: SpecText, word: Word) -> str:
    """The letters between the bar and the bracket of a ket."""
    return expand(text, word, word.text[1:-1])


def paulis(text: SpecText, words: list[Word]) -> tuple[str, ...]:
    """Signed Pauli strings of one common length."""
    strings: list[str] = []
    for word in words:
        sign = "-" if word.text.startswith("-") else ""
        letters = expand(text, word, word.text.lstrip("+- \t\r\n"))
        if strings and len(letters) != len(strings[0].lstrip("-")):
            first = len(strings[0].lstrip("-"))
            message = (
                f"Pauli string '{word.text.strip()}' acts on {len(letters)} qubits, the first one on {first}"
            )
            raise text.error(word.position, message, "all strings of stab(…) must have one length")
        strings.append(sign + letters)
    return tuple(strings)
