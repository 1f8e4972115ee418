"""What the grammar found: nodes named after rules, and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOST_BITS = 10_000
"""Maximum size of an integer in bits: Python prints no number of more than 4,300 digits."""


class LongNumber(Exception):  # noqa: N818 - the parser makes an error of it
    """An integer with too many digits."""

    def __init__(self, position: int) -> None:
        self.position = position
        super().__init__(position)


@dataclass(frozen=True)
class Token:
    """A token; `position` counts characters from the start of the text."""

    kind: str
    text: str
    position: int

    def integer(self) -> int:
        """The value of a decimal, binary (0b), octal (0o) or hexadecimal (0x) integer."""
        return int(self.text, 0 if self.text[:2].lower() in ("0b", "0o", "0x") else 10)


@dataclass(frozen=True)
class RuleNode:
    """A rule of the grammar with its parts, in the order of the text."""

    rule: str
    parts: tuple[RuleNode | Token, ...]
    position: int
    depth: int

    def child(self, index: int = 0) -> RuleNode:
        """The part at `index`, which must be a node."""
        part = self.parts[index]
        assert isinstance(part, RuleNode)
        return part

    def word(self, index: int = 0) -> Token:
        """The part at `index`, which must be a word."""
        part = self.parts[index]
        assert isinstance(part, Token)
        return part

    def integer(self) -> int:
        """The value of an integer with its sign, if it has one."""
        last = self.word(-1).integer()
        return -last if self.word().text == "-" else last

    def has(self, rule: str) -> bool:
        """This node or one below it comes from `rule`."""
        return self.rule == rule or any(isinstance(part, RuleNode) and part.has(rule) for part in self.parts)


def from_lark(tree: Any) -> RuleNode:
    """The same tree in our own types; does not recurse, so that depth can be judged afterwards.

    Raises LongNumber.
    """
    made: dict[int, RuleNode] = {}
    node = None
    for branch in tree.iter_subtrees():
        parts = tuple(made.get(id(part)) or _word(part) for part in branch.children)
        depth = 1 + max((part.depth for part in parts if isinstance(part, RuleNode)), default=0)
        node = made[id(branch)] = RuleNode(str(branch.data), parts, branch.meta.start_pos, depth)
    assert node is not None
    return node


def _word(token: Any) -> Token:
    word = Token(token.type, str(token), token.start_pos)
    if word.kind == "INTEGER" and word.integer().bit_length() > MOST_BITS:
        raise LongNumber(word.position)
    return word


def unquoted(name: str) -> str:
    """A name without its quotes."""
    return name[1:-1] if name[0] in "'\"" else name
