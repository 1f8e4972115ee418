"""Text to syntax trees."""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from typing import Any

import lark
from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput

from qismc.common.keeping import kept_at
from qismc.common.source import Source
from qismc.errors import SpecError
from qismc.language.build import DEEPEST, FormulaReader
from qismc.language.messages import SpecText, check_characters, unexpected
from qismc.language.syntax import Formula, Subspace
from qismc.language.tree import MOST_BITS, LongNumber, RuleNode, from_lark


@lru_cache(maxsize=1024)
def parse_formula(text: str, source: Source | None = None) -> Formula:
    """The state formula written in `text`; `source` is where the text starts in a file.

    >>> parse_formula("AG leaf")
    Temporal(quantifier='A', op='G', operands=(Atom(name='leaf'),))
    """
    spec = SpecText(text, source)
    return FormulaReader(spec).formula(_tree(spec))


@lru_cache(maxsize=1024)
def parse_subspace(text: str) -> Subspace:
    """The subspace written in `text`.

    >>> parse_subspace("~a")
    Complement(operand=PropName(name='a'))
    """
    spec = SpecText(text)
    return FormulaReader(spec).subspace(_tree(spec))


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


def _tree(spec: SpecText) -> RuleNode:
    check_characters(spec)
    try:
        tree = from_lark(_grammar().parse(spec.text))
    except UnexpectedInput as error:
        raise _located(spec, error) from None
    except LongNumber as error:
        raise spec.error(error.position, f"a number of more than {MOST_BITS} bits") from None
    if tree.depth > DEEPEST:
        message = f"the text is nested more than {DEEPEST} levels deep"
        raise spec.error(0, message, "name parts of it as propositions")
    return tree


def _located(spec: SpecText, error: Any) -> SpecError:
    """The parser's complaint in our words; `Any` because its classes are not typed alike in all versions."""
    if isinstance(error, UnexpectedCharacters):
        position: Any = error.pos_in_stream
        return unexpected(spec, position, spec.text[position], getattr(error, "allowed", None) or ())
    token, expected = getattr(error, "token", None), getattr(error, "expected", ())
    if token is None or token.type == "$END":
        return unexpected(spec, len(spec.text), "", expected)
    return unexpected(spec, token.start_pos, str(token), error.accepts or expected)
