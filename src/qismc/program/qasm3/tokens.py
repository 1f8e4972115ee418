"""The words of a plain OpenQASM 3 text, and a cursor over them."""

from __future__ import annotations

import re
from bisect import bisect_right

from openqasm3 import ast

TOKEN = re.compile(
    r"[ \t\n]*(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*|\$[0-9]+)"
    r"|(?P<symbol>[;,()\[\]{}]|(?:\*\*|<<|>>|[-+*/%&|^~])=|->|==|=|&&|\|\||!=|<=|>=|<<|>>|\*\*|\+\+"
    r"|[-+*/%&|^~!<>:]|@(?![A-Za-z_]))"  # @name is an annotation
    r"|(?P<float>(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.])|[0-9]+[eE][-+]?[0-9]+(?![\w.]))"
    r"|(?P<time>[0-9]+(?:\.[0-9]+)?(?:dt|ns|us|ms|s)(?![\w.]))"
    r"|(?P<integer>[0-9]+(?![\w.]))"
    r"|(?P<string>\"[^\"\n]*\"|'[^'\n]*')"
    r"|(?P<end>\Z)|(?P<other>.))",
    re.DOTALL,
)
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else end return
        for while in switch case default pragma input output const readonly mutable qreg qubit creg bool bit
        int uint float angle complex array void duration stretch gphase inv pow ctrl negctrl dim durationof
        delay reset measure barrier true false im sizeof""",
    )
)
MAX_DEPTH = 50
"""Deeper nesting is left to the full parser, which has its own limit."""


class NotPlain(Exception):  # noqa: N818 - control flow: the full parser takes over, and finds what is wrong
    """The text is not in the plain part of the language."""


class Cursor:
    """Reads words one after the other; what does not fit is not plain."""

    def __init__(self, text: str) -> None:
        self.kinds: list[str] = []
        self.words: list[str] = []
        self.offsets: list[int] = []
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.index = 0
        self.depth = 0
        kinds, words, offsets = self.kinds.append, self.words.append, self.offsets.append
        for match in TOKEN.finditer(text):
            kind = match.lastgroup or "other"
            if kind == "other":
                raise NotPlain
            kinds(kind)
            words(match[kind])
            offsets(match.start(kind))
        self.word = self.words[0]

    def advance(self) -> str:
        """The present word; the next one becomes the present one."""
        word = self.word
        self.index += 1
        self.word = self.words[self.index] if self.index < len(self.words) else ""
        return word

    def expect(self, word: str) -> None:
        if self.word != word:
            raise NotPlain
        self.advance()

    def accept(self, word: str) -> bool:
        """Is this the present word? Then go on."""
        if self.word != word:
            return False
        self.advance()
        return True

    @property
    def kind(self) -> str:
        return self.kinds[self.index]

    @property
    def following(self) -> str:
        """The word after the present one."""
        return self.words[self.index + 1] if self.index + 1 < len(self.words) else ""

    def span(self) -> ast.Span:
        """Where the present word stands, with lines from 1 and columns from 0."""
        offset = self.offsets[self.index]
        line = bisect_right(self.starts, offset)
        column = offset - self.starts[line - 1]
        return ast.Span(line, column, line, column)

    def identifier(self, *, hardware: bool = False) -> ast.Identifier:
        """A name; only an operand may be a qubit of the hardware, `$3`."""
        word = self.word
        if self.kinds[self.index] != "name" or word in KEYWORDS or (word[0] == "$" and not hardware):
            raise NotPlain
        node = ast.Identifier(word)
        node.span = self.span()
        self.advance()
        return node

    def descend(self) -> None:
        """One level deeper."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotPlain

    def ascend(self) -> None:
        self.depth -= 1
