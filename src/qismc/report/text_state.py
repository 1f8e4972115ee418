"""A state in a table cell: lines are broken between the terms of a sum, not inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

LONGEST = 240
"""Longer states are cut in the compact report."""
NARROWEST = 16
KET = re.compile(r"\|[01 ]+>")
RUN = re.compile(r"([01])\1{9,}")
BETWEEN_TERMS = re.compile(r" (?=[+-] )")


class StateCell:
    """A sum of kets that wraps term by term."""

    def __init__(self, state: str, style: str = "") -> None:
        self._terms = BETWEEN_TERMS.split(state)
        self._style = style

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        yield Text("\n".join(lines(self._terms, options.max_width)), style=self._style, overflow="fold")

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        widest = len(" ".join(self._terms))
        longest = max(len(term) for term in self._terms)
        return Measurement(min(longest, NARROWEST), min(widest, options.max_width))


def lines(terms: list[str], width: int) -> Iterator[str]:
    """As many terms per line as fit.

    >>> list(lines(["1/2 |00>", "+ 1/2 |01>", "- 1/2 |10>"], 20))
    ['1/2 |00> + 1/2 |01>', '- 1/2 |10>']
    """
    line = terms[0]
    for term in terms[1:]:
        if len(line) + 1 + len(term) > width:
            yield line
            line = term
        else:
            line += f" {term}"
    yield line


def shortened(state: str) -> str:
    """The state for a compact report: long runs of equal digits are counted, a long sum is cut.

    >>> shortened("|0000000000001>")
    '|0{12}1>'
    """
    counted = KET.sub(lambda ket: RUN.sub(lambda run: f"{run[1]}{{{len(run[0])}}}", ket[0]), state)
    return counted if len(counted) <= LONGEST else f"{counted[: LONGEST - 4]} ..."
