"""From the parser's tree to syntax trees: the layer in which a text stands decides what it means."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, cast

from qismc.common.scalars import COMPLEX
from qismc.language import syntax as s
from qismc.language.coefficients import ONE, ZERO, Coefficient
from qismc.language.comparisons import Comparisons, count_of
from qismc.language.kets import combine, paulis, real_number
from qismc.language.messages import SpecText, without_quantifier
from qismc.language.tree import RuleNode, Token, unquoted
from qismc.program import is_reserved, reserved_meaning

DEEPEST = 300
"""Maximum depth of a tree: later stages recurse over it."""

_SYMBOLS = {"∀": "A", "∃": "E", "□": "G", "◇": "F", "○": "X", "≠": "!=", "≤": "<=", "≥": ">="}
_QUANTUM = {"join", "meet", "complement", "on", "ket", "span", "stab", "sp", "full", "zero"}
_NUMBERS = {"total", "multiply", "divide", "signed", "power", "integer", "decimal", "sqrt", "exp"}
_LAYERED = {"not_": "¬", "and_": "∧", "or_": "∨"}
_BOOLEAN_HINT = "the quantum connectives are ~ (orthocomplement), /\\ (meet) and \\/ (join)"


class FormulaReader:
    """Reads the tree of one text as a formula (`formula`) or as a subspace (`subspace`)."""

    def __init__(self, text: SpecText) -> None:
        self.text = text
        self.classical = Comparisons(text)

    def fail(self, place: RuleNode, message: str, hint: str | None = None) -> NoReturn:
        raise self.text.error(place.position, message, hint)

    # --- state formulas ---

    def formula(self, node: RuleNode) -> s.Formula:
        """The node as a state formula."""
        if node.rule in _QUANTUM or (node.rule in _NUMBERS and (node.has("ket") or node.has("named_ket"))):
            return s.Quantum(self.subspace(node))
        if node.rule in _NUMBERS:
            habit = without_quantifier(self.text.text[node.position :])
            hint = habit or "compare it, as in c == 2, or write true or false"
            self.fail(node, "a number is no formula", hint)
        return cast(s.Formula, getattr(self, f"_{node.rule}")(node))

    def _group(self, node: RuleNode) -> s.Formula:
        return self.formula(node.child())

    def _true(self, _node: RuleNode) -> s.Formula:
        return s.Constant(True)

    def _false(self, _node: RuleNode) -> s.Formula:
        return s.Constant(False)

    def _reference(self, node: RuleNode) -> s.Formula:
        ref = self.classical.ref(node)
        own = node.word().kind == "QUOTED" and is_reserved(ref.name)
        return s.Bit(ref) if own or ref.index is not None else s.Atom(ref.name)

    def _slice(self, node: RuleNode) -> s.Formula:
        self.fail(node, "a slice is no formula", "compare it, as in c[0:2] == 3")

    def _named_ket(self, node: RuleNode) -> s.Formula:
        return s.Quantum(self.subspace(node))

    def _constant(self, node: RuleNode) -> s.Formula:
        return s.Atom(node.word().text)

    def _location(self, node: RuleNode) -> s.Formula:
        return s.Atom(_location_name(node.word()))

    def _not_(self, node: RuleNode) -> s.Formula:
        return s.Not(self.formula(node.child(1)))

    def _and_(self, node: RuleNode) -> s.Formula:
        return s.And(self.formula(node.child()), self.formula(node.child(2)))

    def _or_(self, node: RuleNode) -> s.Formula:
        return s.Or(self.formula(node.child()), self.formula(node.child(2)))

    def _implies(self, node: RuleNode) -> s.Formula:
        return s.Implies(self.formula(node.child()), self.formula(node.child(1)))

    def _iff(self, node: RuleNode) -> s.Formula:
        return s.Iff(self.formula(node.child()), self.formula(node.child(1)))

    def _temporal(self, node: RuleNode) -> s.Formula:
        quantifier, op = (_ascii(character) for character in "".join(node.word().text.split()))
        return s.Temporal(
            cast(s.Quantifier, quantifier), cast(s.PathOperator, op), (self.formula(node.child(1)),)
        )

    def _quantified(self, node: RuleNode) -> s.Formula:
        op, parts = self.path(node.child(1))
        return s.Temporal(cast(s.Quantifier, _ascii(node.word().text)), op, parts)

    def _probability(self, node: RuleNode) -> s.Formula:
        relation = _ascii(node.word().text.lstrip("P").strip())
        number = real_number(node.child(1), self.text)
        op, parts = self.path(node.child(2))
        return s.Probability(self.bound(node, relation, number), op, parts)

    def bound(self, node: RuleNode, relation: str, number: Coefficient) -> s.Bound:
        """The bound of a probability. P=1 and P>0 are kinds of their own, decided without numbers."""
        value = number.value(COMPLEX).real
        if not 0 <= value <= 1:
            self.fail(node, f"a probability lies between 0 and 1, not at {value:.6g}")
        if relation == "=" and number == ONE:
            return "=1"
        if relation == "=":
            hint = "write P>=, P>, P<= or P<, and P=? to see the probability"
            self.fail(node, "P= takes 1 or ?", hint)
        if relation == ">" and number == ZERO:
            return ">0"
        return s.Threshold(cast(s.Relation, relation), number)

    def _asked(self, node: RuleNode) -> s.Formula:
        op, parts = self.path(node.child(1))
        return s.Probability("=?", op, parts)

    def path(self, node: RuleNode) -> tuple[s.PathOperator, tuple[s.Formula, ...]]:
        """Operator and operands of what stands in brackets after a quantifier."""
        if node.rule == "path_prefix":
            return cast(s.PathOperator, _ascii(node.word().text)), (self.formula(node.child(1)),)
        op = cast(s.PathOperator, node.word(1).text)
        return op, (self.formula(node.child()), self.formula(node.child(2)))

    def _compare(self, node: RuleNode) -> s.Formula:
        read, op = self.classical.value, cast(s.Comparison, _ascii(node.word(1).text))
        return self.classical.compared(node, read(node.child()), op, read(node.child(2)))

    def _member(self, node: RuleNode) -> s.Formula:
        return self.classical.member(node)

    def _xor(self, node: RuleNode) -> s.Formula:
        return s.Not(s.Iff(self.formula(node.child()), self.formula(node.child(1))))

    def _counted(self, node: RuleNode) -> s.Formula:
        """`at most 1 of (p, q, r)`."""
        *kind, number, _ = node.word().text.split()
        parts = [self.formula(part) for part in node.parts if isinstance(part, RuleNode)]
        try:
            return count_of(parts, " ".join(kind), int(number))
        except ValueError as error:
            self.fail(node, str(error), "name less of them, or add bits up: c[0] + c[1] + c[2] <= 1")

    # --- subspaces ---

    def subspace(self, node: RuleNode) -> s.Subspace:
        """The node as a subspace."""
        readers: dict[str, Callable[[RuleNode], s.Subspace]] = {
            "reference": self._prop,
            "constant": lambda n: s.PropName(n.word().text),
            "full": lambda _: s.Full(),
            "zero": lambda _: s.Zero(),
            "complement": lambda n: s.Complement(self.subspace(n.child())),
            "meet": lambda n: s.Meet(self.subspace(n.child()), self.subspace(n.child(1))),
            "join": lambda n: s.Join(self.subspace(n.child()), self.subspace(n.child(1))),
            "group": lambda n: self.subspace(n.child()),
            "span": lambda n: s.Span(
                tuple(self.subspace(item) for item in n.parts if isinstance(item, RuleNode))
            ),
            "on": self._on,
            "stab": lambda n: s.Stab(
                paulis(self.text, [part for part in n.parts if isinstance(part, Token)])
            ),
            "sp": self._sp,
        }
        if node.rule in ("ket", "named_ket") or node.rule in _NUMBERS:
            return s.Ket(combine(node, self.text))
        reader = readers.get(node.rule)
        return reader(node) if reader is not None else self._layered(node)

    def _prop(self, node: RuleNode) -> s.Subspace:
        ref = self.classical.ref(node)
        if ref.index is not None:
            self.fail(
                node, f"the classical bit '{ref}' is no subspace", "to combine it with a formula use & and |"
            )
        return s.PropName(ref.name)

    def _sp(self, node: RuleNode) -> s.Subspace:
        word, name = node.word(), _location_name(node.word())
        if word.kind == "QUOTED" and is_reserved(name):
            self.fail(node, f"no mark can be called {word.text}", f"{reserved_meaning(name)} has no quotes")
        return s.SpOf(name)

    def _on(self, node: RuleNode) -> s.Subspace:
        places = [part for part in node.child(1).parts if isinstance(part, RuleNode)]
        refs = tuple(ref for part in places for ref in self.classical.refs(part))
        if len(set(refs)) < len(refs):
            twice = next(ref for ref in refs if refs.count(ref) > 1)
            self.fail(node.child(1), f"qubit '{twice}' is named twice")
        return s.On(self.subspace(node.child()), refs)

    def _layered(self, node: RuleNode) -> s.Subspace:
        """A subspace made with ¬, ∧ or ∨, which formulas share; any other formula is an error here."""
        symbol = next((part.text for part in node.parts if isinstance(part, Token)), "")
        if _LAYERED.get(node.rule) != symbol or not symbol:
            self._formula_in_quantum_layer(node, symbol)
        parts = [self.subspace(part) for part in node.parts if isinstance(part, RuleNode)]
        match symbol:
            case "¬":
                return s.Complement(parts[0])
            case "∧":
                return s.Meet(parts[0], parts[1])
        return s.Join(parts[0], parts[1])

    def _formula_in_quantum_layer(self, node: RuleNode, symbol: str) -> NoReturn:
        match node.rule:
            case "temporal" | "quantified" | "probability" | "asked":
                what = (
                    f"'{symbol}' makes a formula, not a subspace; ~, /\\, \\/ and on combine subspaces only"
                )
                self.fail(node, what, "to negate a formula write !, to combine formulas & and |")
            case "not_" | "and_" | "or_" | "xor" | "counted" | "member":
                self.fail(
                    node, f"'{symbol}' combines formulas, but a subspace is expected here", _BOOLEAN_HINT
                )
            case "true" | "false":
                self.fail(
                    node, "a truth value is no subspace", "the whole space is full, the zero space is zero"
                )
        self.fail(node, "a subspace is expected here, this is a formula", _BOOLEAN_HINT)


def _ascii(symbol: str) -> str:
    return _SYMBOLS.get(symbol, symbol)


def _location_name(word: Token) -> str:
    return f"@{int(word.text[1:])}" if word.kind == "LOCATION" else unquoted(word.text)
