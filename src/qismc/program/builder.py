"""Flattening: structured control flow in, flat code with explicit successors out.

Both front ends (Qiskit circuits, OpenQASM) speak to this one builder, so that loops, branches and limits mean
the same in each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from qismc.common.source import Source
from qismc.common.wording import counted
from qismc.errors import ProgramError
from qismc.program.classical import Binary, Const, Expression, Read, Variable
from qismc.program.program import Annotation, Program, check_mark
from qismc.program.rewriting import attach_marks
from qismc.program.statements import Apply, Branch, Goto, Jump, Leaf, Mark, Statement, Switch
from qismc.program.virtual import Virtual

MAX_STATEMENTS = 5_000_000
"""Maximum number of statements of a program, loops unrolled."""
MAX_BITS = 1_000_000
"""Maximum size of a register, in qubits or bits."""
PENDING = Jump(-1)
Body = Callable[[], None]
Case = tuple[Iterable[int | None], Body]


def check_turns(count: int, source: Source | None) -> None:
    """Raise ProgramError for a range whose loop would have more statements than a program may."""
    if count > MAX_STATEMENTS:
        message = f"the range has {count:,} elements, more than {MAX_STATEMENTS:,}"
        hint = "loops are unrolled: use a shorter range, or a while loop on measured bits"
        raise ProgramError(message, source=source, hint=hint)


@dataclass
class OpenLoop:
    """An open loop: the points that wait to learn where `continue` and `break` lead."""

    continues: list[int] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)


@dataclass
class Builder:
    """Code under construction; `variables` and `store_width` are the classical layout so far."""

    max_statements: int = MAX_STATEMENTS
    code: list[Statement] = field(default_factory=list)
    sources: list[Source | None] = field(default_factory=list)
    texts: list[str | None] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    store_width: int = 0
    warnings: list[str] = field(default_factory=list)
    loops: list[OpenLoop] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    skipped_marks: set[str] = field(default_factory=set)

    @property
    def here(self) -> int:
        """The point that the next statement will get."""
        return len(self.code)

    def emit(self, statement: Statement, source: Source | None = None, text: str | None = None) -> int:
        """Append a statement; its point."""
        self._check_room(1, source)
        self.code.append(statement)
        self.sources.append(source)
        self.texts.append(text)
        return len(self.code) - 1

    def emit_gates(self, gates: Sequence[Apply], sources: Sequence[Source | None]) -> None:
        """Append a run of gates."""
        self._check_room(len(gates), sources[0] if sources else None)
        self.code += gates
        self.sources += sources
        self.texts += [None] * len(gates)

    def _check_room(self, count: int, source: Source | None) -> None:
        if len(self.code) + count > self.max_statements:
            raise ProgramError(
                f"the program has more than {self.max_statements:,} statements after unrolling its for loops",
                source=source,
                hint="shorten the loop, or write it as a while loop over a variable",
            )

    def check_width(self, size: int, what: str, source: Source | None) -> None:
        """Refuse a register that is larger than any real one before memory is spent on it."""
        if size > MAX_BITS:
            raise ProgramError(f"{what} has size {size:,}; at most {MAX_BITS:,} is supported", source=source)

    def declare(
        self, name: str, width: int, *, signed: bool = False, is_bit: bool = False, hidden: bool = False
    ) -> Variable:
        """A new variable; a name that is taken (an outer scope's) gets a number."""
        unique, count = name, 1
        while unique in self.variables:
            count += 1
            unique = f"{name}_{count}"
        variable = Variable(unique, self.allocate(width), signed, is_bit, hidden)
        self.variables[unique] = variable
        return variable

    def warn(self, message: str, source: Source | None) -> None:
        self.warnings.append(f"{source}: {message}" if source is not None else message)

    def allocate(self, width: int) -> tuple[int, ...]:
        """Fresh positions of the store."""
        first = self.store_width
        self.store_width += width
        return tuple(range(first, self.store_width))

    def mark(self, name: str, source: Source | None = None) -> None:
        check_mark(name, source)
        self.emit(Mark(name), source, f"mark {name}")

    def skip_mark(self, name: str, source: Source | None = None) -> None:
        """Note a mark of code that was never unrolled: formulas may name it, and no point has it."""
        check_mark(name, source)
        self.skipped_marks.add(name)

    def branch(
        self, condition: Expression, then: Body, otherwise: Body | None = None, source: Source | None = None
    ) -> None:
        """if (condition) then; else otherwise."""
        self._warn_if_never(condition, source)
        head = self.emit(PENDING, source)
        then()
        target = self.here
        if otherwise is not None:
            over = self.emit(PENDING, source)
            target = self.here
            otherwise()
            self.code[over] = Jump(self.here)
        self.code[head] = Branch(condition, head + 1, target)

    def loop(self, condition: Expression, body: Body, source: Source | None = None) -> None:
        """while (condition) body."""
        self._warn_if_never(condition, source)
        head = self.emit(PENDING, source)
        loop = self._inside_loop(body)
        self.emit(Jump(head), source)
        self.code[head] = Branch(condition, head + 1, self.here, loop=True)
        self._resolve(loop.continues, head)
        self._resolve(loop.breaks, self.here)

    def unroll(self, turns: Iterable[tuple[str, Body]], source: Source | None = None) -> None:
        """One copy of a body per (text of the turn's head, body)."""
        breaks: list[int] = []
        for text, body in turns:
            head = self.emit(PENDING, source, text)
            self.code[head] = Goto(self.here, loop=True)
            loop = self._inside_loop(body)
            self._resolve(loop.continues, self.here)
            breaks += loop.breaks
        self._resolve(breaks, self.here)

    def switch(self, target: Expression, cases: Iterable[Case], source: Source | None = None) -> None:
        """The body of the target's value, else the body labelled None; no body falls through to the next."""
        head = self.emit(PENDING, source)
        table: dict[int | None, int] = {}
        exits = []
        for labels, body in cases:
            for label in labels:
                table.setdefault(label, self.here)
                if label is not None:
                    self._warn_if_never(Binary("==", target, Const(label)), source)
            body()
            exits.append(self.emit(PENDING, source))
        for point in exits:
            self.code[point] = Jump(self.here)
        default = table.pop(None, self.here)
        values = {label: point for label, point in table.items() if label is not None}
        self.code[head] = Switch(target, default, values)

    def break_loop(self, source: Source | None = None) -> None:
        self._innermost("break", source).breaks.append(self.emit(PENDING, source, "break"))

    def continue_loop(self, source: Source | None = None) -> None:
        self._innermost("continue", source).continues.append(self.emit(PENDING, source, "continue"))

    def depart(self, text: str, source: Source | None = None) -> int:
        """A visible step to a point that `land` will name."""
        return self.emit(PENDING, source, text)

    def land(self, points: Iterable[int]) -> None:
        """The departed points lead here."""
        self._resolve(points, self.here)

    def end_program(self, source: Source | None = None) -> None:
        self.ends.append(self.depart("end", source))

    def _warn_if_never(self, condition: Expression, source: Source | None) -> None:
        """Warn of `c == k` where the number k does not fit into the register c."""
        match condition:
            case Binary("==", Read(bits, signed=False), Const(value)) if value >> len(bits):
                names = [v.name for v in self.variables.values() if v.bits == bits]
                name = names[0] if names else "the value"
                self.warn(
                    f"'{name} == {value}' is never true: {name} has {counted(len(bits), 'bit')}", source
                )

    def _innermost(self, word: str, source: Source | None) -> OpenLoop:
        if not self.loops:
            raise ProgramError(f"'{word}' outside of a loop", source=source)
        return self.loops[-1]

    def _inside_loop(self, body: Body) -> OpenLoop:
        self.loops.append(OpenLoop())
        body()
        return self.loops.pop()

    def _resolve(self, points: Iterable[int], target: int) -> None:
        for point in points:
            self.code[point] = Goto(target)

    def finish(
        self,
        name: str,
        qubits: Iterable[str],
        quantum_registers: Mapping[str, tuple[int, ...]],
        annotations: Iterable[Annotation] = (),
        source: Source | None = None,
        *,
        ancillas: frozenset[int] = frozenset(),
        virtual: Virtual | None = None,
    ) -> Program:
        """Close the code with its one leaf; `source` is the start of the program."""
        qubits = tuple(qubits)
        if not qubits:
            raise ProgramError("the program has no qubits", source=source, hint="declare a quantum register")
        annotations = tuple(annotations)
        self.land(self.ends)
        self.emit(Leaf(), None, "end")
        self.skipped_marks.update(a.text for a in annotations if a.kind == "mark")
        program = Program(
            name=name,
            qubits=qubits,
            quantum_registers=dict(quantum_registers),
            variables=self.variables,
            store_width=self.store_width,
            code=self.code,
            sources=self.sources,
            texts=self.texts,
            annotations=annotations,
            warnings=tuple(self.warnings),
            absent_marks=frozenset(self.skipped_marks),
            ancillas=ancillas,
            virtual=virtual,
        )
        return attach_marks(program)


FRAMES = 10_000
"""Python's recursion limit while a program is read. The slowest reader needs about 12 frames per block."""


@contextmanager
def room_for_nesting() -> Iterator[None]:
    """Python's recursion limit allows about 200 nested blocks; inside, it is higher (see FRAMES)."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    except RecursionError:
        hint = "take blocks or gates apart"
        raise ProgramError("the program is nested too deeply", hint=hint) from None
    finally:
        sys.setrecursionlimit(before)
