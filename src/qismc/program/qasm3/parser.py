"""OpenQASM 3 text -> syntax tree. Errors say where the first word stands that cannot be there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from qismc.common.source import Source
from qismc.errors import ProgramError
from qismc.program.program import Annotation
from qismc.program.qasm3 import syntax
from qismc.program.qasm3.expression_parser import TYPES, ExpressionParser
from qismc.program.qasm3.syntax import Node
from qismc.program.qasm3.words import MARK, Words
from qismc.program.qasm_text import Locator, check_text

ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "&=", "|=", "~=", "^=", "<<=", ">>=", "%=", "**="})
VERSION = re.compile(r"[0-9]+(\.[0-9]+)?")
MODIFIERS = ("ctrl", "negctrl", "inv", "pow")
GLOBAL = {
    "include": "'include' statements",
    "qubit": "qubit declarations",
    "input": "'input' declarations",
    "output": "'output' declarations",
    "gate": "gate definitions",
    "def": "subroutine definitions",
    "extern": "extern declarations",
    "defcalgrammar": "'defcalgrammar' statements",
}
"""What belongs outside of all blocks, by its first word."""
Reader = Callable[[Source], Node | None]
Warn = Callable[[str, Source], None]


def parse(text: str, file: str, warn: Warn, marks: Sequence[Annotation] = ()) -> list[Node]:
    """The statements of a text; each `//@ mark` line is one."""
    start = Source(file, 1, 1)
    if not text.strip():
        raise ProgramError("the file is empty", source=start, hint="begin it with 'OPENQASM 3.0;'")
    check_text(text, file)
    locator = Locator(text, file)
    places = {locator.offset(mark.source): mark.text for mark in marks if mark.source is not None}
    try:
        return StatementParser(Words(text, file, places), warn).program()
    except RecursionError:
        raise ProgramError("the program is nested too deeply", source=start) from None


class StatementParser:
    """Reads statements; it counts the open inner blocks and loops, and knows what is being defined."""

    def __init__(self, words: Words, warn: Warn) -> None:
        self.words = words
        self.warn = warn
        self.expressions = ExpressionParser(words)
        self.inner = 0
        self.loops = 0
        self.definition: str | None = None
        """"gate" or "def" inside of one."""
        self.is_typed = True
        """False after the first `for` without a type."""
        self.clauses: dict[str, Reader] = {
            "include": self.include,
            "qubit": self.qubits,
            "const": self.constant,
            "input": partial(self.port, "input"),
            "output": partial(self.port, "output"),
            "let": self.alias,
            "extern": self.extern,
            "return": self.returned,
            "defcalgrammar": self.calibration_grammar,
            "reset": self.reset,
            "barrier": self.barrier,
            "delay": self.delay,
            **{word: partial(self.jump, word) for word in ("break", "continue", "end")},
        }
        """By the words that begin them; a semicolon ends them."""
        self.compounds: dict[str, Reader] = {
            "gate": self.gate,
            "def": self.subroutine,
            "cal": partial(self.calibration, "cal"),
            "defcal": partial(self.calibration, "defcal"),
            "box": self.box,
            "if": self.branch,
            "while": self.while_loop,
            "for": self.for_loop,
            "switch": self.switch,
        }
        """The same for those that a block ends."""
        self.others: dict[str, Reader] = {
            "measure": self.measure,
            **dict.fromkeys(("qreg", "creg"), self.old_register),
            **dict.fromkeys(TYPES, self.variable),
            **dict.fromkeys(("gphase", *MODIFIERS), self.modified),
        }
        """Those whose first words they read themselves, and their ends."""

    def program(self) -> list[Node]:
        words = self.words
        has_version = words.accept("OPENQASM")
        if has_version:
            if not VERSION.fullmatch(words.word):
                words.fail()
            words.advance()
            words.expect(";")
        elif words.kind == "end":
            raise ProgramError("the file has no statements", source=Source(words.file, 1, 1))
        found: list[Node] = []
        while words.kind != "end":
            found += self.statement_or_block()
        return found

    # --- statements in general ---

    def statement_or_block(self) -> list[Node]:
        """One statement, or a block as one; nothing for what has no meaning here."""
        if self.words.word == "{":
            return [syntax.Block(self.words.source, self.block())]
        return self.statement()

    def statement(self) -> list[Node]:
        """What begins with annotations is placed at the first of them."""
        words, source = self.words, self.words.source
        if words.kind == "pragma":
            self.check_global("pragmas", source)
            words.advance()
            return []
        while words.kind == "annotation":
            words.advance()
        if words.kind == "mark":
            return [syntax.Mark(source, words.advance().removeprefix(MARK))]
        node = self.begun(words.word, source)
        return [] if node is None else [node]

    def begun(self, word: str, source: Source) -> Node | None:
        """The statement that a word begins."""
        if word in GLOBAL:
            self.check_global(GLOBAL[word], source)
        if word in self.compounds:
            self.words.advance()
            return self.compounds[word](source)
        if word not in self.clauses:
            return self.others.get(word, self.plain)(source)
        self.words.advance()
        node = self.clauses[word](source)
        self.end()
        return node

    def block(self) -> list[Node]:
        """The statements between braces."""
        found: list[Node] = []
        self.words.expect("{")
        while not self.words.accept("}"):
            found += self.statement_or_block()
        return found

    def body(self, *, in_braces: bool = False) -> list[Node]:
        """The statements of an inner block, or a single one. Braces alone are no inner block."""
        self.inner += 1
        found = self.block() if in_braces or self.words.word == "{" else self.statement()
        self.inner -= 1
        return found

    def end(self) -> None:
        self.words.expect(";")

    def check_global(self, what: str, source: Source) -> None:
        """Some declarations belong outside of all blocks."""
        if self.inner:
            raise ProgramError(f"{what} must be global", source=source)

    def check_outside_gate(self, what: str, source: Source) -> None:
        if self.definition == "gate":
            raise ProgramError(f"cannot {what} in a gate", source=source)

    # --- declarations ---

    def include(self, source: Source) -> Node:
        return syntax.Include(source, self.words.string())

    def qubits(self, source: Source) -> Node:
        kind = syntax.Type(source, "qubit", self.expressions.size())
        return syntax.Declaration(source, "", kind, self.words.name(), None)

    def old_register(self, source: Source) -> Node:
        declaration = self.old_parameter(source)
        self.end()
        if declaration.type.name == "qubit":
            self.check_global("qubit declarations", source)
        return declaration

    def old_parameter(self, source: Source) -> syntax.Declaration:
        """`qreg q[2]` or `creg c[2]`."""
        start, word = self.words.source, "qubit" if self.words.advance() == "qreg" else "bit"
        name = self.words.name()
        return syntax.Declaration(source, "", syntax.Type(start, word, self.expressions.size()), name, None)

    def variable(self, source: Source) -> Node:
        """A declaration; a cast may begin an expression as well."""
        words, begin = self.words, self.words.index
        kind = self.expressions.type()
        if words.word == "(":
            words.back_to(begin)
            return self.plain(source)
        self.check_outside_gate("declare classical variables", source)
        if kind.name == "array" and self.inner:
            raise ProgramError("arrays can only be declared globally", source=source)
        name = words.name()
        value = self.initial() if words.accept("=") else None
        self.end()
        return syntax.Declaration(source, "", kind, name, value)

    def initial(self) -> Node:
        """What a variable is declared with: it may be an array."""
        words, source = self.words, self.words.source
        if words.word != "{":
            return self.value()
        words.skip_brackets("{")
        return syntax.Unsupported(source, "{...}")

    def value(self) -> Node:
        """What is assigned: an expression or a measurement."""
        return self.measurement() if self.words.word == "measure" else self.expressions.expression()

    def constant(self, source: Source) -> Node:
        kind, name = self.expressions.scalar_type(), self.words.name()
        self.words.expect("=")
        return syntax.Declaration(source, "const", kind, name, self.initial())

    def port(self, word: str, source: Source) -> Node:
        """An `input` or `output`."""
        return syntax.Declaration(source, word, self.expressions.type(), self.words.name(), None)

    def alias(self, source: Source) -> Node:
        name = self.words.name()
        self.words.expect("=")
        parts = [self.expressions.expression()]
        while self.words.accept("++"):
            parts.append(self.expressions.expression())
        value = parts[0] if len(parts) == 1 else syntax.Concatenation(parts[0].source, parts)
        return syntax.Alias(source, name, value)

    def gate(self, source: Source) -> Node:
        words, name = self.words, self.words.name()
        parameters = words.within(words.name, ")") if words.accept("(") else []
        qubits = words.items(words.name, "{")
        return syntax.GateDefinition(source, name, parameters, qubits, self.defined("gate"))

    def subroutine(self, source: Source) -> Node:
        name = self.words.name()
        self.words.expect("(")
        parameters = self.words.within(self.parameter, ")")
        result = self.result()
        return syntax.SubroutineDefinition(source, name, parameters, result, self.defined("def"))

    def defined(self, what: str) -> list[Node]:
        """The body of a definition."""
        self.definition = what
        body = self.body(in_braces=True)
        self.definition = None
        return body

    def result(self) -> syntax.Type | None:
        return self.expressions.scalar_type() if self.words.accept("->") else None

    def parameter(self) -> syntax.Declaration:
        words, source = self.words, self.words.source
        if words.word in ("qreg", "creg"):
            return self.old_parameter(source)
        if words.accept("qubit"):
            kind = syntax.Type(source, "qubit", self.expressions.size())
        else:
            kind = self.parameter_type()
        return syntax.Declaration(source, "", kind, words.name(), None)

    def parameter_type(self) -> syntax.Type:
        is_array = self.words.word in ("readonly", "mutable")
        return self.reference() if is_array else self.expressions.scalar_type()

    def reference(self) -> syntax.Type:
        """`readonly array[int, #dim = 2]`."""
        words, source = self.words, self.words.source
        words.advance()
        words.expect("array")
        words.expect("[")
        self.expressions.scalar_type()
        words.expect(",")
        if words.accept("#dim"):
            words.expect("=")
            self.expressions.expression()
        else:
            words.items(self.expressions.expression, "]")
        words.expect("]")
        return syntax.Type(source, "array")

    def extern(self, source: Source) -> None:  # noqa: ARG002
        """Only its calls are refused."""
        self.words.name()
        self.words.expect("(")
        self.words.within(self.extern_parameter, ")")
        self.result()

    def extern_parameter(self) -> None:
        if self.words.accept("creg"):
            self.expressions.size()
        else:
            self.parameter_type()

    def calibration(self, word: str, source: Source) -> Node:
        """The word stands for the whole of it."""
        while self.words.word != "{":
            if self.words.kind == "end":
                self.words.fail()
            self.words.advance()
        self.words.skip_brackets("{")
        return syntax.Unsupported(source, word)

    def calibration_grammar(self, source: Source) -> None:  # noqa: ARG002
        self.words.string()

    # --- quantum statements ---

    def modified(self, source: Source) -> Node:
        """A gate with modifiers, or a phase."""
        words, modifiers = self.words, []
        while words.word in MODIFIERS:
            modifiers.append(self.modifier())
        is_phase = words.word == "gphase"
        name = words.advance() if is_phase else words.name()
        arguments = words.within(self.expressions.expression, ")") if words.accept("(") else []
        self.expressions.size()
        qubits = [] if is_phase and words.word == ";" else self.operands()
        self.end()
        if is_phase and len(arguments) != 1:
            message = f"'gphase' takes exactly one argument, but received {len(arguments)}"
            raise ProgramError(message, source=source)
        return syntax.GateCall(source, modifiers, name, arguments, qubits)

    def modifier(self) -> syntax.Modifier:
        words = self.words
        name, argument = words.advance(), None
        if name == "pow" or (name != "inv" and words.word == "("):
            words.expect("(")
            argument = self.expressions.expression()
            words.expect(")")
        words.expect("@")
        return name, argument

    def operands(self) -> list[Node]:
        return self.words.items(self.expressions.qubit, ";")

    def measurement(self) -> syntax.Measure:
        source = self.words.source
        self.check_outside_gate("have a non-unitary 'measure' instruction", source)
        self.words.advance()
        return syntax.Measure(source, self.expressions.qubit(), None)

    def measure(self, source: Source) -> Node:
        qubit = self.measurement().qubit
        target = self.expressions.place() if self.words.accept("->") else None
        self.end()
        return syntax.Measure(source, qubit, target)

    def reset(self, source: Source) -> Node:
        self.check_outside_gate("have a non-unitary 'reset' instruction", source)
        return syntax.Reset(source, self.expressions.qubit())

    def barrier(self, source: Source) -> Node:
        return syntax.Barrier(source, [] if self.words.word == ";" else self.operands())

    def delay(self, source: Source) -> None:  # noqa: ARG002
        """Time means nothing here."""
        if self.expressions.size() is None:
            self.words.fail()
        if self.words.word != ";":
            self.operands()

    def box(self, source: Source) -> Node:
        self.expressions.size()
        return syntax.Block(source, self.body(in_braces=True))

    def plain(self, source: Source) -> Node:
        """What no keyword begins: a gate, an assignment or an expression."""
        words, target = self.words, self.expressions.expression()
        if words.word in ASSIGNMENTS and _is_place(target):
            return self.assignment(target, source)
        if (words.at_name() or words.at_hardware()) and (call := _gate_of(target)):
            name, arguments = call
            node: Node = syntax.GateCall(source, [], name, arguments, self.operands())
        else:
            node = syntax.ExpressionStatement(source, target)
        self.end()
        return node

    def assignment(self, target: Node, source: Source) -> Node:
        self.check_outside_gate("assign to classical parameters", source)
        op = self.words.advance()
        value = self.value() if op == "=" else self.expressions.expression()
        self.end()
        if isinstance(value, syntax.Measure):
            return syntax.Measure(source, value.qubit, target)
        return syntax.Assignment(source, target, op, value)

    # --- control flow ---

    def returned(self, source: Source) -> Node:
        if self.definition != "def":
            raise ProgramError("'return' statement outside subroutine", source=source)
        return syntax.Return(source, None if self.words.word == ";" else self.value())

    def jump(self, word: str, source: Source) -> Node:
        if word != "end" and not self.loops:
            raise ProgramError(f"'{word}' statement outside loop", source=source)
        return syntax.Word(source, word)

    def condition(self) -> Node:
        self.words.expect("(")
        condition = self.expressions.expression()
        self.words.expect(")")
        return condition

    def branch(self, source: Source) -> Node:
        condition, then = self.condition(), self.body()
        return syntax.If(source, condition, then, self.body() if self.words.accept("else") else [])

    def loop(self) -> list[Node]:
        self.loops += 1
        body = self.body()
        self.loops -= 1
        return body

    def while_loop(self, source: Source) -> Node:
        return syntax.While(source, self.condition(), self.loop())

    def for_loop(self, source: Source) -> Node:
        """Qiskit 2.0 writes loops whose variable has no type: it is read as `int`."""
        words = self.words
        if words.at_name() and words.following == "in":
            kind = syntax.Type(words.source, "int")
            self.warn_of_untyped(source)
        else:
            kind = self.expressions.scalar_type()
        name = words.name()
        words.expect("in")
        return syntax.For(source, kind, name, self.values(), self.loop())

    def warn_of_untyped(self, source: Source) -> None:
        if self.is_typed:
            self.warn("'for' without a type: its variable is read as int", source)
        self.is_typed = False

    def values(self) -> Node:
        """What a loop runs over."""
        if self.words.word == "{":
            return self.expressions.set()
        if not self.words.accept("["):
            return self.expressions.expression()
        values = self.expressions.range_or_expression()
        if not isinstance(values, syntax.Range):
            self.words.fail()
        self.words.expect("]")
        return values

    def switch(self, source: Source) -> Node:
        target = self.condition()
        cases: list[syntax.Case] = []
        self.words.expect("{")
        while not self.words.accept("}"):
            place, case = self.words.source, self.case()
            if cases and not cases[-1].labels:
                message = "'case' statement after 'default'" if case.labels else "multiple 'default' cases"
                raise ProgramError(message, source=place)
            cases.append(case)
        return syntax.Switch(source, target, cases)

    def case(self) -> syntax.Case:
        labels: list[Node] = []
        if not self.words.accept("default"):
            self.words.expect("case")
            labels = self.words.items(self.expressions.expression, "{")
        source = self.words.source
        return syntax.Case(source, labels, self.block())


def _is_place(node: Node) -> bool:
    """A name, perhaps with indices?"""
    while isinstance(node, syntax.Index):
        node = node.collection
    return isinstance(node, syntax.Name) and node.text[0] != "$"


def _gate_of(node: Node) -> tuple[str, list[Node]] | None:
    """Name and arguments of a gate in front of its operands; a time may stand behind them in brackets."""
    if isinstance(node, syntax.Index) and isinstance(node.index, list) and len(node.index) == 1:
        node = node if isinstance(node.index[0], syntax.Range) else node.collection
    if isinstance(node, syntax.Call):
        return node.name, node.arguments
    return (node.text, []) if isinstance(node, syntax.Name) and node.text[0] != "$" else None
