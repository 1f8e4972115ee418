"""Words of messages that depend on numbers."""

from __future__ import annotations

from collections.abc import Mapping


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural unless it is 1.

    >>> counted(1, "qubit"), counted(0, "gate")
    ('1 qubit', '0 gates')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def ordinal(number: int) -> str:
    """Which one of several.

    >>> ordinal(2), ordinal(7)
    ('the second', 'number 7')
    """
    return f"the {('first', 'second', 'third')[number - 1]}" if number <= 3 else f"number {number}"


MOST_DECIMAL_BITS = 10_000
"""Python refuses to write decimal numbers of more than 4,300 digits."""


def plain_number(value: int) -> int | str:
    """The number, or its hexadecimal digits where it is too large to be written as a decimal."""
    return value if value.bit_length() <= MOST_DECIMAL_BITS else hex(value)


def store_text(store: Mapping[str, int | None]) -> str:
    """`c=1 flag=-`: a dash stands for a value that does not matter any more."""
    return " ".join(
        f"{name}={'-' if value is None else plain_number(value)}" for name, value in store.items()
    )


LONGEST_QUOTE = 60


def quoted(value: object) -> str:
    """An offender in a message, shortened; what cannot be printed is named by its kind.

    >>> quoted("ket"), quoted(10**5000)
    ("'ket'", '<int>')
    """
    try:
        return repr(value)[:LONGEST_QUOTE]
    except Exception:  # thousands of digits, thousands of brackets, or a class of the user's own
        return f"<{type(value).__name__}>"


SMALLEST_SHOWN = 1e-300
"""Products of thousands of probabilities leave the range of floating-point numbers below this."""


def chance_text(probability: float) -> str:
    """A probability in four digits.

    >>> chance_text(1 / 3), chance_text(5e-324)
    ('0.3333', 'below 1e-300')
    """
    return f"{probability:.4g}" if probability >= SMALLEST_SHOWN else f"below {SMALLEST_SHOWN:g}"
