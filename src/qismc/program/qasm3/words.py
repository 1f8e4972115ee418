"""The words of an OpenQASM 3 text, read one after the other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NoReturn, TypeVar

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.qasm_text import Locator

T = TypeVar("T")
INTEGER = r"[0-9](?:_?[0-9])*"
EXPONENT = rf"(?:[eE][-+]?{INTEGER})"
FLOAT = rf"(?:{INTEGER}\.(?:{INTEGER})?{EXPONENT}?|\.{INTEGER}{EXPONENT}?|{INTEGER}{EXPONENT})"
WORD = re.compile(
    r"(?:[ \t\r\n]+|//(?!@)[^\n]*|/\*.*?\*/)*"
    rf"(?:(?P<scaled>(?:{FLOAT}|{INTEGER})[ \t]*(?:im|dt|[nuµm]?s))"
    r"|(?P<pragma>#?pragma(?!\w)[ \t]*[^ \t\r\n][^\r\n]*)"
    r"|(?P<name>[^\W\d]\w*|\$[0-9]+|\#dim)"
    r"|(?P<based>0(?:[bB][01](?:_?[01])*|o[0-7](?:_?[0-7])*|[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*))"
    rf"|(?P<float>{FLOAT})|(?P<integer>{INTEGER})"
    r"|(?P<note>//@[^\n]*)"
    r"|(?P<annotation>@[^\W\d][\w.]*)[^\r\n]*"
    r"|(?P<symbol>\*\*=|<<=|>>=|[-+*/%&|^~]=|->|==|!=|<=|>=|&&|\|\||<<|>>|\*\*|\+\+|[-+*/%&|^~!<>=:;,@()\[\]{}])"
    r"|(?P<string>\"[^\"\r\t\n]*\"|'[^'\r\t\n]*')"
    r"|(?P<end>\Z)|(?P<other>.))",
    re.DOTALL,
)
KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else end return
        for while in switch case default pragma input output const readonly mutable qreg qubit creg bool bit
        int uint float angle complex array void duration stretch gphase inv pow ctrl negctrl durationof
        delay reset measure barrier true false im""",
    )
)
MARK = "//@ mark "
"""What words that are marks begin with."""
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
LETTERS = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl"})
MAX_NESTING = 300
"""Maximum nesting of brackets and braces: the parser recurses over them."""


class Words:
    """A text cut into words; `word` is the present one, and `source` says where it stands.

    `marks` are the names of the marks by the offsets of their comments.
    """

    def __init__(self, text: str, file: str, marks: Mapping[int, str]) -> None:
        self.text = text
        self.file = file
        self.kinds: list[str] = []
        self.words: list[str] = []
        offsets = self._cut(marks)
        self.sources = Locator(text, file).all(offsets)
        self.index = 0
        self.word = self.words[0]
        self._check_nesting()

    def _cut(self, marks: Mapping[int, str]) -> list[int]:
        """Fill the lists of words and kinds; the offsets of the words."""
        offsets: list[int] = []
        kinds, words, placed = self.kinds.append, self.words.append, offsets.append
        for match in WORD.finditer(self.text):
            kind = match.lastgroup or "other"
            word, offset = match[kind], match.start(kind)
            if kind == "note":
                if offset not in marks:
                    continue
                kind, word = "mark", f"{MARK}{marks[offset]}"
            elif kind == "name" and not word.isascii() and not _is_name(word):
                kind = "other"
            kinds(kind)
            words(word)
            placed(offset)
        return offsets

    def _check_nesting(self) -> None:
        """Refuse what would exhaust the stack."""
        depth = 0
        for number, word in enumerate(self.words):
            if word in OPENING:
                depth += 1
                if depth > MAX_NESTING:
                    message = f"brackets are nested more than {MAX_NESTING} deep"
                    hint = "simplify the expression or the blocks"
                    raise ProgramError(message, source=self.sources[number], hint=hint)
            elif word in CLOSING:
                depth -= 1

    @property
    def kind(self) -> str:
        return self.kinds[self.index]

    @property
    def source(self) -> Source:
        return self.sources[self.index]

    @property
    def following(self) -> str:
        """The word after the present one."""
        return self.words[self.index + 1] if self.index + 1 < len(self.words) else ""

    def advance(self) -> str:
        """The present word; the next one becomes the present one."""
        word = self.word
        self.index += 1
        self.word = self.words[self.index]
        return word

    def back_to(self, index: int) -> None:
        self.index = index
        self.word = self.words[index]

    def expect(self, word: str) -> None:
        if self.word != word:
            self.fail(f"'{word}' is expected before it")
        self.advance()

    def accept(self, word: str) -> bool:
        """Is this the present word? Then go on."""
        if self.word != word:
            return False
        self.advance()
        return True

    def name(self) -> str:
        """A name that the program chose."""
        if not self.at_name():
            self.fail()
        return self.advance()

    def at_name(self) -> bool:
        word = self.word
        return self.kinds[self.index] == "name" and word not in KEYWORDS and word[0] not in "$#"

    def at_hardware(self) -> bool:
        """Is the present word a qubit of the hardware, `$3`?"""
        return self.word[:1] == "$" and self.kind == "name"

    def string(self) -> str:
        """What stands in quotation marks."""
        if self.kind != "string":
            self.fail()
        return self.advance()[1:-1]

    def items(self, item: Callable[[], T], *ends: str) -> list[T]:
        """At least one item, separated by commas; one more comma may stand before the end."""
        found = [item()]
        while self.accept(",") and self.word not in ends:
            found.append(item())
        return found

    def within(self, item: Callable[[], T], end: str) -> list[T]:
        """Any number of items up to a closing word, which is passed."""
        found = [] if self.word == end else self.items(item, end)
        self.expect(end)
        return found

    def skip_brackets(self, opening: str) -> None:
        """Pass the opening bracket, which is the present word, and all up to its closing one."""
        self.expect(opening)
        depth = 1
        while depth:
            if self.kind == "end":
                self.fail()
            word = self.advance()
            depth += (word in OPENING) - (word in CLOSING)

    def fail(self, hint: str | None = None) -> NoReturn:
        """Refuse the present word."""
        if self.kind == "end":
            rows = self.text.rstrip().split("\n")
            place = Source(self.file, len(rows), len(rows[-1]) + 1)
            raise ProgramError("unexpected end of the file", source=place)
        raise ProgramError(f"syntax error at '{self.word}'", source=self.source, hint=hint)


def _is_name(word: str) -> bool:
    """Are these letters of some language, with digits and underscores?"""
    return all(letter.isascii() or unicodedata.category(letter) in LETTERS for letter in word)
