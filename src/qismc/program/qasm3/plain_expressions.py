"""Words, expressions, indices and types of plain OpenQASM 3, as the trees of the full parser."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

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
"""Maximum nesting here. Deeper texts are left to the full parser, which has a limit of its own."""


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


LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"),
          ("+", "-"), ("*", "/", "%"))  # fmt: skip
BINARY = {symbol: power for power, symbols in enumerate(LEVELS, 1) for symbol in symbols}
UNARY_POWER = len(LEVELS) + 1
POWER = UNARY_POWER + 1
SIZED = {"bit": ast.BitType, "int": ast.IntType, "uint": ast.UintType, "float": ast.FloatType,
         "angle": ast.AngleType}  # fmt: skip
BARE = {"bool": ast.BoolType, "duration": ast.DurationType, "stretch": ast.StretchType}
TYPES = frozenset({*SIZED, *BARE})


class Expressions:
    """Reads expressions by the binding powers of their operators."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    def expression(self, least: int = 1) -> Any:
        """An expression whose operators bind at least this tightly."""
        cursor = self.cursor
        span = cursor.span()
        cursor.descend()
        left = self.unary()
        while True:
            symbol = cursor.word
            power = POWER if symbol == "**" else BINARY.get(symbol, 0)
            if power < least or cursor.kind != "symbol":
                break
            cursor.advance()
            right = self.expression(power + (symbol != "**"))
            left = _placed(ast.BinaryExpression(ast.BinaryOperator[symbol], left, right), span)
        cursor.ascend()
        return left

    def unary(self) -> Any:
        cursor = self.cursor
        if cursor.word not in ("-", "!", "~"):
            return self.indexed(self.primary())
        span, symbol = cursor.span(), cursor.advance()
        operand = self.expression(UNARY_POWER)
        return _placed(ast.UnaryExpression(ast.UnaryOperator[symbol], operand), span)

    def primary(self) -> Any:
        cursor = self.cursor
        kind, word, span = cursor.kind, cursor.word, cursor.span()
        if kind == "integer":
            cursor.advance()
            return _placed(ast.IntegerLiteral(int(word)), span)
        if kind == "float":
            cursor.advance()
            return _placed(ast.FloatLiteral(float(word)), span)
        if kind == "string":
            return self.bits()
        if kind == "time":
            cursor.advance()
            number = word.rstrip("dtnums")
            return _placed(ast.DurationLiteral(float(number), ast.TimeUnit[word[len(number) :]]), span)
        if word in ("true", "false"):
            cursor.advance()
            return _placed(ast.BooleanLiteral(word == "true"), span)
        if word in SIZED or word == "bool":
            type_ = self.type()
            cursor.expect("(")
            return self.closed(ast.Cast(type_, self.expression()), span)
        if word == "(":
            cursor.advance()
            inner = self.expression()
            cursor.expect(")")
            return inner
        name = cursor.identifier()
        if not cursor.accept("("):
            return name
        return _placed(ast.FunctionCall(name, self.arguments()), span)

    def closed(self, node: Any, span: ast.Span) -> Any:
        self.cursor.expect(")")
        return _placed(node, span)

    def bits(self) -> Any:
        cursor = self.cursor
        digits, span = cursor.word[1:-1], cursor.span()
        if not digits or digits.strip("01"):
            raise NotPlain
        cursor.advance()
        return _placed(ast.BitstringLiteral(int(digits, 2), len(digits)), span)

    def arguments(self) -> list[Any]:
        """Expressions up to the closing parenthesis."""
        found: list[Any] = []
        while not self.cursor.accept(")"):
            found.append(self.expression())
            if self.cursor.word != ")":
                self.cursor.expect(",")
                if self.cursor.word == ")":
                    raise NotPlain
        return found

    def indexed(self, node: Any) -> Any:
        """The indices behind an expression."""
        while self.cursor.word == "[":
            node = _placed(ast.IndexExpression(node, self.index()), node.span)
        return node

    def index(self) -> Any:
        """What stands between brackets: a set, or a list of expressions and ranges."""
        cursor = self.cursor
        cursor.expect("[")
        if cursor.word == "{":
            found: Any = self.set()
        else:
            found = [self.range_or_expression()]
            while cursor.accept(","):
                found.append(self.range_or_expression())
        cursor.expect("]")
        return found

    def set(self) -> ast.DiscreteSet:
        cursor, span = self.cursor, self.cursor.span()
        cursor.expect("{")
        values = [self.expression()]
        while cursor.accept(","):
            values.append(self.expression())
        cursor.expect("}")
        return _placed(ast.DiscreteSet(values), span)

    def range_or_expression(self) -> Any:
        cursor, span = self.cursor, self.cursor.span()
        parts: list[Any] = [None if cursor.word == ":" else self.expression()]
        while cursor.accept(":"):
            parts.append(None if cursor.word in (":", "]", ",") else self.expression())
        if len(parts) == 1:
            return parts[0]
        if len(parts) > 3 or (len(parts) == 3 and parts[1] is None):
            raise NotPlain
        step = parts[1] if len(parts) == 3 else None
        return _placed(ast.RangeDefinition(parts[0], parts[-1], step), span)

    def qubit(self) -> Any:
        """A qubit of the program or, without an index, of the hardware."""
        if self.cursor.word[:1] != "$":
            return self.place()
        if self.cursor.following == "[":
            raise NotPlain
        return self.cursor.identifier(hardware=True)

    def place(self) -> Any:
        """A name, perhaps with indices."""
        name = self.cursor.identifier()
        if self.cursor.word != "[":
            return name
        indices = [self.index()]
        while self.cursor.word == "[":
            indices.append(self.index())
        return _placed(ast.IndexedIdentifier(name, indices), name.span)

    def type(self) -> Any:
        """A scalar type with its size."""
        cursor, span = self.cursor, self.cursor.span()
        word = cursor.advance()
        if word in BARE:
            return _placed(BARE[word](), span)
        if word not in SIZED:
            raise NotPlain
        return _placed(SIZED[word](self.size()), span)

    def size(self) -> Any:
        """The expression in brackets, if there is one."""
        if not self.cursor.accept("["):
            return None
        size = self.expression()
        self.cursor.expect("]")
        return size


def _placed(node: Any, span: ast.Span) -> Any:
    node.span = span
    return node
