"""Text to syntax trees: the layer in which a part of the text stands decides what it means."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NoReturn, cast

from qismc.common.scalars import COMPLEX
from qismc.common.source import Source
from qismc.language import syntax as s
from qismc.language.coefficients import ONE, ZERO, Coefficient
from qismc.language.comparisons import compared, count_of, linear, member, reference, references
from qismc.language.kets import combine, paulis, real_number
from qismc.language.messages import SpecText, without_quantifier
from qismc.language.tree import RuleNode, Token, tree_of, unquoted
from qismc.program import is_reserved, reserved_meaning

_SYMBOLS = {"∀": "A", "∃": "E", "□": "G", "◇": "F", "○": "X", "≠": "!=", "≤": "<=", "≥": ">="}
_NUMBERS = {"total", "multiply", "divide", "signed", "power", "integer", "decimal", "sqrt", "exp"}
_BOOLEAN_HINT = "the quantum connectives are ~ (orthocomplement), /\\ (meet) and \\/ (join)"


@lru_cache(maxsize=1024)
def parse_formula(text: str, source: Source | None = None) -> s.Formula:
    """The state formula written in `text`; `source` is where the text starts in a file.

    >>> parse_formula("AG leaf")
    Temporal(quantifier='A', op='G', operands=(Atom(name='leaf'),))
    """
    return _formula(tree_of(SpecText(text, source)))


@lru_cache(maxsize=1024)
def parse_subspace(text: str) -> s.Subspace:
    """The subspace written in `text`.

    >>> parse_subspace("~a")
    Complement(operand=PropName(name='a'))
    """
    return _subspace(tree_of(SpecText(text)))


def _ascii(symbol: str) -> str:
    return _SYMBOLS.get(symbol, symbol)


def _location_name(word: Token) -> str:
    return f"@{int(word.text[1:])}" if word.kind == "LOCATION" else unquoted(word.text)


# --- state formulas ----------------------------------------------------------------------------------------


def _formula(node: RuleNode) -> s.Formula:
    """The node as a state formula."""
    connective, reader = _CONNECTIVES.get(node.rule), _FORMULAS.get(node.rule)
    if connective is not None:
        return connective(*map(_formula, node.nodes))
    if reader is not None:
        return reader(node)
    if node.rule in _NUMBERS and not (node.has("ket") or node.has("named_ket")):
        habit = without_quantifier(node.spec.text[node.position :])
        node.fail("a number is no formula", habit or "compare it, as in c == 2, or write true or false")
    return s.Quantum(_subspace(node))


def _reference(node: RuleNode) -> s.Formula:
    ref = reference(node)
    own = node.words[0].kind == "QUOTED" and is_reserved(ref.name)
    return s.Bit(ref) if own or ref.index is not None else s.Atom(ref.name)


def _temporal(node: RuleNode) -> s.Formula:
    quantifier, op = map(_ascii, "".join(node.word.split()))
    operand = _formula(node.nodes[0])
    return s.Temporal(cast(s.Quantifier, quantifier), cast(s.PathOperator, op), (operand,))


def _quantified(node: RuleNode) -> s.Formula:
    return s.Temporal(cast(s.Quantifier, _ascii(node.word)), *_path(node.nodes[0]))


def _probability(node: RuleNode) -> s.Formula:
    relation = _ascii(node.word.lstrip("P").strip())
    number = real_number(node.nodes[0])
    op, parts = _path(node.nodes[1])
    return s.Probability(_bound(node, relation, number), op, parts)


def _bound(node: RuleNode, relation: str, number: Coefficient) -> s.Bound:
    """The bound of a probability. P=1 and P>0 are kinds of their own, decided without numbers."""
    value = number.value(COMPLEX).real
    if not 0 <= value <= 1:
        node.fail(f"a probability lies between 0 and 1, not at {value:.6g}")
    if relation == "=" and number == ONE:
        return "=1"
    if relation == "=":
        node.fail("P= takes 1 or ?", "write P>=, P>, P<= or P<, and P=? to see the probability")
    if relation == ">" and number == ZERO:
        return ">0"
    return s.Threshold(cast(s.Relation, relation), number)


def _path(node: RuleNode) -> tuple[s.PathOperator, tuple[s.Formula, ...]]:
    """Operator and operands of what stands in brackets after a quantifier."""
    return cast(s.PathOperator, _ascii(node.word)), tuple(map(_formula, node.nodes))


def _compare(node: RuleNode) -> s.Formula:
    left, right = map(linear, node.nodes)
    return compared(node, left, cast(s.Comparison, _ascii(node.word)), right)


def _counted(node: RuleNode) -> s.Formula:
    """`at most 1 of (p, q, r)`."""
    *kind, number, _ = node.word.split()
    parts = list(map(_formula, node.nodes))
    try:
        return count_of(parts, " ".join(kind), int(number))
    except ValueError as error:
        node.fail(str(error), "name less of them, or add bits up: c[0] + c[1] + c[2] <= 1")


_CONNECTIVES: dict[str, Callable[..., s.Formula]] = {
    "not_": s.Not,
    "and_": s.And,
    "or_": s.Or,
    "implies": s.Implies,
    "iff": s.Iff,
    "xor": lambda left, right: s.Not(s.Iff(left, right)),
}
_FORMULAS: dict[str, Callable[[RuleNode], s.Formula]] = {
    "group": lambda node: _formula(node.nodes[0]),
    "true": lambda _: s.Constant(True),
    "false": lambda _: s.Constant(False),
    "reference": _reference,
    "slice": lambda node: node.fail("a slice is no formula", "compare it, as in c[0:2] == 3"),
    "constant": lambda node: s.Atom(node.word),
    "location": lambda node: s.Atom(_location_name(node.words[0])),
    "temporal": _temporal,
    "quantified": _quantified,
    "probability": _probability,
    "asked": lambda node: s.Probability("=?", *_path(node.nodes[0])),
    "compare": _compare,
    "member": member,
    "counted": _counted,
}


# --- subspaces ---------------------------------------------------------------------------------------------


def _subspace(node: RuleNode) -> s.Subspace:
    """The node as a subspace. The symbols ¬, ∧ and ∨ are shared with formulas, which are errors here."""
    connective = _LATTICE.get(node.rule) or _LATTICE.get(node.word)
    if connective is not None:
        return connective(*map(_subspace, node.nodes))
    if node.rule in ("ket", "named_ket") or node.rule in _NUMBERS:
        return s.Ket(combine(node))
    reader = _SUBSPACES.get(node.rule)
    return _formula_in_quantum_layer(node) if reader is None else reader(node)


def _prop(node: RuleNode) -> s.Subspace:
    ref = reference(node)
    if ref.index is not None:
        node.fail(f"the classical bit '{ref}' is no subspace", "to combine it with a formula use & and |")
    return s.PropName(ref.name)


def _sp(node: RuleNode) -> s.Subspace:
    name = _location_name(node.words[0])
    if node.words[0].kind == "QUOTED" and is_reserved(name):
        node.fail(f"no mark can be called {node.word}", f"{reserved_meaning(name)} has no quotes")
    return s.SpOf(name)


def _on(node: RuleNode) -> s.Subspace:
    operand, places = node.nodes
    refs = tuple(ref for part in places.nodes for ref in references(part))
    if len(set(refs)) < len(refs):
        twice = next(ref for ref in refs if refs.count(ref) > 1)
        places.fail(f"qubit '{twice}' is named twice")
    return s.On(_subspace(operand), refs)


_LATTICE: dict[str, Callable[..., s.Subspace]] = {
    **dict.fromkeys(("complement", "¬"), s.Complement),
    **dict.fromkeys(("meet", "∧"), s.Meet),
    **dict.fromkeys(("join", "∨"), s.Join),
}
_SUBSPACES: dict[str, Callable[[RuleNode], s.Subspace]] = {
    "group": lambda node: _subspace(node.nodes[0]),
    "full": lambda _: s.Full(),
    "zero": lambda _: s.Zero(),
    "reference": _prop,
    "constant": lambda node: s.PropName(node.word),
    "sp": _sp,
    "on": _on,
    "span": lambda node: s.Span(tuple(map(_subspace, node.nodes))),
    "stab": lambda node: s.Stab(paulis(node)),
}


def _formula_in_quantum_layer(node: RuleNode) -> NoReturn:
    match node.rule:
        case "temporal" | "quantified" | "probability" | "asked":
            what = f"'{node.word}' makes a formula, not a subspace; ~, /\\, \\/ and on combine subspaces only"
            node.fail(what, "to negate a formula write !, to combine formulas & and |")
        case "not_" | "and_" | "or_" | "xor" | "counted" | "member":
            what = f"'{node.word}' combines formulas, but a subspace is expected here"
            node.fail(what, _BOOLEAN_HINT)
        case "true" | "false":
            node.fail("a truth value is no subspace", "the whole space is full, the zero space is zero")
    node.fail("a subspace is expected here, this is a formula", _BOOLEAN_HINT)
