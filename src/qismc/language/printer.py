"""Syntax trees to canonical text: parsing the text gives the tree back."""

from __future__ import annotations

import re
from typing import cast

from qismc.language import coefficients as c
from qismc.language import syntax as s

_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "A E P U W R X F G AX AF AG EX EF EG true false full zero on not and or i pi span stab sp sqrt exp",
    )
)
_LEVELS: dict[type, int] = {  # how tightly a node's own text binds
    s.Iff: 0,
    s.Implies: 1,
    s.Or: 2,
    s.And: 3,
    s.Not: 4,
    s.Temporal: 4,
    s.Probability: 4,
    s.Join: 5,
    s.Meet: 6,
    s.Complement: 7,
    s.On: 8,
    s.Compare: 9,
    s.Ket: 10,
}
_TIGHTEST = 11
BINARY = {s.Iff: "<->", s.Implies: "->", s.Or: "|", s.And: "&", s.Join: "\\/", s.Meet: "/\\"}
_BinaryNode = s.Iff | s.Implies | s.Or | s.And | s.Join | s.Meet


def to_text(tree: s.Formula | s.Subspace) -> str:
    """Canonical ASCII text (names apart) of a formula or subspace."""
    if type(tree) in BINARY:
        return _binary(cast(_BinaryNode, tree))
    match tree:
        case s.Quantum(subspace):
            return to_text(subspace)
        case s.Constant(value):
            return "true" if value else "false"
        case s.Atom(name):
            return _place(name)
        case s.PropName(name):
            return _name(name)
        case s.Bit(s.Ref(name, None)):
            return _quoted(name)
        case s.Bit(ref):
            return _ref(ref)
        case s.Compare(left, op, right):
            sum_or_ref = _total(left) if isinstance(left, s.Total) else _ref(left)
            return f"{sum_or_ref} {op} {right if isinstance(right, int) else _ref(right)}"
        case s.Not(operand):
            return f"!{_wrapped(operand, 4)}"
        case s.Temporal(quantifier, op, (operand,)):
            return f"{quantifier}{op} {_wrapped(operand, 4)}"
        case s.Temporal(quantifier, op, parts):
            return f"{quantifier}[{_path(op, parts)}]"
        case s.Probability(bound, op, parts):
            return f"P{_bound(bound)} [{_path(op, parts)}]"
    return _subspace(cast(s.Subspace, tree))


def _subspace(tree: s.Subspace) -> str:
    match tree:
        case s.Full():
            return "full"
        case s.Zero():
            return "zero"
        case s.SpOf(mark):
            return f"sp({_place(mark)})"
        case s.Complement(operand):
            return f"~{_wrapped(operand, 7)}"
        case s.On(subspace, qubits):
            return f"{_wrapped(subspace, 9)} on {', '.join(_ref(ref) for ref in qubits)}"
        case s.Stab(paulis):
            return f"stab({', '.join(_shortened(pauli) for pauli in paulis)})"
        case s.Span(items):
            return f"span({', '.join(_wrapped(item, 10) for item in items)})"
        case s.Ket(terms):
            return _combination(terms)
    raise TypeError(f"{tree!r} is no syntax tree")


def _binary(tree: _BinaryNode) -> str:
    """Grouped to the left, but to the right for implications."""
    level = _LEVELS[type(tree)]
    left, right = (level + 1, level) if isinstance(tree, s.Implies) else (level, level + 1)
    return f"{_wrapped(tree.left, left)} {BINARY[type(tree)]} {_wrapped(tree.right, right)}"


def _wrapped(tree: s.Formula | s.Subspace, level: int) -> str:
    """The text of an operand, in parentheses where it binds looser than `level`."""
    node = tree.subspace if isinstance(tree, s.Quantum) else tree
    text = to_text(node)
    return text if _LEVELS.get(type(node), _TIGHTEST) >= level else f"({text})"


def _bound(bound: s.Bound) -> str:
    if not isinstance(bound, s.Threshold):
        return bound
    number = _number_text(bound.number)
    return f"{bound.relation}({number})" if number.endswith("pi") else f"{bound.relation}{number}"


def _path(op: s.PathOperator, parts: tuple[s.Formula, ...]) -> str:
    if len(parts) == 1:
        return f"{op} {to_text(parts[0])}"
    return f"{to_text(parts[0])} {op} {to_text(parts[1])}"


def _total(total: s.Total) -> str:
    text = ""
    for factor, ref in total.terms:
        sign = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += f"{sign}{'' if abs(factor) == 1 else f'{abs(factor)}*'}{_ref(ref)}"
    return text


def _ref(ref: s.Ref) -> str:
    return _name(ref.name) if ref.index is None else f"{_name(ref.name)}[{ref.index}]"


def _place(name: str) -> str:
    """The name of something that may be a location."""
    return name if re.fullmatch(r"@(0|[1-9]\d*)", name) else _name(name)


def _name(name: str) -> str:
    """The name, in quotes unless it is an identifier and no keyword."""
    if re.fullmatch(r"[^\W\d]\w*", name) and name not in _KEYWORDS and name.isascii():
        return name
    return _quoted(name)


def _quoted(name: str) -> str:
    return f'"{name}"' if "'" in name else f"'{name}'"


# --- kets ---------------------------------------------------------------------------------------------------


def _combination(terms: tuple[s.Term, ...]) -> str:
    text = ""
    for term in terms:
        negative, size = _split_sign(term.coefficient)
        sign = (" - " if negative else " + ") if text else ("-" if negative else "")
        factor = "" if size == c.ONE else f"{_number(size, _PRODUCT)} "
        text += f"{sign}{factor}|{_shortened(term.letters)}>"
    return text


def _split_sign(coefficient: c.Coefficient) -> tuple[bool, c.Coefficient]:
    negative = isinstance(coefficient, c.Neg) or (
        isinstance(coefficient, c.Rational) and coefficient.number < 0
    )
    return negative, c.neg(coefficient) if negative else coefficient


def _shortened(letters: str) -> str:
    """Runs of more than eight equal letters as `x^k `."""
    return re.sub(r"(.)\1{8,}", lambda run: f"{run.group(1)}^{len(run.group())} ", letters).rstrip()


def _number(tree: c.Coefficient, level: int) -> str:
    """The text of a number, in parentheses where it binds looser than `level`."""
    own = _NUMBER_LEVELS.get(type(tree), _TIGHTEST)
    if isinstance(tree, c.Rational):
        own = _SIGNED if tree.number < 0 else _PRODUCT if tree.number.denominator > 1 else _TIGHTEST
    text = _number_text(tree)
    return text if own >= level else f"({text})"


_SIGNED, _PRODUCT, _POWER = 1, 2, 3
_NUMBER_LEVELS: dict[type, int] = {c.Add: 0, c.Neg: _SIGNED, c.Mul: _PRODUCT, c.Div: _PRODUCT, c.Pow: _POWER}


def _number_text(tree: c.Coefficient) -> str:
    match tree:
        case c.Rational(number):
            return str(number)
        case c.Literal(text):
            return text
        case c.Sqrt(number):
            return f"sqrt({number})"
        case c.Imaginary():
            return "i"
        case c.Pi():
            return "pi"
        case c.Exp(argument):
            return f"exp({_number_text(argument)})"
        case c.Neg(operand):
            return f"-{_number(operand, _PRODUCT)}"
        case c.Pow(base, exponent):
            return f"{_number(base, _TIGHTEST)}^{exponent}"
        case c.Add(left, right):
            negative, size = _split_sign(right)
            return f"{_number_text(left)} {'-' if negative else '+'} {_number(size, _PRODUCT)}"
        case c.Mul(left, right):
            return f"{_number(left, _PRODUCT)}*{_number(right, _POWER)}"
        case c.Div(left, right):
            return f"{_number(left, _PRODUCT)}/{_number(right, _POWER)}"
    raise TypeError(f"{tree!r} is no coefficient")
