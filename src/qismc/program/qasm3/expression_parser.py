"""Words -> expressions, types and places of OpenQASM 3."""

from __future__ import annotations

import re

from qismc.program.qasm3 import syntax
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.values import bit_string
from qismc.program.qasm3.words import Words

LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"),
          ("+", "-"), ("*", "/", "%"))  # fmt: skip
BINARY = {symbol: power for power, symbols in enumerate(LEVELS, 1) for symbol in symbols}
UNARY_POWER = len(LEVELS) + 1
POWER = UNARY_POWER + 1
BITS = re.compile(r"[\"'][01](?:_?[01])*[\"']")
BASES = {"b": 2, "o": 8, "x": 16}
SIZED = frozenset({"bit", "int", "uint", "float", "angle"})
SCALARS = SIZED | {"bool", "duration", "stretch", "complex"}
TYPES = SCALARS | {"array"}


class ExpressionParser:
    """Reads expressions by the binding powers of their operators."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def expression(self, least: int = 1) -> Node:
        """An expression whose operators bind at least this tightly."""
        words, source = self.words, self.words.source
        left = self.unary()
        while True:
            symbol = words.word
            power = POWER if symbol == "**" else BINARY.get(symbol, 0)
            if power < least:
                return left
            words.advance()
            left = syntax.Binary(source, symbol, left, self.expression(power + (symbol != "**")))

    def unary(self) -> Node:
        """An operand with the signs in front of it."""
        words, signs = self.words, []
        while words.word in ("-", "!", "~"):
            signs.append((words.source, words.advance()))
        if not signs:
            return self.indexed(self.primary())
        operand = self.expression(POWER)
        for source, sign in reversed(signs):
            operand = syntax.Unary(source, sign, operand)
        return operand

    def primary(self) -> Node:
        words = self.words
        source, word = words.source, words.word
        if words.kind in ("integer", "float", "based", "string", "scaled"):
            return self.literal()
        if word in ("true", "false"):
            words.advance()
            return syntax.Literal(source, word == "true")
        if word in TYPES:
            return self.cast(self.type())
        if words.accept("("):
            inner = self.expression()
            words.expect(")")
            return inner
        if words.at_hardware():
            return syntax.Name(source, words.advance())
        if word == "durationof" or (word == "sizeof" and words.following == "("):
            words.advance()
            words.skip_brackets("(")
            return syntax.Unsupported(source, word)
        name = words.name()
        if not words.accept("("):
            return syntax.Name(source, name)
        return syntax.Call(source, name, words.within(self.expression, ")"))

    def literal(self) -> Node:
        """A number or a string of bits; imaginary numbers and times mean nothing here."""
        words, source = self.words, self.words.source
        kind, word = words.kind, words.word
        digits = word.replace("_", "")
        try:
            if kind == "scaled":
                node: Node = syntax.Unsupported(source, word)
            elif kind == "string":
                if not BITS.fullmatch(word):
                    words.fail()
                node = syntax.Literal(source, bit_string(int(digits[1:-1], 2), len(digits) - 2))
            elif kind == "based":
                node = syntax.Literal(source, int(digits[2:], BASES[digits[1].lower()]))
            else:
                node = syntax.Literal(source, int(digits) if kind == "integer" else float(digits))
        except ValueError:
            words.fail()
        words.advance()
        return node

    def cast(self, kind: syntax.Type) -> Node:
        self.words.expect("(")
        value = self.expression()
        self.words.expect(")")
        return syntax.Cast(kind.source, kind, value)

    def indexed(self, node: Node) -> Node:
        """The indices behind an expression."""
        while self.words.accept("["):
            if self.words.word == "{":
                index: syntax.Set | list[Node] = self.set()
                self.words.expect("]")
            else:
                index = self.words.items(self.range_or_expression, "]")
                self.words.expect("]")
            node = syntax.Index(node.source, node, index)
        return node

    def set(self) -> syntax.Set:
        source = self.words.source
        self.words.expect("{")
        values = self.words.items(self.expression, "}")
        self.words.expect("}")
        return syntax.Set(source, values)

    def range_or_expression(self) -> Node:
        words, source = self.words, self.words.source
        first = None if words.word == ":" else self.expression()
        if first is not None and words.word != ":":
            return first
        words.expect(":")
        second = None if words.word in (":", "]", ",") else self.expression()
        if not words.accept(":"):
            return syntax.Range(source, first, second, None)
        return syntax.Range(source, first, self.expression(), second)

    def place(self) -> Node:
        """A name, perhaps with indices."""
        return self.indexed(syntax.Name(self.words.source, self.words.name()))

    def qubit(self) -> Node:
        """A qubit of the program or, without an index, of the hardware."""
        words = self.words
        return syntax.Name(words.source, words.advance()) if words.at_hardware() else self.place()

    def type(self) -> syntax.Type:
        """A type with its size, or with what it is made of."""
        words, source = self.words, self.words.source
        word = words.word
        if word == "array":
            words.advance()
            words.expect("[")
            self.scalar_type()
            words.expect(",")
            words.within(self.expression, "]")
            return syntax.Type(source, word)
        return self.scalar_type()

    def scalar_type(self) -> syntax.Type:
        words, source = self.words, self.words.source
        if words.word not in SCALARS:
            words.fail()
        word = words.advance()
        if word == "complex" and words.accept("["):
            self.scalar_type()
            words.expect("]")
        return syntax.Type(source, word, self.size() if word in SIZED else None)

    def size(self) -> Node | None:
        """The expression in brackets, if there is one."""
        if not self.words.accept("["):
            return None
        size = self.expression()
        self.words.expect("]")
        return size
