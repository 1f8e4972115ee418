"""From the parser's tree to syntax trees: the layer in which a text stands decides what it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

from lark import Token, Tree

from qismc.spec import syntax as s
from qismc.spec.combination import combine
from qismc.spec.letters import paulis
from qismc.spec.messages import SpecText

Node = Tree[Token]

DEEPEST = 300
"""Nesting above this is refused: every later stage may recurse over the tree."""

_SYMBOLS = {"∀": "A", "∃": "E", "□": "G", "◇": "F", "○": "X", "≠": "!=", "≤": "<=", "≥": ">="}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_QUANTUM = {"join", "meet", "complement", "on", "ket", "span", "stab", "sp", "full", "zero"}
_NUMBERS = {"add", "subtract", "multiply", "divide", "negate", "power", "integer", "decimal", "sqrt", "exp"}
_LAYERED = {"not_": "¬", "and_": "∧", "or_": "∨"}
_BOOLEAN_HINT = "the quantum connectives are ~ (orthocomplement), /\\ (meet) and \\/ (join)"


class Builder:
    """Reads one text; `formula` and `subspace` are the two layers."""

    def __init__(self, text: SpecText) -> None:
        self.text = text

    def fail(self, place: Node | Token, message: str, hint: str | None = None) -> NoReturn:
        position = place.start_pos if isinstance(place, Token) else place.meta.start_pos
        raise self.text.error(position or 0, message, hint)

    # --- state formulas ---

    def formula(self, node: Node) -> s.Formula:
        """The node as a state formula."""
        if node.data in _QUANTUM or (node.data in _NUMBERS and _has_ket(node)):
            return s.Quantum(self.subspace(node))
        if node.data in _NUMBERS:
            self.fail(node, "a number is no formula", "compare it, as in c == 2, or write true or false")
        return cast(s.Formula, getattr(self, f"_{node.data}")(node))

    def _group(self, node: Node) -> s.Formula:
        return self.formula(_child(node))

    def _true(self, _node: Node) -> s.Formula:
        return s.Constant(True)

    def _false(self, _node: Node) -> s.Formula:
        return s.Constant(False)

    def _reference(self, node: Node) -> s.Formula:
        ref = self.ref(node)
        return s.Atom(ref.name) if ref.index is None else s.Bit(ref)

    def _constant(self, node: Node) -> s.Formula:
        return s.Atom(str(node.children[0]))

    def _location(self, node: Node) -> s.Formula:
        return s.Atom(_location_name(cast(Token, node.children[0])))

    def _not_(self, node: Node) -> s.Formula:
        return s.Not(self.formula(_child(node, 1)))

    def _and_(self, node: Node) -> s.Formula:
        return s.And(self.formula(_child(node)), self.formula(_child(node, 2)))

    def _or_(self, node: Node) -> s.Formula:
        return s.Or(self.formula(_child(node)), self.formula(_child(node, 2)))

    def _implies(self, node: Node) -> s.Formula:
        return s.Implies(self.formula(_child(node)), self.formula(_child(node, 1)))

    def _iff(self, node: Node) -> s.Formula:
        return s.Iff(self.formula(_child(node)), self.formula(_child(node, 1)))

    def _temporal(self, node: Node) -> s.Formula:
        quantifier, op = (_ascii(character) for character in "".join(str(node.children[0]).split()))
        return s.Temporal(
            cast(s.Quantifier, quantifier), cast(s.PathOperator, op), (self.formula(_child(node, 1)),)
        )

    def _quantified(self, node: Node) -> s.Formula:
        op, parts = self.path(_child(node, 1))
        return s.Temporal(cast(s.Quantifier, _ascii(str(node.children[0]))), op, parts)

    def _probability(self, node: Node) -> s.Formula:
        op, parts = self.path(_child(node, 1))
        return s.Probability("=1" if "=" in str(node.children[0]) else ">0", op, parts)

    def path(self, node: Node) -> tuple[s.PathOperator, tuple[s.Formula, ...]]:
        """Operator and operands of what stands in brackets after a quantifier."""
        if node.data == "path_prefix":
            return cast(s.PathOperator, _ascii(str(node.children[0]))), (self.formula(_child(node, 1)),)
        op = cast(s.PathOperator, str(node.children[1]))
        return op, (self.formula(_child(node)), self.formula(_child(node, 2)))

    def _compare(self, node: Node) -> s.Formula:
        left, op, right = _child(node), _ascii(str(node.children[1])), _child(node, 2)
        first, second = self.classical(left), self.classical(right)
        if isinstance(first, int):
            if isinstance(second, int):
                self.fail(node, "a comparison of two numbers", "one side must be a register, bit or variable")
            first, op, second = second, _FLIPPED[op], first
        return s.Compare(first, cast(s.Comparison, op), second)

    def classical(self, node: Node) -> s.Ref | int:
        """One side of a comparison."""
        match node.data:
            case "reference":
                return self.ref(node)
            case "constant":
                return s.Ref(str(node.children[0]))
            case "integer":
                return int(str(node.children[0]), 0)
            case "group":
                return self.classical(_child(node))
            case "negate" if isinstance(value := self.classical(_child(node)), int):
                return -value
        message = "only registers, bits, variables and integers can be compared"
        raise self.text.error(node.meta.start_pos, message, "as in c == 0b10 or c[0] != d[1]")

    def ref(self, node: Node) -> s.Ref:
        """A register, variable or bit."""
        name, *index = (str(child) for child in node.children)
        return s.Ref(_unquoted(name), int(index[0], 0) if index else None)

    # --- subspaces ---

    def subspace(self, node: Node) -> s.Subspace:
        """The node as a subspace."""
        readers: dict[str, Callable[[Node], s.Subspace]] = {
            "reference": self._prop,
            "constant": lambda n: s.PropName(str(n.children[0])),
            "full": lambda _: s.Full(),
            "zero": lambda _: s.Zero(),
            "complement": lambda n: s.Complement(self.subspace(_child(n))),
            "meet": lambda n: s.Meet(self.subspace(_child(n)), self.subspace(_child(n, 1))),
            "join": lambda n: s.Join(self.subspace(_child(n)), self.subspace(_child(n, 1))),
            "group": lambda n: self.subspace(_child(n)),
            "span": lambda n: s.Span(tuple(self.subspace(cast(Node, item)) for item in n.children)),
            "on": self._on,
            "stab": lambda n: s.Stab(paulis(self.text, [cast(Token, child) for child in n.children])),
            "sp": lambda n: s.SpOf(_location_name(cast(Token, n.children[0]))),
        }
        if node.data == "ket" or node.data in _NUMBERS:
            return s.Ket(combine(node, self.text))
        reader = readers.get(str(node.data))
        return reader(node) if reader is not None else self._layered(node)

    def _prop(self, node: Node) -> s.Subspace:
        ref = self.ref(node)
        if ref.index is not None:
            self.fail(
                node, f"the classical bit '{ref}' is no subspace", "to combine it with a formula use & and |"
            )
        return s.PropName(ref.name)

    def _on(self, node: Node) -> s.Subspace:
        refs = tuple(self.ref(cast(Node, child)) for child in _child(node, 1).children)
        if len(set(refs)) < len(refs):
            twice = next(ref for ref in refs if refs.count(ref) > 1)
            self.fail(_child(node, 1), f"qubit '{twice}' is named twice")
        return s.On(self.subspace(_child(node)), refs)

    def _layered(self, node: Node) -> s.Subspace:
        """¬ ∧ ∨ between subspaces; any other formula is an error here."""
        symbol = next((str(child) for child in node.children if isinstance(child, Token)), "")
        if _LAYERED.get(str(node.data)) != symbol or not symbol:
            self._formula_in_quantum_layer(node, symbol)
        parts = [self.subspace(child) for child in node.children if isinstance(child, Tree)]
        match symbol:
            case "¬":
                return s.Complement(parts[0])
            case "∧":
                return s.Meet(parts[0], parts[1])
        return s.Join(parts[0], parts[1])

    def _formula_in_quantum_layer(self, node: Node, symbol: str) -> NoReturn:
        match str(node.data):
            case "temporal" | "quantified" | "probability":
                what = (
                    f"'{symbol}' makes a formula, not a subspace; ~, /\\, \\/ and on combine subspaces only"
                )
                self.fail(node, what, "to negate a formula write !, to combine formulas & and |")
            case "not_" | "and_" | "or_":
                self.fail(
                    node, f"'{symbol}' combines formulas, but a subspace is expected here", _BOOLEAN_HINT
                )
            case "true" | "false":
                self.fail(
                    node, "a truth value is no subspace", "the whole space is full, the zero space is zero"
                )
        self.fail(node, "a subspace is expected here, this is a formula", _BOOLEAN_HINT)


def depth(node: Node) -> int:
    """The number of nodes on the longest branch, without recursion."""
    deepest, stack = 0, [(node, 1)]
    while stack:
        top, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in top.children if isinstance(child, Tree))
    return deepest


def _child(node: Node, index: int = 0) -> Node:
    return cast(Node, node.children[index])


def _has_ket(node: Node) -> bool:
    return any(True for _ in node.find_data("ket"))


def _ascii(symbol: str) -> str:
    return _SYMBOLS.get(symbol, symbol)


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] in "'\"" else name


def _location_name(token: Token) -> str:
    return f"@{int(token[1:])}" if token.type == "LOCATION" else _unquoted(str(token))
