"""Text to syntax trees."""

from __future__ import annotations

from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from qismc.program.source import Source
from qismc.spec.build import DEEPEST, Builder, depth
from qismc.spec.messages import SpecText, check_characters, unexpected
from qismc.spec.syntax import Formula, Subspace


def parse_formula(text: str, source: Source | None = None) -> Formula:
    """The state formula written in `text`; `source` is where the text starts in a file.

    >>> parse_formula("AG leaf")
    Temporal(quantifier='A', op='G', operands=(Atom(name='leaf'),))
    """
    spec = SpecText(text, source)
    return Builder(spec).formula(_tree(spec))


def parse_subspace(text: str, source: Source | None = None) -> Subspace:
    """The subspace written in `text`; `source` is where the text starts in a file.

    >>> parse_subspace("~a")
    Complement(operand=PropName(name='a'))
    """
    spec = SpecText(text, source)
    return Builder(spec).subspace(_tree(spec))


@cache
def _grammar() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="contextual",
        propagate_positions=True,
        maybe_placeholders=False,
    )


def _tree(spec: SpecText) -> Tree[Token]:
    check_characters(spec)
    try:
        tree = _grammar().parse(spec.text)
    except UnexpectedInput as error:
        raise _located(spec, error) from None
    if depth(tree) > DEEPEST:
        raise spec.error(
            0, f"the text is nested more than {DEEPEST} levels deep", "name parts of it as propositions"
        )
    return tree


def _located(spec: SpecText, error: UnexpectedInput) -> Exception:
    if isinstance(error, UnexpectedCharacters):
        return unexpected(spec, error.pos_in_stream, spec.text[error.pos_in_stream], error.allowed or ())
    if isinstance(error, UnexpectedToken) and error.token.type != "$END":
        return unexpected(spec, error.token.start_pos or 0, str(error.token), error.accepts or error.expected)
    expected = error.expected if isinstance(error, UnexpectedToken) else ()
    return unexpected(spec, len(spec.text), "", expected)
