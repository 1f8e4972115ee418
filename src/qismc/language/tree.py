"""What the grammar finds in a text: nodes named after rules, and words."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, NoReturn

import lark
from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput

from qismc.common.files import kept_at
from qismc.errors import SpecError
from qismc.language.messages import SpecText, check_characters, unexpected

MOST_BITS = 10_000
"""Maximum size of an integer in bits: Python prints no number of more than 4,300 digits."""
DEEPEST = 300
"""Maximum depth of a tree: later stages recurse over it."""


class Token(NamedTuple):
    """A word; `position` counts characters from the start of the text."""

    kind: str
    text: str
    position: int

    def integer(self) -> int:
        """The value of a decimal, binary (0b), octal (0o) or hexadecimal (0x) integer."""
        return int(self.text, 0 if self.text[:2].lower() in ("0b", "0o", "0x") else 10)


@dataclass(frozen=True)
class RuleNode:
    """A rule of the grammar with its nodes and its words, each in the order of the text."""

    rule: str
    nodes: tuple[RuleNode, ...]
    words: tuple[Token, ...]
    spec: SpecText
    position: int
    depth: int

    @property
    def word(self) -> str:
        """The first word; empty if there is none."""
        return self.words[0].text if self.words else ""

    def integer(self) -> int:
        """The value of an integer with its sign, if it has one."""
        last = self.words[-1].integer()
        return -last if self.word == "-" else last

    def has(self, rule: str) -> bool:
        """This node or one below it comes from `rule`."""
        return self.rule == rule or any(node.has(rule) for node in self.nodes)

    def fail(self, message: str, hint: str | None = None) -> NoReturn:
        """Raise SpecError at the place where the node begins."""
        raise self.spec.error(self.position, message, hint)


def tree_of(spec: SpecText) -> RuleNode:
    """The tree of a text; raises SpecError."""
    check_characters(spec)
    try:
        tree = _from_lark(_grammar().parse(spec.text), spec)
    except UnexpectedInput as error:
        raise _located(spec, error) from None
    if tree.depth > DEEPEST:
        message = f"the text is nested more than {DEEPEST} levels deep"
        raise spec.error(0, message, "name parts of it as propositions")
    return tree


@cache
def _grammar() -> Lark:
    """Its tables are kept between processes: to make them takes longer than to check a small program."""
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=False,
        cache=kept_at(f"grammar-{lark.__version__}-{sys.implementation.cache_tag}.tables") or False,
    )


def _from_lark(tree: Any, spec: SpecText) -> RuleNode:
    """The same tree in our own types; does not recurse, so that depth can be judged afterwards."""
    made: dict[int, RuleNode] = {}
    for branch in tree.iter_subtrees():
        nodes = tuple(made[id(part)] for part in branch.children if id(part) in made)
        words = tuple(_word(part, spec) for part in branch.children if id(part) not in made)
        depth = 1 + max((node.depth for node in nodes), default=0)
        position = branch.meta.start_pos
        made[id(branch)] = RuleNode(str(branch.data), nodes, words, spec, position, depth)
    return made[id(tree)]


def _word(token: Any, spec: SpecText) -> Token:
    word = Token(token.type, str(token), token.start_pos)
    if word.kind == "INTEGER" and word.integer().bit_length() > MOST_BITS:
        raise spec.error(word.position, f"a number of more than {MOST_BITS} bits")
    return word


def _located(spec: SpecText, error: Any) -> SpecError:
    """The parser's complaint in our words; `Any` because its classes are not typed alike in all versions."""
    if isinstance(error, UnexpectedCharacters):
        position: Any = error.pos_in_stream
        return unexpected(spec, position, spec.text[position], getattr(error, "allowed", None) or ())
    token, expected = getattr(error, "token", None), getattr(error, "expected", ())
    if token is None or token.type == "$END":
        return unexpected(spec, len(spec.text), "", expected)
    return unexpected(spec, token.start_pos, str(token), error.accepts or expected)


def unquoted(name: str) -> str:
    """A name without its quotes."""
    return name[1:-1] if name[0] in "'\"" else name
