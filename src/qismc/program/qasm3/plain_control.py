"""Branches and loops of plain OpenQASM 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openqasm3 import ast

from qismc.program.qasm3.plain_expressions import Cursor, Expressions, NotPlain


class ControlStatements:
    """Reads control flow; `block` reads bodies, `loops` says how many loops are open."""

    def __init__(self, cursor: Cursor, expressions: Expressions, block: Callable[[], list[Any]]) -> None:
        self.cursor = cursor
        self.expressions = expressions
        self.block = block
        self.loops = 0
        self.readers: dict[str, Callable[[], Any]] = {
            "if": self.branch,
            "while": self.while_loop,
            "for": self.for_loop,
            "switch": self.switch,
            "break": lambda: self.word(ast.BreakStatement, in_loop=True),
            "continue": lambda: self.word(ast.ContinueStatement, in_loop=True),
            "end": lambda: self.word(ast.EndStatement),
        }

    def condition(self) -> Any:
        self.cursor.advance()
        self.cursor.expect("(")
        condition = self.expressions.expression()
        self.cursor.expect(")")
        return condition

    def branch(self) -> Any:
        condition, then = self.condition(), self.block()
        otherwise = self.block() if self.cursor.accept("else") else []
        return ast.BranchingStatement(condition, then, otherwise)

    def loop(self) -> list[Any]:
        self.loops += 1
        body = self.block()
        self.loops -= 1
        return body

    def while_loop(self) -> Any:
        return ast.WhileLoop(self.condition(), self.loop())

    def for_loop(self) -> Any:
        cursor = self.cursor
        cursor.advance()
        kind, name = self.expressions.type(), cursor.identifier()
        cursor.expect("in")
        if cursor.word == "{":
            values: Any = self.expressions.set()
        else:
            cursor.expect("[")
            values = self.expressions.range_or_expression()
            if not isinstance(values, ast.RangeDefinition):
                raise NotPlain
            cursor.expect("]")
        return ast.ForInLoop(kind, name, values, self.loop())

    def switch(self) -> Any:
        target, cases, default = self.condition(), [], None
        self.cursor.expect("{")
        while not self.cursor.accept("}"):
            if default is not None:
                raise NotPlain
            if self.cursor.accept("default"):
                default = self.case()
                continue
            self.cursor.expect("case")
            labels = [self.expressions.expression()]
            while self.cursor.accept(","):
                labels.append(self.expressions.expression())
            cases.append((labels, self.case()))
        if not cases:
            raise NotPlain
        return ast.SwitchStatement(target, cases, default)

    def case(self) -> Any:
        span = self.cursor.span()
        if self.cursor.word != "{":
            raise NotPlain
        node = ast.CompoundStatement(self.block())
        node.span = span
        return node

    def word(self, kind: Callable[[], Any], *, in_loop: bool = False) -> Any:
        if in_loop and not self.loops:
            raise NotPlain
        self.cursor.advance()
        self.cursor.expect(";")
        return kind()
